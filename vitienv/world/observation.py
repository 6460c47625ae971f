"""World's observation: Viticulture's features at the same indices, then World's."""

import numpy as np

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import namespace, words
from vitienv.core.compiling.static_checks import check_written
from vitienv.core.frames import Frame
from vitienv.core.observation_spec import Axis, Feature, ObservationSpec
from vitienv.core.options import SHORT
from vitienv.viticulture import observation as essential
from vitienv.viticulture.cards import MAMAS, PAPAS
from vitienv.viticulture.enums import MAX_SEATS
from vitienv.viticulture.handlers import DECISIONS as VITICULTURE_DECISIONS
from vitienv.viticulture.observation import BY_SEAT, NOTHING, OF_TABLE, SEAT, At, copier, observe, relative
from vitienv.viticulture.state import Rule
from vitienv.world.enums import (
    AT_HAND,
    CONTINENTS,
    DEEDS,
    MAX_EVENTS,
    MAX_PARTNER_CARDS,
    N_BLUE,
    N_CONTINENTS,
    N_DEEDS,
    N_HATS,
    N_KINDS,
    N_LETTERS,
    N_PLACES,
    N_RED,
    N_REGULARS,
    N_STANCES,
    N_TILES,
    N_WORKERS,
    OVALS,
    PLACES,
    Hat,
    Kind,
    Tile,
)
from vitienv.world.frames import NUMBERS, WorldOp
from vitienv.world.handlers import DECISIONS, OPERATIONS
from vitienv.world.ops.workers import kind_of_worker
from vitienv.world.state import FIELDS, GAME_DTYPE, N_BEFORE, N_RULES, RULE_NAMES, WorldRule

_fields = {field.name: field for field in FIELDS}
_stack = (NOTHING, *(name.lower() for name in NUMBERS.__members__ if name != "NONE"))
# Viticulture's features with a wider range in World.
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
EVENT = Axis("event", tuple(str(i + 1) for i in range(MAX_EVENTS)))
AIM = Axis("first or second aim")
BITS_OF_A_COUNT = 3
WORLD_DECISIONS = DECISIONS[len(VITICULTURE_DECISIONS) :]
WORLD_RULES = RULE_NAMES[N_BEFORE:]

WORLD_FEATURES = (
    Feature(
        "world_rules",
        (len(WORLD_RULES),),
        "numbers of World",
        -SHORT,
        SHORT,
        (Axis("rule of World", tuple(WORLD_RULES)),),
        log=True,
    ),
    Feature("continent", (N_CONTINENTS,), "the continent", 0, 1, (Axis("continent", CONTINENTS),)),
    Feature("influence", (1,), "position of the token", 0, 100, unit=10),
    Feature("event", (MAX_EVENTS,), "the event of this year", 0, 1, (EVENT,)),
    Feature("events_gone", (MAX_EVENTS,), "events turned up so far", 0, 1, (EVENT,)),
    Feature("n_events", (1,), "how many events were turned up", 0, 6),
    Feature("rule_steps", (1,), "influence by the continent's rule so far", 0, 100, unit=6),
    Feature("rule_year", (1,), "how often the continent's rule was met this year", 0, 100, unit=3),
    Feature(
        "rule_done", (2,), "conditions of the continent's rule met once", 0, 1, (Axis("first or second condition"),)
    ),
    Feature("goal_met", (1,), "the goal of this year's event is met", 0, 1),
    Feature("tile", (N_TILES,), "where the tiles are", 0, len(Tile) - 1, (TILE,), tuple(words(Tile))),
    Feature("oval_on", (N_LETTERS,), "the oval on each action", 0, len(OVALS), (ACTION,), (NOTHING, *OVALS), unit=6),
    Feature("partner_on", (N_LETTERS,), "workers of the simulated partner: 1 on a space, 2 beside it", 0, 2, (ACTION,)),
    Feature("partner_gone", (MAX_PARTNER_CARDS,), "its cards turned up", 0, 1, (Axis("partner card"),)),
    Feature("partner_lira", (1,), "its purse", 0, SHORT, log=True),
    Feature("over_achieved", (MAX_SEATS,), "has brought influence by its points", 0, 1, (SEAT,)),
    Feature("boosted", (MAX_SEATS,), "has used this year's boost", 0, 1, (SEAT,)),
    Feature("deeds", (MAX_SEATS, N_DEEDS), "done this year", 0, 127, (SEAT, DEED), log=True),
    Feature("aims", (MAX_SEATS, 2), "aims dealt, 0 none", 0, 12, (SEAT, AIM), unit=12),
    Feature("aims_met", (MAX_SEATS, 2), "aims turned over", 0, 1, (SEAT, AIM)),
    Feature("hats", (MAX_SEATS, len(Hat)), "regulars by their hats", 0, N_REGULARS, (SEAT, HAT)),
    Feature("hats_at_hand", (MAX_SEATS, len(Hat)), "those of them not yet placed", 0, N_REGULARS, (SEAT, HAT)),
    Feature(
        "standing", (N_PLACES, MAX_SEATS, len(Kind)), "workers on each place", 0, N_REGULARS + 1, (PLACE, SEAT, KIND)
    ),
    Feature("turn_worker", (len(Kind),), "which worker was placed this turn", 0, 1, (KIND,)),
    Feature(
        "world_decision",
        (len(WORLD_DECISIONS),),
        "the pending decision, if it is World's own",
        0,
        1,
        (Axis("decision of World", tuple(WORLD_DECISIONS)),),
    ),
    Feature("trade_partner", (MAX_SEATS,), "with whom a trade is spoken of", 0, 1, (SEAT,)),
)

_viticulture = [entry._replace(**_wider.get(entry.name, {})) for entry in essential.OBSERVATION.features]  # type: ignore[arg-type]
OBSERVATION = ObservationSpec([*_viticulture, *WORLD_FEATURES], present="present")
N_OBSERVATION = OBSERVATION.n
WorldAt = namespace(
    f"{__name__}.WorldAt", {entry.name.upper(): OBSERVATION.start(entry.name) for entry in WORLD_FEATURES}
)

# Fields that are copied; those in COUNTED_FROM_0 start at -1 in the state.
WORLD_BY_SEAT = ("over_achieved", "boosted", "deeds", "aims", "aims_met")
WORLD_OF_TABLE = (
    "influence", "n_events", "rule_steps", "rule_year", "goal_met", "tile", "oval_on", "partner_on", "partner_lira",
)  # fmt: skip
COUNTED_FROM_0 = {"aims": 1, "oval_on": 1}


def _copier(others: tuple[Feature, ...], names: tuple[str, ...], by_seat: bool):
    features = tuple(entry for entry in WORLD_FEATURES if entry.name in names)
    return copier((*others, *features), by_seat, GAME_DTYPE, OBSERVATION, COUNTED_FROM_0)


copy_seat, copy_table = _copier(BY_SEAT, WORLD_BY_SEAT, True), _copier(OF_TABLE, WORLD_OF_TABLE, False)


def _decision_offsets() -> np.ndarray:
    """Offset of each decision from `At.DECISION`; World's decisions come after all of Viticulture's features."""
    numbers = OPERATIONS.decision_numbers()
    behind = WorldAt.WORLD_DECISION - At.DECISION - len(VITICULTURE_DECISIONS)
    return np.where(numbers < len(VITICULTURE_DECISIONS), numbers, numbers + behind)


# Replace Viticulture's tables, so that `observe` covers World's decisions.
DECISION_NUMBER = _decision_offsets()
SHOWN_TO_ACTOR, SHOWN_TO_OTHERS = OPERATIONS.observed(by_others=False), OPERATIONS.observed(by_others=True)


@jit
def observe_world_table(g, out):
    """Observe rule parameters, continent, event, the continent's rule and the simulated partner's cards."""
    for i in range(N_RULES - N_BEFORE):
        out[WorldAt.WORLD_RULES + i] = g.rules[N_BEFORE + i]
    out[WorldAt.CONTINENT + int(g.rules[WorldRule.CONTINENT])] = 1
    if g.event >= 0:
        out[WorldAt.EVENT + int(g.event)] = 1
    for i in range(MAX_EVENTS):
        out[WorldAt.EVENTS_GONE + i] = (int(g.events_gone) >> i) & 1
    out[WorldAt.RULE_DONE] = int(g.rule_done) & 1
    out[WorldAt.RULE_DONE + 1] = int(g.rule_done) >> 1
    for i in range(MAX_PARTNER_CARDS):
        out[WorldAt.PARTNER_GONE + i] = (int(g.partner_gone) >> i) & 1


@jit
def observe_hats(g, seat, k, out):
    """Observe the hats of a seat's regulars, k places clockwise from the viewer; counts are packed into an integer."""
    hats, at_hand = 0, 0
    for w in range(N_REGULARS):
        unit = 1 << (BITS_OF_A_COUNT * int(g.hat[seat, w]))
        hats += unit
        at_hand += unit if g.at[seat, w] == AT_HAND else 0
    for hat in range(N_HATS):
        out[WorldAt.HATS + k * N_HATS + hat] = (hats >> (BITS_OF_A_COUNT * hat)) & 7
        out[WorldAt.HATS_AT_HAND + k * N_HATS + hat] = (at_hand >> (BITS_OF_A_COUNT * hat)) & 7


@jit
def observe_workers(g, viewer, out):
    """Observe the workers on all places, and hats. Replaces Viticulture's function."""
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        k = relative(g, seat, viewer)
        observe_hats(g, seat, k, out)
        for w in range(N_WORKERS):
            at = int(g.at[seat, w])
            if at >= 0:
                of_seat = WorldAt.STANDING + (at // N_STANCES * MAX_SEATS + k) * N_KINDS
                out[of_seat + kind_of_worker(g, seat, w)] += 1
    if g.turn_worker >= 0:
        out[WorldAt.TURN_WORKER + int(g.turn_worker)] = 1


@jit
def observe_trade(g, viewer, out):
    """Observe the partner of a pending trade."""
    for t in range(int(g.depth)):
        if g.frames[t, Frame.OP] == WorldOp.TRADE and g.frames[t, Frame.STAGE] > 1:
            out[WorldAt.TRADE_PARTNER + relative(g, int(g.frames[t, Frame.B]), viewer)] = 1


@jit
def observe_world(g, bytes_view, int16_view, viewer, out):
    """Write the observation of `viewer` into `out` (N_OBSERVATION,)."""
    observe(g, bytes_view, int16_view, viewer, out)
    observe_world_table(g, out)
    observe_trade(g, viewer, out)


check_written((rule for rule in globals().values() if hasattr(rule, "__code__")), WorldAt, (
    entry.name for entry in WORLD_FEATURES if entry.name not in (*WORLD_BY_SEAT, *WORLD_OF_TABLE)
))  # fmt: skip
