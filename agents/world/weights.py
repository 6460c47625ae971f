"""Weights of a team's heuristic bot in hundredths of a victory point, after those of Viticulture."""

from dataclasses import astuple, dataclass, fields
from functools import lru_cache

import numpy as np

from vitienv.agents.viticulture.weights import Weights


@dataclass(frozen=True)
class TeamWeights(Weights):
    """A strategy as data. Viticulture's weights for wake-up rows and bonus spaces are not read."""

    # Goals of the team.
    beyond: int = 25  # percentage of points above the target of a seat
    step: int = 160  # each missing step of influence
    step_urgent: int = 120  # extra for each missing step beyond the expected ones
    buy_early: int = 10  # penalty for a bought step, for each remaining year
    expected: tuple[int, ...] = (100, 70, 55, 55, 50, 45, 40)  # free steps per remaining year in 1/100, by continent
    goal: int = 200  # this year's goal, or the continent's rule
    progress: int = 60  # percentage of `goal` for partial progress
    aim: int = 200  # an aim (Europe)
    partner: int = 70  # percentage of the partner's gain in a trade

    # Percentage of the value of grapes that can still be harvested this year.
    ready: int = 20

    # Workers and places.
    bare_year: int = 30  # a regular without a hat, for each remaining year
    spare_summer: int = 0  # minimum gain of a summer action with a hatted worker
    temporary: int = 90  # the temporary worker
    late_place: int = 5  # penalty for each position in turn order
    crowded: int = 20  # percentage added to the last space of an action

    # Tiles, for each remaining year: rectangles by place, ovals by kind.
    rectangles: tuple[int, ...] = (12, 30, 60, 20, 25, 4, 40, 5, 15, 40, 25, 5, 20, 50, 20, 25)
    ovals: tuple[int, ...] = (14, 10, 8, 12, 14, 30, 6, 8, 5, 5, 5, 5)
    together: int = 20  # a rectangle and an oval on one action, which then has room for any number of workers
    opened: int = 3  # an oval, for each other seat
    oval_places: tuple[int, ...] = (40, 60, 60, 50, 60, 30, 50, 10, 70, 80, 80, 20, 80, 100, 30, 60)
    shared: int = 50  # percentage that each other seat adds to the value of a tile

    # Each lira in the last year that can buy missing influence.
    lira_end: int = 10


# World's fields come first: otherwise Numba treats the record as a subtype of Viticulture's and warns.
_FIELDS = fields(TeamWeights)[::-1]
DTYPE = np.dtype([(field.name, "i8", np.shape(field.default)) for field in _FIELDS])  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def record(weights: TeamWeights) -> np.ndarray:
    """Convert weights to a record array of length 1 for the kernels."""
    return np.array([astuple(weights)[::-1]], DTYPE).view(np.recarray)
