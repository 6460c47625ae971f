"""Playing a visitor: the card, its options, its parts (Essential, Summer and winter visitor cards)."""

from vitienv.core.jit import jit
from vitienv.viticulture import playable as p
from vitienv.viticulture.cards import FIRST_OF_DECK, FIRST_SUMMER, MODE, N_BRANCHES, PARTS
from vitienv.viticulture.cards.parts import MAX_PARTS
from vitienv.viticulture.frames import count_one, enough, finish, get, push, set_goals, set_stage
from vitienv.viticulture.names import DECK_VINE
from vitienv.viticulture.ops.acts import OP_FILL, OP_HARVEST, OP_UPROOT
from vitienv.viticulture.ops.cards import DISCARD_CARD, TO_PILES, discard_hand, turn_up_all
from vitienv.viticulture.ops.draw import draw_counts, onto_pile, out_of_hand
from vitienv.viticulture.ops.money import can_gain_vp, gain_lira, gain_residual, gain_vp
from vitienv.viticulture.ops.opponents import (
    IMPORTED,
    MAX_CHOSEN,
    OP_BUILD,
    OP_CARDS,
    OP_MAKE,
    OP_PLANT,
    right_neighbour,
)
from vitienv.viticulture.ops.possible import visitor_playable
from vitienv.viticulture.ops.vineyard import first_least
from vitienv.viticulture.ops.workers import train
from vitienv.viticulture.playable import (
    GOAL_OF_BRANCH,
    MODE_ALL,
    MODE_BOTH,
    MODE_BY_SIGN,
    MODE_TWO,
    branch_possible,
    count_condition,
    count_fact,
    first_possible,
    goals_after,
    half_possible,
    pressing_goals,
)
from vitienv.viticulture.state import CARD, GOALS, LEFT, P0, RESULT, SEAT, STAGE, A, B
from vitienv.viticulture.tokens import age_wines
from vitienv.viticulture.vocabulary import CARD_ACTION, DONE_ACTION, OPTION, FrameOp

OP_CARD, OP_PARTS, OP_BRANCH, OP_ORDER = (
    int(op) for op in (FrameOp.CARD, FrameOp.PARTS, FrameOp.BRANCH, FrameOp.ORDER)
)
OP_OFFERS, OP_OPPONENTS, OP_IMPORT, OP_PLAN, OP_RETRIEVE, OP_ROOSTER, OP_MANAGE, OP_PILES, OP_CARAVAN, OP_QUEEN = (
    int(op)
    for op in (
        FrameOp.OFFERS,
        FrameOp.OPPONENTS,
        FrameOp.IMPORT,
        FrameOp.PLAN,
        FrameOp.RETRIEVE,
        FrameOp.ROOSTER,
        FrameOp.MANAGE,
        FrameOp.PILES,
        FrameOp.CARAVAN,
        FrameOp.QUEEN,
    )
)
OP_GRAPE, OP_WINE, OP_BUY, OP_SWAP = (
    int(op) for op in (FrameOp.GRAPE, FrameOp.WINE, FrameOp.BUY, FrameOp.SWAP)
)  # fmt: skip
AGEING = 1
LAST_STAGE = 9
FIRST_PICK, SECOND_FOR_A_POINT, SECOND_OF_TWO = 0, 1, 2
BEFORE_ALL_PILES = -1

# Play: LEFT visitors of deck A, MIN at least.


@jit
def any_visitor_playable(g, seat, deck):
    for kind in range(FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1]):
        if g.hand[seat, kind] > 0 and visitor_playable(g, seat, kind):
            return True
    return False


@jit
def run_play(g, t):
    """Ends when all are played, or nothing more can be (rulings 3.8)."""
    if g.frames[t, LEFT] == 0 or not any_visitor_playable(g, get(g, t, SEAT), get(g, t, A)):
        finish(g, 1)
        return True
    return False


@jit
def legal_play(g, t, mask):
    seat, deck = get(g, t, SEAT), get(g, t, A)
    for kind in range(FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1]):
        if g.hand[seat, kind] > 0 and visitor_playable(g, seat, kind):
            mask[CARD_ACTION + kind] = 1
    if enough(g, t):
        mask[DONE_ACTION] = 1


@jit
def apply_play(g, t, action):
    """The card is in play, neither in hand nor on its pile, until it is resolved (rulings 3.6, 3.7)."""
    if action == DONE_ACTION:
        finish(g, 1)
        return
    seat, kind = get(g, t, SEAT), action - CARD_ACTION
    out_of_hand(g, seat, kind)
    count_one(g, t)
    g.frames[push(g, OP_CARD, seat, 1, 0, 0, 0, 0), CARD] = kind


# Card: STAGE how far, P0 the options carried out, as bits.


@jit
def push_parts(g, seat, branch, goals):
    """Carry out a branch, the first part of which must leave a goal possible."""
    card = int(g.frames[int(g.depth) - 1, CARD]) - FIRST_SUMMER
    goals = pressing_goals(g, seat, PARTS[card, branch, 0, 0], goals)
    set_goals(g, push(g, OP_PARTS, seat, 1, 0, branch, 0, 0), goals)


@jit
def run_card(g, t):
    seat, kind, stage = get(g, t, SEAT), get(g, t, CARD), get(g, t, STAGE)
    card = kind - FIRST_SUMMER
    mode = MODE[card]
    if stage == LAST_STAGE:
        finish(g, 1)
        onto_pile(g, kind)
        return True
    if stage == 0:
        set_stage(g, t, 1 if mode == MODE_BOTH or mode == MODE_TWO else LAST_STAGE)
        if mode == MODE_ALL:
            push_parts(g, seat, 0, 0)
        elif mode == MODE_BY_SIGN:
            push_parts(g, seat, 0 if g.vp[seat] < 0 else 1, 0)
        else:
            push(g, OP_BRANCH, seat, 1, 1, FIRST_PICK, 0, 0)
        return True
    set_stage(g, t, LAST_STAGE)
    done = get(g, t, P0)
    if mode == MODE_TWO:
        push(g, OP_BRANCH, seat, 1, 1, SECOND_OF_TWO, done, 0)
    else:
        # The point is lost with the second part, which is decided on after the first (ruling 3.17).
        other = 1 if done == 1 else 0
        if can_gain_vp(g, seat, -1) and branch_possible(g, seat, card, other):
            push(g, OP_BRANCH, seat, 1, 0, SECOND_FOR_A_POINT, done, 0)
    return True


# Branch: A which pick it is, B the options carried out already, as bits.


@jit
def may_branch(g, t, branch):
    seat, pick = get(g, t, SEAT), get(g, t, A)
    card = get(g, t, CARD) - FIRST_SUMMER
    if (get(g, t, B) >> branch) & 1 == 1:
        return False
    if pick == FIRST_PICK and MODE[card] == MODE_TWO:
        return first_possible(g, seat, card, branch)
    return branch_possible(g, seat, card, branch)


@jit
def legal_branch(g, t, mask):
    for branch in range(N_BRANCHES[get(g, t, CARD) - FIRST_SUMMER]):
        if may_branch(g, t, branch):
            mask[OPTION + branch] = 1
    if get(g, t, A) == SECOND_FOR_A_POINT:
        mask[DONE_ACTION] = 1


@jit
def apply_branch(g, t, action):
    seat, pick = get(g, t, SEAT), get(g, t, A)
    card = get(g, t, CARD) - FIRST_SUMMER
    finish(g, 1)
    if action == DONE_ACTION:
        return
    branch = action - OPTION
    g.frames[t - 1, P0] |= 1 << branch
    if pick == SECOND_FOR_A_POINT:
        gain_vp(g, seat, -1)
    push_parts(g, seat, branch, goals_after(card, branch) if pick == FIRST_PICK and MODE[card] == MODE_TWO else 0)


# Order: which of the two last branches of the card comes first.


@jit
def legal_order(g, t, mask):
    seat, card = get(g, t, SEAT), get(g, t, CARD) - FIRST_SUMMER
    first = N_BRANCHES[card]
    if half_possible(g, seat, card, first, first + 1):
        mask[OPTION] = 1
    if half_possible(g, seat, card, first + 1, first):
        mask[OPTION + 1] = 1


@jit
def apply_order(g, t, action):
    seat, card = get(g, t, SEAT), get(g, t, CARD) - FIRST_SUMMER
    finish(g, 1)
    first = N_BRANCHES[card] + (action - OPTION)
    second = 2 * N_BRANCHES[card] + 1 - first
    push_parts(g, seat, second, 0)
    push_parts(g, seat, first, GOAL_OF_BRANCH[card, second])


# Parts: A the branch, B the next part, RESULT what the part before gave, GOALS of the first part.


@jit
def run_parts(g, t):
    i = get(g, t, B)
    card, branch = get(g, t, CARD) - FIRST_SUMMER, get(g, t, A)
    if i == MAX_PARTS or PARTS[card, branch, i, 0] == 0:
        finish(g, 1)
        return True
    g.frames[t, B] = i + 1
    goals = get(g, t, GOALS) if i == 0 else 0
    op, a = PARTS[card, branch, i, 0], PARTS[card, branch, i, 1]
    b, c = PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
    if not do_instant(g, get(g, t, SEAT), op, a, b, c, get(g, t, RESULT)):
        start_part(g, get(g, t, SEAT), op, a, b, c, goals)
    return True


@jit
def do_instant(g, seat, op, a, b, c, result):
    """Carry out a part that asks nothing. False if it is none of these."""
    if op == p.OP_LIRA:
        gain_lira(g, seat, a)
    elif op == p.OP_POINTS:
        gain_vp(g, seat, a)
    elif op == p.OP_RESIDUAL:
        gain_residual(g, seat, a)
    elif op == p.OP_DRAW:
        draw_counts(g, seat, a)
    elif op == p.OP_TRAIN:
        train(g, seat, a, b)
    elif op == p.OP_DISCARD_HAND:
        discard_hand(g, seat)
    elif op == p.OP_AGE_ALL:
        for _ in range(a):
            age_wines(g, seat)
    elif op == p.OP_BUY_GRAPE_PAIR:
        g.crush[seat, 0, 0] = 1
        g.crush[seat, 1, 0] = 1
    elif op == p.OP_PER:
        n = count_fact(g, seat, a)
        gain_lira(g, seat, n * b)
        gain_vp(g, seat, n * c)
    elif op == p.OP_WHEN:
        gain_vp(g, seat, b * count_condition(g, seat, a, result))
    else:
        return op == p.OP_NEEDS
    return True


@jit
def start_part(g, seat, op, a, b, c, goals):
    """Put the question of a part on top."""
    t = int(g.depth)
    if op == p.OP_BUILD:
        push(g, OP_BUILD, seat, 1, 1, a, b, c)
    elif op == p.OP_PLANT:
        push(g, OP_PLANT, seat, a, first_least(c), b, 0, 0)
    elif op == p.OP_HARVEST:
        push(g, OP_HARVEST, seat, a, 1, 0, 0, 0)
    elif op == p.OP_MAKE:
        push(g, OP_MAKE, seat, a, 1, b, 0, 0)
    elif op == p.OP_FILL:
        push(g, OP_FILL, seat, 1, 1, 0, 0, 0)
    elif op == p.OP_UPROOT:
        push_discard(g, seat, a, 1 << DECK_VINE)
        push(g, OP_UPROOT, seat, a, a, 0, 0, 0)
    elif op == p.OP_DISCARD:
        push_discard(g, seat, a, b)
    elif op == p.OP_DISCARD_GRAPE:
        push(g, OP_GRAPE, seat, 1, 1, 0, 0, 0)
    elif op == p.OP_DISCARD_WINE:
        push(g, OP_WINE, seat, 1, 1, a, 0, 0)
    elif op == p.OP_AGE_ONE:
        set_stage(g, push(g, OP_WINE, seat, 1, 1, 0, 0, 0), AGEING)
    elif op == p.OP_BUY_GRAPE:
        push(g, OP_BUY, seat, 1, 1, 0, 0, 0)
    elif op == p.OP_SWAP_VINES:
        push(g, OP_SWAP, seat, 1, 1, 0, 0, 0)
    elif op == p.OP_IN_ANY_ORDER:
        push(g, OP_ORDER, seat, 1, 1, 0, 0, 0)
    else:
        start_table_part(g, seat, op, a)
    set_goals(g, t, goals)


@jit
def push_discard(g, seat, n, decks):
    set_stage(g, push(g, OP_CARDS, seat, n, n, decks, 0, TO_PILES), DISCARD_CARD)


@jit
def start_table_part(g, seat, op, a):
    """The parts that involve the whole table."""
    if op == p.OP_EACH_MAY:
        push(g, OP_OFFERS, seat, 0, 0, a, 0, 0)
    elif op == p.OP_CHOOSE_OPPONENTS:
        push(g, OP_OPPONENTS, seat, MAX_CHOSEN, 1, a, 0, 0)
    elif op == p.OP_IMPORT:
        push(g, OP_IMPORT, seat, IMPORTED, 0, 0, 0, 0)
    elif op == p.OP_PLAN:
        push(g, OP_PLAN, seat, 1, 1, 0, 0, 0)
    elif op == p.OP_RETRIEVE:
        push(g, OP_RETRIEVE, seat, a, 1, 0, 0, 0)
    elif op == p.OP_MOVE_ROOSTER:
        push(g, OP_ROOSTER, seat, 1, 1, 0, 0, 0)
    elif op == p.OP_MANAGE:
        push(g, OP_MANAGE, seat, 1, 1, 0, 0, 0)
    elif op == p.OP_INNKEEPER:
        push(g, OP_PILES, seat, 2, 2, 0, BEFORE_ALL_PILES, 0)
    elif op == p.OP_CARAVAN:
        turn_up_all(g, push(g, OP_CARAVAN, seat, 2, 2, 0, BEFORE_ALL_PILES, 0))
    elif op == p.OP_QUEEN:
        push(g, OP_QUEEN, right_neighbour(g, seat), 1, 1, 0, seat, 0)
