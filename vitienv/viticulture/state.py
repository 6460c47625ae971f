"""The state of one game: every field declared once, and the frames of its pending decisions."""

from enum import IntEnum

from vitienv.core.fields import Field, Sees, record_dtype
from vitienv.viticulture.cards import N_KINDS, N_VINES, PILE_SIZE
from vitienv.viticulture.names import (
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_SPACES,
    N_STRUCTURES,
    N_VALUES,
    RESIDUAL_MAX,
    VP_FLOOR,
)

MAX_DEPTH = 16
FRAME_WIDTH = 16
N_RULES = 16
N_STREAMS = 8
SHORT = 32767


class Rule(IntEnum):
    """Numbers that differ between rulesets and options; kept in each game so that a batch can mix them."""

    NUM_PLAYERS = 0
    GOAL_VP = 1
    MAX_YEARS = 2  # 0: no limit
    DRAFT_PARENTS = 3
    FRIENDLY = 4
    SKIP_FORCED = 5
    OPEN_HANDS = 6
    SPACES = 7


NUM_PLAYERS, GOAL_VP, MAX_YEARS, DRAFT_PARENTS, FRIENDLY, SKIP_FORCED, OPEN_HANDS, SPACES = (int(r) for r in Rule)


class Frame(IntEnum):
    """The columns of a pending frame."""

    OP = 0
    SEAT = 1
    CARD = 2  # the visitor in play that asks, or -1
    STAGE = 3
    LEFT = 4  # how many more at most
    MIN = 5  # how many at least, counted from the start
    DONE = 6  # how many so far
    A = 7  # settings of the operation
    B = 8
    C = 9
    GOALS = 10  # what must still be possible afterwards, bits
    RESULT = 11  # what the part before gave
    P0 = 12  # picks so far
    P1 = 13
    P2 = 14
    P3 = 15


OP, SEAT, CARD, STAGE, LEFT, MIN, DONE, A, B, C, GOALS, RESULT, P0, P1, P2, P3 = (int(f) for f in Frame)

# Streams of chance.
CHANCE_SETUP, CHANCE_VINE, CHANCE_ORDER, CHANCE_SUMMER, CHANCE_WINTER, CHANCE_POLICY = range(6)

PLAYING, OVER, TRUNCATED = 0, 1, 2

_seat, _all, _engine = (MAX_SEATS,), Sees.ALL, Sees.ENGINE

FIELDS = (
    Field("key", (2,), "u4", 0, 2**32 - 1, Sees.NOBODY, "the game's 64-bit chance key"),
    Field("chance", (N_STREAMS,), "u4", 0, 2**32 - 1, Sees.NOBODY, "random words used so far, by stream"),
    Field("rules", (N_RULES,), "i2", 0, SHORT, _all, "numbers of the ruleset and options, by `Rule`"),
    Field("lira", _seat, "i2", 0, SHORT, _all, "lira"),
    Field("vp", _seat, "i2", VP_FLOOR, SHORT, _all, "victory points"),
    Field("year", (), "i2", 0, SHORT, _all, "from 1; 0 before the first spring"),
    Field("frames", (MAX_DEPTH, FRAME_WIDTH), "i2", -SHORT, SHORT, _engine, "pending decisions, by `Frame`"),
    Field("depth", (), "i1", 0, MAX_DEPTH, _engine, "how many frames are pending"),
    Field("status", (), "i1", 0, 2, _all, "0 playing, 1 over, 2 truncated"),
    Field("season", (), "i1", 0, 5, _all, "by `Season`"),
    Field("first_player", (), "i1", 0, MAX_SEATS - 1, _all, "who holds the first-player token"),
    Field("turn", (), "i1", 0, MAX_SEATS, _engine, "place in `order` of the next turn"),
    Field("turn_seat", (), "i1", -1, MAX_SEATS - 1, _all, "whose turn it is, -1 nobody's"),
    Field("turn_place", (), "i1", -1, 49, _all, "where the worker of this turn stands, -1 none"),
    Field("goal_reached", (), "i1", 0, 1, _all, "somebody has reached the goal"),
    Field("order", _seat, "i1", 0, MAX_SEATS - 1, _all, "seats in this season's order"),
    Field("row", _seat, "i1", 0, 7, _all, "wake-up row, 0 none"),
    Field("passed", _seat, "i1", 0, 1, _all, "passed this season"),
    Field("residual", _seat, "i1", 0, RESIDUAL_MAX, _all, "residual payment, lira a year"),
    Field("staff", (MAX_SEATS, 3), "i1", 0, 5, _all, "workers of this year, by `Worker`"),
    Field("free", (MAX_SEATS, 3), "i1", 0, 5, _all, "workers not yet placed, by `Worker`"),
    Field("trained", _seat, "i1", 0, 5, _all, "workers who start next year"),
    Field("structures", (MAX_SEATS, N_STRUCTURES), "i1", 0, 1, _all, "built, by `Structure`"),
    Field("used", (MAX_SEATS, 3), "i1", 0, 1, _all, "used this year, by `Used`"),
    Field("vines", (MAX_SEATS, N_FIELDS, N_VINES), "i1", 0, 42, _all, "planted vines, by field and variety"),
    Field("sold", (MAX_SEATS, N_FIELDS), "i1", 0, 1, _all, "field is sold"),
    Field("harvested", (MAX_SEATS, N_FIELDS), "i1", 0, 1, _all, "field is harvested this year"),
    Field("crush", (MAX_SEATS, 2, N_VALUES), "i1", 0, 1, _all, "grapes on the crush pad, by colour and value"),
    Field("cellar", (MAX_SEATS, 4, N_VALUES), "i1", 0, 1, _all, "wines in the cellar, by type and value"),
    Field("hand", (MAX_SEATS, N_KINDS), "i1", 0, 6, Sees.OWNER, "cards in hand, by kind"),
    Field("shown", (MAX_SEATS, N_KINDS), "i1", 0, 63, _engine,
          "what others know of a hand: vines a count known to all, other cards bits of the seats that know"),
    Field("n_hand", (MAX_SEATS, N_DECKS), "i1", 0, 42, _all, "cards in hand, by deck"),
    Field("deck", (N_KINDS,), "i1", 0, 6, Sees.NOBODY, "cards left in the decks, by kind"),
    Field("n_deck", (N_DECKS,), "i1", 0, 42, _all, "cards left, by deck"),
    Field("discard", (N_KINDS,), "i1", 0, 6, _all, "cards on the discard piles, by kind"),
    Field("pile", (N_DECKS, PILE_SIZE), "i1", -1, N_KINDS - 1, _all, "discard piles, bottom first, -1 empty"),
    Field("n_pile", (N_DECKS,), "i1", 0, PILE_SIZE, _all, "cards on each discard pile"),
    Field("forced", (N_DECKS, PILE_SIZE), "i1", -1, N_KINDS - 1, Sees.NOBODY, "draws fixed by a position, last first"),
    Field("n_forced", (N_DECKS,), "i1", 0, PILE_SIZE, Sees.NOBODY, "how many draws are fixed"),
    Field("space_seat", (N_BOARD_ACTIONS, N_SPACES), "i1", -1, MAX_SEATS - 1, _all, "who stands there, -1 nobody"),
    Field("space_worker", (N_BOARD_ACTIONS, N_SPACES), "i1", 0, 2, _all, "which worker stands there, 0 if none"),
    Field("crowd", (N_BOARD_ACTIONS,), "i1", 0, 63, _all, "seats with a grande worker on the full action, bits"),
    Field("cart", (MAX_SEATS, 3), "i1", 0, 5, _all, "workers on the cart, by `Worker`"),
    Field("yoke_worker", _seat, "i1", -1, 2, _all, "worker on the own yoke, -1 none"),
    Field("mamas", (MAX_SEATS, 2), "i1", -1, 17, _all, "mamas dealt face up, -1 none"),
    Field("papas", (MAX_SEATS, 2), "i1", -1, 17, _all, "papas dealt face up, -1 none"),
)

GAME_DTYPE = record_dtype(FIELDS)
MAX_BYTES = 4096
if GAME_DTYPE.itemsize > MAX_BYTES:
    raise ValueError(f"a game takes {GAME_DTYPE.itemsize} bytes, more than {MAX_BYTES}")
