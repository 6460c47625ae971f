"""Trading with the market: one purchase, or any number of sales (T58 to T64)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, set_stage
from vitienv.toscana.enums import CAPACITY, N_GOODS
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.ops.offers import MAX_OFFERS, can_offer, can_offer_any, push_offer
from vitienv.toscana.state import Rule
from vitienv.toscana.storage import buy, max_purchase, sell
from vitienv.toscana.vocabulary import Move

# Frame columns: DONE offers made to other seats, A the first good that can still be sold; stage 1 sells more.

SELL_MORE = 1


@jit
def can_sell_from(g, seat, first):
    """Return whether a seat has boxes of any good from `first` on."""
    for good in range(first, N_GOODS):
        if g.boxes[seat, good] > 0:
            return True
    return False


@jit
def can_deal_with_market(g, seat):
    for good in range(N_GOODS):
        if g.boxes[seat, good] > 0 or max_purchase(g, seat, good) > 0:
            return True
    return False


@jit
def can_trade(g, seat):
    """Return whether trading has an effect (T28)."""
    return can_deal_with_market(g, seat) or (g.rules[Rule.PLAYER_TRADES] == 1 and can_offer_any(g, seat))


@jit
def may_offer(g, t):
    """Return whether another offer is allowed in this action (T65, ruling O12)."""
    return g.rules[Rule.PLAYER_TRADES] == 1 and get(g, t, Frame.DONE) < MAX_OFFERS


@jit
def run_trade(g, t):
    """End when nothing can be sold, or nothing can be done after an offer."""
    seat = get(g, t, Frame.SEAT)
    if g.frames[t, Frame.STAGE] == SELL_MORE:
        if can_sell_from(g, seat, get(g, t, Frame.A)):
            return False
    elif can_deal_with_market(g, seat) or (may_offer(g, t) and can_offer_any(g, seat)):
        return False
    pop(g)
    return True


@jit
def legal_trade(g, t, mask):
    """Mark purchases, sales in ascending order of goods (T58, T59, T62), and offers to other seats (T65)."""
    seat, stage = get(g, t, Frame.SEAT), get(g, t, Frame.STAGE)
    for good in range(get(g, t, Frame.A), N_GOODS):
        for n in range(int(g.boxes[seat, good])):
            mask[Move.SELL + CAPACITY * good + n] = 1
    if stage == SELL_MORE or get(g, t, Frame.DONE) > 0:
        mask[Move.DONE] = 1
    if stage == SELL_MORE:
        return
    for good in range(N_GOODS):
        for n in range(max_purchase(g, seat, good)):
            mask[Move.BUY + CAPACITY * good + n] = 1
    if may_offer(g, t):
        for k in range(1, int(g.rules[Rule.NUM_PLAYERS])):
            mask[Move.SEAT + k - 1] = 1 if can_offer(g, seat, k) else 0


@jit
def apply_trade(g, t, action):
    # Trading moves no price (T64).
    seat = get(g, t, Frame.SEAT)
    if action >= Move.SEAT:
        g.frames[t, Frame.DONE] += 1
        push_offer(g, seat, 1 + action - Move.SEAT, get(g, t, Frame.DONE))
    elif action >= Move.SELL:
        index = action - Move.SELL
        sell(g, seat, index // CAPACITY, index % CAPACITY + 1)
        g.frames[t, Frame.A] = index // CAPACITY + 1
        set_stage(g, t, SELL_MORE)
    else:
        pop(g)
        if action != Move.DONE:
            index = action - Move.BUY
            buy(g, seat, index // CAPACITY, index % CAPACITY + 1)


operation(
    FrameOp.TRADE, "trade", "sell_more", run=run_trade, legal=legal_trade, apply=apply_trade, shows=(Frame.A,),
    bounds=(
        {Frame.LEFT: (0, 0), Frame.DONE: (0, MAX_OFFERS)},
        {Frame.LEFT: (0, 0), Frame.DONE: (0, MAX_OFFERS), Frame.A: (1, N_GOODS - 1)},
    ),
)  # fmt: skip
