"""Set-up: empty table, parents, starting cards and lira (Essential, Setup; Original, Setup)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import Frame, count_one, get, pop, push, set_stage
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
from vitienv.viticulture.derived import most_room
from vitienv.viticulture.enums import MAX_SEATS, N_DECKS, N_ROWS, Deck, Worker
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.ops.draw import KNOWN_TO_ALL, draw, into_hand, random_word
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.workers import is_blocker
from vitienv.viticulture.state import MAMAS, NOT_FIXED, PAPAS, Chance, Rule
from vitienv.viticulture.vocabulary import Move

N_PARENTS = len(MAMA_LIRA)
PINOT = KIND["vine:pinot"]
MAMA = 0
PAPA = 1
MAMAS_PER_COLUMN = N_PARENTS // 2
FIELD_PENDING = 1  # stage of planting


class SetupStage(IntConstants):
    """Stages of the set-up: parents, exchange of a mama, cards and lira, chosen vines, gifts of the papas."""

    DRAFT = 0
    EXCHANGE = 1
    GIVE = 2
    CHOOSE = 3
    GIFTS = 4


@jit
def fill_decks(g):
    """Put all cards of the ruleset's set into the decks."""
    for kind in range(N_KINDS):
        copies = COPIES_IN[int(g.rules[Rule.CARD_SET]), kind]
        g.deck[kind] = copies
        g.n_deck[DECK_OF_KIND[kind]] += copies


@jit
def new_game(g):
    """Choose the first player and deal parents, up to the first decision (Essential, Setup)."""
    fill_decks(g)
    n = int(g.rules[Rule.NUM_PLAYERS])
    for seat in range(n):
        start_seat(g, seat)
    if g.rules[Rule.MARKER] == 1:
        g.automa_vp = g.rules[Rule.AUTOMA_VP]
        for card in range(N_AUTOMA):
            g.automa_deck[card] = 1
    g.first_player = below(random_word(g, Chance.SETUP), n)
    for i in range(1 + int(g.rules[Rule.DRAFT_PARENTS])):
        for seat in range(n):
            if has_parent(g, seat, MAMAS):
                g.mamas[seat, i] = deal_parent(g, MAMA)
            if has_parent(g, seat, PAPAS):
                g.papas[seat, i] = deal_parent(g, PAPA)
    push(g, FrameOp.SETUP, 0, 0, 0, 0, 0, 0)


@jit
def start_seat(g, seat):
    """Give a seat its workers and the edition's starting resources; a blocking seat gets only workers."""
    regular, grande = START_REGULAR_WORKERS, 1
    if is_blocker(g, seat):
        regular, grande = int(g.rules[Rule.BLOCKER_WORKERS]), 0
        g.vp[seat] = g.rules[Rule.AUTOMA_VP]
    else:
        g.vp[seat] = g.rules[Rule.START_VP]
        g.lira[seat] = g.rules[Rule.START_LIRA]
        if g.rules[Rule.GLASS_TOKENS] == 1:
            g.bonus_tokens[seat] = g.rules[Rule.START_TOKENS]
            for row in range(N_ROWS):
                g.glass[seat, row] = 1
        for _ in range(g.rules[Rule.START_PINOTS]):
            g.deck[PINOT] -= 1
            g.n_deck[Deck.VINE] -= 1
            into_hand(g, seat, PINOT, KNOWN_TO_ALL)
    g.staff[seat, Worker.REGULAR] = regular
    g.staff[seat, Worker.GRANDE] = grande
    g.free[seat, Worker.REGULAR] = regular
    g.free[seat, Worker.GRANDE] = grande


@jit
def has_parent(g, seat, parent):
    """Return whether a seat gets a mama or a papa."""
    return int(g.rules[Rule.PARENTS]) & parent != 0 and not is_blocker(g, seat)


@jit
def deal_parent(g, parent):
    """Return a random mama or papa that is neither dealt nor discarded."""
    num_available = N_PARENTS
    for number in range(N_PARENTS):
        if is_dealt(g, parent, number):
            num_available -= 1
    index = below(random_word(g, Chance.SETUP), num_available)
    number = 0
    while index > 0 or is_dealt(g, parent, number):
        if not is_dealt(g, parent, number):
            index -= 1
        number += 1
    return number


@jit
def is_dealt(g, parent, number):
    """Return whether a parent is dealt, or is a discarded mama."""
    if parent == MAMA and is_aside(g, number):
        return True
    for seat in range(MAX_SEATS):
        for i in range(2):
            if (g.mamas[seat, i] if parent == MAMA else g.papas[seat, i]) == number:
                return True
    return False


# Discarded mamas are not dealt again (ruling C8): bit masks in P0 and P1 of the set-up's frame.


@jit
def is_aside(g, mama):
    return (get(g, 0, Frame.P0 + mama // MAMAS_PER_COLUMN) >> (mama % MAMAS_PER_COLUMN)) & 1 == 1


@jit
def put_aside(g, mama):
    g.frames[0, Frame.P0 + mama // MAMAS_PER_COLUMN] |= 1 << (mama % MAMAS_PER_COLUMN)


@jit
def clockwise(g, i):
    """Return the i-th seat clockwise from the first player."""
    return (int(g.first_player) + i) % int(g.rules[Rule.NUM_PLAYERS])


@jit
def steps_of_stage(g, stage):
    """Return the number of steps of a stage: one per seat, or one per parent of each seat."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    return 2 * n * int(g.rules[Rule.DRAFT_PARENTS]) if stage == SetupStage.DRAFT else n


@jit
def run_setup(g, t):
    """Run the stages, each clockwise; return False when the first spring can start (rulings 8.13, 8.14)."""
    stage, i = get(g, t, Frame.STAGE), get(g, t, Frame.DONE)
    if i == steps_of_stage(g, stage):
        set_stage(g, t, stage + 1)
        g.frames[t, Frame.DONE] = 0
        return stage < SetupStage.GIFTS
    g.frames[t, Frame.DONE] = i + 1
    if stage == SetupStage.DRAFT:
        seat = clockwise(g, i // 2)
        if has_parent(g, seat, MAMAS if i % 2 == MAMA else PAPAS):
            set_stage(g, push(g, FrameOp.PARENT, seat, 1, 1, 0, 0, 0), i % 2)
        return True
    seat = clockwise(g, i)
    if stage == SetupStage.EXCHANGE:
        if may_exchange(g, seat):
            push(g, FrameOp.MAMA, seat, 1, 1, 0, 0, 0)
    elif stage == SetupStage.GIVE:
        give_start(g, seat)
    elif stage == SetupStage.CHOOSE:
        if g.rules[Rule.CHOSEN_VINES] > 0 and not is_blocker(g, seat):
            num_vines = int(g.rules[Rule.CHOSEN_VINES])
            push(g, FrameOp.CHOOSE_VINE, seat, num_vines, num_vines, 0, 0, 0)
    elif has_parent(g, seat, PAPAS):
        push(g, FrameOp.GIFT, seat, 1, 1, 0, 0, 0)
    return True


@jit
def give_start(g, seat):
    """Give the cards and lira of the parents and of the edition."""
    mama, papa = int(g.mamas[seat, 0]), int(g.papas[seat, 0])
    if mama >= 0:
        for deck in range(N_DECKS):
            for _ in range(MAMA_DRAWS[mama, deck]):
                draw(g, seat, deck)
        gain_lira(g, seat, int(MAMA_LIRA[mama]))
    if papa >= 0:
        gain_lira(g, seat, int(PAPA_LIRA[papa]))
    if not is_blocker(g, seat):
        for _ in range(g.rules[Rule.START_SUMMER_VISITORS]):
            draw(g, seat, Deck.SUMMER)


@jit
def fix_lira(g):
    """Set the starting lira of a challenge (Essential, Campaign play)."""
    if g.rules[Rule.FIXED_LIRA] != NOT_FIXED:
        for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
            if not is_blocker(g, seat):
                g.lira[seat] = g.rules[Rule.FIXED_LIRA]


# Parents: two dealt, one kept (Essential, Mamas and papas).


@jit
def legal_parent(g, t, mask):
    mask[Move.OPTION] = 1
    mask[Move.OPTION + 1] = 1


@jit
def apply_parent(g, t, action):
    """Keep one of two parents."""
    seat, choice = get(g, t, Frame.SEAT), action - Move.OPTION
    if g.frames[t, Frame.STAGE] == MAMA:
        put_aside(g, int(g.mamas[seat, 1 - choice]))
        g.mamas[seat, 0] = g.mamas[seat, choice]
        g.mamas[seat, 1] = -1
    else:
        g.papas[seat, 0] = g.papas[seat, choice]
        g.papas[seat, 1] = -1
    pop(g)


operation(FrameOp.PARENT, "choose_mama", "choose_papa", legal=legal_parent, apply=apply_parent, shows=())


# A mama that gives orders may be exchanged where orders cannot be filled (Essential, Campaign play, 8).


@jit
def may_exchange(g, seat):
    mama = int(g.mamas[seat, 0])
    return g.rules[Rule.REDRAW_MAMA] == 1 and mama >= 0 and MAMA_DRAWS[mama, Deck.ORDER] > 0


@jit
def legal_mama(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_mama(g, t, action):
    """Exchange the mama, perhaps repeatedly, or keep it."""
    seat = get(g, t, Frame.SEAT)
    if action == Move.YES:
        put_aside(g, int(g.mamas[seat, 0]))
        g.mamas[seat, 0] = deal_parent(g, MAMA)
    if action == Move.NO or not may_exchange(g, seat):
        pop(g)


operation(FrameOp.MAMA, "redraw_mama", legal=legal_mama, apply=apply_mama, shows=())


# Vines chosen and planted at the start, in ascending order: LEFT to choose, B the last (Essential, Campaign play, 1).


@jit
def legal_choose_vine(g, t, mask):
    seat, num_later = get(g, t, Frame.SEAT), 0
    room = most_room(g, seat, 0)
    for vine in range(N_VINES - 1, get(g, t, Frame.B) - 1, -1):
        if VINE_TOTAL[vine] <= room:
            num_later += int(g.deck[vine])
            if g.deck[vine] > 0 and num_later >= get(g, t, Frame.LEFT):
                mask[Move.CARD + vine] = 1


@jit
def apply_choose_vine(g, t, action):
    """Take a vine from the deck and ask for its field; structures are waived."""
    seat, vine = get(g, t, Frame.SEAT), action - Move.CARD
    g.deck[vine] -= 1
    g.n_deck[Deck.VINE] -= 1
    into_hand(g, seat, vine, KNOWN_TO_ALL)
    g.frames[t, Frame.B] = vine
    count_one(g, t)
    if g.frames[t, Frame.LEFT] == 0:
        pop(g)
    top = push(g, FrameOp.PLANT, seat, 1, 1, WAIVE_STRUCTURES, 0, 0)
    g.frames[top, Frame.P0] = vine
    set_stage(g, top, FIELD_PENDING)


operation(FrameOp.CHOOSE_VINE, "choose_vine", legal=legal_choose_vine, apply=apply_choose_vine, shows=(Frame.B,))


# Gifts.


@jit
def may_have_gift(g, seat):
    """Return whether the gift is possible: a worker only below the maximum (Essential, Campaign play, 2)."""
    return PAPA_GIFT[int(g.papas[seat, 0])] != GIFT_WORKER or g.staff[seat, Worker.REGULAR] < g.rules[Rule.STAFF_MAX]


@jit
def legal_gift(g, t, mask):
    if may_have_gift(g, get(g, t, Frame.SEAT)):
        mask[Move.OPTION] = 1
    mask[Move.OPTION + 1] = 1


@jit
def apply_gift(g, t, action):
    """Take the gift of the papa, or lira instead (Essential, Mamas and papas)."""
    seat = get(g, t, Frame.SEAT)
    papa = int(g.papas[seat, 0])
    pop(g)
    gift = PAPA_GIFT[papa]
    if action != Move.OPTION:
        gain_lira(g, seat, int(PAPA_GIFT_LIRA[papa]))
    elif gift == GIFT_WORKER:
        g.staff[seat, Worker.REGULAR] += 1
        g.free[seat, Worker.REGULAR] += 1
    elif gift == GIFT_VICTORY_POINT:
        gain_vp(g, seat, 1)
    else:
        g.structures[seat, gift] = 1


operation(FrameOp.GIFT, "papa_gift", legal=legal_gift, apply=apply_gift, shows=())
