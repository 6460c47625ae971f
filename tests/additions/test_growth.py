"""Layouts may grow: what was trained, kept and logged before goes on as it was; what went away is refused."""

import shutil

import pytest

from .examples import OBSERVATION_ENTRY, OPERATION, RULES, Place
from .scratch import ROOT, Scratch

ACTION = Place(RULES + "vocabulary.py", '        "pass": ["pass"],\n', '        "goat": ["goat:feed"],\n')
# One entry, one action and one operation more; nobody is asked the new question, so that the games stay the same.
GROWN = [*OBSERVATION_ENTRY.places, ACTION, *OPERATION.places[:2]]
GONE = Place(RULES + "vocabulary.py", '"answer": ["yes", "no"]', '"answer": ["yes", "refuse"]', instead=True)
HAS_GROWN = """
import vitienv
from pathlib import Path
assert Path(vitienv.__file__).parent.parent == Path.cwd()
made = vitienv.definition()
assert made.observation.names.count("richest:0") + made.observation.names.count("richest") == 1
assert made.actions.number("goat:feed") == 1 and "count_goats" in made.decisions
"""
PLAY_YESTERDAY = """
import os, sys, pytest
os.environ["YESTERDAY_EVERY"] = "{every}"
sys.exit(pytest.main(["-q", "-x", "-p", "no:cacheprovider", "tests/yesterday"]))
"""


@pytest.fixture(scope="module")
def grown(tmp_path_factory, numba) -> Scratch:
    scratch = Scratch(tmp_path_factory.mktemp("grown"), numba)
    scratch.add(GROWN)
    shutil.copytree(ROOT / "tests" / "yesterday", scratch.home / "tests" / "yesterday")
    done = scratch.run(HAS_GROWN)
    assert done.returncode == 0, done.stderr
    return scratch


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_yesterdays_networks_positions_and_logs_go_on(grown, every):
    """Those that `tests/yesterday` keeps, or each of so many: the bots choose what they chose."""
    done = grown.run(PLAY_YESTERDAY.format(every=every))
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_name_that_went_away_is_refused_in_one_line(numba, tmp_path):
    scratch = Scratch(tmp_path, numba)
    also = Place(RULES + "vocabulary.py", 'ACTIONS.number("no")', 'ACTIONS.number("refuse")', instead=True)
    scratch.add([GONE, also])
    done = scratch.run("import vitienv; vitienv.agent('policy:champion')")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ValueError") and "'no'" in last, done.stderr[-500:]
