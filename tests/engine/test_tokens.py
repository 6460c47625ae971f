"""Grape and wine arithmetic against a simple version, for every set of occupied slots."""

import numpy as np
import pytest

from vitienv.core.compiling.jit import cache_on_disk, is_compiled
from vitienv.viticulture import tokens
from vitienv.viticulture.kernel import KERNELS
from vitienv.viticulture.state import GAME_DTYPE


def kernel(function):
    return cache_on_disk(function, KERNELS.folder.with_name(f"{KERNELS.folder.name}-tests"), "the tests")


@kernel
def place_grapes(games, values, slots):
    for i in range(len(games)):
        slots[i] = tokens.place_grape(games[i], 0, 0, values[i])


@kernel
def age(games):
    for i in range(len(games)):
        tokens.age_grapes(games[i], 0)
        tokens.age_wines(games[i], 0)


@kernel
def wine_slots(games, kinds, values, free, slots):
    for i in range(len(games)):
        slots[i] = tokens.wine_slot(games[i], 0, kinds[i], values[i], free[i])


def records(n: int) -> np.ndarray:
    """Return n empty states in the kernels' format."""
    games = np.zeros(n, GAME_DTYPE)
    return games.view(np.recarray) if not is_compiled(place_grapes) else games


def occupied(mask: int) -> set[int]:
    """Return the values of the occupied slots: bit 0 is value 1."""
    return {value for value in range(1, 10) if mask >> (value - 1) & 1}


def as_slots(values: set[int]) -> list[int]:
    return [int(value in values) for value in range(1, 10)]


def test_slot_of_a_grape():
    cases = [(mask, value) for mask in range(512) for value in range(1, 15)]
    games, slots = records(len(cases)), np.zeros(len(cases), np.int64)
    games["crush"][:, 0, 0] = [as_slots(occupied(mask)) for mask, _ in cases]
    place_grapes(games, np.array([value for _, value in cases]), slots)
    for i, (mask, value) in enumerate(cases):
        free = [v for v in range(1, min(value, 9) + 1) if v not in occupied(mask)]
        expected = max(free, default=0)
        assert slots[i] == expected, (mask, value)
        assert games["crush"][i, 0, 0].tolist() == as_slots(occupied(mask) | ({expected} - {0}))


def aged(values: set[int], medium: bool, large: bool) -> set[int]:
    """Return the tokens one step later: from the top, if the next slot is open and free."""
    moved: set[int] = set()
    for value in sorted(values, reverse=True):
        shut = value == 9 or (value == 3 and not medium) or (value == 6 and not large)
        moved.add(value if shut or value + 1 in moved else value + 1)
    return moved


@pytest.mark.parametrize(("medium", "large"), [(False, False), (True, False), (True, True)])
def test_ageing_every_set_of_tokens(medium, large):
    games = records(512)
    slots = np.array([as_slots(occupied(mask)) for mask in range(512)])
    games["crush"][:, 0, 0] = slots
    games["cellar"][:, 0, 0] = slots
    games["structures"][:, 0, 6], games["structures"][:, 0, 7] = medium, large
    age(games)
    for mask in range(512):
        assert games["crush"][mask, 0, 0].tolist() == as_slots(aged(occupied(mask), True, True)), mask
        assert games["cellar"][mask, 0, 0].tolist() == as_slots(aged(occupied(mask), medium, large)), mask


@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize(("medium", "large"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("zymologist", [False, True])
def test_slot_of_a_wine(kind, medium, large, zymologist):
    cases = [(mask, value) for mask in range(512) for value in range(1, 19)]
    games, slots = records(len(cases)), np.zeros(len(cases), np.int64)
    games["cellar"][:, 0, kind] = [as_slots(occupied(mask)) for mask, _ in cases]
    games["structures"][:, 0, 6], games["structures"][:, 0, 7] = medium, large
    values = np.array([value for _, value in cases])
    n = len(cases)
    wine_slots(games, np.full(n, kind), values, np.full(n, int(zymologist)), slots)
    min_value = max((1, 1, 4, 7)[kind], 4 if zymologist else 1)
    top = 9 if zymologist or large else 6 if medium else 3
    for i, (mask, value) in enumerate(cases):
        free = [v for v in range(min_value, min(value, top) + 1) if v not in occupied(mask)]
        assert slots[i] == max(free, default=0), (mask, value)
