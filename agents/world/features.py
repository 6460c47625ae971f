"""A seat's vineyard and what the team has, read from an observation of World into a small record to try things on."""

import numpy as np

from vitienv.agents.viticulture.features import ME, NO_TARGET, read_vineyard
from vitienv.agents.viticulture.features import POSITION as OTHERS
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import N_KINDS, N_VINES
from vitienv.viticulture.enums import MAX_SEATS, Season
from vitienv.viticulture.observation import At
from vitienv.viticulture.state import Rule
from vitienv.world.enums import MOST_EVENTS, N_DEEDS, N_LETTERS, N_REGULARS, N_TILES, Hat
from vitienv.world.enums import N_KINDS as N_KINDS_OF_WORKER
from vitienv.world.observation import OWN_DECISIONS, WorldAt
from vitienv.world.state import N_BEFORE, N_RULES

# Fields of a game of World for one seat, as in the other rulesets' position, so that its rules work on them too.
_rules = ("rules", "i4", N_RULES)
COPIED_FIELDS = [
    *(field for field in OTHERS.descr if field[0] != "rules"),
    ("hat", "<i4", (1, N_REGULARS)),
    ("deeds", "<i4", (1, N_DEEDS)),
    ("boosted", "<i4", (1,)),
    ("aims", "<i4", (1, 2)),
    ("aims_met", "<i4", (1, 2)),
    ("influence", "<i4"),
    ("early", "<i4"),  # workers that can be placed in summer only; `free` are those for winter
]
# What all positions of a decision have alike.
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
    ("others", "<i4", (2, 3)),  # what the other seats have of the goal's and the rule's metric: all, least, most
]
POSITION = np.dtype([*COPIED_FIELDS, *SHARED_FIELDS])
WORDS = POSITION.itemsize // 4
COPIED = np.dtype(COPIED_FIELDS).itemsize // 4
PARTNER = 18  # the position of another seat, with room above it
LEVELS = 26
N_OWN_DECISIONS = len(OWN_DECISIONS)


@jit
def copy_position(flat, source, target):
    """All but what every position of a decision has alike. Stands in for the other rulesets' function."""
    for i in range(COPIED):
        flat[target, i] = flat[source, i]


@jit
def own_decision(o):
    """The number of World's own question that is pending, -1 if it is one of the other rulesets too."""
    for i in range(N_OWN_DECISIONS):
        if o[WorldAt.WORLD_DECISION + i] == 1:
            return i
    return -1


@jit
def read_shared(o, p):
    """What all positions of a decision have alike."""
    for i in range(N_BEFORE):
        p[0].rules[i] = o[At.RULES + i]
    for i in range(N_RULES - N_BEFORE):
        p[0].rules[N_BEFORE + i] = o[WorldAt.WORLD_RULES + i]
    for i in range(N_TILES):
        p[0].tile[i] = o[WorldAt.TILE + i]
    for i in range(N_LETTERS):
        p[0].oval_on[i] = o[WorldAt.OVAL_ON + i] - 1
    p[0].event = -1
    for i in range(MOST_EVENTS):
        if o[WorldAt.EVENT + i] == 1:
            p[0].event = i
    p[0].goal_met = o[WorldAt.GOAL_MET]
    p[0].rule_steps = o[WorldAt.RULE_STEPS]
    p[0].rule_year = o[WorldAt.RULE_YEAR]
    p[0].rule_done = o[WorldAt.RULE_DONE] + 2 * o[WorldAt.RULE_DONE + 1]
    p[0].over_achieved[ME] = o[WorldAt.OVER_ACHIEVED]


@jit
def share(flat):
    """Give every position what the first has of it."""
    for at in range(1, LEVELS):
        for i in range(COPIED, WORDS):
            flat[at, i] = flat[0, i]


@jit
def read_seat(o, k, me):
    """The vineyard of the seat k places clockwise from the viewer, as far as everybody sees it, and its workers."""
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
    """Its hats, and how many workers it can still place this year."""
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
    """The cards of another seat as far as the viewer knows them; vines and orders alone matter."""
    for kind in range(N_KINDS):
        me.hand[ME, kind] = 0
    for vine in range(N_VINES):
        me.hand[ME, vine] = o[At.KNOWN_VINES + (k - 1) * N_VINES + vine]
    for kind in range(N_VINES, N_KINDS):
        if o[At.KNOWN_HOLDER + kind - N_VINES] == k:
            me.hand[ME, kind] = 1


@jit
def n_at_place(o, place):
    """How many workers stand on a place."""
    found = 0
    for i in range(MAX_SEATS * N_KINDS_OF_WORKER):
        found += int(o[WorldAt.STANDING + place * MAX_SEATS * N_KINDS_OF_WORKER + i])
    return found
