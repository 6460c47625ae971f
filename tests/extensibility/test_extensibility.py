"""Each addition touches no more places than promised, and a forgotten one is refused when the game is defined."""

import pytest

from .examples import ADDITIONS, Addition, Place
from .scratch import Scratch

NEEDED = [(addition, place) for addition in ADDITIONS for place in addition.places if place.without]


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.name)
def test_an_addition_works(addition: Addition, numba, tmp_path):
    assert sum(not place.to_show for place in addition.places) <= addition.most
    scratch = Scratch(tmp_path, numba)
    assert scratch.run(addition.shown).returncode != 0  # the program would notice
    scratch.add(addition.places)
    done = scratch.run(addition.shown)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("addition, place", NEEDED, ids=lambda given: getattr(given, "name", None))
def test_a_forgotten_place_is_refused_at_import(addition: Addition, place: Place, numba, tmp_path):
    scratch = Scratch(tmp_path, numba)
    scratch.add(other for other in addition.places if other != place)
    done = scratch.run(addition.defined)
    assert done.returncode != 0 and place.without in done.stderr.splitlines()[-1], done.stderr[-500:]
