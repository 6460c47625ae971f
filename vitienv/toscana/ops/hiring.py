"""Hiring: workers and winemasters, and one of the two services (T29 to T38)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push
from vitienv.toscana.enums import FULL_SQUARE, N_GOODS, N_SQUARES, NO_SEAT, REMOVING_SEATS, WINEMASTERS
from vitienv.toscana.frames import FLAG, FrameOp, operation
from vitienv.toscana.state import Rule
from vitienv.toscana.storage import can_pay, earn, pay
from vitienv.toscana.vocabulary import Move

# Frame columns: A whether a piece is hired, B whether a service is.


@jit
def winemasters_hired(g, seat):
    """Return the number of hired winemasters, including lost ones (T35, T37)."""
    return WINEMASTERS - int(g.winemasters[seat])


@jit
def cost_of_piece(g, seat):
    """Return the rule parameter of the cost of the next piece; workers come before winemasters (T31 to T33)."""
    if g.workers[seat] > 0:
        return int(Rule.WORKER_COST)
    return Rule.WINEMASTER_COST + N_GOODS * winemasters_hired(g, seat)


@jit
def has_each_good(g, seat):
    for good in range(N_GOODS):
        if g.boxes[seat, good] == 0:
            return False
    return True


@jit
def can_pay_piece(g, seat):
    """Return whether a seat can pay its next piece; the third winemaster also requires a box of each good (T34)."""
    if g.workers[seat] == 0:
        hired = winemasters_hired(g, seat)
        if hired == WINEMASTERS:
            return False
        if hired == WINEMASTERS - 1 and not has_each_good(g, seat):
            return False
    return can_pay(g, seat, cost_of_piece(g, seat))


@jit
def is_map_full(g):
    for square in range(N_SQUARES):
        if g.square_owner[square] == NO_SEAT:
            return False
    return True


@jit
def can_place_piece(g, seat, square, is_full):
    """Return whether the next piece can be placed on a square (T32, T33).

    On a full map of five seats it can also replace a winemaster of another seat (T36, T38).
    """
    owner = int(g.square_owner[square])
    if owner == NO_SEAT:
        return True
    if owner == seat:
        return g.workers[seat] > 0 and 0 < g.square_workers[square] < FULL_SQUARE
    return is_full and g.rules[Rule.NUM_PLAYERS] == REMOVING_SEATS and g.square_winemaster[square] == 1


@jit
def can_hire_piece(g, seat):
    if not can_pay_piece(g, seat):
        return False
    is_full = is_map_full(g)
    for square in range(N_SQUARES):
        if can_place_piece(g, seat, square, is_full):
            return True
    return False


@jit
def can_hire_service(g, seat):
    return can_pay(g, seat, Rule.LOBBYIST_COST) or can_pay(g, seat, Rule.MR_ROSE_COST)


@jit
def can_hire(g, seat):
    """Return whether hiring has an effect (T28)."""
    return can_hire_service(g, seat) or can_hire_piece(g, seat)


@jit
def run_hire(g, t):
    """End hiring when both halves are done or not affordable (T29)."""
    seat = get(g, t, Frame.SEAT)
    if g.frames[t, Frame.A] == 0 and can_hire_piece(g, seat):
        return False
    if g.frames[t, Frame.B] == 0 and can_hire_service(g, seat):
        return False
    pop(g)
    return True


@jit
def legal_hire(g, t, mask):
    """Mark squares for the next piece and services; after one of the two also passing (T29)."""
    seat = get(g, t, Frame.SEAT)
    has_piece, has_service = g.frames[t, Frame.A] == 1, g.frames[t, Frame.B] == 1
    if not has_piece and can_pay_piece(g, seat):
        is_full = is_map_full(g)
        for square in range(N_SQUARES):
            if can_place_piece(g, seat, square, is_full):
                mask[Move.SQUARE + square] = 1
    if not has_service:
        mask[Move.LOBBYIST] = 1 if can_pay(g, seat, Rule.LOBBYIST_COST) else 0
        mask[Move.MR_ROSE] = 1 if can_pay(g, seat, Rule.MR_ROSE_COST) else 0
    if has_piece or has_service:
        mask[Move.DONE] = 1


@jit
def apply_hire(g, t, action):
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        pop(g)
    elif action == Move.LOBBYIST:
        g.frames[t, Frame.B] = 1
        pay(g, seat, Rule.LOBBYIST_COST)
        push(g, FrameOp.LOBBY, seat, 2, 2, 0, 0, get(g, t, Frame.A))
    elif action == Move.MR_ROSE:
        g.frames[t, Frame.B] = 1
        pay(g, seat, Rule.MR_ROSE_COST)
        push(g, FrameOp.MR_ROSE, seat, 2, 2, 0, 0, get(g, t, Frame.A))
    else:
        g.frames[t, Frame.A] = 1
        hire_piece(g, seat, action - Move.SQUARE)


operation(
    FrameOp.HIRE, "hire", run=run_hire, legal=legal_hire, apply=apply_hire, shows=(Frame.A, Frame.B),
    bounds={Frame.LEFT: (2, 2), Frame.A: FLAG, Frame.B: FLAG},
)  # fmt: skip


@jit
def hire_piece(g, seat, square):
    """Pay the next piece and put it on a square (T30 to T37)."""
    pay(g, seat, cost_of_piece(g, seat))
    owner = int(g.square_owner[square])
    if owner != NO_SEAT and owner != seat:
        g.square_winemaster[square] = 0
        g.lost[owner] += 1
    if g.workers[seat] > 0:
        g.workers[seat] -= 1
        put_worker(g, seat, square)
        return
    g.winemasters[seat] -= 1
    g.square_owner[square] = seat
    g.square_winemaster[square] = 1
    if winemasters_hired(g, seat) == WINEMASTERS:
        earn(g, seat, int(g.rules[Rule.AWARD]))


@jit
def put_worker(g, seat, square):
    """Put a worker on a square (T22, T32)."""
    g.square_owner[square] = seat
    g.square_workers[square] += 1
