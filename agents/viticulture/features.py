"""The viewer's vineyard, read from the observation into a small record for simulated positions."""

import numpy as np

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import FIRST_SUMMER, N_KINDS, N_VINES
from vitienv.viticulture.enums import MAX_SEATS, N_DECKS, N_SPACES, N_STRUCTURES, Season
from vitienv.viticulture.handlers import DECISIONS
from vitienv.viticulture.observation import At
from vitienv.viticulture.state import N_RULES, Rule

# A position has the fields of a state that concern one seat (`ME`), so that functions of the rules work on it. All
# fields are int32 to avoid overflow without compilation.
ME = 0
POSITION = np.dtype(
    [
        ("lira", "i4", 1),
        ("vp", "i4", 1),
        ("residual", "i4", 1),
        ("staff", "i4", (1, 3)),
        ("trained", "i4", 1),
        ("structures", "i4", (1, 8)),
        ("used", "i4", (1, 3)),
        ("vines", "i4", (1, 3, N_VINES)),
        ("sold", "i4", (1, 3)),
        ("harvested", "i4", (1, 3)),
        ("crush", "i4", (1, 2, 9)),
        ("cellar", "i4", (1, 4, 9)),
        ("hand", "i4", (1, N_KINDS)),
        ("n_hand", "i4", (1, N_DECKS)),
        ("yields", "i4", (3, 2)),  # grape of each field by colour, computed from its vines
        ("promised", "i4", (3, 2)),  # grapes of fields assigned to orders, by field and colour
        ("season", "i4"),
        ("free", "i4"),  # workers left to place this year
        ("later", "i4"),  # expected years after this one, in hundredths
        ("next_vine", "i4"),  # expected gain of the next card of the deck, see drawing.py
        ("next_order", "i4"),
        ("extra", "i4"),  # further value of a simulated move, in hundredths of a victory point
        ("target", "i4"),  # points required at the end of the year (aggressive Automa)
        ("tokens", "i4"),  # available bonus action tokens
        ("rules", "i4", N_RULES),  # the same in all positions
    ]
)
WORDS = POSITION.itemsize // 4
COPIED = WORDS - N_RULES
NO_TARGET = -100

N_DECISIONS = len(DECISIONS)


@jit
def copy_position(flat, source, target):
    """Copy a position, without the rules, which are the same everywhere."""
    for i in range(COPIED):
        flat[target, i] = flat[source, i]


@jit
def decision_of(o):
    """Return the index of the pending decision in `DECISIONS`."""
    for i in range(N_DECISIONS):
        if o[At.DECISION + i] == 1:
            return i
    return -1


@jit
def card_in_play(o):
    """Return the visitor in play, the one played through the Manager if there are two; -1 without one."""
    card = -1
    for kind in range(N_KINDS - 1, FIRST_SUMMER - 1, -1):
        if o[At.IN_PLAY + kind] == 1:
            card = kind
    return card


@jit
def has_last_year(o):
    """Return whether the game has a fixed last year."""
    return o[At.RULES + Rule.LAST_YEAR] > 0


@jit
def years_later(o, w):
    """Return the expected years after this one, in hundredths: fixed, or estimated from the leader's points."""
    if has_last_year(o):
        return max(0, 100 * (int(o[At.RULES + Rule.LAST_YEAR]) - max(1, int(o[At.YEAR]))))
    best = int(o[At.VP])
    for seat in range(1, MAX_SEATS):
        if o[At.PRESENT + seat] == 1:
            best = max(best, int(o[At.VP + seat]))
    missing = int(o[At.RULES + Rule.GOAL_VP]) - best
    year = max(1, int(o[At.YEAR]))
    if o[At.GOAL_REACHED] == 1 or missing <= 0:
        return 0
    later = min(missing * w.year_per_point, 100 * max(1, w.expected_years - year))
    if o[At.RULES + Rule.MAX_YEARS] > 0:
        later = min(later, 100 * (int(o[At.RULES + Rule.MAX_YEARS]) - year))
    return max(0, later)


@jit
def read_rules(o, p):
    """Read the rules into all positions."""
    for i in range(len(p)):
        for rule in range(N_RULES):
            p[i].rules[rule] = o[At.RULES + rule]


@jit
def read_vineyard(o, k, me):
    """Fill `me` with the public vineyard of the seat k places clockwise from the viewer."""
    me.lira[ME] = o[At.LIRA + k]
    me.vp[ME] = o[At.VP + k]
    me.residual[ME] = o[At.RESIDUAL + k]
    for i in range(N_STRUCTURES):
        me.structures[ME, i] = o[At.STRUCTURES + N_STRUCTURES * k + i]
    for i in range(3):
        me.staff[ME, i] = o[At.STAFF + 3 * k + i]
        me.sold[ME, i] = o[At.SOLD + 3 * k + i]
        me.harvested[ME, i] = o[At.HARVESTED + 3 * k + i]
        me.used[ME, i] = o[At.USED + 3 * k + i]
        for j in range(N_VINES):
            me.vines[ME, i, j] = o[At.VINES + (3 * k + i) * N_VINES + j]
    for i in range(2):
        for j in range(9):
            me.crush[ME, i, j] = o[At.CRUSH + (2 * k + i) * 9 + j]
    for i in range(4):
        for j in range(9):
            me.cellar[ME, i, j] = o[At.CELLAR + (4 * k + i) * 9 + j]
    for deck in range(N_DECKS):
        me.n_hand[ME, deck] = o[At.N_HAND + N_DECKS * k + deck]
    me.season = o[At.SEASON]
    me.extra = 0
    me.next_vine = 0
    me.next_order = 0
    for i in range(3):
        for j in range(2):
            me.promised[i, j] = 0


@jit
def read_hand(o, me):
    """Read the viewer's hand."""
    for kind in range(N_KINDS):
        me.hand[ME, kind] = o[At.HAND + kind]


@jit
def read_position(o, me, w):
    """Fill `me` from the observation, without the rules."""
    read_vineyard(o, 0, me)
    read_hand(o, me)
    me.trained[ME] = o[At.TRAINED]
    me.free = int(o[At.FREE]) + int(o[At.FREE + 1]) + int(o[At.FREE + 2])
    if o[At.SEASON] < Season.SUMMER:
        me.free = int(o[At.STAFF]) + int(o[At.STAFF + 1]) + int(o[At.STAFF + 2])
    me.later = years_later(o, w)
    me.target = int(o[At.AUTOMA_VP]) + 1 if o[At.RULES + Rule.AGGRESSIVE] == 1 else NO_TARGET
    me.tokens = o[At.BONUS_TOKENS] * o[At.RULES + Rule.BONUS_TOKENS]


@jit
def free_spaces(o, act):
    """Return the number of free spaces of a board action."""
    free = 0
    for space in range(N_SPACES):
        in_use = (int(o[At.RULES + Rule.SPACES]) >> space) & 1 == 1
        if in_use and o[At.SPACE_OWNER + act * N_SPACES + space] == 0:
            free += 1
    return free


@jit
def has_one(o, start, size):
    """Return whether a slice of the observation has a positive number."""
    for i in range(start, start + size):
        if o[i] > 0:
            return True
    return False


@jit
def n_players(o):
    return int(o[At.RULES + Rule.NUM_PLAYERS])
