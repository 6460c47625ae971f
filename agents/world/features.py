"""Position record of World's heuristic bot, read from an observation: one seat's vineyard and the team's state."""

import numpy as np

from vitienv.agents.viticulture.features import ME, NO_TARGET, read_vineyard
from vitienv.agents.viticulture.features import POSITION as VINEYARD
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import N_KINDS, N_VINES
from vitienv.viticulture.enums import MAX_SEATS, Season
from vitienv.viticulture.observation import At
from vitienv.viticulture.state import Rule
from vitienv.world.enums import MAX_EVENTS, N_DEEDS, N_LETTERS, N_REGULARS, N_TILES, Hat
from vitienv.world.enums import N_KINDS as N_KINDS_OF_WORKER
from vitienv.world.observation import WORLD_DECISIONS, WorldAt
from vitienv.world.state import N_BEFORE, N_RULES

# Fields for one seat have the names of the game state, so that the rules accept a position too.
_rules = ("rules", "i4", N_RULES)
COPIED_FIELDS = [
    *(field for field in VINEYARD.descr if field[0] != "rules"),
    ("hat", "<i4", (1, N_REGULARS)),
    ("deeds", "<i4", (1, N_DEEDS)),
    ("boosted", "<i4", (1,)),
    ("aims", "<i4", (1, 2)),
    ("aims_met", "<i4", (1, 2)),
    ("influence", "<i4"),
    ("early", "<i4"),  # workers for summer only; `free` can work in winter
]
# Fields that are equal in all positions of a decision.
SHARED_FIELDS = [
    _rules,
    ("tile", "<i4", (N_TILES,)),
    ("oval_on", "<i4", (N_LETTERS,)),
    ("event", "<i4"),
    ("goal_met", "<i4"),
    ("rule_steps", "<i4"),
    ("rule_year", "<i4"),
    ("rule_done", "<i4"),
    ("over_achieved", "<i4", (1,)),
    ("others", "<i4", (2, 3)),  # `value.Row`, `value.Aggregate`: metrics of the other seats
]
POSITION = np.dtype([*COPIED_FIELDS, *SHARED_FIELDS])
WORDS = POSITION.itemsize // 4
COPIED = np.dtype(COPIED_FIELDS).itemsize // 4
PARTNER = 18  # position of another seat, with scratch positions above
LEVELS = 26
N_WORLD_DECISIONS = len(WORLD_DECISIONS)


@jit
def copy_position(flat, source, target):
    """Copy the fields that are not shared. Replaces Viticulture's function."""
    for i in range(COPIED):
        flat[target, i] = flat[source, i]


@jit
def world_decision_of(o):
    """Return the index of the pending decision in `WORLD_DECISIONS`, -1 if Viticulture has it too."""
    for i in range(N_WORLD_DECISIONS):
        if o[WorldAt.WORLD_DECISION + i] == 1:
            return i
    return -1


@jit
def read_shared(o, p):
    """Fill the shared fields of position 0."""
    for i in range(N_BEFORE):
        p[0].rules[i] = o[At.RULES + i]
    for i in range(N_RULES - N_BEFORE):
        p[0].rules[N_BEFORE + i] = o[WorldAt.WORLD_RULES + i]
    for i in range(N_TILES):
        p[0].tile[i] = o[WorldAt.TILE + i]
    for i in range(N_LETTERS):
        p[0].oval_on[i] = o[WorldAt.OVAL_ON + i] - 1
    p[0].event = -1
    for i in range(MAX_EVENTS):
        if o[WorldAt.EVENT + i] == 1:
            p[0].event = i
    p[0].goal_met = o[WorldAt.GOAL_MET]
    p[0].rule_steps = o[WorldAt.RULE_STEPS]
    p[0].rule_year = o[WorldAt.RULE_YEAR]
    p[0].rule_done = o[WorldAt.RULE_DONE] + 2 * o[WorldAt.RULE_DONE + 1]
    p[0].over_achieved[ME] = o[WorldAt.OVER_ACHIEVED]


@jit
def share(flat):
    """Copy the shared fields of position 0 to all positions."""
    for at in range(1, LEVELS):
        for i in range(COPIED, WORDS):
            flat[at, i] = flat[0, i]


@jit
def read_seat(o, k, me):
    """Read the public vineyard and the workers of the seat k places clockwise from the viewer."""
    read_vineyard(o, k, me)
    me.trained[ME] = 0
    for metric in range(N_DEEDS):
        me.deeds[ME, metric] = o[WorldAt.DEEDS + N_DEEDS * k + metric]
    for i in range(2):
        me.aims[ME, i] = o[WorldAt.AIMS + 2 * k + i] - 1
        me.aims_met[ME, i] = o[WorldAt.AIMS_MET + 2 * k + i]
    me.boosted[ME] = o[WorldAt.BOOSTED + k]
    me.influence = o[WorldAt.INFLUENCE]
    me.later = max(0, 100 * (int(o[At.RULES + Rule.LAST_YEAR]) - max(1, int(o[At.YEAR]))))
    me.target = NO_TARGET
    me.tokens = 0
    read_workers(o, k, me)


@jit
def read_workers(o, k, me):
    """Read the hats of a seat and the number of workers that it can still place this year."""
    at = 0
    for hat in range(3):
        for _ in range(o[WorldAt.HATS + 3 * k + hat]):
            me.hat[ME, at] = hat
            at += 1
    is_before = o[At.SEASON] < Season.SUMMER
    first = WorldAt.HATS if is_before else WorldAt.HATS_AT_HAND
    others = At.STAFF if is_before else At.FREE
    me.free = int(o[first + 3 * k + Hat.BARE]) + int(o[first + 3 * k + Hat.BLUE])
    me.free += int(o[others + 3 * k + 1]) + int(o[others + 3 * k + 2])
    me.early = int(o[first + 3 * k + Hat.YELLOW]) if o[At.SEASON] <= Season.SUMMER else 0


@jit
def read_hand_of(o, k, me):
    """Read the vines and orders of another seat that the viewer knows."""
    for kind in range(N_KINDS):
        me.hand[ME, kind] = 0
    for vine in range(N_VINES):
        me.hand[ME, vine] = o[At.KNOWN_VINES + (k - 1) * N_VINES + vine]
    for kind in range(N_VINES, N_KINDS):
        if o[At.KNOWN_HOLDER + kind - N_VINES] == k:
            me.hand[ME, kind] = 1


@jit
def n_at_place(o, place):
    total = 0
    for i in range(MAX_SEATS * N_KINDS_OF_WORKER):
        total += int(o[WorldAt.STANDING + place * MAX_SEATS * N_KINDS_OF_WORKER + i])
    return total
