"""The stack of pending frames: what is going on, from the year at the bottom to the question on top."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import Numbers


class Frame(Numbers):
    """The columns of a pending frame."""

    OP = 0
    SEAT = 1
    CARD = 2  # the visitor in play that asks, or -1
    STAGE = 3
    LEFT = 4  # how many more at most
    MIN = 5  # how many at least, counted from the start
    DONE = 6  # how many so far
    A = 7  # settings of the operation
    B = 8
    C = 9
    GOALS = 10  # what must still be possible afterwards, bits
    RESULT = 11  # what the part before gave
    P0 = 12  # picks so far
    P1 = 13
    P2 = 14
    P3 = 15


FRAME_WIDTH = len(Frame)
COUNTS = (Frame.LEFT, Frame.MIN, Frame.DONE, Frame.STAGE)  # of every question, known to all
NO_CARD = -1
NOBODY = -1  # the seat of a frame that asks nobody


@jit
def push(g, op, seat, left, least, a, b, c):
    """Put a frame on top and return its place; card and goals are set by whoever needs them."""
    t = int(g.depth)
    for i in range(FRAME_WIDTH):
        g.frames[t, i] = 0
    g.frames[t, Frame.OP] = op
    g.frames[t, Frame.SEAT] = seat
    g.frames[t, Frame.CARD] = NO_CARD
    if t > 0:
        g.frames[t, Frame.CARD] = g.frames[t - 1, Frame.CARD]
    g.frames[t, Frame.LEFT] = left
    g.frames[t, Frame.MIN] = least
    g.frames[t, Frame.A] = a
    g.frames[t, Frame.B] = b
    g.frames[t, Frame.C] = c
    g.depth = t + 1
    return t


@jit
def pop(g):
    """Take the top frame away."""
    t = int(g.depth) - 1
    for i in range(FRAME_WIDTH):
        g.frames[t, i] = 0
    g.depth = t


@jit
def finish(g, result):
    """Take the top frame away and hand `result` to the frame below."""
    pop(g)
    t = int(g.depth) - 1
    if t >= 0:
        g.frames[t, Frame.RESULT] = result


@jit
def get(g, t, column):
    """A number of frame t, as a plain integer."""
    return int(g.frames[t, column])


@jit
def count_one(g, t):
    """One more done, one fewer left."""
    g.frames[t, Frame.DONE] += 1
    g.frames[t, Frame.LEFT] -= 1


@jit
def enough(g, t):
    """Whether the least number has been done."""
    return g.frames[t, Frame.DONE] >= g.frames[t, Frame.MIN]


@jit
def set_goals(g, t, goals):
    g.frames[t, Frame.GOALS] = goals


@jit
def set_stage(g, t, stage):
    g.frames[t, Frame.STAGE] = stage
