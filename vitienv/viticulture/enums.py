"""Enums and ids in a fixed order, shared by rules, encodings and documentation."""

from vitienv.core.compiling.namespaces import IntConstants, words
from vitienv.viticulture.board import Bonus

MAX_SEATS = 6


class Deck(IntConstants):
    VINE = 0
    ORDER = 1
    SUMMER = 2
    WINTER = 3


class Season(IntConstants):
    SETUP = 0
    SPRING = 1
    SUMMER = 2
    FALL = 3
    WINTER = 4
    YEAR_END = 5


class Worker(IntConstants):
    REGULAR = 0
    GRANDE = 1
    TEMPORARY = 2


class Colour(IntConstants):
    RED = 0
    WHITE = 1


class Wine(IntConstants):
    RED = 0
    WHITE = 1
    BLUSH = 2
    SPARKLING = 3


class Structure(IntConstants):
    TRELLIS = 0
    IRRIGATION = 1
    YOKE = 2
    WINDMILL = 3
    COTTAGE = 4
    TASTING_ROOM = 5
    MEDIUM_CELLAR = 6
    LARGE_CELLAR = 7


class Act(IntConstants):
    """Actions of the board: summer, winter, then the two year-round ones."""

    DRAW_VINE = 0
    GIVE_TOUR = 1
    BUILD_STRUCTURE = 2
    PLAY_SUMMER_VISITOR = 3
    SELL_GRAPES_OR_FIELD = 4
    PLANT_VINE = 5
    DRAW_ORDER = 6
    HARVEST_FIELD = 7
    TRAIN_WORKER = 8
    PLAY_WINTER_VISITOR = 9
    MAKE_WINE = 10
    FILL_ORDER = 11
    GAIN_LIRA = 12
    YOKE = 13


# Bonus of each board action (Essential, Summer actions; Winter actions).
BONUS_OF_ACT = (
    Bonus.DRAW, Bonus.LIRA, Bonus.LIRA, Bonus.AGAIN, Bonus.VP, Bonus.AGAIN,
    Bonus.DRAW, Bonus.AGAIN, Bonus.LIRA, Bonus.AGAIN, Bonus.AGAIN, Bonus.VP,
)  # fmt: skip


class Space(IntConstants):
    """Spaces of a board action, left to right; the middle one has the bonus."""

    LEFT = 0
    BONUS = 1
    RIGHT = 2


class Used(IntConstants):
    """Once-a-year uses of a seat."""

    WINDMILL = 0
    TASTING_ROOM = 1
    YOKE = 2


N_ACTS = len(Act)
N_BOARD_ACTIONS = int(Act.GAIN_LIRA)
N_SUMMER_ACTIONS = int(Act.DRAW_ORDER)
N_SPACES = 3
# Places of workers: 36 spaces, 12 crowds, the cart, and the yoke of the seat.
AT_CROWD = N_BOARD_ACTIONS * N_SPACES
AT_CART = AT_CROWD + N_BOARD_ACTIONS
AT_YOKE = AT_CART + 1
NOWHERE = -1

NO_SEAT = -1
AUTOMA = MAX_SEATS  # value of `space_seat` for workers of the Automa
N_DECKS = 4
N_FIELDS = 3
N_ROWS = 7
N_VALUES = 9
N_STRUCTURES = len(Structure)
VP_FLOOR = -5  # Essential, Game board setup, note 1
RESIDUAL_MAX = 5  # Essential, Residual payments
HAND_LIMIT = 7  # Essential, Year end, Discard down to 7 cards
REGULAR_WORKERS_MAX = 5  # Essential, Pay to train a new worker, note 1


DECKS = words(Deck)
DECK_NOUNS = dict(zip(DECKS, ("vine card", "wine order", "summer visitor", "winter visitor")))
STRUCTURES = words(Structure)
ACTS = words(Act)
WORKERS = words(Worker)
WINES = words(Wine)
COLOURS = words(Colour)
SEASONS = words(Season)
