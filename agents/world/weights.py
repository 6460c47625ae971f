"""The numbers of a team's heuristic bot, behind those of the other rulesets; in hundredths of a victory point."""

from dataclasses import astuple, dataclass, fields
from functools import lru_cache

import numpy as np

from vitienv.agents.viticulture.weights import Weights


@dataclass(frozen=True)
class TeamWeights(Weights):
    """A strategy as data. Numbers of the other rulesets that are about rows and bonus spaces are not read."""

    # What the team needs.
    beyond: int = 25  # percent that points count beyond those that a seat must have
    step: int = 160  # one step of the influence token that is still lacking
    step_urgent: int = 120  # more for each step that is not expected from events and the continent's rule
    buy_early: int = 10  # less for a step bought, each later year, while its price could still be put to work
    expected: tuple[int, ...] = (100, 70, 55, 55, 50, 45, 40)  # hundredths of them, each later year, by continent
    goal: int = 200  # meeting this year's goal, or the continent's rule
    progress: int = 60  # percent of that for coming closer to it
    aim: int = 200  # an aim (Europe)
    partner: int = 70  # percent that another seat's gain counts in a trade or an offer

    # Grapes on the vines that a worker at hand can still harvest, in percent of what they are worth.
    ready: int = 20

    # Workers and places.
    bare_year: int = 30  # a regular without hat, each later year
    spare_summer: int = 0  # what a summer action with a hatted worker must bring
    temporary: int = 90  # the temporary worker
    late_place: int = 5  # less for each later place in the order of turns
    crowded: int = 20  # percent more for the last space of an action, if others may still come

    # Tiles, each later year: rectangles by the place that they go on, ovals by their kind.
    rectangles: tuple[int, ...] = (12, 30, 60, 20, 25, 4, 40, 5, 15, 40, 25, 5, 20, 50, 20, 25)
    ovals: tuple[int, ...] = (14, 10, 8, 12, 14, 30, 6, 8, 5, 5, 5, 5)
    together: int = 20  # more for a rectangle and an oval on one action, which then serves any number of workers
    opened: int = 3  # more for an oval for each other seat, which finds room on it too
    wanted: tuple[int, ...] = (40, 60, 60, 50, 60, 30, 50, 10, 70, 80, 80, 20, 80, 100, 30, 60)  # where an oval goes
    shared: int = 50  # percent that each other seat adds to what a tile is worth

    # Money in the last year, each lira that can still buy influence that is lacking.
    lira_end: int = 10


# Own numbers first: were the others' first, Numba would take these records for a kind of theirs, and warn.
_FIELDS = fields(TeamWeights)[::-1]
DTYPE = np.dtype([(field.name, "i8", np.shape(field.default)) for field in _FIELDS])  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def record(weights: TeamWeights) -> np.ndarray:
    """A set of weights as the compiled rules take it, a record array of one."""
    return np.array([astuple(weights)[::-1]], DTYPE).view(np.recarray)
