"""The services: lobbyist (T39 to T42) and Mr Rose (T43 to T48)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, set_stage
from vitienv.toscana.enums import CAPACITY, LEVELS, N_GOODS
from vitienv.toscana.frames import FLAG, FrameOp, operation
from vitienv.toscana.storage import buying_price, move_price, room, sell
from vitienv.toscana.vocabulary import Move

# Frame columns of the lobbyist: A the sign of the first moved tile; C whether a piece was hired before (both services).


@jit
def empty_recommendation(g):
    """Return the good without a recommendation tile (T10)."""
    good = 0
    while g.sign[good] != 0:
        good += 1
    return good


@jit
def legal_lobby(g, t, mask):
    """Mark all tiles, then those of the opposite sign (T40, T41)."""
    first = int(g.frames[t, Frame.A])
    for good in range(N_GOODS):
        sign = int(g.sign[good])
        if sign != 0 and sign != first:
            mask[Move.TILE + good] = 1


@jit
def apply_lobby(g, t, action):
    """Move a tile to the empty square and the price there by its sign, within the track (T40 to T42, ruling O5)."""
    good = action - Move.TILE
    empty, sign = empty_recommendation(g), int(g.sign[good])
    g.sign[good] = 0
    g.sign[empty] = sign
    move_price(g, empty, sign)
    if g.frames[t, Frame.A] != 0:
        pop(g)
        return
    g.frames[t, Frame.A] = sign
    g.frames[t, Frame.LEFT] = 1
    g.frames[t, Frame.DONE] = 1
    set_stage(g, t, 1)


operation(
    FrameOp.LOBBY, "lobby_first", "lobby_second", legal=legal_lobby, apply=apply_lobby, shows=(Frame.A, Frame.C),
    bounds=(
        {Frame.LEFT: (2, 2), Frame.MIN: (2, 2), Frame.C: FLAG},
        {Frame.LEFT: (1, 1), Frame.MIN: (2, 2), Frame.DONE: (1, 1), Frame.A: (-1, 1), Frame.C: FLAG},
    ),
)  # fmt: skip


# Frame columns of Mr Rose: DONE price changes, A the good of the first one, B whether a box was traded; stage 1 asks
# for the second change.

CHANGES = 2  # T44


@jit
def can_buy_one(g, seat, good):
    """Return whether a seat can buy a box, from the bank if the market storage is empty (T45 to T48, O17)."""
    if g.stock[good] == 0 and g.bank[good] == 0:
        return False
    return room(g, seat, good) > 0 and g.money[seat] >= buying_price(g, good)


@jit
def can_deal(g, seat):
    for good in range(N_GOODS):
        if g.boxes[seat, good] > 0 or can_buy_one(g, seat, good):
            return True
    return False


@jit
def run_rose(g, t):
    """End after both changes, unless a box can still be traded (T45, T47)."""
    if get(g, t, Frame.DONE) < CHANGES:
        return False
    if g.frames[t, Frame.B] == 0 and can_deal(g, get(g, t, Frame.SEAT)):
        return False
    pop(g)
    return True


@jit
def legal_changes(g, first, last, mask):
    """Mark the changes that move the price of the goods from first to last - 1 (T44, ruling O4)."""
    for good in range(first, last):
        mask[Move.PRICE + 2 * good] = 1 if g.price[good] < LEVELS - 1 else 0
        mask[Move.PRICE + 2 * good + 1] = 1 if g.price[good] > 0 else 0


@jit
def legal_rose(g, t, mask):
    """Mark price changes, and trades of a box before or after both (T44, T45, T47)."""
    seat, changes = get(g, t, Frame.SEAT), get(g, t, Frame.DONE)
    if changes == 1:
        legal_changes(g, get(g, t, Frame.A) + 1, N_GOODS, mask)
        return
    if changes == 0:
        legal_changes(g, 0, N_GOODS - 1, mask)
    else:
        mask[Move.DONE] = 1
    if g.frames[t, Frame.B] == 0:
        for good in range(N_GOODS):
            mask[Move.BUY + CAPACITY * good] = 1 if can_buy_one(g, seat, good) else 0
            mask[Move.SELL + CAPACITY * good] = 1 if g.boxes[seat, good] > 0 else 0


@jit
def apply_rose(g, t, action):
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        pop(g)
    elif action >= Move.SELL:
        g.frames[t, Frame.B] = 1
        sell(g, seat, (action - Move.SELL) // CAPACITY, 1)
    elif action >= Move.BUY:
        g.frames[t, Frame.B] = 1
        buy_one(g, seat, (action - Move.BUY) // CAPACITY)
    else:
        change, num_changes = action - Move.PRICE, get(g, t, Frame.DONE)
        move_price(g, change // 2, 1 - 2 * (change % 2))
        g.frames[t, Frame.DONE] = num_changes + 1
        g.frames[t, Frame.LEFT] = CHANGES - num_changes - 1
        g.frames[t, Frame.A] = change // 2
        set_stage(g, t, 1 if num_changes == 0 else 0)


@jit
def buy_one(g, seat, good):
    """Buy a box at the current price from the market storage, or from the bank if that is empty (T45, T46)."""
    g.money[seat] -= buying_price(g, good)
    g.boxes[seat, good] += 1
    if g.stock[good] > 0:
        g.stock[good] -= 1
    else:
        g.bank[good] -= 1


operation(
    FrameOp.MR_ROSE, "mr_rose", "second_price",
    run=run_rose, legal=legal_rose, apply=apply_rose, shows=(Frame.A, Frame.B, Frame.C),
    bounds=(
        {Frame.LEFT: (0, CHANGES), Frame.MIN: (CHANGES, CHANGES), Frame.DONE: (0, CHANGES),
         Frame.A: (0, N_GOODS - 1), Frame.B: FLAG, Frame.C: FLAG},
        {Frame.LEFT: (1, 1), Frame.MIN: (CHANGES, CHANGES), Frame.DONE: (1, 1),
         Frame.A: (0, N_GOODS - 2), Frame.B: FLAG, Frame.C: FLAG},
    ),
)  # fmt: skip
