"""Levels 1 to 10 are frozen."""

import hashlib

import numpy as np
import pytest

from tests.random_play import random_batch
from vitienv.agents import make_agent
from vitienv.agents.levels import LEVELS
from vitienv.agents.protocol import GameViews
from vitienv.registry import game_spec
from vitienv.training.evaluation.ladder import options_of

# Digests of the choices of each level, by table, in the 48 or 12 of 64 positions with the most legal actions. A change
# of network or search changes a level: measure the ratings again (`vitienv ladder levels`) and write the new digests.
FROZEN = {
    "toscana 2": "d8f2e514 ca0ad673 af5883e8 4a9bb21d fac41a77 2fa42976 568bff7e ca816cc4 ca816cc4 ca816cc4",
    "toscana 4": "d06e0f9e 8a18168e 1a780437 b0ea4aad 98aa315d c25ae914 c25ae914 a72beafd a72beafd d929161e",
    "viticulture 2": "223fb9a8 9b71a548 be173a40 6c72ed99 eb517613 e45b6971 4a6ab88b e51b6f4c 6f429823 64346b30",
    "viticulture 3": "4683ed7d 9d7f93f4 d3df39df 0074f990 0074f990 68acf968 68acf968 6b48dc50 70757219 4883a6b3",
    "viticulture 4": "815c1787 82f2a968 1683baf9 f105b5f6 9622d3b8 8d60573a 29b84722 29b84722 29b84722 f58d676a",
    "viticulture solo": "006b6d1a e52df1ad 6b5f0638 6b5f0638 8698de86 372cf001 56e92a1f 6e85237a 6e85237a c21539e3",
    "world world": "cdee80ff 4aaf2f02 7dfe4807 9f8db0aa b0d214bd d3e9c4eb db378537 db378537 a948b386 46841a53",
}


def choices(level, batch, rows):
    bot = make_agent(f"level:{level}", seed=7, game=batch.game_spec)
    return bot.act(batch.obs[rows].copy(), batch.masks[rows].copy(), GameViews(batch, rows))


@pytest.mark.parametrize("table", FROZEN)
def test_choices_of_levels_are_frozen(table):
    game, name = table.split()
    batch = random_batch(options_of(name, game_spec(game)), 64, 150)
    rows = np.argsort(-batch.masks.sum(axis=1), kind="stable")[: 48 if table.endswith(" 2") else 12].tolist()
    digests = [hashlib.sha256(choices(level, batch, rows).tobytes()).hexdigest()[:8] for level in range(1, 11)]
    assert digests == FROZEN[table].split()


@pytest.mark.parametrize("level", [2, 6, 8])
def test_choice_is_independent_of_the_batch(level):
    batch = random_batch(options_of("2", game_spec("toscana")), 64, 150)
    together = choices(level, batch, list(range(8)))
    assert [int(choices(level, batch, [row])[0]) for row in (0, 3, 7)] == together[[0, 3, 7]].tolist()


def test_frequency_of_slips():
    batch = random_batch(options_of("2", game_spec("toscana")), 1024, 40)
    heuristic_actions = make_agent("heuristic", game="toscana").act(batch.obs, batch.masks)
    counts = batch.masks.sum(axis=1)
    for number in (2, 3, 4):
        slip_rate = (choices(number, batch, list(range(1024))) != heuristic_actions).mean()
        expected = LEVELS[number - 1].slips * (1 - 1 / counts).mean()
        assert abs(slip_rate - expected) < 4 * np.sqrt(expected * (1 - expected) / 1024)
    assert (choices(5, batch, list(range(1024))) == heuristic_actions).all()


def test_level_with_a_search_reports_its_progress():
    assert hasattr(make_agent("level:8", seed=1), "search_rows") and make_agent("level:8", seed=1).name == "level:8"
