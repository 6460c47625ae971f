"""Enums and sizes, shared by rules, encodings and documentation.

T1, T2 … are the rules of `docs/toscana.md`, O1, O2 … its rulings on open points.
"""

from vitienv.core.compiling.namespaces import IntConstants, words

MIN_SEATS, MAX_SEATS = 2, 5  # T1


class Good(IntConstants):
    """Goods; all but water are wines (T2)."""

    RED = 0
    WHITE = 1
    ROSE = 2
    CHAMPAGNE = 3
    WATER = 4


class Action(IntConstants):
    """Actions, each taken once per round (T25)."""

    HIRING = 0
    WINEMAKING = 1
    TRADING = 2


class Phase(IntConstants):
    SETUP = 0
    ACTIONS = 1
    TASTING = 2


class Service(IntConstants):
    LOBBYIST = 0
    MR_ROSE = 1


GOODS = words(Good)
TURNS = words(Action)
PHASES = words(Phase)
SERVICES = words(Service)
N_GOODS = len(Good)
N_TURNS = len(Action)
# Kinds of squares: the goods and abandoned squares (T5).
ABANDONED = N_GOODS
KINDS = (*GOODS, "abandoned")
LETTERS = "RWOCAY"  # letters of the kinds in the data

ROWS, COLUMNS = 4, 8  # T5
N_SQUARES = ROWS * COLUMNS
CROSS_ROWS, CROSS_COLUMNS = ROWS - 1, COLUMNS - 1  # T6
N_CROSSROADS = CROSS_ROWS * CROSS_COLUMNS
PIECE = 2  # squares along an edge of a map piece (T13)
N_PIECES = N_SQUARES // PIECE**2
CELLS = PIECE**2

LEVELS = 7  # price levels (T7)
CAPACITY = 5  # capacity of a storage and of a market storage, for each good (T8, T9)
WORKERS, WINEMASTERS, N_TILES = 5, 3, 7  # per seat (T4)
FULL_SQUARE = 2  # workers (T11)
REMOVING_SEATS = 5  # number of seats at which winemasters can be removed (T36, T38)

NO_SEAT = -1
NO_TILE = 0  # tiles are numbered 1 to 7


def around(crossroad: int) -> list[int]:
    """Return the four squares that touch a crossroad (T6)."""
    first = crossroad // CROSS_COLUMNS * COLUMNS + crossroad % CROSS_COLUMNS
    return [first, first + 1, first + COLUMNS, first + COLUMNS + 1]
