"""The state of one game: every field declared once, and the frames of its pending decisions."""

from vitienv.core.fields import Field, Sees, record_dtype
from vitienv.core.frames import FRAME_WIDTH
from vitienv.core.numbers import Numbers
from vitienv.viticulture.cards import N_AUTOMA, N_KINDS, N_VINES, PILE_SIZE
from vitienv.viticulture.names import (
    ACTS,
    AUTOMA,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_ROWS,
    N_SPACES,
    N_STRUCTURES,
    N_VALUES,
    RESIDUAL_MAX,
    STRUCTURES,
    VP_FLOOR,
)

MAX_DEPTH = 16
N_STREAMS = 8
SHORT = 32767


class Rule(Numbers):
    """Numbers that differ between rulesets and options; kept in each game so that a batch can mix them.

    0 and 1 mean no and yes unless the comment says more.
    """

    NUM_PLAYERS = 0
    GOAL_VP = 1
    MAX_YEARS = 2  # 0: no limit
    DRAFT_PARENTS = 3
    FRIENDLY = 4
    SKIP_FORCED = 5
    OPEN_HANDS = 6
    SPACES = 7  # spaces of each action that are in use, as bits
    # Set-up.
    CARD_SET = 8  # which cards lie in the decks, by `CardSet`
    PARENTS = 9  # mamas and papas, as bits
    START_LIRA = 10  # besides what the parents give
    START_PINOTS = 11
    START_SUMMER_VISITORS = 12
    CHOSEN_VINES = 13  # vine cards chosen and planted at the start
    REDRAW_MAMA = 14  # one that gives orders may be exchanged
    REDRAW_VISITORS = 15  # those that act through opponents only are redrawn
    START_VP = 16
    FIXED_LIRA = 17  # lira after the set-up, NOT_FIXED: what the set-up gave
    # Actions.
    TRAIN_PRICE = 18
    STAFF_MAX = 19  # regular workers
    FIELDS_PER_HARVEST = 20
    CART_IN_SUMMER = 21
    FIELD_TRADE = 22  # fields may be sold and bought back
    TASTING_NEEDS_WINE = 23
    YOKE_BY_SEASON = 24  # uproot in summer only, harvest in winter only
    WINE_CAN_BE_LOST = 25  # a wine without a slot may be made and is lost
    ORDERS = 26  # can be filled
    # Scoring.
    VP_CAP = 27
    TIE_BREAKS = 28
    VP_IN_PLAY = 29  # gains count during the game
    MEDIUM_WINE_VP = 30  # at the end, for each wine in the medium and in the large cellar
    LARGE_WINE_VP = 31
    LAST_YEAR = 32  # 0: the goal ends the game
    # The solo game.
    MARKER = 33  # whether the Automa's marker is what a seat plays against
    AUTOMA_VP = 34
    AUTOMA_LEAST = 35  # besides one card each season, more until so many of its workers stand; NO_AUTOMA: no cards
    AGGRESSIVE = 36
    GLASS_TOKENS = 37  # only wake-up rows with a glass token may be chosen
    BONUS_TOKENS = 38  # may be spent
    START_TOKENS = 39
    LAST_ORGANIZER_ROW = 40
    STAFF_YEAR = 41  # the game is lost without a full staff at the end of this year; 0: never
    BLOCKER_WORKERS = 42  # workers of seat 1, which only blocks; 0: it is a seat like the others
    # Tables: eight structures, three fields, twelve actions.
    STRUCTURE_COST = 43
    FIELD_CAPACITY = 51
    BONUS_OF_ACT = 54


N_RULES = int(Rule.BONUS_OF_ACT) + N_BOARD_ACTIONS
NOT_FIXED = -1
NO_AUTOMA = -1
MAMAS, PAPAS = 1, 2  # bits of PARENTS

# A name for each number, tables spelt out.
_TABLES = {
    Rule.STRUCTURE_COST: [f"cost_{name}" for name in STRUCTURES],
    Rule.FIELD_CAPACITY: [f"capacity_{i + 1}" for i in range(N_FIELDS)],
    Rule.BONUS_OF_ACT: [f"bonus_{name}" for name in ACTS[:N_BOARD_ACTIONS]],
}
RULE_NAMES = [name for rule in Rule for name in _TABLES.get(rule, [rule.name.lower()])]


class Chance(Numbers):
    """Streams of chance."""

    SETUP = 0
    VINE = 1  # and the other decks in their order
    ORDER = 2
    SUMMER = 3
    WINTER = 4
    POLICY = 5
    AUTOMA = 6


class Status(Numbers):
    """How a game stands."""

    PLAYING = 0
    OVER = 1
    TRUNCATED = 2


_seat, _all, _engine = (MAX_SEATS,), Sees.ALL, Sees.ENGINE

FIELDS = (
    Field("key", (2,), "u4", 0, 2**32 - 1, Sees.NOBODY, "the game's 64-bit chance key"),
    Field("chance", (N_STREAMS,), "u4", 0, 2**32 - 1, Sees.NOBODY, "random words used so far, by stream"),
    Field("rules", (N_RULES,), "i2", VP_FLOOR, SHORT, _all, "numbers of the ruleset and options, by `Rule`"),
    Field("lira", _seat, "i2", 0, SHORT, _all, "lira"),
    Field("vp", _seat, "i2", VP_FLOOR, SHORT, _all, "victory points"),
    Field("year", (), "i2", 0, SHORT, _all, "from 1; 0 before the first spring"),
    Field("automa_vp", (), "i2", VP_FLOOR, SHORT, _all, "the Automa's marker, 0 without one"),
    Field("frames", (MAX_DEPTH, FRAME_WIDTH), "i2", -SHORT, SHORT, _engine, "pending decisions, by `Frame`"),
    Field("depth", (), "i1", 0, MAX_DEPTH, _engine, "how many frames are pending"),
    Field("status", (), "i1", 0, 2, _all, "0 playing, 1 over, 2 truncated"),
    Field("season", (), "i1", 0, 5, _all, "by `Season`"),
    Field("first_player", (), "i1", 0, MAX_SEATS - 1, _all, "who holds the first-player token"),
    Field("turn", (), "i1", 0, MAX_SEATS, _engine, "place in `order` of the next turn"),
    Field("turn_seat", (), "i1", -1, MAX_SEATS - 1, _all, "whose turn it is, -1 nobody's"),
    Field("turn_place", (), "i1", -1, 49, _all, "where the worker of this turn stands, -1 none"),
    Field("goal_reached", (), "i1", 0, 1, _all, "somebody has reached the goal"),
    Field("lost", (), "i1", 0, 1, _all, "the solo game was lost before its end"),
    Field("automa_deck", (N_AUTOMA,), "i1", 0, 1, _all, "Automa cards still to come"),
    Field(
        "automa_forced",
        (N_AUTOMA,),
        "i1",
        -1,
        N_AUTOMA - 1,
        Sees.NOBODY,
        "Automa cards fixed by a position, last first",
    ),
    Field("automa_n_forced", (), "i1", 0, N_AUTOMA, Sees.NOBODY, "how many of them are fixed"),
    Field("order", _seat, "i1", 0, MAX_SEATS - 1, _all, "seats in this season's order"),
    Field("row", _seat, "i1", 0, N_ROWS, _all, "wake-up row, 0 none"),
    Field("glass", (MAX_SEATS, N_ROWS), "i1", 0, 1, _all, "wake-up rows with a glass token for the seat"),
    Field("bonus_tokens", _seat, "i1", 0, 127, _all, "bonus action tokens in hand"),
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
    Field(
        "shown",
        (MAX_SEATS, N_KINDS),
        "i1",
        0,
        63,
        _engine,
        "what others know of a hand: vines a count known to all, other cards bits of the seats that know",
    ),
    Field("n_hand", (MAX_SEATS, N_DECKS), "i1", 0, 42, _all, "cards in hand, by deck"),
    Field("deck", (N_KINDS,), "i1", 0, 6, Sees.NOBODY, "cards left in the decks, by kind"),
    Field("n_deck", (N_DECKS,), "i1", 0, 42, _all, "cards left, by deck"),
    Field("discard", (N_KINDS,), "i1", 0, 6, _all, "cards on the discard piles, by kind"),
    Field("pile", (N_DECKS, PILE_SIZE), "i1", -1, N_KINDS - 1, _all, "discard piles, bottom first, -1 empty"),
    Field("n_pile", (N_DECKS,), "i1", 0, PILE_SIZE, _all, "cards on each discard pile"),
    Field("forced", (N_DECKS, PILE_SIZE), "i1", -1, N_KINDS - 1, Sees.NOBODY, "draws fixed by a position, last first"),
    Field("n_forced", (N_DECKS,), "i1", 0, PILE_SIZE, Sees.NOBODY, "how many draws are fixed"),
    Field("space_seat", (N_BOARD_ACTIONS, N_SPACES), "i1", -1, AUTOMA, _all, "who stands there, -1 nobody"),
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
