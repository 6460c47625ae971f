"""A seat's own vineyard, read from its observation into a small record that a rule of thumb can try things on."""

import numpy as np

from vitienv.core.jit import jit
from vitienv.viticulture.cards import FIRST_SUMMER, N_KINDS, N_VINES
from vitienv.viticulture.names import (
    ACT_BUILD_STRUCTURE,
    ACT_FILL_ORDER,
    ACT_GIVE_TOUR,
    ACT_HARVEST_FIELD,
    ACT_MAKE_WINE,
    ACT_PLANT_VINE,
    ACT_PLAY_SUMMER_VISITOR,
    ACT_PLAY_WINTER_VISITOR,
    ACT_TRAIN_WORKER,
    DECK_ORDER,
    DECK_SUMMER,
    DECK_VINE,
    DECK_WINTER,
    MAX_SEATS,
    N_DECKS,
    N_SPACES,
    SUMMER,
)
from vitienv.viticulture.observation import OBSERVATION, SHOWN_COLUMNS
from vitienv.viticulture.state import (
    AGGRESSIVE,
    BONUS_TOKENS,
    GOAL_VP,
    LAST_YEAR,
    LEFT,
    MAX_YEARS,
    N_RULES,
    NUM_PLAYERS,
    P0,
    P1,
    P2,
    SPACES,
    STAFF_MAX,
    TRAIN_PRICE,
    A,
    B,
    C,
)
from vitienv.viticulture.vocabulary import DECISIONS

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

(
    AT_LIRA, AT_VP, AT_RESIDUAL, AT_ROW, AT_PASSED, AT_STAFF, AT_FREE, AT_TRAINED, AT_STRUCTURES, AT_USED, AT_VINES,
    AT_SOLD, AT_HARVESTED, AT_CRUSH, AT_CELLAR, AT_N_HAND, AT_MAMAS, AT_PAPAS, AT_YEAR, AT_SEASON, AT_GOAL_REACHED,
    AT_AUTOMA_VP, AT_TOKENS,
    AT_RULES, AT_HAND, AT_IN_PLAY, AT_PILE_TOP, AT_SPACE_OWNER, AT_DECISION, AT_PENDING, AT_PRESENT,
    AT_TURN_SEAT, AT_STACK, AT_UNSEEN,
) = (
    OBSERVATION.start(name)
    for name in (
        "lira", "vp", "residual", "row", "passed", "staff", "free", "trained", "structures", "used", "vines", "sold",
        "harvested", "crush", "cellar", "n_hand", "mamas", "papas", "year", "season", "goal_reached", "automa_vp",
        "bonus_tokens", "rules", "hand",
        "in_play", "pile_top", "space_owner", "decision", "pending", "present", "turn_seat",
        "stack", "unseen",
    )
)  # fmt: skip
N_DECISIONS = len(DECISIONS)
PENDING_LEFT, PENDING_A, PENDING_B, PENDING_C = (AT_PENDING + SHOWN_COLUMNS.index(x) for x in (LEFT, A, B, C))
PENDING_P0, PENDING_P1, PENDING_P2 = (AT_PENDING + SHOWN_COLUMNS.index(x) for x in (P0, P1, P2))


@jit
def copy_position(flat, source, target):
    """All but the rules, which every position has."""
    for i in range(COPIED):
        flat[target, i] = flat[source, i]


@jit
def decision_of(o):
    """The number of the pending decision in `DECISIONS`."""
    for i in range(N_DECISIONS):
        if o[AT_DECISION + i] == 1:
            return i
    return -1


@jit
def card_in_play(o):
    """The visitor that asks, the one played through the Manager if there are two; -1 if there is none."""
    found = -1
    for kind in range(N_KINDS - 1, FIRST_SUMMER - 1, -1):
        if o[AT_IN_PLAY + kind] == 1:
            found = kind
    return found


@jit
def has_last_year(o):
    """Whether the year in which the game ends is known."""
    return o[AT_RULES + LAST_YEAR] > 0


@jit
def years_later(o, w):
    """How many years are expected after this one, in hundredths: known, or reckoned from the leader's points."""
    if has_last_year(o):
        return max(0, 100 * (int(o[AT_RULES + LAST_YEAR]) - max(1, int(o[AT_YEAR]))))
    best = int(o[AT_VP])
    for seat in range(1, MAX_SEATS):
        if o[AT_PRESENT + seat] == 1:
            best = max(best, int(o[AT_VP + seat]))
    missing = int(o[AT_RULES + GOAL_VP]) - best
    year = max(1, int(o[AT_YEAR]))
    if o[AT_GOAL_REACHED] == 1 or missing <= 0:
        return 0
    later = min(missing * w.year_per_point, 100 * max(1, w.expected_years - year))
    if o[AT_RULES + MAX_YEARS] > 0:
        later = min(later, 100 * (int(o[AT_RULES + MAX_YEARS]) - year))
    return max(0, later)


@jit
def read_rules(o, p):
    """The game's rules, into every position."""
    for i in range(len(p)):
        for rule in range(N_RULES):
            p[i].rules[rule] = o[AT_RULES + rule]


@jit
def read_position(o, me, w):
    """Fill `me` from the observation `o`, but for the rules."""
    me.lira[ME] = o[AT_LIRA]
    me.vp[ME] = o[AT_VP]
    me.residual[ME] = o[AT_RESIDUAL]
    me.trained[ME] = o[AT_TRAINED]
    for i in range(8):
        me.structures[ME, i] = o[AT_STRUCTURES + i]
    for i in range(3):
        me.staff[ME, i] = o[AT_STAFF + i]
        me.sold[ME, i] = o[AT_SOLD + i]
        me.harvested[ME, i] = o[AT_HARVESTED + i]
        me.used[ME, i] = o[AT_USED + i]
        for j in range(N_VINES):
            me.vines[ME, i, j] = o[AT_VINES + i * N_VINES + j]
    for i in range(2):
        for j in range(9):
            me.crush[ME, i, j] = o[AT_CRUSH + i * 9 + j]
    for i in range(4):
        for j in range(9):
            me.cellar[ME, i, j] = o[AT_CELLAR + i * 9 + j]
    for kind in range(N_KINDS):
        me.hand[ME, kind] = o[AT_HAND + kind]
    for deck in range(N_DECKS):
        me.n_hand[ME, deck] = o[AT_N_HAND + deck]
    me.free = int(o[AT_FREE]) + int(o[AT_FREE + 1]) + int(o[AT_FREE + 2])
    if o[AT_SEASON] < SUMMER:
        me.free = int(o[AT_STAFF]) + int(o[AT_STAFF + 1]) + int(o[AT_STAFF + 2])
    me.season = o[AT_SEASON]
    me.later = years_later(o, w)
    me.extra = 0
    me.target = int(o[AT_AUTOMA_VP]) + 1 if o[AT_RULES + AGGRESSIVE] == 1 else NO_TARGET
    me.tokens = o[AT_TOKENS] * o[AT_RULES + BONUS_TOKENS]
    me.next_vine = 0
    me.next_order = 0
    for i in range(3):
        for j in range(2):
            me.promised[i, j] = 0


@jit
def free_spaces(o, act):
    """How many spaces of a board action are free."""
    free = 0
    for space in range(N_SPACES):
        in_use = (int(o[AT_RULES + SPACES]) >> space) & 1 == 1
        if in_use and o[AT_SPACE_OWNER + act * N_SPACES + space] == 0:
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
def wants(o, seat, act):
    """Whether an opponent who may still place workers seems to want an action of the board."""
    if o[AT_PASSED + seat] == 1 or not has_one(o, AT_FREE + 3 * seat, 3):
        return False
    if act == ACT_PLANT_VINE:
        return o[AT_N_HAND + seat * N_DECKS + DECK_VINE] > 0
    if act == ACT_PLAY_SUMMER_VISITOR:
        return o[AT_N_HAND + seat * N_DECKS + DECK_SUMMER] > 0
    if act == ACT_BUILD_STRUCTURE:
        return o[AT_LIRA + seat] >= 4
    if act == ACT_HARVEST_FIELD:
        return has_one(o, AT_VINES + seat * 3 * N_VINES, 3 * N_VINES)
    if act == ACT_TRAIN_WORKER:
        staff = o[AT_STAFF + 3 * seat] + o[AT_TRAINED + seat]
        return o[AT_LIRA + seat] >= o[AT_RULES + TRAIN_PRICE] and staff < o[AT_RULES + STAFF_MAX]
    if act == ACT_PLAY_WINTER_VISITOR:
        return o[AT_N_HAND + seat * N_DECKS + DECK_WINTER] > 0
    if act == ACT_MAKE_WINE:
        return has_one(o, AT_CRUSH + seat * 18, 18)
    if act == ACT_FILL_ORDER:
        return has_one(o, AT_CELLAR + seat * 36, 36) and o[AT_N_HAND + seat * N_DECKS + DECK_ORDER] > 0
    return act == ACT_GIVE_TOUR


@jit
def contested(o, act):
    """Whether only one space of an action is free and an opponent seems to want it."""
    if free_spaces(o, act) != 1:
        return False
    for seat in range(1, n_players(o)):
        if wants(o, seat, act):
            return True
    return False


@jit
def n_players(o):
    return int(o[AT_RULES + NUM_PLAYERS])
