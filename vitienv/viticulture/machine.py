"""The machine: run what needs no choice, say what is legal, apply a choice.

`step(g, action)` applies an action to the top frame and runs until a seat must decide or the game is over.
"""

from vitienv.core.frames import Frame
from vitienv.core.jit import jit
from vitienv.core.numbers import namespace
from vitienv.viticulture import flow, setup  # noqa: F401 - their rows
from vitienv.viticulture.frames import OPERATIONS
from vitienv.viticulture.ops import acts, cards, cellar, opponents, planning, vineyard, visitors  # noqa: F401
from vitienv.viticulture.state import Rule, Status
from vitienv.viticulture.vocabulary import N_ACTIONS

BLOCK = 16

OPERATIONS.check()
DECISIONS = OPERATIONS.decisions
Decision = namespace(f"{__name__}.Decision", {name.upper(): number for number, name in enumerate(DECISIONS)})
run_operation, legal_operation, apply_operation = map(OPERATIONS.dispatch, ("run", "legal", "apply"))


@jit
def run_top(g):
    """Let the top frame do what needs no choice. False if it waits for a seat."""
    t = int(g.depth) - 1
    return run_operation(int(g.frames[t, Frame.OP]), g, t)


@jit
def legal(g, mask):
    """Write the legal actions of the seat to decide into `mask` (all zeros when the game is over)."""
    for i in range(N_ACTIONS):
        mask[i] = 0
    if g.status == Status.PLAYING:
        t = int(g.depth) - 1
        legal_operation(int(g.frames[t, Frame.OP]), g, t, mask)


@jit
def apply(g, action):
    """Apply a legal action to the top frame."""
    t = int(g.depth) - 1
    apply_operation(int(g.frames[t, Frame.OP]), g, t, action)


@jit
def count_legal(mask):
    """How many actions are legal."""
    n = 0
    for action in range(N_ACTIONS):
        n += int(mask[action])
    return n


@jit
def nth_legal(mask, n):
    """The n-th legal action, from 0. Whole blocks are skipped first: a block is added up in a few vector moves."""
    block = 0
    while block < N_ACTIONS // BLOCK:
        inside = 0
        for i in range(BLOCK):
            inside += int(mask[block * BLOCK + i])
        if n < inside:
            break
        n -= inside
        block += 1
    action = block * BLOCK
    while n > 0 or mask[action] == 0:
        n -= int(mask[action])
        action += 1
    return action


@jit
def advance(g, mask):
    """Run to the next decision and write its mask; forced ones are taken if the rules say so."""
    while True:
        while g.status == Status.PLAYING and run_top(g):
            pass
        legal(g, mask)
        if g.status != Status.PLAYING or g.rules[Rule.SKIP_FORCED] == 0:
            return
        if count_legal(mask) != 1:
            return
        apply(g, nth_legal(mask, 0))


@jit
def actor(g):
    """The seat that decides now; -1 when the game is over."""
    if g.status != Status.PLAYING:
        return -1
    return int(g.frames[int(g.depth) - 1, Frame.SEAT])
