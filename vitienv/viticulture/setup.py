"""The set-up: an empty table, parents dealt, cards and lira given (Essential, Setup; Original, Setup)."""

from vitienv.core.jit import jit
from vitienv.core.rng import below
from vitienv.viticulture.board import START_REGULAR_WORKERS
from vitienv.viticulture.cards import (
    COPIES_IN,
    DECK_OF_KIND,
    KIND,
    MAMA_DRAWS,
    MAMA_LIRA,
    N_AUTOMA,
    N_KINDS,
    N_VINES,
    PAPA_GIFT,
    PAPA_GIFT_LIRA,
    PAPA_LIRA,
    VINE_TOTAL,
)
from vitienv.viticulture.cards.papas import GIFT_VICTORY_POINT, GIFT_WORKER
from vitienv.viticulture.cards.parts import WAIVE_STRUCTURES
from vitienv.viticulture.facts import most_room
from vitienv.viticulture.frames import count_one, get, pop, push, set_stage
from vitienv.viticulture.names import (
    DECK_ORDER,
    DECK_SUMMER,
    DECK_VINE,
    GRANDE,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_ROWS,
    N_SPACES,
    NO_SEAT,
    NOWHERE,
    REGULAR,
    SETUP,
)
from vitienv.viticulture.ops.draw import KNOWN_TO_ALL, NO_KIND, draw, into_hand, random_word
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.opponents import OP_PLANT
from vitienv.viticulture.ops.workers import is_blocker
from vitienv.viticulture.state import (
    AUTOMA_VP,
    BLOCKER_WORKERS,
    CARD_SET,
    CHANCE_SETUP,
    CHOSEN_VINES,
    DONE,
    DRAFT_PARENTS,
    FIXED_LIRA,
    FRAME_WIDTH,
    GLASS_TOKENS,
    LEFT,
    MAMAS,
    MARKER,
    MAX_DEPTH,
    N_RULES,
    N_STREAMS,
    NOT_FIXED,
    NUM_PLAYERS,
    P0,
    PAPAS,
    PARENTS,
    PLAYING,
    REDRAW_MAMA,
    SEAT,
    STAFF_MAX,
    STAGE,
    START_LIRA,
    START_PINOTS,
    START_SUMMER_VISITORS,
    START_TOKENS,
    START_VP,
    B,
)
from vitienv.viticulture.vocabulary import CARD_ACTION, NO, OPTION, YES, FrameOp

OP_SETUP, OP_PARENT, OP_GIFT, OP_MAMA, OP_CHOOSE_VINE = (
    int(op) for op in (FrameOp.SETUP, FrameOp.PARENT, FrameOp.GIFT, FrameOp.MAMA, FrameOp.CHOOSE_VINE)
)
N_PARENTS = len(MAMA_LIRA)
PINOT = KIND["vine:pinot"]
# Stages of the set-up: parents kept, a mama exchanged, cards and lira given, vines chosen, the papas' gifts.
DRAFT, EXCHANGE, GIVE, CHOOSE, GIFTS = range(5)
MAMA, PAPA = 0, 1
FIELD_ASKED = 1  # stage of a planting


@jit
def clear(g):
    """An empty table, rules kept."""
    for i in range(2):
        g.key[i] = 0
    for i in range(N_STREAMS):
        g.chance[i] = 0
    for i in range(MAX_DEPTH):
        for j in range(FRAME_WIDTH):
            g.frames[i, j] = 0
    g.depth = 0
    g.year = 0
    g.status = PLAYING
    g.season = SETUP
    g.first_player = 0
    g.turn = 0
    g.turn_seat = NO_SEAT
    g.turn_place = NOWHERE
    g.goal_reached = 0
    g.automa_vp = 0
    g.lost = 0
    g.automa_n_forced = 0
    for card in range(N_AUTOMA):
        g.automa_deck[card] = 0
        g.automa_forced[card] = -1
    for deck in range(N_DECKS):
        g.n_deck[deck] = 0
        g.n_pile[deck] = 0
        g.n_forced[deck] = 0
        for i in range(g.pile.shape[1]):
            g.pile[deck, i] = NO_KIND
            g.forced[deck, i] = NO_KIND
    for kind in range(N_KINDS):
        copies = COPIES_IN[int(g.rules[CARD_SET]), kind]
        g.deck[kind] = copies
        g.n_deck[DECK_OF_KIND[kind]] += copies
        g.discard[kind] = 0
    for act in range(N_BOARD_ACTIONS):
        g.crowd[act] = 0
        for space in range(N_SPACES):
            g.space_seat[act, space] = NO_SEAT
            g.space_worker[act, space] = 0
    for seat in range(MAX_SEATS):
        clear_seat(g, seat)


@jit
def clear_seat(g, seat):
    g.lira[seat] = 0
    g.vp[seat] = 0
    g.residual[seat] = 0
    g.order[seat] = seat
    g.row[seat] = 0
    g.bonus_tokens[seat] = 0
    g.passed[seat] = 0
    g.trained[seat] = 0
    g.yoke_worker[seat] = -1
    for row in range(N_ROWS):
        g.glass[seat, row] = 0
    for worker in range(3):
        g.staff[seat, worker] = 0
        g.free[seat, worker] = 0
        g.cart[seat, worker] = 0
        g.used[seat, worker] = 0
    for structure in range(g.structures.shape[1]):
        g.structures[seat, structure] = 0
    for field in range(N_FIELDS):
        g.sold[seat, field] = 0
        g.harvested[seat, field] = 0
        for vine in range(g.vines.shape[2]):
            g.vines[seat, field, vine] = 0
    for value in range(g.crush.shape[2]):
        for colour in range(2):
            g.crush[seat, colour, value] = 0
        for kind in range(4):
            g.cellar[seat, kind, value] = 0
    for kind in range(N_KINDS):
        g.hand[seat, kind] = 0
        g.shown[seat, kind] = 0
    for deck in range(N_DECKS):
        g.n_hand[seat, deck] = 0
    for i in range(2):
        g.mamas[seat, i] = -1
        g.papas[seat, i] = -1


@jit
def new_game(g, key0, key1, rules):
    """Start a game: first player, parents dealt, up to the first decision's frame (Essential, Setup)."""
    for i in range(N_RULES):
        g.rules[i] = rules[i]
    clear(g)
    g.key[0] = key0
    g.key[1] = key1
    n = int(g.rules[NUM_PLAYERS])
    for seat in range(n):
        start_seat(g, seat)
    if g.rules[MARKER] == 1:
        g.automa_vp = g.rules[AUTOMA_VP]
        for card in range(N_AUTOMA):
            g.automa_deck[card] = 1
    g.first_player = below(random_word(g, CHANCE_SETUP), n)
    for i in range(1 + int(g.rules[DRAFT_PARENTS])):
        for seat in range(n):
            if has_parent(g, seat, MAMAS):
                g.mamas[seat, i] = deal_parent(g, MAMA)
            if has_parent(g, seat, PAPAS):
                g.papas[seat, i] = deal_parent(g, PAPA)
    push(g, OP_SETUP, 0, 0, 0, 0, 0, 0)


@jit
def start_seat(g, seat):
    """Workers and what the edition gives to everybody; a seat that only blocks has workers and nothing else."""
    regular, grande = START_REGULAR_WORKERS, 1
    if is_blocker(g, seat):
        regular, grande = int(g.rules[BLOCKER_WORKERS]), 0
        g.vp[seat] = g.rules[AUTOMA_VP]
    else:
        g.vp[seat] = g.rules[START_VP]
        g.lira[seat] = g.rules[START_LIRA]
        if g.rules[GLASS_TOKENS] == 1:
            g.bonus_tokens[seat] = g.rules[START_TOKENS]
            for row in range(N_ROWS):
                g.glass[seat, row] = 1
        for _ in range(g.rules[START_PINOTS]):
            g.deck[PINOT] -= 1
            g.n_deck[DECK_VINE] -= 1
            into_hand(g, seat, PINOT, KNOWN_TO_ALL)
    g.staff[seat, REGULAR] = regular
    g.staff[seat, GRANDE] = grande
    g.free[seat, REGULAR] = regular
    g.free[seat, GRANDE] = grande


@jit
def has_parent(g, seat, parent):
    """Whether a seat gets a mama or a papa."""
    return int(g.rules[PARENTS]) & parent != 0 and not is_blocker(g, seat)


@jit
def deal_parent(g, parent):
    """A mama or papa not yet dealt, at random."""
    left = N_PARENTS
    for number in range(N_PARENTS):
        if is_dealt(g, parent, number):
            left -= 1
    at = below(random_word(g, CHANCE_SETUP), left)
    number = 0
    while at > 0 or is_dealt(g, parent, number):
        if not is_dealt(g, parent, number):
            at -= 1
        number += 1
    return number


@jit
def is_dealt(g, parent, number):
    for seat in range(MAX_SEATS):
        for i in range(2):
            if (g.mamas[seat, i] if parent == MAMA else g.papas[seat, i]) == number:
                return True
    return False


@jit
def clockwise(g, i):
    """The i-th seat from the first player on."""
    return (int(g.first_player) + i) % int(g.rules[NUM_PLAYERS])


@jit
def steps_of_stage(g, stage):
    """How often a stage is carried out: once for each seat, or for each parent of each seat."""
    n = int(g.rules[NUM_PLAYERS])
    return 2 * n * int(g.rules[DRAFT_PARENTS]) if stage == DRAFT else n


@jit
def run_setup(g, t):
    """The stages one after the other, each clockwise; True until the first spring can begin (rulings 8.13, 8.14)."""
    stage, i = get(g, t, STAGE), get(g, t, DONE)
    if i == steps_of_stage(g, stage):
        set_stage(g, t, stage + 1)
        g.frames[t, DONE] = 0
        return stage < GIFTS
    g.frames[t, DONE] = i + 1
    if stage == DRAFT:
        seat = clockwise(g, i // 2)
        if has_parent(g, seat, MAMAS if i % 2 == MAMA else PAPAS):
            set_stage(g, push(g, OP_PARENT, seat, 1, 1, 0, 0, 0), i % 2)
        return True
    seat = clockwise(g, i)
    if stage == EXCHANGE:
        if may_exchange(g, seat):
            push(g, OP_MAMA, seat, 1, 1, 0, 0, 0)
    elif stage == GIVE:
        give_start(g, seat)
    elif stage == CHOOSE:
        if g.rules[CHOSEN_VINES] > 0 and not is_blocker(g, seat):
            chosen = int(g.rules[CHOSEN_VINES])
            push(g, OP_CHOOSE_VINE, seat, chosen, chosen, 0, 0, 0)
    elif has_parent(g, seat, PAPAS):
        push(g, OP_GIFT, seat, 1, 1, 0, 0, 0)
    return True


@jit
def give_start(g, seat):
    """The mama's cards and lira, the papa's lira, and the edition's own cards."""
    mama, papa = int(g.mamas[seat, 0]), int(g.papas[seat, 0])
    if mama >= 0:
        for deck in range(N_DECKS):
            for _ in range(MAMA_DRAWS[mama, deck]):
                draw(g, seat, deck)
        gain_lira(g, seat, int(MAMA_LIRA[mama]))
    if papa >= 0:
        gain_lira(g, seat, int(PAPA_LIRA[papa]))
    if not is_blocker(g, seat):
        for _ in range(g.rules[START_SUMMER_VISITORS]):
            draw(g, seat, DECK_SUMMER)


@jit
def fix_lira(g):
    """Lira that a challenge names in place of what the set-up gave (Essential, Campaign play)."""
    if g.rules[FIXED_LIRA] != NOT_FIXED:
        for seat in range(int(g.rules[NUM_PLAYERS])):
            if not is_blocker(g, seat):
                g.lira[seat] = g.rules[FIXED_LIRA]


# Parents: two dealt, one kept (Essential, Mamas and papas).


@jit
def legal_parent(g, t, mask):
    mask[OPTION] = 1
    mask[OPTION + 1] = 1


@jit
def apply_parent(g, t, action):
    """Keep one of two dealt parents."""
    seat, kept = get(g, t, SEAT), action - OPTION
    if g.frames[t, STAGE] == MAMA:
        g.mamas[seat, 0] = g.mamas[seat, kept]
        g.mamas[seat, 1] = -1
    else:
        g.papas[seat, 0] = g.papas[seat, kept]
        g.papas[seat, 1] = -1
    pop(g)


# A mama that gives orders may be redrawn where orders cannot be filled (Essential, Campaign play, 8).


@jit
def may_exchange(g, seat):
    mama = int(g.mamas[seat, 0])
    return g.rules[REDRAW_MAMA] == 1 and mama >= 0 and MAMA_DRAWS[mama, DECK_ORDER] > 0


@jit
def legal_mama(g, t, mask):
    mask[YES] = 1
    mask[NO] = 1


@jit
def apply_mama(g, t, action):
    """The new one differs from the old one, and may be exchanged again."""
    seat = get(g, t, SEAT)
    if action == YES:
        g.mamas[seat, 0] = deal_parent(g, MAMA)
    if action == NO or not may_exchange(g, seat):
        pop(g)


# Vines chosen and planted at the start: LEFT to choose in ascending order, B the last (Essential, Campaign play, 1).


@jit
def legal_choose_vine(g, t, mask):
    seat, behind = get(g, t, SEAT), 0
    room = most_room(g, seat, 0)
    for vine in range(N_VINES - 1, get(g, t, B) - 1, -1):
        if VINE_TOTAL[vine] <= room:
            behind += int(g.deck[vine])
            if g.deck[vine] > 0 and behind >= get(g, t, LEFT):
                mask[CARD_ACTION + vine] = 1


@jit
def apply_choose_vine(g, t, action):
    """Out of the deck and, with the field asked for, onto the mat; no structures are needed."""
    seat, vine = get(g, t, SEAT), action - CARD_ACTION
    g.deck[vine] -= 1
    g.n_deck[DECK_VINE] -= 1
    into_hand(g, seat, vine, KNOWN_TO_ALL)
    g.frames[t, B] = vine
    count_one(g, t)
    if g.frames[t, LEFT] == 0:
        pop(g)
    top = push(g, OP_PLANT, seat, 1, 1, WAIVE_STRUCTURES, 0, 0)
    g.frames[top, P0] = vine
    set_stage(g, top, FIELD_ASKED)


# Gifts.


@jit
def may_have_gift(g, seat):
    """A worker beyond the number allowed cannot be had (Essential, Campaign play, 2)."""
    return PAPA_GIFT[int(g.papas[seat, 0])] != GIFT_WORKER or g.staff[seat, REGULAR] < g.rules[STAFF_MAX]


@jit
def legal_gift(g, t, mask):
    if may_have_gift(g, get(g, t, SEAT)):
        mask[OPTION] = 1
    mask[OPTION + 1] = 1


@jit
def apply_gift(g, t, action):
    """The papa's gift, or more lira instead (Essential, Mamas and papas)."""
    seat = get(g, t, SEAT)
    papa = int(g.papas[seat, 0])
    pop(g)
    gift = PAPA_GIFT[papa]
    if action != OPTION:
        gain_lira(g, seat, int(PAPA_GIFT_LIRA[papa]))
    elif gift == GIFT_WORKER:
        g.staff[seat, REGULAR] += 1
        g.free[seat, REGULAR] += 1
    elif gift == GIFT_VICTORY_POINT:
        gain_vp(g, seat, 1)
    else:
        g.structures[seat, gift] = 1
