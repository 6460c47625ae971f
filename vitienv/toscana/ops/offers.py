"""The variant in which seats trade with each other (T65): an offer, its price, and an answer at once (ruling O12)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push, set_stage
from vitienv.toscana.enums import MAX_SEATS, N_GOODS, ROOM
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.state import Rule
from vitienv.toscana.storage import earn, room
from vitienv.toscana.vocabulary import HIGHEST_OFFER, Move

# An offer, and the answer to it: A the partner, counted clockwise from who offers; B boxes that the offering seat gets,
# negative if it gives them; C the good; P0 money for a box.

MOST_OFFERS = 3  # in one action
PRICED = 1  # stage: the boxes are named


@jit
def partner_of(g, seat, k):
    """The seat k places clockwise."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    return seat + k if seat + k < n else seat + k - n


@jit
def most_boxes(g, giver, taker, good):
    """How many boxes one seat can give to another (T9)."""
    return min(int(g.boxes[giver, good]), room(g, taker, good))


@jit
def can_offer(g, seat, k):
    """Whether there are boxes that one of the two can give to the other."""
    other = partner_of(g, seat, k)
    for good in range(N_GOODS):
        if most_boxes(g, seat, other, good) > 0 or most_boxes(g, other, seat, good) > 0:
            return True
    return False


@jit
def can_offer_any(g, seat):
    for k in range(1, int(g.rules[Rule.NUM_PLAYERS])):
        if can_offer(g, seat, k):
            return True
    return False


@jit
def push_offer(g, seat, k, number):
    """Ask for the boxes of an offer to the seat k places clockwise; it is the number-th of this action."""
    top = push(g, FrameOp.OFFER, seat, 1, 1, k, 0, 0)
    g.frames[top, Frame.DONE] = number


@jit
def legal_offer(g, t, mask):
    """Boxes that can change hands; then a price for each that the buyer can pay."""
    seat = get(g, t, Frame.SEAT)
    other = partner_of(g, seat, get(g, t, Frame.A))
    if g.frames[t, Frame.STAGE] == PRICED:
        n = get(g, t, Frame.B)
        payer = seat if n > 0 else other
        for money in range(min(HIGHEST_OFFER, int(g.money[payer]) // abs(n)) + 1):
            mask[Move.AT + money] = 1
        return
    for good in range(N_GOODS):
        for n in range(most_boxes(g, other, seat, good)):
            mask[Move.BUY + ROOM * good + n] = 1
        for n in range(most_boxes(g, seat, other, good)):
            mask[Move.SELL + ROOM * good + n] = 1


@jit
def apply_offer(g, t, action):
    if action >= Move.AT:
        g.frames[t, Frame.P0] = action - Move.AT
        ask_partner(g, t)
        return
    sells = action >= Move.SELL
    at = action - Move.SELL if sells else action - Move.BUY
    n = at % ROOM + 1
    g.frames[t, Frame.B] = -n if sells else n
    g.frames[t, Frame.C] = at // ROOM
    set_stage(g, t, PRICED)


operation(
    FrameOp.OFFER, "offer_boxes", "offer_price",
    legal=legal_offer, apply=apply_offer, shows=(Frame.A, Frame.B, Frame.C),
    bounds=(
        {Frame.DONE: (1, MOST_OFFERS), Frame.A: (1, MAX_SEATS - 1)},
        {Frame.DONE: (1, MOST_OFFERS), Frame.A: (1, MAX_SEATS - 1), Frame.B: (-ROOM, ROOM), Frame.C: (0, N_GOODS - 1)},
    ),
)  # fmt: skip


@jit
def ask_partner(g, t):
    """The offer is complete: the partner answers in its place."""
    seat, k, n, good = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.B), get(g, t, Frame.C)
    money, number = get(g, t, Frame.P0), get(g, t, Frame.DONE)
    pop(g)
    top = push(g, FrameOp.ANSWER, partner_of(g, seat, k), 1, 1, k, n, good)
    g.frames[top, Frame.P0] = money
    g.frames[top, Frame.DONE] = number


@jit
def legal_answer(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_answer(g, t, action):
    """Boxes against money, or nothing."""
    other, n, good, money = get(g, t, Frame.SEAT), get(g, t, Frame.B), get(g, t, Frame.C), get(g, t, Frame.P0)
    pop(g)
    if action == Move.NO:
        return
    seat = get(g, int(g.depth) - 1, Frame.SEAT)
    g.boxes[seat, good] += n
    g.boxes[other, good] -= n
    earn(g, seat, -n * money)
    earn(g, other, n * money)


operation(
    FrameOp.ANSWER, "answer_offer",
    legal=legal_answer, apply=apply_answer, shows=(Frame.A, Frame.B, Frame.C, Frame.P0),
    bounds={Frame.DONE: (1, MOST_OFFERS), Frame.A: (1, MAX_SEATS - 1), Frame.B: (-ROOM, ROOM),
            Frame.C: (0, N_GOODS - 1), Frame.P0: (0, HIGHEST_OFFER)},
)  # fmt: skip
