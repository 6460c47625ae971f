"""State of a game: all fields, and the rule parameters."""

from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.fields import Field, Visibility, empty_record, record_dtype
from vitienv.core.frames import FRAME_WIDTH
from vitienv.core.options import SHORT
from vitienv.core.rule_parameters import RuleParameter, RuleParameters
from vitienv.viticulture.cards import N_AUTOMA, N_KINDS, N_VINES, PILE_SIZE, CardSet
from vitienv.viticulture.enums import (
    ACTS,
    AUTOMA,
    BONUS_OF_ACT,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_ROWS,
    N_SPACES,
    N_STRUCTURES,
    N_VALUES,
    REGULAR_WORKERS_MAX,
    RESIDUAL_MAX,
    STRUCTURES,
    VP_FLOOR,
)

MAX_DEPTH = 16
N_STREAMS = 8


NOT_FIXED = -1
NO_AUTOMA = -1
MAMAS = 1  # bits of PARENTS
PAPAS = 2

# Trellis, irrigation, yoke, windmill, cottage, tasting room, medium cellar, large cellar (Essential, Structures).
STRUCTURE_COST = (2, 3, 2, 5, 4, 6, 4, 6)
FIELD_CAPACITY = (5, 6, 7)

# Rule parameters with the values of the Essential Edition. 0 and 1 mean no and yes by default.
RULE_PARAMETERS = RuleParameters(f"{__name__}.Rule", (
    RuleParameter("num_players", 0, "seats"),
    RuleParameter("goal_vp", 20, "victory points that end the game"),
    RuleParameter("max_years", 0, "0: no limit"),
    RuleParameter("draft_parents", 0, "choose one of two mamas and one of two papas"),
    RuleParameter("friendly", 0, "bonus spaces only for their bonus"),
    RuleParameter("skip_forced", 0, "decisions with one legal action are taken by the engine"),
    RuleParameter("open_hands", 0, "observations show every hand"),
    RuleParameter("spaces", 0, "spaces of each action in use, bit mask"),
    # Set-up.
    RuleParameter("card_set", CardSet.ALL, "cards in the decks, by `CardSet`"),
    RuleParameter("parents", MAMAS | PAPAS, "mamas and papas, bit mask"),
    RuleParameter("start_lira", 0, "starting lira, added to that of the parents"),
    RuleParameter("start_pinots", 0, "pinots in hand at the start"),
    RuleParameter("start_summer_visitors", 0, "summer visitors drawn at the start"),
    RuleParameter("chosen_vines", 0, "vine cards chosen and planted at the start"),
    RuleParameter("redraw_mama", 0, "a mama that gives orders may be exchanged"),
    RuleParameter("redraw_visitors", 0, "visitors that act only through opponents are redrawn"),
    RuleParameter("start_vp", 0, "victory points at the start"),
    RuleParameter("fixed_lira", NOT_FIXED, "lira after the set-up; NOT_FIXED: unchanged"),
    # Actions.
    RuleParameter("train_price", 4, "lira for a new worker"),
    RuleParameter("staff_max", REGULAR_WORKERS_MAX, "maximum of regular workers"),
    RuleParameter("fields_per_harvest", 1, "fields harvested by one action"),
    RuleParameter("cart_in_summer", 1, "a worker may gain lira in summer too"),
    RuleParameter("field_trade", 1, "fields may be sold and bought back"),
    RuleParameter("tasting_needs_wine", 1, "the tasting room scores only with a wine in the cellar"),
    RuleParameter("yoke_by_season", 0, "uproot in summer only, harvest in winter only"),
    RuleParameter("wine_can_be_lost", 0, "a wine without a slot may be made and is lost"),
    RuleParameter("orders", 1, "orders can be filled"),
    # Scoring.
    RuleParameter("vp_cap", SHORT, "maximum of victory points"),
    RuleParameter("tie_breaks", 1, "ties are broken"),
    RuleParameter("vp_in_play", 1, "gains of points count during the game"),
    RuleParameter("medium_wine_vp", 0, "points at the end for each wine in the medium cellar"),
    RuleParameter("large_wine_vp", 0, "points at the end for each wine in the large cellar"),
    RuleParameter("last_year", 0, "0: the goal ends the game"),
    # The solo game.
    RuleParameter("marker", 0, "a seat plays against the Automa's marker"),
    RuleParameter("automa_vp", 0, "position of the Automa's marker"),
    RuleParameter("automa_least", NO_AUTOMA,
          "minimum of workers that the Automa places per season, by additional cards; NO_AUTOMA: no cards"),
    RuleParameter("aggressive", 0, "the Automa scores every year"),
    RuleParameter("glass_tokens", 0, "only wake-up rows with a glass token may be chosen"),
    RuleParameter("bonus_tokens", 0, "bonus action tokens may be spent"),
    RuleParameter("start_tokens", 0, "bonus action tokens at the start"),
    RuleParameter("last_organizer_row", N_ROWS, "the last wake-up row that the Organizer may choose"),
    RuleParameter("staff_year", 0, "the game is lost without a full staff at the end of this year; 0: never"),
    RuleParameter("blocker_workers", 0, "workers of seat 1 if it only blocks, else 0"),
    # Tables.
    RuleParameter("structure_cost", STRUCTURE_COST, "price of a structure", [f"cost_{name}" for name in STRUCTURES]),
    RuleParameter("field_capacity", FIELD_CAPACITY, "capacity and price of a field",
          [f"capacity_{i + 1}" for i in range(N_FIELDS)]),
    RuleParameter("bonus_of_act", BONUS_OF_ACT, "the bonus of an action, by `Bonus`",
          [f"bonus_{name}" for name in ACTS[:N_BOARD_ACTIONS]]),
))  # fmt: skip
Rule = RULE_PARAMETERS.numbers
N_RULES = len(RULE_PARAMETERS)
RULE_NAMES = RULE_PARAMETERS.names


class Chance(IntConstants):
    """Random streams."""

    SETUP = 0
    VINE = 1  # the streams of the decks, in order
    ORDER = 2
    SUMMER = 3
    WINTER = 4
    POLICY = 5
    AUTOMA = 6


_seat, _all, _engine = (MAX_SEATS,), Visibility.PUBLIC, Visibility.ENGINE

FIELDS = (
    Field("key", (2,), "u4", 0, 2**32 - 1, Visibility.HIDDEN, "the game's 64-bit chance key", empty=0),
    Field(
        "chance", (N_STREAMS,), "u4", 0, 2**32 - 1, Visibility.HIDDEN, "random words used so far, by stream", empty=0
    ),
    Field("rules", (N_RULES,), "i2", VP_FLOOR, SHORT, _all, "numbers of the ruleset and options, by `Rule`", empty=0),
    Field("lira", _seat, "i2", 0, SHORT, _all, "lira", empty=0),
    Field("vp", _seat, "i2", VP_FLOOR, SHORT, _all, "victory points", empty=0),
    Field("year", (), "i2", 0, SHORT, _all, "from 1; 0 before the first spring", empty=0),
    Field("automa_vp", (), "i2", VP_FLOOR, SHORT, _all, "the Automa's marker, 0 without one", empty=0),
    Field("frames", (MAX_DEPTH, FRAME_WIDTH), "i2", -SHORT, SHORT, _engine, "pending decisions, by `Frame`", empty=0),
    Field("depth", (), "i1", 0, MAX_DEPTH, _engine, "how many frames are pending", empty=0),
    Field("status", (), "i1", 0, 2, _all, "0 playing, 1 over, 2 truncated", empty=0),
    Field("season", (), "i1", 0, 5, _all, "by `Season`", empty=0),
    Field("first_player", (), "i1", 0, MAX_SEATS - 1, _all, "who holds the first-player token", empty=0),
    Field("turn", (), "i1", 0, MAX_SEATS, _engine, "place in `order` of the next turn", empty=0),
    Field("turn_seat", (), "i1", -1, MAX_SEATS - 1, _all, "whose turn it is, -1 nobody's", empty=-1),
    Field("turn_place", (), "i1", -1, 49, _all, "place of the worker of this turn, -1 none", empty=-1),
    Field("goal_reached", (), "i1", 0, 1, _all, "somebody has reached the goal", empty=0),
    Field("lost", (), "i1", 0, 1, _all, "the solo game was lost before its end", empty=0),
    Field("automa_deck", (N_AUTOMA,), "i1", 0, 1, _all, "Automa cards still to come", empty=0),
    Field(
        "automa_forced",
        (N_AUTOMA,),
        "i1",
        -1,
        N_AUTOMA - 1,
        Visibility.HIDDEN,
        "Automa cards fixed by a position, last first",
        empty=-1,
    ),
    Field("automa_n_forced", (), "i1", 0, N_AUTOMA, Visibility.HIDDEN, "how many of them are fixed", empty=0),
    Field("order", _seat, "i1", 0, MAX_SEATS - 1, _all, "seats in this season's order", empty=tuple(range(MAX_SEATS))),
    Field("row", _seat, "i1", 0, N_ROWS, _all, "wake-up row, 0 none", empty=0),
    Field("glass", (MAX_SEATS, N_ROWS), "i1", 0, 1, _all, "wake-up rows with a glass token for the seat", empty=0),
    Field("bonus_tokens", _seat, "i1", 0, 127, _all, "bonus action tokens in hand", empty=0),
    Field("passed", _seat, "i1", 0, 1, _all, "passed this season", empty=0),
    Field("residual", _seat, "i1", 0, RESIDUAL_MAX, _all, "residual payment, lira a year", empty=0),
    Field("staff", (MAX_SEATS, 3), "i1", 0, 5, _all, "workers of this year, by `Worker`", empty=0),
    Field("free", (MAX_SEATS, 3), "i1", 0, 5, _all, "workers not yet placed, by `Worker`", empty=0),
    Field("trained", _seat, "i1", 0, 5, _all, "workers who start next year", empty=0),
    Field("structures", (MAX_SEATS, N_STRUCTURES), "i1", 0, 1, _all, "built, by `Structure`", empty=0),
    Field("used", (MAX_SEATS, 3), "i1", 0, 1, _all, "used this year, by `Used`", empty=0),
    Field("vines", (MAX_SEATS, N_FIELDS, N_VINES), "i1", 0, 42, _all, "planted vines, by field and variety", empty=0),
    Field("sold", (MAX_SEATS, N_FIELDS), "i1", 0, 1, _all, "field is sold", empty=0),
    Field("harvested", (MAX_SEATS, N_FIELDS), "i1", 0, 1, _all, "field is harvested this year", empty=0),
    Field("crush", (MAX_SEATS, 2, N_VALUES), "i1", 0, 1, _all, "grapes on the crush pad, by colour and value", empty=0),
    Field("cellar", (MAX_SEATS, 4, N_VALUES), "i1", 0, 1, _all, "wines in the cellar, by type and value", empty=0),
    Field("hand", (MAX_SEATS, N_KINDS), "i1", 0, 6, Visibility.PRIVATE, "cards in hand, by kind", empty=0),
    Field(
        "shown",
        (MAX_SEATS, N_KINDS),
        "i1",
        0,
        63,
        _engine,
        "what others know of a hand: vines a count known to all, other cards bits of the seats that know",
        empty=0,
    ),
    Field("n_hand", (MAX_SEATS, N_DECKS), "i1", 0, 42, _all, "cards in hand, by deck", empty=0),
    Field("deck", (N_KINDS,), "i1", 0, 6, Visibility.HIDDEN, "cards left in the decks, by kind", empty=0),
    Field("n_deck", (N_DECKS,), "i1", 0, 42, _all, "cards left, by deck", empty=0),
    Field("discard", (N_KINDS,), "i1", 0, 6, _all, "cards on the discard piles, by kind", empty=0),
    Field("pile", (N_DECKS, PILE_SIZE), "i1", -1, N_KINDS - 1, _all, "discard piles, bottom first, -1 empty", empty=-1),
    Field("n_pile", (N_DECKS,), "i1", 0, PILE_SIZE, _all, "cards on each discard pile", empty=0),
    Field(
        "forced",
        (N_DECKS, PILE_SIZE),
        "i1",
        -1,
        N_KINDS - 1,
        Visibility.HIDDEN,
        "draws fixed by a position, last first",
        empty=-1,
    ),
    Field("n_forced", (N_DECKS,), "i1", 0, PILE_SIZE, Visibility.HIDDEN, "how many draws are fixed", empty=0),
    Field("space_seat", (N_BOARD_ACTIONS, N_SPACES), "i1", -1, AUTOMA, _all, "seat of the worker, -1 none", empty=-1),
    Field("space_worker", (N_BOARD_ACTIONS, N_SPACES), "i1", 0, 2, _all, "kind of the worker, 0 if none", empty=0),
    Field(
        "crowd", (N_BOARD_ACTIONS,), "i1", 0, 63, _all, "seats with a grande worker on the full action, bits", empty=0
    ),
    Field("cart", (MAX_SEATS, 3), "i1", 0, 5, _all, "workers on the cart, by `Worker`", empty=0),
    Field("yoke_worker", _seat, "i1", -1, 2, _all, "worker on the own yoke, -1 none", empty=-1),
    Field("mamas", (MAX_SEATS, 2), "i1", -1, 17, _all, "mamas dealt face up, -1 none", empty=-1),
    Field("papas", (MAX_SEATS, 2), "i1", -1, 17, _all, "papas dealt face up, -1 none", empty=-1),
)

GAME_DTYPE = record_dtype(FIELDS)
EMPTY = empty_record(FIELDS)
MAX_BYTES = 4096
if GAME_DTYPE.itemsize > MAX_BYTES:
    raise ValueError(f"GAME_DTYPE must have at most {MAX_BYTES} bytes, got {GAME_DTYPE.itemsize}")
