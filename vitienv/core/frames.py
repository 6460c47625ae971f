"""The stack of pending decisions, from the current year (bottom) to the current decision (top)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants


class Frame(IntConstants):
    """Columns of a frame."""

    OP = 0
    SEAT = 1
    CARD = 2  # the visitor being played, or -1
    STAGE = 3
    LEFT = 4  # maximum number of further repetitions
    MIN = 5  # minimum number of repetitions, counted from the start
    DONE = 6  # number of repetitions so far
    A = 7  # arguments of the operation
    B = 8
    C = 9
    GOALS = 10  # bits: effects that must remain possible afterwards
    RESULT = 11  # result of the preceding effect
    P0 = 12  # picks so far
    P1 = 13
    P2 = 14
    P3 = 15


FRAME_WIDTH = len(Frame)
COUNTS = (Frame.LEFT, Frame.MIN, Frame.DONE, Frame.STAGE)  # public columns of every decision
NO_CARD = -1
NOBODY = -1  # seat of a frame without a decision


@jit
def push(g, op, seat, maximum, minimum, a, b, c):
    """Push a frame and return its index; it inherits the card of the frame below."""
    index = int(g.depth)
    for i in range(FRAME_WIDTH):
        g.frames[index, i] = 0
    g.frames[index, Frame.OP] = op
    g.frames[index, Frame.SEAT] = seat
    g.frames[index, Frame.CARD] = NO_CARD
    if index > 0:
        g.frames[index, Frame.CARD] = g.frames[index - 1, Frame.CARD]
    g.frames[index, Frame.LEFT] = maximum
    g.frames[index, Frame.MIN] = minimum
    g.frames[index, Frame.A] = a
    g.frames[index, Frame.B] = b
    g.frames[index, Frame.C] = c
    g.depth = index + 1
    return index


@jit
def pop(g):
    """Remove the top frame."""
    index = int(g.depth) - 1
    for i in range(FRAME_WIDTH):
        g.frames[index, i] = 0
    g.depth = index


@jit
def finish(g, result):
    """Remove the top frame and store `result` in the frame below."""
    pop(g)
    index = int(g.depth) - 1
    if index >= 0:
        g.frames[index, Frame.RESULT] = result


@jit
def get(g, index, column):
    """Return a column of a frame as a Python int."""
    return int(g.frames[index, column])


@jit
def count_one(g, index):
    """Count one repetition."""
    g.frames[index, Frame.DONE] += 1
    g.frames[index, Frame.LEFT] -= 1


@jit
def has_enough(g, index):
    """Return whether the minimum number of repetitions has been done."""
    return g.frames[index, Frame.DONE] >= g.frames[index, Frame.MIN]


@jit
def set_goals(g, index, goals):
    g.frames[index, Frame.GOALS] = goals


@jit
def set_stage(g, index, stage):
    g.frames[index, Frame.STAGE] = stage
