"""Batches of solo games: outcomes, and bots instead of the Automa."""

import numpy as np
import pytest

import vitienv
from vitienv.agents import make_agent
from vitienv.training.viticulture.solo import play_solo
from vitienv.viticulture.options import Options

OUTCOMES = {"win": 1, "draw": 0, "loss": -1}
SEEDS = (5, 6, 7, 8)


class WakeUpBot:
    """Bot with a fixed order of wake-up rows that takes the papa's lira, and otherwise the first legal action."""

    name = "wake_up"

    def __init__(self, rows):
        self.options_seen = [vitienv.ACTIONS.number(name) for name in (*(f"wake_up:{row}" for row in rows), "option:2")]

    def act(self, observations, action_masks, games=None):
        return np.array(
            [next((action for action in self.options_seen if mask[action]), mask.argmax()) for mask in action_masks]
        )


def solo_options(**options):
    return Options(ruleset="solo", **options)


def play_alone(options, agent, seed):
    """Play a `Game` and return it."""
    game = vitienv.Game.new(seed=seed, **options.replace(skip_forced=True).to_dict())
    while not game.is_over:
        game.step(int(agent.act(game.observation()[None], game.mask[None])[0]))
    return game


def test_aggressive_game_is_lost_without_a_lead():
    """At the end of year 2."""
    played = play_solo(solo_options(aggressive=True), WakeUpBot((1, 2, 3, 4, 5, 7, 6)), SEEDS)
    assert played.outcome.tolist() == [-1] * len(SEEDS) and played.against.tolist() == [0] * len(SEEDS)
    assert played.years.tolist() == [2] * len(SEEDS)


@pytest.mark.parametrize("marker, outcome", [(20, 1), (21, 0), (22, -1)])
@pytest.mark.parametrize("automa_replacement", [None, "blocker"])
def test_outcomes_against_the_marker(marker, outcome, automa_replacement):
    """The other bot takes row 1 only, so that a row with a token is always free."""
    other = None if automa_replacement is None else WakeUpBot((1,))
    options = solo_options(start_vp=20, automa_vp=marker, automa_replacement=automa_replacement, reward="margin")
    played = play_solo(options, WakeUpBot((6, 1, 2, 3, 4, 5, 7)), SEEDS, other)
    assert played.points.tolist() == [21] * len(SEEDS) and played.against.tolist() == [marker] * len(SEEDS)
    assert played.outcome.tolist() == [outcome] * len(SEEDS)


@pytest.mark.parametrize("options", [{}, {"difficulty": "very_easy"}, {"aggressive": True}, {"challenge": 6}])
@pytest.mark.parametrize("bot", ["random", "heuristic"])
def test_batch_equals_single_games(options, bot):
    agent = make_agent(bot, seed=3) if bot == "random" else make_agent(bot)
    played = play_solo(solo_options(**options), agent, SEEDS)
    for i, seed in enumerate(SEEDS):
        game = play_alone(solo_options(**options), agent, seed)
        assert (played.years[i], played.points[i]) == (game.year, game.scores[0])
        assert played.outcome[i] == OUTCOMES[game.outcome] and played.against[i] == game.automa_score


def test_rival_wins_with_more_points():
    agents = make_agent("heuristic"), make_agent("random", seed=1)
    strong = play_solo(solo_options(automa_replacement="rival"), agents[0], SEEDS, agents[1])
    for i, seed in enumerate(SEEDS):  # games are independent of their batch
        alone = play_solo(solo_options(automa_replacement="rival"), agents[0], [seed], agents[1])
        assert (alone.points[0], alone.against[0]) == (strong.points[i], strong.against[i])
    weak = play_solo(solo_options(automa_replacement="rival"), agents[1], SEEDS, agents[0])
    for played in (strong, weak):
        assert played.outcome.tolist() == np.sign(played.points - played.against).tolist()
    assert strong.outcome.sum() > 0 > weak.outcome.sum()


@pytest.mark.parametrize(
    "options, seeds, automa_replacement, message",
    [
        (Options(), SEEDS, None, "ruleset must be 'solo', got 'essential'"),
        (solo_options(max_years=3), SEEDS, None, "max_years must be unset in solo games, got 3"),
        (solo_options(automa_replacement="rival"), SEEDS, None, "automa_replacement requires a bot"),
        (solo_options(), SEEDS, make_agent("random"), "a bot requires automa_replacement"),
        (solo_options(), (), None, "seeds must not be empty"),
    ],
)
def test_invalid_arguments_raise(options, seeds, automa_replacement, message):
    with pytest.raises(ValueError, match=message):
        play_solo(options, make_agent("random", seed=1), seeds, automa_replacement)
