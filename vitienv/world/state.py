"""State of a game of World: Viticulture's fields, then World's, and its rule parameters."""

from dataclasses import replace

from vitienv.core.fields import Field, Visibility, empty_record, record_dtype
from vitienv.core.options import SHORT
from vitienv.core.rule_parameters import RuleParameter, RuleParameters
from vitienv.viticulture import kernel  # noqa: F401 - Viticulture's kernels must be defined before World's rules
from vitienv.viticulture import state as essential
from vitienv.viticulture.cards import MAMAS, PAPAS
from vitienv.viticulture.enums import MAX_SEATS
from vitienv.world.enums import (
    AT_HAND,
    EVENTS_IN_GAME,
    MAX_EVENTS,
    MAX_PARTNER_CARDS,
    N_BLUE,
    N_DEEDS,
    N_LETTERS,
    N_OVALS,
    N_PLACES,
    N_RED,
    N_REGULARS,
    N_STANCES,
    N_TILES,
    N_WORKERS,
    NO_OVAL,
    Hat,
    Kind,
    Tile,
)

RULE_PARAMETERS = RuleParameters(f"{__name__}.WorldRule", (
    RuleParameter("continent", 0, "by `CONTINENTS`"),
    RuleParameter("shuffled", 0, "events in any order, six of the deck"),
    RuleParameter("mixed_parents", 0, "the original parents too, but for those who give a worker"),
    RuleParameter("trainers", 0, "visitors that train stay in the decks and take off hats"),
    RuleParameter("partner", 0, "one seat plays beside the simulated partner"),
    RuleParameter("spaces_each", 1, "spaces of each action that are in use"),
    RuleParameter("start_influence", 0, "start of the token"),
    RuleParameter("influence_end", 10, "the end of the influence track"),
    RuleParameter("vp_each", 25, "victory points that every seat must have at the end"),
    RuleParameter("over_achieve_at", 30, "victory points that bring influence, once for each seat"),
    RuleParameter("over_achieve_gain", 1, "how much"),
    RuleParameter("yellow_hats", 2, "regulars with a yellow hat at the start"),
    RuleParameter("blue_hats", 2, "regulars with a blue hat at the start"),
    RuleParameter("hand_limit", 5, "cards kept at the own winter pass"),
    RuleParameter("tiles_a_year", 2, "rectangles turned up in spring"),
    RuleParameter("ovals_a_year", 2, "ovals turned up in spring"),
), before=essential.RULE_PARAMETERS)  # fmt: skip
WorldRule = RULE_PARAMETERS.numbers
N_RULES = len(RULE_PARAMETERS)
N_BEFORE = essential.N_RULES
RULE_NAMES = RULE_PARAMETERS.names

TILES_STREAM = 7  # RNG stream after those of `Chance`
N_MAMAS, N_PAPAS = len(MAMAS), len(PAPAS)  # red and blue cards are numbered after the original parents
MAX_AT = N_PLACES * N_STANCES - 1

_seat, _all = (MAX_SEATS,), Visibility.PUBLIC
# Viticulture's fields with a wider range in World.
_wider = {
    "rules": {"shape": (N_RULES,)},
    "turn_place": {"high": MAX_AT},
    "mamas": {"high": N_MAMAS + N_RED - 1},
    "papas": {"high": N_PAPAS + N_BLUE - 1},
}

FIELDS = (
    *(replace(field, **_wider.get(field.name, {})) for field in essential.FIELDS),  # type: ignore[arg-type]
    Field("events_gone", (), "i2", 0, 2**MAX_EVENTS - 1, _all, "events turned up, as bits", empty=0),
    Field("influence", (), "i1", 0, 100, _all, "position of the token", empty=0),
    Field("event", (), "i1", -1, MAX_EVENTS - 1, _all, "the event of this year, -1 before the first", empty=-1),
    Field("n_events", (), "i1", 0, EVENTS_IN_GAME, _all, "events turned up so far", empty=0),
    Field("over_achieved", _seat, "i1", 0, 1, _all, "has reached the points that bring influence", empty=0),
    Field("at", (MAX_SEATS, N_WORKERS), "i1", AT_HAND, MAX_AT, _all,
          "positions of workers: place * 3 + stance, -1 at hand; the regulars in order, the grande, the temporary one",
          empty=AT_HAND),
    Field("hat", (MAX_SEATS, N_REGULARS), "i1", 0, len(Hat) - 1, _all, "hats of the regulars, by `Hat`", empty=0),
    Field("turn_worker", (), "i1", -1, len(Kind) - 1, _all, "which worker was placed this turn, -1 none", empty=-1),
    Field("tile", (N_TILES,), "i1", 0, len(Tile) - 1, _all, "where rectangles (by place) and ovals are", empty=0),
    Field("oval_on", (N_LETTERS,), "i1", NO_OVAL, N_OVALS - 1, _all, "the oval on each action, -1 none",
          empty=NO_OVAL),
    Field("deeds", (MAX_SEATS, N_DEEDS), "i1", 0, 127, _all, "what seats have done this year, by `Metric`", empty=0),
    Field("rule_steps", (), "i1", 0, 100, _all, "influence by the continent's rule so far", empty=0),
    Field("rule_year", (), "i1", 0, 100, _all, "how often the rule was met this year", empty=0),
    Field("rule_done", (), "i1", 0, 3, _all, "which of the rule's conditions were met once, bits", empty=0),
    Field("goal_met", (), "i1", 0, 1, _all, "the goal of this year's event is met", empty=0),
    Field("goals_due", (), "i1", 0, 3, Visibility.ENGINE, "gains that wait for the end of a turn, bits", empty=0),
    Field("boosted", _seat, "i1", 0, 1, _all, "has used this year's boost", empty=0),
    Field("partner_on", (N_LETTERS,), "i1", 0, 2, _all,
          "workers of the simulated partner: 1 on a space, which it blocks, 2 beside it", empty=0),
    Field("partner_gone", (), "i2", 0, 2**MAX_PARTNER_CARDS - 1, _all, "its cards turned up, as bits", empty=0),
    Field("partner_lira", (), "i2", 0, SHORT, _all, "its purse", empty=0),
    Field("aims", (MAX_SEATS, 2), "i1", -1, 11, _all, "aims dealt, -1 none", empty=-1),
    Field("aims_met", (MAX_SEATS, 2), "i1", 0, 1, _all, "aims turned over", empty=0),
)  # fmt: skip

GAME_DTYPE = record_dtype(FIELDS)
EMPTY = empty_record(FIELDS)
if GAME_DTYPE.itemsize > essential.MAX_BYTES:
    raise ValueError(f"the state must fit into {essential.MAX_BYTES} bytes, got {GAME_DTYPE.itemsize}")
if SHORT < 2**MAX_EVENTS:
    raise ValueError("MAX_EVENTS must fit into the bits of events_gone")
