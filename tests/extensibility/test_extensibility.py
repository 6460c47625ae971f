"""Additions touch no more places than documented, and a missing place is refused on import."""

import pytest

from .examples import ADDITIONS, Addition, Place
from .scratch import Scratch

NEEDED = [(addition, place) for addition in ADDITIONS for place in addition.places if place.without]


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.name)
def test_addition_works(addition: Addition, numba, tmp_path):
    assert sum(not place.to_show for place in addition.places) <= addition.max_places
    scratch = Scratch(tmp_path, numba)
    assert scratch.run(addition.program).returncode != 0  # fails without the addition
    scratch.add(addition.places)
    result = scratch.run(addition.program)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("addition, place", NEEDED, ids=lambda value: getattr(value, "name", None))
def test_missing_place_raises_on_import(addition: Addition, place: Place, numba, tmp_path):
    scratch = Scratch(tmp_path, numba)
    scratch.add(other for other in addition.places if other != place)
    result = scratch.run(addition.definition)
    assert result.returncode != 0 and place.without in result.stderr.splitlines()[-1], result.stderr[-500:]
