"""Layouts may grow: what was trained, kept and logged before goes on as it was; what went away is refused."""

import subprocess
import sys

import pytest

from .examples import OBSERVATION_ENTRY, OPERATION, RULES, Place
from .scratch import Scratch

ACTION = Place(RULES + "vocabulary.py", '        "pass": ["pass"],\n', '        "goat": ["goat:feed"],\n')
# One entry, one action and one operation more; nobody is asked the new question, so that the games stay the same.
GROWN = [*OBSERVATION_ENTRY.places, ACTION, *OPERATION.places[:2]]
GONE = Place(RULES + "vocabulary.py", '"answer": ["yes", "no"]', '"answer": ["yes", "refuse"]', instead=True)
HAS_GROWN = """
import vitienv
from pathlib import Path
assert Path(vitienv.__file__).parent.parent == Path.cwd()
made = vitienv.game_spec()
assert made.observation.names.count("richest:0") + made.observation.names.count("richest") == 1
assert made.actions.number("goat:feed") == 1 and "count_goats" in made.decisions
"""
PLAY = """
import vitienv
for options in ({"num_players": 2}, {"num_players": 4}, {"ruleset": "solo"}):
    game = vitienv.Game.new(seed=5, max_years=12, **options)
    while not game.is_over:
        bot = vitienv.make_agent("policy:champion")
        game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))
    print(*game.moves)
"""


@pytest.fixture(scope="module")
def grown(tmp_path_factory, numba) -> Scratch:
    scratch = Scratch(tmp_path_factory.mktemp("grown"), numba)
    scratch.add(GROWN)
    done = scratch.run(HAS_GROWN)
    assert done.returncode == 0, done.stderr
    return scratch


def test_networks_choose_what_they_chose(grown):
    done = grown.run(PLAY)
    here = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == here.stdout and len(here.stdout.split()) > 100


def test_a_name_that_went_away_is_refused_in_one_line(numba, tmp_path):
    scratch = Scratch(tmp_path, numba)
    also = Place(RULES + "vocabulary.py", 'ACTIONS.number("no")', 'ACTIONS.number("refuse")', instead=True)
    scratch.add([GONE, also])
    done = scratch.run("import vitienv; vitienv.make_agent('policy:champion')")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ValueError") and "'no'" in last, done.stderr[-500:]
