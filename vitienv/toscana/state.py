"""State of a game: all fields and the rule parameters."""

from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.fields import Field, Visibility, empty_record, record_dtype
from vitienv.core.frames import FRAME_WIDTH
from vitienv.core.options import SHORT
from vitienv.core.rule_parameters import RuleParameter, RuleParameters
from vitienv.toscana.components import MAX_CHAMPAGNE_BOXES, neutral
from vitienv.toscana.enums import (
    ABANDONED,
    CAPACITY,
    FULL_SQUARE,
    GOODS,
    LEVELS,
    MAX_SEATS,
    N_CROSSROADS,
    N_GOODS,
    N_SQUARES,
    N_TILES,
    N_TURNS,
    NO_SEAT,
    PHASES,
    WINEMASTERS,
    WORKERS,
)

MAX_DEPTH = 5

_data_numbers = neutral()
LAST_ROUND = _data_numbers["last_round"][0]


def _from_data(name: str, text: str, labels: list[str] | None = None) -> RuleParameter:
    """Return a rule parameter with the numbers of the data. labels: by default the goods, or numbers from 1."""
    values = _data_numbers[name]
    if len(values) == 1:
        return RuleParameter(name, values[0], text)
    places = labels or (GOODS if len(values) == N_GOODS else [str(i + 1) for i in range(len(values))])
    return RuleParameter(name, values, text, [f"{name}_{place}" for place in places])


# Rule parameters of options and components; those before `open_hands` are observed.
RULE_PARAMETERS = RuleParameters(f"{__name__}.Rule", (
    RuleParameter("player_trades", 0, "seats may trade with each other (T65)"),
    _from_data("last_round", "the game ends with it (T75)"),
    _from_data("end_money", "money that ends the game (T75)"),
    _from_data("award", "money for the third winemaster (T35)"),
    _from_data("worker_cost", "boxes for a worker (T32)"),
    _from_data("winemaster_cost", "boxes for the first, second and third winemaster (T33)",
          [f"{i + 1}_{good}" for i in range(WINEMASTERS) for good in GOODS]),
    _from_data("lobbyist_cost", "boxes for the lobbyist (T39)"),
    _from_data("mr_rose_cost", "boxes for Mr Rose (T43)"),
    _from_data("marks", "marks of each tile (T15)", [f"{i + 1}_{good}" for i in range(N_TILES) for good in GOODS]),
    RuleParameter("open_hands", 0, "observations show every hand"),
    RuleParameter("num_players", 0, "seats (T1)"),
    RuleParameter("skip_forced", 0, "decisions with one legal action are taken by the engine"),
    RuleParameter("max_rounds", 0, "0: no limit"),
    _from_data("buying", "money for a box, by level (T7)"),
    _from_data("selling", "money from a box, by level (T7)"),
    # Set-up.
    RuleParameter("map_of_pieces", 0, "the map is laid of pieces (T13)"),
    _from_data("rotation", "map pieces are turned at random (T13)"),
    RuleParameter("start_on_water", 1, "start workers may be placed on water (T22)"),
    _from_data("hand_size", "tiles in hand (T14)"),
    _from_data("start_money", "money of each seat (T12)"),
    _from_data("start_boxes", "boxes of each seat (T17)"),
    _from_data("start_stock", "boxes in the market (T18)"),
    _from_data("start_price", "levels of the prices (T19)"),
    _from_data("start_sign", "recommendations (T20)"),
    _from_data("supply", "boxes that there are (T3)"),
    _from_data("printed_map", "kinds of the squares (T5)"),
    _from_data("map_pieces", "kinds of the squares of each piece (T13)"),
))  # fmt: skip
Rule = RULE_PARAMETERS.numbers
N_RULES = len(RULE_PARAMETERS)
RULE_NAMES = RULE_PARAMETERS.names
N_SHOWN_RULES = int(Rule.OPEN_HANDS)


class Chance(IntConstants):
    """Random streams."""

    SETUP = 0
    TILES = 1  # followed by the streams of the other seats
    POLICY = 1 + MAX_SEATS


N_STREAMS = len(Chance) + MAX_SEATS - 1

_seat, _goods, _squares, _all = (MAX_SEATS,), (N_GOODS,), (N_SQUARES,), Visibility.PUBLIC

FIELDS = (
    Field("key", (2,), "u4", 0, 2**32 - 1, Visibility.HIDDEN, "the game's 64-bit chance key", empty=0),
    Field(
        "chance", (N_STREAMS,), "u4", 0, 2**32 - 1, Visibility.HIDDEN, "random words used so far, by stream", empty=0
    ),
    Field("rules", (N_RULES,), "i2", -SHORT, SHORT, _all, "numbers of the options, by `Rule`", empty=0),
    Field("money", _seat, "i2", 0, SHORT, _all, "money (T66)", empty=0),
    Field("frames", (MAX_DEPTH, FRAME_WIDTH), "i2", -SHORT, SHORT, Visibility.ENGINE, "pending decisions", empty=0),
    Field("depth", (), "i1", 0, MAX_DEPTH, Visibility.ENGINE, "how many frames are pending", empty=0),
    Field("status", (), "i1", 0, 2, _all, "0 playing, 1 over, 2 truncated", empty=0),
    Field("round_number", (), "i1", 0, LAST_ROUND, _all, "from 1; 0 in the set-up", empty=0),
    Field("phase", (), "i1", 0, len(PHASES) - 1, _all, "by `Phase`", empty=0),
    Field("start_seat", (), "i1", 0, MAX_SEATS - 1, _all, "who begins the round", empty=0),
    Field("boxes", (MAX_SEATS, N_GOODS), "i1", 0, CAPACITY, _all, "boxes in the storage", empty=0),
    Field("workers", _seat, "i1", 0, WORKERS, _all, "workers in the storage", empty=0),
    Field("winemasters", _seat, "i1", 0, WINEMASTERS, _all, "winemasters in the storage", empty=0),
    Field("lost", _seat, "i1", 0, WINEMASTERS, _all, "winemasters out of the game", empty=0),
    Field("used", (MAX_SEATS, N_TURNS), "i1", 0, 1, _all, "actions used in this round", empty=0),
    Field("hand", (MAX_SEATS, N_TILES), "i1", 0, 1, Visibility.PRIVATE, "tiles in hand, the chosen one too", empty=0),
    Field("chosen", _seat, "i1", 0, N_TILES, Visibility.PRIVATE, "tile chosen and not yet shown, 0 none", empty=0),
    Field("played", (MAX_SEATS, N_TILES), "i1", 0, 1, _all, "tiles used", empty=0),
    Field(
        "forced",
        (MAX_SEATS, N_TILES),
        "i1",
        0,
        N_TILES,
        Visibility.HIDDEN,
        "draws fixed by a position, last first",
        empty=0,
    ),
    Field("n_forced", _seat, "i1", 0, N_TILES, Visibility.HIDDEN, "how many draws are fixed", empty=0),
    Field("price", _goods, "i1", 0, LEVELS - 1, _all, "level of the price", empty=0),
    Field("stock", _goods, "i1", 0, CAPACITY, _all, "boxes in the market", empty=0),
    Field("bank", _goods, "i1", 0, MAX_CHAMPAGNE_BOXES, _all, "boxes in the bank", empty=0),
    Field("sign", _goods, "i1", -1, 1, _all, "recommendation: plus, minus, 0 the empty square", empty=0),
    Field("square_kind", _squares, "i1", 0, ABANDONED, _all, "good, or abandoned", empty=0),
    Field(
        "square_owner", _squares, "i1", NO_SEAT, MAX_SEATS - 1, _all, "seat of the pieces on it, -1 none", empty=NO_SEAT
    ),
    Field("square_workers", _squares, "i1", 0, FULL_SQUARE, _all, "workers", empty=0),
    Field("square_winemaster", _squares, "i1", 0, 1, _all, "a winemaster", empty=0),
    Field("square_produced", _squares, "i1", 0, 1, _all, "has produced in this round (T53)", empty=0),
    Field("water", (N_CROSSROADS,), "i1", 0, 1, _all, "boxes of water on crossroads", empty=0),
)

GAME_DTYPE = record_dtype(FIELDS)
EMPTY = empty_record(FIELDS)
MAX_BYTES = 1024
if GAME_DTYPE.itemsize > MAX_BYTES:
    raise ValueError(f"GAME_DTYPE must have at most {MAX_BYTES} bytes, got {GAME_DTYPE.itemsize}")
