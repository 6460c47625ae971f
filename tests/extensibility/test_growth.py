"""Layouts can grow: older networks and logs keep their behaviour, and removed names are refused."""

import subprocess
import sys

import pytest

from .examples import OBSERVATION_ENTRY, OPERATION, RULES, Place
from .scratch import Scratch

ACTION = Place(RULES + "vocabulary.py", '        "pass": ["pass"],\n', '        "goat": ["goat:feed"],\n')
# Another feature, action and operation. The new decision never occurs, so games do not change.
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
    game, bot = vitienv.Game.new(seed=5, max_years=2, **options), vitienv.make_agent("policy:champion")
    while not game.is_over:
        game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))
    print(*game.moves)
"""


@pytest.fixture(scope="module")
def grown(tmp_path_factory, numba) -> Scratch:
    scratch = Scratch(tmp_path_factory.mktemp("grown"), numba)
    scratch.add(GROWN)
    result = scratch.run(HAS_GROWN)
    assert result.returncode == 0, result.stderr
    return scratch


def test_networks_keep_their_choices(grown):
    result = grown.run(PLAY)
    current = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=True)
    assert result.returncode == 0, result.stderr[-2000:]
    assert result.stdout == current.stdout and len(current.stdout.split()) > 100


def test_removed_name_raises_in_one_line(numba, tmp_path):
    scratch = Scratch(tmp_path, numba)
    use = Place(RULES + "vocabulary.py", 'ACTIONS.number("no")', 'ACTIONS.number("refuse")', instead=True)
    scratch.add([GONE, use])
    result = scratch.run("import vitienv; vitienv.make_agent('policy:champion')")
    last = result.stderr.splitlines()[-1]
    assert last.startswith("ValueError") and "'no'" in last, result.stderr[-500:]
