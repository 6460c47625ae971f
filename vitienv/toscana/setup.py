"""Set-up: map, market, starting resources and start workers (T12 to T23)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push
from vitienv.toscana.enums import (
    CELLS,
    COLUMNS,
    N_GOODS,
    N_PIECES,
    N_SQUARES,
    NO_SEAT,
    PIECE,
    WINEMASTERS,
    WORKERS,
    Good,
)
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.ops.hiring import put_worker
from vitienv.toscana.ops.tiles import draw_tile, random_below
from vitienv.toscana.state import Chance, Rule
from vitienv.toscana.vocabulary import Move

TURNS_OF_A_PIECE = 4


@jit
def new_game(g):
    """Set up map, market, boxes, money and hands, and ask for start workers (T12 to T21).

    The set-up does not depend on the number of seats (T23).
    """
    n = int(g.rules[Rule.NUM_PLAYERS])
    lay_out_map(g)
    for good in range(N_GOODS):
        g.price[good] = g.rules[Rule.START_PRICE + good]
        g.sign[good] = g.rules[Rule.START_SIGN + good]
        g.stock[good] = g.rules[Rule.START_STOCK + good]
        boxes = int(g.rules[Rule.START_BOXES + good])
        g.bank[good] = int(g.rules[Rule.SUPPLY + good]) - int(g.stock[good]) - n * boxes
        for seat in range(n):
            g.boxes[seat, good] = boxes
    for seat in range(n):
        g.money[seat] = g.rules[Rule.START_MONEY]
        g.workers[seat] = WORKERS - 1  # the start worker (T16)
        g.winemasters[seat] = WINEMASTERS
        for _ in range(g.rules[Rule.HAND_SIZE]):
            draw_tile(g, seat)
    g.start_seat = random_below(g, Chance.SETUP, n)
    push(g, FrameOp.ROUND, NO_SEAT, 0, 0, 0, 0, 0)


@jit
def lay_out_map(g):
    """Lay out the printed map, or the pieces at random, each in one of four rotations (T13)."""
    if g.rules[Rule.MAP_OF_PIECES] == 0:
        for square in range(N_SQUARES):
            g.square_kind[square] = g.rules[Rule.PRINTED_MAP + square]
        return
    laid = 0  # bit mask of pieces
    for place in range(N_PIECES):
        index = random_below(g, Chance.SETUP, N_PIECES - place)
        piece = 0
        while index > 0 or (laid >> piece) & 1 == 1:
            if (laid >> piece) & 1 == 0:
                index -= 1
            piece += 1
        laid |= 1 << piece
        turns = random_below(g, Chance.SETUP, TURNS_OF_A_PIECE) if g.rules[Rule.ROTATION] == 1 else 0
        lay_out_piece(g, place, piece, turns)


@jit
def lay_out_piece(g, place, piece, turns):
    """Put a piece on one of the eight places.

    turns: clockwise quarter turns.
    """
    first = PIECE * COLUMNS * (place // (COLUMNS // PIECE)) + PIECE * (place % (COLUMNS // PIECE))
    for cell in range(CELLS):
        row, column = cell // PIECE, cell % PIECE
        for _ in range(turns):
            row, column = column, PIECE - 1 - row
        g.square_kind[first + COLUMNS * row + column] = g.rules[Rule.MAP_PIECES + CELLS * piece + cell]


@jit
def seat_in_start_order(g, i):
    """Return the i-th seat that places its start worker, counter-clockwise from the last seat in turn order (T22)."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    return (int(g.start_seat) + n - 1 - i) % n


@jit
def legal_start_worker(g, t, mask):
    """Mark all empty squares (T22, ruling O1)."""
    for square in range(N_SQUARES):
        if g.square_owner[square] == NO_SEAT:
            if g.rules[Rule.START_ON_WATER] == 1 or g.square_kind[square] != Good.WATER:
                mask[Move.SQUARE + square] = 1


@jit
def apply_start_worker(g, t, action):
    put_worker(g, get(g, t, Frame.SEAT), action - Move.SQUARE)
    pop(g)


operation(
    FrameOp.START_WORKER, "start_worker", legal=legal_start_worker, apply=apply_start_worker, shows=(), bounds={}
)  # fmt: skip
