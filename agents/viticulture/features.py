"""A seat's own vineyard, read from its observation into a small record that a heuristic bot can try things on."""

import numpy as np

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import FIRST_SUMMER, N_KINDS, N_VINES
from vitienv.viticulture.enums import MAX_SEATS, N_DECKS, N_SPACES, N_STRUCTURES, Season
from vitienv.viticulture.handlers import DECISIONS
from vitienv.viticulture.observation import At
from vitienv.viticulture.state import N_RULES, Rule

# A position has the fields of a game record that concern one seat, for a table of one seat (`ME`), so that the rules'
# own functions on game records work on it. Everything is int32, so that sums in plain Python cannot wrap either.
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
        ("yields", "i4", (3, 2)),  # what each field gives of each colour, reckoned from the vines
        ("promised", "i4", (3, 2)),  # grapes of fields, by field and colour, that the reckoning has given to orders
        ("season", "i4"),
        ("free", "i4"),  # workers still to be placed this year
        ("later", "i4"),  # how many years are expected after this one, in hundredths
        ("next_vine", "i4"),  # what the next card of the deck would bring, see drawing.py
        ("next_order", "i4"),
        ("extra", "i4"),  # what an imagined move brings besides, in hundredths of a victory point
        ("target", "i4"),  # points that the year must end with, or the game is lost (aggressive Automa)
        ("tokens", "i4"),  # bonus action tokens that may be spent
        ("rules", "i4", N_RULES),  # of the game; the same in all positions
    ]
)
WORDS = POSITION.itemsize // 4
COPIED = WORDS - N_RULES
NO_TARGET = -100

N_DECISIONS = len(DECISIONS)


@jit
def copy_position(flat, source, target):
    """All but the rules, which every position has."""
    for i in range(COPIED):
        flat[target, i] = flat[source, i]


@jit
def decision_of(o):
    """The number of the pending decision in `DECISIONS`."""
    for i in range(N_DECISIONS):
        if o[At.DECISION + i] == 1:
            return i
    return -1


@jit
def card_in_play(o):
    """The visitor that asks, the one played through the Manager if there are two; -1 if there is none."""
    found = -1
    for kind in range(N_KINDS - 1, FIRST_SUMMER - 1, -1):
        if o[At.IN_PLAY + kind] == 1:
            found = kind
    return found


@jit
def has_last_year(o):
    """Whether the year in which the game ends is known."""
    return o[At.RULES + Rule.LAST_YEAR] > 0


@jit
def years_later(o, w):
    """How many years are expected after this one, in hundredths: known, or reckoned from the leader's points."""
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
    """The game's rules, into every position."""
    for i in range(len(p)):
        for rule in range(N_RULES):
            p[i].rules[rule] = o[At.RULES + rule]


@jit
def read_vineyard(o, k, me):
    """Fill `me` with the vineyard of the seat k places clockwise from the viewer, as far as everybody sees it."""
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
    """The viewer's own cards."""
    for kind in range(N_KINDS):
        me.hand[ME, kind] = o[At.HAND + kind]


@jit
def read_position(o, me, w):
    """Fill `me` from the observation `o`, but for the rules."""
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
    """How many spaces of a board action are free."""
    free = 0
    for space in range(N_SPACES):
        in_use = (int(o[At.RULES + Rule.SPACES]) >> space) & 1 == 1
        if in_use and o[At.SPACE_OWNER + act * N_SPACES + space] == 0:
            free += 1
    return free


@jit
def has_one(o, start, size):
    """Whether a run of the observation has anything in it."""
    for i in range(start, start + size):
        if o[i] > 0:
            return True
    return False


@jit
def n_players(o):
    return int(o[At.RULES + Rule.NUM_PLAYERS])
