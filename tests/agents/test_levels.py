"""Levels 1 to 10: what they are stays as it is."""

import hashlib

import numpy as np
import pytest

import vitienv
from vitienv.agents import make_agent
from vitienv.agents.levels import LEVELS
from vitienv.agents.protocol import Views
from vitienv.core.batch import Batch, keys_of
from vitienv.games import definition

# What each level chooses in the 48 of 64 positions with most choices, as a digest. Another network or search is another
# level: measure the ratings anew then (`vitienv ladder levels`), and write the digests that the test shows.
FROZEN = {
    "toscana": "d8f2e514 ca0ad673 af5883e8 4a9bb21d fac41a77 2fa42976 568bff7e ca816cc4 ca816cc4 ca816cc4",
    "viticulture": "c1ad622e 3d3fbfb6 c37869a0 45f97e4f eb517613 b382bc93 4a6ab88b 4d6cf9e3 64346b30 5766bb01",
}


def positions(game, n=64, steps=150):
    """Games that random play has brought into their middle."""
    batch = Batch(n, definition(game).options.of(num_players=2, skip_forced=True))
    batch.start(keys_of(5, n))
    for _ in range(steps):
        batch.step_random()
    return batch


def choices(level, batch, rows):
    """What a level chooses in some of the games."""
    bot = make_agent(f"level:{level}", seed=7, game=batch.definition)
    return bot.act(batch.obs[rows].copy(), batch.masks[rows].copy(), Views(batch, rows))


@pytest.mark.parametrize("game", FROZEN)
def test_levels_are_frozen(game):
    batch = positions(game)
    rows = np.argsort(-batch.masks.sum(axis=1), kind="stable")[:48].tolist()
    found = [hashlib.sha256(choices(level, batch, rows).tobytes()).hexdigest()[:8] for level in range(1, 11)]
    assert found == FROZEN[game].split()


@pytest.mark.parametrize("level", [2, 6, 8])
def test_a_choice_does_not_depend_on_the_batch(level):
    batch = positions("toscana")
    together = choices(level, batch, list(range(8)))
    assert [int(choices(level, batch, [row])[0]) for row in (0, 3, 7)] == together[[0, 3, 7]].tolist()


def test_a_level_slips_as_often_as_it_says():
    batch = positions("toscana", 1024, 40)
    right = make_agent("heuristic", game="toscana").act(batch.obs, batch.masks)
    counts = batch.masks.sum(axis=1)
    for number in (2, 3, 4):
        wrong = (choices(number, batch, list(range(1024))) != right).mean()
        expected = LEVELS[number - 1].slips * (1 - 1 / counts).mean()
        assert abs(wrong - expected) < 4 * np.sqrt(expected * (1 - expected) / 1024)
    assert (choices(5, batch, list(range(1024))) == right).all()


def test_a_search_under_a_level_says_how_far_it_is():
    assert hasattr(make_agent("level:8", seed=1), "look_at") and make_agent("level:8", seed=1).name == "level:8"


@pytest.mark.parametrize("level", ["0", "11", "-1"])
def test_there_are_ten_levels(level):
    with pytest.raises(ValueError, match="must be a whole number from 1 to 10"):
        make_agent(f"level:{level}")


def test_a_level_plays_a_game_of_world():
    game = vitienv.Game.new(game="world", num_players=2, seed=1)
    for number in (2, 5):
        bot = make_agent(f"level:{number}", seed=1, game="world")
        action = bot.act(game.observation()[None], game.mask[None])
        assert game.mask[int(action[0])]
