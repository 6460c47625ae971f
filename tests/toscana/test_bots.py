"""Bots at tables of this game: the heuristic bot, and what bots with other plans do in games among themselves."""

import numpy as np
import pytest

import vitienv
from tests.toscana.positions import at, start
from vitienv.core.batch import Batch, keys_of
from vitienv.envs.single import LearnerEnv
from vitienv.training.evaluation.match import play

BOT = "heuristic"


def heuristic():
    return vitienv.make_agent(BOT, game="toscana")


def won(bot, games, players, **options):
    """The share of games that a bot wins among random players, in each seat as often."""
    seating = [[int(seat != game % players) for seat in range(players)] for game in range(games)]
    agents = [vitienv.make_agent(bot, game="toscana"), vitienv.make_agent("random:seed=1", game="toscana")]
    options = vitienv.game_spec("toscana").options.of(num_players=players, **options)
    ranks = play(options, range(games), seating, agents).ranks
    return (ranks[np.arange(games), np.arange(games) % players] == 1).mean()


@pytest.mark.parametrize("n", (2, 3, 4, 5))
def test_it_wins_against_random_play_in_the_other_seats(n):
    """About 399 of 400 games, whoever begins and wherever it sits."""
    assert won(BOT, 200, n) >= 0.98


@pytest.mark.parametrize("options", (
    {"num_players": 3, "map": "pieces", "player_trades": True}, {"num_players": 5, "start_on_water": False},
), ids=str)  # fmt: skip
def test_its_choices_are_legal_and_do_not_depend_on_other_rows(options):
    game_spec = vitienv.game_spec("toscana")
    batch = Batch(12, game_spec.options.of(**options))
    batch.start(keys_of(2, 12))
    bot = heuristic()
    for step in range(120):
        chosen = bot.act(batch.obs, batch.masks)
        assert batch.are_legal(chosen).all()
        row = step % 12
        assert bot.act(batch.obs[row : row + 1], batch.masks[row : row + 1])[0] == chosen[row]
        batch.step_random()  # positions that it would not come to itself


def test_it_says_why():
    game = start(2)
    scores = heuristic().explain(game.observation(), game.mask)
    assert set(scores) == set(game.legal_actions()) and next(iter(scores)) == "take:hiring"
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


def test_its_water_reaches_its_pieces():
    game = start(2, squares=[at(1, 1), at(2, 1), at(4, 8)]).step("take:winemaking")
    assert next(iter(heuristic().explain(game.observation(), game.mask))) == "crossroad:1:1"


def test_its_water_goes_nowhere_for_what_has_produced():
    """A square taken over does not produce again in the round (T53)."""
    game = start(2, squares=[at(1, 1), at(2, 1), at(4, 8)]).step("take:winemaking")
    layout, seen = vitienv.game_spec("toscana").observation, game.observation()
    layout.get(seen, "square_produced")[[0, 8]] = 1
    assert next(iter(heuristic().explain(seen, game.mask))) == "crossroad:3:7"


def test_it_plays_no_other_game():
    with pytest.raises(ValueError, match="toscana"):
        LearnerEnv(opponents=[heuristic()])


def test_what_a_search_hears_of_it_agrees_with_its_choices():
    """Preferences are 0 for its choice and for what is illegal, and below for the rest; money counts what it is."""
    game_spec = vitienv.game_spec("toscana")
    batch, bot = Batch(30, game_spec.options.of(num_players=4)), heuristic()
    batch.start(keys_of(8, 30))
    for _ in range(60):
        chosen, told = bot.act(batch.obs, batch.masks), bot.preferences(batch.obs, batch.masks)
        assert (told[np.arange(30), chosen] == 0).all() and (told <= 0).all() and not told[batch.masks == 0].any()
        batch.step_random()
    poor, rich = (start(2, {"money": money}).observation()[None] for money in (5, 9))
    assert bot.heuristic_values(rich)[0] - bot.heuristic_values(poor)[0] == 100  # four money are a point


def left(games, field):
    """Pieces in the storages at the end, (games, seats)."""
    records = games.records.view(games.options.game_spec.dtype).reshape(len(games))
    return records[field][:, : games.options.num_players]
