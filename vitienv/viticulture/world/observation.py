"""What a seat sees of a game of World: all that the other rulesets show, in its places, and World's own behind."""

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.jit import jit
from vitienv.core.layout import Axis, Entry, VectorLayout
from vitienv.core.mentions import check_filled
from vitienv.core.namespaces import namespace, words
from vitienv.core.options import SHORT
from vitienv.viticulture import observation as essential
from vitienv.viticulture.cards import MAMAS, PAPAS
from vitienv.viticulture.machine import DECISIONS as OTHER_DECISIONS
from vitienv.viticulture.names import MAX_SEATS
from vitienv.viticulture.observation import (
    BY_SEAT,
    NOTHING,
    OF_TABLE,
    SEAT,
    At,
    copier,
    observe,
    relative,
)
from vitienv.viticulture.state import Rule
from vitienv.viticulture.world.frames import NUMBERS, WorldOp
from vitienv.viticulture.world.names import (
    AT_HAND,
    CONTINENTS,
    DEEDS,
    MOST_EVENTS,
    MOST_PARTNER_CARDS,
    N_BLUE,
    N_CONTINENTS,
    N_DEEDS,
    N_LETTERS,
    N_PLACES,
    N_RED,
    N_REGULARS,
    N_STANDS,
    N_TILES,
    N_WORKERS,
    OVALS,
    PLACES,
    Hat,
    Kind,
    Tile,
)
from vitienv.viticulture.world.operations import DECISIONS, OPERATIONS
from vitienv.viticulture.world.state import FIELDS, GAME_DTYPE, N_BEFORE, N_RULES, RULE_NAMES, WorldRule
from vitienv.viticulture.world.workers import kind_of_worker

_fields = {field.name: field for field in FIELDS}
_stack = (NOTHING, *(name.lower() for name in NUMBERS.__members__ if name != "NONE"))
# Entries whose numbers go further here; their places and lengths are the same.
_wider = {
    "mamas": {"high": _fields["mamas"].high, "words": (
        NOTHING, *(mama.id for mama in MAMAS), *(f"red_{i + 1:02}" for i in range(N_RED)))},
    "papas": {"high": _fields["papas"].high, "words": (
        NOTHING, *(papa.id for papa in PAPAS), *(f"blue_{i + 1:02}" for i in range(N_BLUE)))},
    "stack": {"high": max(NUMBERS), "words": _stack},
}  # fmt: skip

HAT = Axis("hat", tuple(words(Hat)))
KIND = Axis("worker placed", tuple(words(Kind)))
PLACE = Axis("place", tuple(PLACES))
DEED = Axis("deed", tuple(DEEDS))
TILE = Axis("tile", (*(f"rectangle:{name}" for name in PLACES[:N_LETTERS]), *(f"oval:{name}" for name in OVALS)))
ACTION = Axis("action on the board", tuple(PLACES[:N_LETTERS]))
EVENT = Axis("event", tuple(str(i + 1) for i in range(MOST_EVENTS)))
AIM = Axis("first or second aim")
OWN_DECISIONS = DECISIONS[len(OTHER_DECISIONS) :]
OWN_RULES = RULE_NAMES[N_BEFORE:]

OWN = (
    Entry("world_rules", (len(OWN_RULES),), "numbers of World", -SHORT, SHORT,
          (Axis("rule of World", tuple(OWN_RULES)),), log=True),
    Entry("continent", (N_CONTINENTS,), "the continent", 0, 1, (Axis("continent", CONTINENTS),)),
    Entry("influence", (1,), "where the token stands", 0, 100, unit=10),
    Entry("event", (MOST_EVENTS,), "the event of this year", 0, 1, (EVENT,)),
    Entry("events_gone", (MOST_EVENTS,), "events turned up so far", 0, 1, (EVENT,)),
    Entry("n_events", (1,), "how many events were turned up", 0, 6),
    Entry("rule_steps", (1,), "influence by the continent's rule so far", 0, 100, unit=6),
    Entry("rule_year", (1,), "how often the continent's rule was met this year", 0, 100, unit=3),
    Entry("rule_done", (2,), "conditions of the continent's rule met once", 0, 1, (Axis("first or second condition"),)),
    Entry("goal_met", (1,), "the goal of this year's event is met", 0, 1),
    Entry("tile", (N_TILES,), "where the tiles are", 0, len(Tile) - 1, (TILE,), tuple(words(Tile))),
    Entry("oval_on", (N_LETTERS,), "the oval on each action", 0, len(OVALS), (ACTION,), (NOTHING, *OVALS), unit=6),
    Entry("partner_on", (N_LETTERS,), "workers of the simulated partner: 1 on a space, 2 beside it", 0, 2, (ACTION,)),
    Entry("partner_gone", (MOST_PARTNER_CARDS,), "its cards turned up", 0, 1, (Axis("partner card"),)),
    Entry("partner_lira", (1,), "its purse", 0, SHORT, log=True),
    Entry("over_achieved", (MAX_SEATS,), "has brought influence by its points", 0, 1, (SEAT,)),
    Entry("boosted", (MAX_SEATS,), "has used this year's boost", 0, 1, (SEAT,)),
    Entry("deeds", (MAX_SEATS, N_DEEDS), "done this year", 0, 127, (SEAT, DEED), log=True),
    Entry("aims", (MAX_SEATS, 2), "aims dealt, 0 none", 0, 12, (SEAT, AIM), unit=12),
    Entry("aims_met", (MAX_SEATS, 2), "aims turned over", 0, 1, (SEAT, AIM)),
    Entry("hats", (MAX_SEATS, len(Hat)), "regulars by their hats", 0, N_REGULARS, (SEAT, HAT)),
    Entry("hats_at_hand", (MAX_SEATS, len(Hat)), "those of them not yet placed", 0, N_REGULARS, (SEAT, HAT)),
    Entry("standing", (N_PLACES, MAX_SEATS, len(Kind)), "workers on each place", 0, N_REGULARS + 1,
          (PLACE, SEAT, KIND)),
    Entry("turn_worker", (len(Kind),), "which worker was placed this turn", 0, 1, (KIND,)),
    Entry("world_decision", (len(OWN_DECISIONS),), "the pending decision, if it is World's own", 0, 1,
          (Axis("decision of World", tuple(OWN_DECISIONS)),)),
    Entry("trade_partner", (MAX_SEATS,), "with whom a trade is spoken of", 0, 1, (SEAT,)),
)  # fmt: skip

_others = [entry._replace(**_wider.get(entry.name, {})) for entry in essential.OBSERVATION.entries]  # type: ignore[arg-type]
OBSERVATION = VectorLayout([*_others, *OWN], present="present")
N_OBSERVATION, N_OTHERS = OBSERVATION.n, essential.OBSERVATION.n
WorldAt = namespace(f"{__name__}.WorldAt", {entry.name.upper(): OBSERVATION.start(entry.name) for entry in OWN})

# The others' fields out of World's longer record; those of OF_TABLE that are as long there.
copy_seat = copier(BY_SEAT, "(seat & 7)", "(place & 7)", GAME_DTYPE)
copy_table = copier(OF_TABLE, "0", "0", GAME_DTYPE)


def _places_of_decisions() -> np.ndarray:
    """Where each decision stands, counted from `At.DECISION`: World's own are behind all that the others have."""
    numbers = OPERATIONS.decision_numbers()
    behind = WorldAt.WORLD_DECISION - At.DECISION - len(OTHER_DECISIONS)
    return np.where(numbers < len(OTHER_DECISIONS), numbers, numbers + behind)


# What stands in for the others' tables, so that their function tells of World's questions too.
DECISION_NUMBER = _places_of_decisions()
SHOWN_TO_ACTOR, SHOWN_TO_OTHERS = OPERATIONS.seen(by_others=False), OPERATIONS.seen(by_others=True)


@jit
def observe_world_table(g, out):
    """Continent, event, token, tiles."""
    for i in range(N_RULES - N_BEFORE):
        out[WorldAt.WORLD_RULES + i] = g.rules[N_BEFORE + i]
    out[WorldAt.CONTINENT + int(g.rules[WorldRule.CONTINENT])] = 1
    out[WorldAt.INFLUENCE] = g.influence
    if g.event >= 0:
        out[WorldAt.EVENT + int(g.event)] = 1
    for i in range(MOST_EVENTS):
        out[WorldAt.EVENTS_GONE + i] = (int(g.events_gone) >> i) & 1
    out[WorldAt.N_EVENTS] = g.n_events
    out[WorldAt.RULE_STEPS] = g.rule_steps
    out[WorldAt.RULE_YEAR] = g.rule_year
    out[WorldAt.RULE_DONE] = int(g.rule_done) & 1
    out[WorldAt.RULE_DONE + 1] = int(g.rule_done) >> 1
    out[WorldAt.GOAL_MET] = g.goal_met
    for i in range(N_TILES):
        out[WorldAt.TILE + i] = g.tile[i]
    for i in range(N_LETTERS):
        out[WorldAt.OVAL_ON + i] = int(g.oval_on[i]) + 1
        out[WorldAt.PARTNER_ON + i] = g.partner_on[i]
    for i in range(MOST_PARTNER_CARDS):
        out[WorldAt.PARTNER_GONE + i] = (int(g.partner_gone) >> i) & 1
    out[WorldAt.PARTNER_LIRA] = g.partner_lira
    if g.turn_worker >= 0:
        out[WorldAt.TURN_WORKER + int(g.turn_worker)] = 1


@jit
def observe_world_seat(g, seat, k, out):
    """A seat's deeds, aims and workers, k places clockwise from the viewer."""
    out[WorldAt.OVER_ACHIEVED + k] = g.over_achieved[seat]
    out[WorldAt.BOOSTED + k] = g.boosted[seat]
    for i in range(N_DEEDS):
        out[WorldAt.DEEDS + k * N_DEEDS + i] = g.deeds[seat, i]
    for i in range(2):
        out[WorldAt.AIMS + 2 * k + i] = int(g.aims[seat, i]) + 1
        out[WorldAt.AIMS_MET + 2 * k + i] = g.aims_met[seat, i]
    for w in range(N_REGULARS):
        out[WorldAt.HATS + k * 3 + int(g.hat[seat, w])] += 1
        if g.at[seat, w] == AT_HAND:
            out[WorldAt.HATS_AT_HAND + k * 3 + int(g.hat[seat, w])] += 1
    for w in range(N_WORKERS):
        if g.at[seat, w] != AT_HAND:
            place, kind = int(g.at[seat, w]) // N_STANDS, kind_of_worker(g, seat, w)
            out[WorldAt.STANDING + (place * MAX_SEATS + k) * 3 + kind] += 1


@jit
def observe_trade(g, viewer, out):
    """With whom the placing seat of a trade speaks, once it has said so."""
    for t in range(int(g.depth)):
        if g.frames[t, Frame.OP] == WorldOp.TRADE and g.frames[t, Frame.STAGE] > 1:
            out[WorldAt.TRADE_PARTNER + relative(g, int(g.frames[t, Frame.B]), viewer)] = 1


@jit
def observe_world(g, octets, shorts, viewer, out):
    """Write what `viewer` sees into `out` (N_OBSERVATION,)."""
    for i in range(N_OTHERS, N_OBSERVATION):
        out[i] = 0
    observe(g, octets, shorts, viewer, out)
    observe_world_table(g, out)
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        observe_world_seat(g, seat, relative(g, seat, viewer), out)
    observe_trade(g, viewer, out)


check_filled((rule for rule in globals().values() if hasattr(rule, "__code__") or hasattr(rule, "py_func")), WorldAt, (
    entry.name for entry in OWN
))  # fmt: skip
