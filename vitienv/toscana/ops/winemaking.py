"""Winemaking: water on crossroads, and production of the adjacent squares (T49 to T57)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, get, has_enough, pop, push
from vitienv.toscana.enums import (
    ABANDONED,
    CAPACITY,
    COLUMNS,
    CROSS_COLUMNS,
    CROSS_ROWS,
    FULL_SQUARE,
    N_CROSSROADS,
    N_GOODS,
    N_SQUARES,
    WINEMASTERS,
    WORKERS,
    Good,
)
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.storage import can_get, take_from_bank
from vitienv.toscana.vocabulary import Move

# Water is placed in ascending order: A is the first crossroad that is still available.


@jit
def run_water(g, t):
    """Start production when no water or no later crossroad is left (T49)."""
    if get(g, t, Frame.LEFT) > 0 and get(g, t, Frame.A) < N_CROSSROADS:
        return False
    start_making(g)
    return True


@jit
def legal_water(g, t, mask):
    """Mark the later crossroads; at least one box must be placed (T49, ruling O11)."""
    for crossroad in range(get(g, t, Frame.A), N_CROSSROADS):
        mask[Move.CROSSROAD + crossroad] = 1
    mask[Move.DONE] = 1 if has_enough(g, t) else 0


@jit
def apply_water(g, t, action):
    if action == Move.DONE:
        start_making(g)
        return
    crossroad = action - Move.CROSSROAD
    g.boxes[get(g, t, Frame.SEAT), Good.WATER] -= 1
    g.water[crossroad] = 1
    g.frames[t, Frame.A] = crossroad + 1
    count_one(g, t)


operation(
    FrameOp.PLACE_WATER, "place_water", run=run_water, legal=legal_water, apply=apply_water, shows=(Frame.A,),
    bounds={Frame.LEFT: (1, CAPACITY), Frame.DONE: (0, CAPACITY - 1), Frame.A: (0, N_CROSSROADS - 1)},
)  # fmt: skip


@jit
def is_watered(g, square):
    """Return whether one of the crossroads at a square has water (T6, T50)."""
    row, column = square // COLUMNS, square % COLUMNS
    for r in range(max(row - 1, 0), min(row, CROSS_ROWS - 1) + 1):
        for c in range(max(column - 1, 0), min(column, CROSS_COLUMNS - 1) + 1):
            if g.water[CROSS_COLUMNS * r + c] == 1:
                return True
    return False


@jit
def boxes_of(g, square):
    """Return the boxes that a square makes: 1 with one worker, 2 with two or a winemaster (T51).

    An abandoned square makes 0 and 1 (T52).
    """
    strength = int(g.square_workers[square]) + FULL_SQUARE * int(g.square_winemaster[square])
    return strength // FULL_SQUARE if g.square_kind[square] == ABANDONED else strength


@jit
def start_making(g):
    """Let the watered squares of the seat produce, each once per round (T50 to T56).

    Squares with a kind come first (ruling O18).
    """
    seat = get(g, int(g.depth) - 1, Frame.SEAT)
    pop(g)
    abandoned = 0
    for square in range(N_SQUARES):
        if g.square_owner[square] == seat and g.square_produced[square] == 0 and is_watered(g, square):
            boxes = boxes_of(g, square)
            g.square_produced[square] = min(boxes, 1)
            if g.square_kind[square] == ABANDONED:
                abandoned += boxes
            else:
                take_from_bank(g, seat, int(g.square_kind[square]), boxes)
    push(g, FrameOp.MAKE, seat, min(abandoned, can_get_from(g, seat, 0)), 0, 0, 0, 0)


# Abandoned squares produce goods in ascending order: LEFT boxes to choose, A the first good still available.


@jit
def can_get_from(g, seat, first):
    """Return the number of boxes available of the goods from `first` on."""
    n = 0
    for good in range(first, N_GOODS):
        n += can_get(g, seat, good)
    return n


@jit
def run_make(g, t):
    """Return the water of the crossroads to the bank at the end (T57)."""
    if get(g, t, Frame.LEFT) > 0:
        return False
    for crossroad in range(N_CROSSROADS):
        g.bank[Good.WATER] += g.water[crossroad]
        g.water[crossroad] = 0
    pop(g)
    return True


@jit
def legal_make(g, t, mask):
    """Mark goods after which the remaining boxes can still be taken in ascending order (T52, T56)."""
    seat, num_boxes = get(g, t, Frame.SEAT), get(g, t, Frame.LEFT)
    for good in range(get(g, t, Frame.A), N_GOODS):
        if can_get(g, seat, good) > 0 and can_get_from(g, seat, good) >= num_boxes:
            mask[Move.GOOD + good] = 1


@jit
def apply_make(g, t, action):
    good = action - Move.GOOD
    take_from_bank(g, get(g, t, Frame.SEAT), good, 1)
    g.frames[t, Frame.A] = good
    count_one(g, t)


MAX_ABANDONED = WORKERS // FULL_SQUARE + WINEMASTERS  # productive squares of a seat
operation(
    FrameOp.MAKE, "abandoned_kind", run=run_make, legal=legal_make, apply=apply_make, shows=(Frame.A,),
    bounds={Frame.LEFT: (1, MAX_ABANDONED), Frame.MIN: (0, 0), Frame.DONE: (0, MAX_ABANDONED - 1),
            Frame.A: (0, N_GOODS - 1)},
)  # fmt: skip
