"""World's constants: places, workers, tiles, events, metrics."""

from vitienv.core.compiling.namespaces import IntConstants, words

LETTERS = "ABCDEFGHIJKLMNOP"
N_LETTERS = len(LETTERS)


class Place(IntConstants):
    """Places of workers: the actions of summer and of winter, then the year-round places (W41, W50, W72).

    The letter of an action is part of the data.
    """

    DRAW_VINE = 0
    PLAY_SUMMER_VISITOR = 1
    GIVE_TOUR = 2
    BUILD_STRUCTURE = 3
    PLANT_VINE = 4
    SELL_GRAPES_OR_FIELD = 5
    EXCHANGE = 6
    INNOVATE = 7
    DRAW_ORDER = 8
    PLAY_WINTER_VISITOR = 9
    HARVEST_FIELD = 10
    TRAIN_WORKER = 11
    MAKE_WINE = 12
    FILL_ORDER = 13
    SELL_WINE = 14
    BUY_INFLUENCE = 15
    GAIN_LIRA = 16
    YOKE = 17
    EVENT = 18


N_PLACES = len(Place)
FIRST_WINTER = int(Place.DRAW_ORDER)
N_ACTIONS_ON_BOARD = int(Place.GAIN_LIRA)
PLACES = words(Place)


class Hat(IntConstants):
    """Hat of a regular worker (W21)."""

    BARE = 0
    YELLOW = 1
    BLUE = 2


class Stance(IntConstants):
    """Position of a worker at a place: a printed space, an oval, or the crowd of grandes at a full action."""

    PLAIN = 0
    OVAL = 1
    CROWD = 2


class Kind(IntConstants):
    """Worker of a `place:` action: one with the hat of the season, a bare or temporary one, or the grande."""

    HATTED = 0
    REGULAR = 1
    GRANDE = 2


N_STANCES = len(Stance)
N_KINDS, N_HATS = len(Kind), len(Hat)
# Workers of a seat: four regulars, the grande, the temporary worker.
N_REGULARS = 4
GRANDE = N_REGULARS
TEMPORARY = GRANDE + 1
N_WORKERS = TEMPORARY + 1
AT_HAND = -1  # a worker that is not placed


class Oval(IntConstants):
    """The oval tiles (W64, W65)."""

    LIRA = 0
    ORDER = 1
    VINE = 2
    SUMMER = 3
    WINTER = 4
    VP = 5
    AGE_GRAPE = 6
    AGE_WINE = 7
    LEFT = 8
    RIGHT = 9
    UP = 10
    DOWN = 11


OVALS = words(Oval)
N_OVALS = len(Oval)
N_TILES = N_LETTERS + N_OVALS  # rectangles by place, then ovals
NO_OVAL = -1


class Tile(IntConstants):
    """State of a tile."""

    IN_STACK = 0
    SHOWN = 1
    PLACED = 2
    GONE = 3  # discarded, or never in the game


class EventKind(IntConstants):
    """Kind of an event card (W81 to W86)."""

    SPACE = 0
    BOOST = 1
    TAX = 2
    REVEAL = 3
    GOAL = 4
    RULE = 5


class Beneficiary(IntConstants):
    """Beneficiary of a boost (W82)."""

    ACTOR = 0
    TRAINED = 1
    ALL = 2


class Limit(IntConstants):
    """Limit of a boost or of a continent's rule."""

    PER_TAKING = 0
    ONCE_PER_PLAYER = 1
    ONCE_TEAM = 2
    REPEAT = 3
    ONCE_EACH = 4


class Scope(IntConstants):
    """Seats that must meet a need (W85)."""

    TEAM = 0
    EACH = 1
    ANY = 2


class Metric(IntConstants):
    """Metric of a goal (W87): deeds of a seat in a year, stored in the state, then values measured at the check."""

    TOURS = 0
    PLANTS = 1
    HARVESTS = 2
    WINES_MADE = 3
    ORDERS_FILLED = 4
    ORDER_VP = 5
    WINES_SOLD = 6
    STRUCTURES_BUILT = 7
    VISITORS_PLAYED = 8
    TRADES = 9
    EVENT_SPACE_USES = 10
    INNOVATIONS_TAKEN = 11
    WINES_SOLD_VALUE_4_PLUS = 12
    ORDERS_FILLED_4VP_PLUS = 13
    ACTION_G_USES = 14
    WINES_IN_CELLAR = 15
    WINE_TYPES_IN_CELLAR = 16
    GRAPES_ON_PAD = 17
    PLANTED_FIELDS = 18
    RESIDUAL_POSITION = 19
    TRAINED_REGULARS = 20
    LIRA = 21
    STRUCTURES_OWNED = 22
    BEST_WINE_VALUE = 23
    TEAM_PAYMENT_LIRA = 24
    ALL_OWN_IRRIGATION_THEN_ALL_THREE_FIELDS = 25
    AIMS_MET = 26


N_DEEDS = int(Metric.WINES_IN_CELLAR)
METRICS = [word.replace("_g_", "_G_") for word in words(Metric)]  # action_G_uses
DEEDS = METRICS[:N_DEEDS]


class Flag(IntConstants):
    """Parameters that an event or a continent changes (W86)."""

    HAND_LIMIT = 0
    WINE_MADE_VALUE_LESS = 1
    LIRA_PER_WINE_MADE = 2
    VP_PER_ORDER_FILLED = 3
    YEAR_END_GRAPES_DO_NOT_AGE = 4
    RESIDUAL_PAYMENT_REDUCED_BY = 5
    IRRIGATION_VINE_PLANT_COST_EXTRA = 6


FLAGS = words(Flag)
N_FLAGS = len(Flag)
UNCHANGED = -1  # an unset flag

CONTINENTS = ("greengully", "asia", "oceania", "south_america", "europe", "north_america", "africa")
N_CONTINENTS = len(CONTINENTS)
MAX_EVENTS = 12
EVENTS_IN_GAME = 6
N_AIMS = 12
NO_AIM = -1
MAX_PARTNER_CARDS = 14
N_RED = N_BLUE = 10
