"""The heuristic bot of Toscana."""

import numpy as np
import pytest

import vitienv
from tests.toscana.positions import at, start
from vitienv.core.batch import Batch, make_keys
from vitienv.envs.single import SingleAgentEnv
from vitienv.training.evaluation.match import play

BOT = "heuristic"


def heuristic():
    return vitienv.make_agent(BOT, game="toscana")


def won(bot, games, players, **options):
    """Return the share of games that a bot wins against random bots, equally often in each seat."""
    seating = [[int(seat != game % players) for seat in range(players)] for game in range(games)]
    agents = [vitienv.make_agent(bot, game="toscana"), vitienv.make_agent("random:seed=1", game="toscana")]
    options = vitienv.game_spec("toscana").options.of(num_players=players, **options)
    ranks = play(options, range(games), seating, agents).ranks
    return (ranks[np.arange(games), np.arange(games) % players] == 1).mean()


@pytest.mark.parametrize("n", (2, 3, 4, 5))
def test_heuristic_bot_beats_random_bots(n):
    """About 399 of 400 games."""
    assert won(BOT, 200, n) >= 0.98


@pytest.mark.parametrize("options", (
    {"num_players": 3, "map": "pieces", "player_trades": True}, {"num_players": 5, "start_on_water": False},
), ids=str)  # fmt: skip
def test_choices_are_legal_and_independent_of_other_rows(options):
    game_spec = vitienv.game_spec("toscana")
    batch = Batch(12, game_spec.options.of(**options))
    batch.start(make_keys(2, 12))
    bot = heuristic()
    for step in range(120):
        actions = bot.act(batch.obs, batch.masks)
        assert batch.are_legal(actions).all()
        row = step % 12
        assert bot.act(batch.obs[row : row + 1], batch.masks[row : row + 1])[0] == actions[row]
        batch.step_random()  # also positions that it would avoid


def test_explanation_scores_every_legal_action():
    game = start(2)
    scores = heuristic().explain(game.observation(), game.mask)
    assert set(scores) == set(game.legal_actions()) and next(iter(scores)) == "take:hiring"
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


def test_water_reaches_own_squares():
    game = start(2, squares=[at(1, 1), at(2, 1), at(4, 8)]).step("take:winemaking")
    assert next(iter(heuristic().explain(game.observation(), game.mask))) == "crossroad:1:1"


def test_water_avoids_squares_that_have_produced():
    """A square taken over does not produce again in the round (T53)."""
    game = start(2, squares=[at(1, 1), at(2, 1), at(4, 8)]).step("take:winemaking")
    layout, observation = vitienv.game_spec("toscana").observation, game.observation()
    layout.get(observation, "square_produced")[[0, 8]] = 1
    assert next(iter(heuristic().explain(observation, game.mask))) == "crossroad:3:7"


def test_bot_raises_in_other_games():
    with pytest.raises(ValueError, match="toscana"):
        SingleAgentEnv(opponents=[heuristic()])


def test_policy_prior_agrees_with_choices():
    """Preferences are 0 for the choice and illegal actions, and negative otherwise; money has its value."""
    game_spec = vitienv.game_spec("toscana")
    batch, bot = Batch(30, game_spec.options.of(num_players=4)), heuristic()
    batch.start(make_keys(8, 30))
    for _ in range(60):
        actions, preferences = bot.act(batch.obs, batch.masks), bot.preferences(batch.obs, batch.masks)
        assert (preferences[np.arange(30), actions] == 0).all() and (preferences <= 0).all()
        assert not preferences[batch.masks == 0].any()
        batch.step_random()
    poor, rich = (start(2, {"money": money}).observation()[None] for money in (5, 9))
    assert bot.heuristic_values(rich)[0] - bot.heuristic_values(poor)[0] == 100  # four money are a point
