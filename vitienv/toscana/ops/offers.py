"""Variant: trades between seats (T65) by an offer, its price, and an immediate answer (ruling O12)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push, set_stage
from vitienv.toscana.enums import CAPACITY, MAX_SEATS, N_GOODS
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.state import Rule
from vitienv.toscana.storage import earn, room
from vitienv.toscana.vocabulary import HIGHEST_OFFER, Move

# Frame columns of an offer and its answer: A the clockwise distance of the partner from the offering seat; B boxes that
# the offering seat gets, negative if it gives them; C the good; P0 the price of a box.

MAX_OFFERS = 3  # per action
PRICED = 1  # stage: boxes chosen, price pending


@jit
def partner_of(g, seat, k):
    """Return the seat at clockwise distance k."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    return seat + k if seat + k < n else seat + k - n


@jit
def max_boxes(g, giver, taker, good):
    """Return the number of boxes that one seat can give to another (T9)."""
    return min(int(g.boxes[giver, good]), room(g, taker, good))


@jit
def can_offer(g, seat, k):
    """Return whether either seat can give a box to the other."""
    partner = partner_of(g, seat, k)
    for good in range(N_GOODS):
        if max_boxes(g, seat, partner, good) > 0 or max_boxes(g, partner, seat, good) > 0:
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
    """Ask for the boxes of the number-th offer of this action, to the seat at clockwise distance k."""
    top = push(g, FrameOp.OFFER, seat, 1, 1, k, 0, 0)
    g.frames[top, Frame.DONE] = number


@jit
def legal_offer(g, t, mask):
    """Mark boxes that can change hands, then prices that the buyer can pay."""
    seat = get(g, t, Frame.SEAT)
    partner = partner_of(g, seat, get(g, t, Frame.A))
    if g.frames[t, Frame.STAGE] == PRICED:
        n = get(g, t, Frame.B)
        payer = seat if n > 0 else partner
        for money in range(min(HIGHEST_OFFER, int(g.money[payer]) // abs(n)) + 1):
            mask[Move.AT + money] = 1
        return
    for good in range(N_GOODS):
        for n in range(max_boxes(g, partner, seat, good)):
            mask[Move.BUY + CAPACITY * good + n] = 1
        for n in range(max_boxes(g, seat, partner, good)):
            mask[Move.SELL + CAPACITY * good + n] = 1


@jit
def apply_offer(g, t, action):
    if action >= Move.AT:
        g.frames[t, Frame.P0] = action - Move.AT
        ask_partner(g, t)
        return
    sells = action >= Move.SELL
    index = action - Move.SELL if sells else action - Move.BUY
    n = index % CAPACITY + 1
    g.frames[t, Frame.B] = -n if sells else n
    g.frames[t, Frame.C] = index // CAPACITY
    set_stage(g, t, PRICED)


operation(
    FrameOp.OFFER, "offer_boxes", "offer_price",
    legal=legal_offer, apply=apply_offer, shows=(Frame.A, Frame.B, Frame.C),
    bounds=(
        {Frame.DONE: (1, MAX_OFFERS), Frame.A: (1, MAX_SEATS - 1)},
        {
            Frame.DONE: (1, MAX_OFFERS), Frame.A: (1, MAX_SEATS - 1), Frame.B: (-CAPACITY, CAPACITY),
            Frame.C: (0, N_GOODS - 1),
        },
    ),
)  # fmt: skip


@jit
def ask_partner(g, t):
    """Replace a complete offer by the question to the partner."""
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
    """Exchange boxes and money if the offer is accepted."""
    partner, n, good, money = get(g, t, Frame.SEAT), get(g, t, Frame.B), get(g, t, Frame.C), get(g, t, Frame.P0)
    pop(g)
    if action == Move.NO:
        return
    seat = get(g, int(g.depth) - 1, Frame.SEAT)
    g.boxes[seat, good] += n
    g.boxes[partner, good] -= n
    earn(g, seat, -n * money)
    earn(g, partner, n * money)


operation(
    FrameOp.ANSWER, "answer_offer",
    legal=legal_answer, apply=apply_answer, shows=(Frame.A, Frame.B, Frame.C, Frame.P0),
    bounds={Frame.DONE: (1, MAX_OFFERS), Frame.A: (1, MAX_SEATS - 1), Frame.B: (-CAPACITY, CAPACITY),
            Frame.C: (0, N_GOODS - 1), Frame.P0: (0, HIGHEST_OFFER)},
)  # fmt: skip
