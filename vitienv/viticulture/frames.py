"""The stack of pending frames: what is going on, from the year at the bottom to the question on top."""

from vitienv.core.jit import jit
from vitienv.viticulture.state import (
    CARD,
    DONE,
    FRAME_WIDTH,
    GOALS,
    LEFT,
    MIN,
    OP,
    RESULT,
    SEAT,
    STAGE,
    A,
    B,
    C,
)

NO_CARD = -1


@jit
def push(g, op, seat, left, least, a, b, c):
    """Put a frame on top and return its place; card and goals are set by whoever needs them."""
    t = int(g.depth)
    for i in range(FRAME_WIDTH):
        g.frames[t, i] = 0
    g.frames[t, OP] = op
    g.frames[t, SEAT] = seat
    g.frames[t, CARD] = NO_CARD
    if t > 0:
        g.frames[t, CARD] = g.frames[t - 1, CARD]
    g.frames[t, LEFT] = left
    g.frames[t, MIN] = least
    g.frames[t, A] = a
    g.frames[t, B] = b
    g.frames[t, C] = c
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
        g.frames[t, RESULT] = result


@jit
def get(g, t, column):
    """A number of frame t, as a plain integer."""
    return int(g.frames[t, column])


@jit
def count_one(g, t):
    """One more done, one fewer left."""
    g.frames[t, DONE] += 1
    g.frames[t, LEFT] -= 1


@jit
def enough(g, t):
    """Whether the least number has been done."""
    return g.frames[t, DONE] >= g.frames[t, MIN]


@jit
def set_goals(g, t, goals):
    g.frames[t, GOALS] = goals


@jit
def set_stage(g, t, stage):
    g.frames[t, STAGE] = stage
