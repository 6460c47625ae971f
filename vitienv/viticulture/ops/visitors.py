"""Playing a visitor: card, options, parts (Essential, Summer and winter visitor cards)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, has_enough, push, set_goals, set_stage
from vitienv.viticulture.cards import FIRST_OF_DECK, FIRST_SUMMER, MODE, N_BRANCHES, PARTS
from vitienv.viticulture.cards.parts import MAX_PARTS, Mode
from vitienv.viticulture.enums import Act, Deck
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.predicates import can_gain_vp
from vitienv.viticulture.legality.visitors import (
    GOAL_OF_BRANCH,
    binding_goals,
    branch_possible,
    first_possible,
    goals_after,
    half_possible,
    try_playing,
    visitor_possible,
)
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.draw import onto_pile, out_of_hand
from vitienv.viticulture.ops.money import gain_vp
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, ROWS
from vitienv.viticulture.vocabulary import Move

LAST_STAGE = 9
# Picks of branches.
FIRST_PICK = 0
SECOND_FOR_A_POINT = 1
SECOND_OF_TWO = 2

ASKS_NOTHING = ROWS.table(lambda row: row.does is not None)
carry_out = ROWS.dispatch("does", ", result")
ask = ROWS.dispatch("asks")

# Frame columns of playing: LEFT visitors of deck A, MIN minimum.


@jit
def run_play(g, t):
    """End when all are played, or no further one is playable (rulings 3.8)."""
    if g.frames[t, Frame.LEFT] == 0 or not visitor_possible(g, get(g, t, Frame.SEAT), get(g, t, Frame.A)):
        finish(g, 1)
        return True
    return False


@jit
def legal_play(g, t, mask):
    seat, deck = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    for kind in range(FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1]):
        if g.hand[seat, kind] > 0 and try_playing(g, seat, kind):
            mask[Move.CARD + kind] = 1
    if has_enough(g, t):
        mask[Move.DONE] = 1


@jit
def apply_play(g, t, action):
    """Play a card; it is neither in hand nor on its pile until it is resolved (rulings 3.6, 3.7)."""
    if action == Move.DONE:
        finish(g, 1)
        return
    seat, kind = get(g, t, Frame.SEAT), action - Move.CARD
    out_of_hand(g, seat, kind)
    count_one(g, t)
    g.frames[push(g, FrameOp.CARD, seat, 1, 0, 0, 0, 0), Frame.CARD] = kind


operation(FrameOp.PLAY, "play_visitor", run=run_play, legal=legal_play, apply=apply_play, shows=(Frame.A,))
board_action(
    Act.PLAY_SUMMER_VISITOR,
    needs=lambda g, seat, extra_lira: visitor_possible(g, seat, Deck.SUMMER),
    starts=lambda g, seat, again, must: push(g, FrameOp.PLAY, seat, 1 + again, 1 + must, Deck.SUMMER, 0, 0),
    with_bonus=lambda g, seat: g.n_hand[seat, Deck.SUMMER] >= 2,
    by_worker=True,
    worth=BY_LOOKAHEAD,
)
board_action(
    Act.PLAY_WINTER_VISITOR,
    needs=lambda g, seat, extra_lira: visitor_possible(g, seat, Deck.WINTER),
    starts=lambda g, seat, again, must: push(g, FrameOp.PLAY, seat, 1 + again, 1 + must, Deck.WINTER, 0, 0),
    with_bonus=lambda g, seat: g.n_hand[seat, Deck.WINTER] >= 2,
    by_worker=True,
    worth=BY_LOOKAHEAD,
)


# Frame columns of a card: STAGE the progress, P0 the resolved options as a bit mask.


@jit
def push_parts(g, seat, branch, goals):
    """Start a branch whose first part must leave a goal possible."""
    card = int(g.frames[int(g.depth) - 1, Frame.CARD]) - FIRST_SUMMER
    goals = binding_goals(g, seat, PARTS[card, branch, 0, 0], goals)
    set_goals(g, push(g, FrameOp.PARTS, seat, 1, 0, branch, 0, 0), goals)


@jit
def run_card(g, t):
    seat, kind, stage = get(g, t, Frame.SEAT), get(g, t, Frame.CARD), get(g, t, Frame.STAGE)
    card = kind - FIRST_SUMMER
    mode = MODE[card]
    if stage == LAST_STAGE:
        finish(g, 1)
        onto_pile(g, kind)
        return True
    if stage == 0:
        set_stage(g, t, 1 if mode == Mode.BOTH_FOR_A_POINT or mode == Mode.TWO else LAST_STAGE)
        if mode == Mode.ALL:
            push_parts(g, seat, 0, 0)
        elif mode == Mode.BY_SIGN:
            push_parts(g, seat, 0 if g.vp[seat] < 0 else 1, 0)
        else:
            push(g, FrameOp.BRANCH, seat, 1, 1, FIRST_PICK, 0, 0)
        return True
    set_stage(g, t, LAST_STAGE)
    resolved = get(g, t, Frame.P0)
    if mode == Mode.TWO:
        push(g, FrameOp.BRANCH, seat, 1, 1, SECOND_OF_TWO, resolved, 0)
    else:
        # The point is lost with the second part, which is chosen after the first (ruling 3.17).
        second = 1 if resolved == 1 else 0
        if can_gain_vp(g, seat, -1) and branch_possible(g, seat, card, second):
            push(g, FrameOp.BRANCH, seat, 1, 0, SECOND_FOR_A_POINT, resolved, 0)
    return True


operation(FrameOp.CARD, run=run_card)


# Frame columns of a branch: A the pick, B the resolved options as a bit mask.


@jit
def may_branch(g, t, branch):
    seat, pick = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    card = get(g, t, Frame.CARD) - FIRST_SUMMER
    if (get(g, t, Frame.B) >> branch) & 1 == 1:
        return False
    if pick == FIRST_PICK and MODE[card] == Mode.TWO:
        return first_possible(g, seat, card, branch)
    return branch_possible(g, seat, card, branch)


@jit
def legal_branch(g, t, mask):
    for branch in range(N_BRANCHES[get(g, t, Frame.CARD) - FIRST_SUMMER]):
        if may_branch(g, t, branch):
            mask[Move.OPTION + branch] = 1
    if get(g, t, Frame.A) == SECOND_FOR_A_POINT:
        mask[Move.DONE] = 1


@jit
def apply_branch(g, t, action):
    seat, pick = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    card = get(g, t, Frame.CARD) - FIRST_SUMMER
    finish(g, 1)
    if action == Move.DONE:
        return
    branch = action - Move.OPTION
    g.frames[t - 1, Frame.P0] |= 1 << branch
    if pick == SECOND_FOR_A_POINT:
        gain_vp(g, seat, -1)
    push_parts(g, seat, branch, goals_after(card, branch) if pick == FIRST_PICK and MODE[card] == Mode.TWO else 0)


operation(FrameOp.BRANCH, "choose_option", legal=legal_branch, apply=apply_branch, shows=(Frame.A, Frame.B))


# Order of the last two branches of the card.


@jit
def legal_order(g, t, mask):
    seat, card = get(g, t, Frame.SEAT), get(g, t, Frame.CARD) - FIRST_SUMMER
    first = N_BRANCHES[card]
    if half_possible(g, seat, card, first, first + 1):
        mask[Move.OPTION] = 1
    if half_possible(g, seat, card, first + 1, first):
        mask[Move.OPTION + 1] = 1


@jit
def apply_order(g, t, action):
    seat, card = get(g, t, Frame.SEAT), get(g, t, Frame.CARD) - FIRST_SUMMER
    finish(g, 1)
    first = N_BRANCHES[card] + (action - Move.OPTION)
    second = 2 * N_BRANCHES[card] + 1 - first
    push_parts(g, seat, second, 0)
    push_parts(g, seat, first, GOAL_OF_BRANCH[card, second])


operation(FrameOp.ORDER, "choose_option", legal=legal_order, apply=apply_order, shows=())


# Frame columns of parts: A the branch, B the next part, RESULT of the preceding part, GOALS of the first part.


@jit
def run_parts(g, t):
    i = get(g, t, Frame.B)
    card, branch = get(g, t, Frame.CARD) - FIRST_SUMMER, get(g, t, Frame.A)
    if i == MAX_PARTS or PARTS[card, branch, i, 0] == 0:
        finish(g, 1)
        return True
    g.frames[t, Frame.B] = i + 1
    goals = get(g, t, Frame.GOALS) if i == 0 else 0
    op, a = PARTS[card, branch, i, 0], PARTS[card, branch, i, 1]
    b, c = PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
    seat = get(g, t, Frame.SEAT)
    if ASKS_NOTHING[op] == 1:
        carry_out(op, g, seat, a, b, c, get(g, t, Frame.RESULT))
    else:
        top = int(g.depth)
        ask(op, g, seat, a, b, c)
        set_goals(g, top, goals)
    return True


operation(FrameOp.PARTS, run=run_parts)
