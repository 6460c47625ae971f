"""The yoke: a worker on the mat uproots a vine or harvests a field (Essential, Structures, Yoke)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push
from vitienv.viticulture.enums import Act, Used
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.predicates import can_yoke, can_yoke_harvest, can_yoke_uproot
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING
from vitienv.viticulture.vocabulary import Move


@jit
def use_yoke(g, seat):
    """Ask whether to uproot or to harvest; the yoke is used for this year."""
    g.used[seat, Used.YOKE] = 1
    push(g, FrameOp.YOKE, seat, 1, 1, 0, 0, 0)


@jit
def legal_yoke(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    if can_yoke_uproot(g, seat):
        mask[Move.OPTION] = 1
    if can_yoke_harvest(g, seat):
        mask[Move.OPTION + 1] = 1


@jit
def apply_yoke(g, t, action):
    seat = get(g, t, Frame.SEAT)
    pop(g)
    push(g, FrameOp.UPROOT if action == Move.OPTION else FrameOp.HARVEST, seat, 1, 1, 0, 0, 0)


operation(FrameOp.YOKE, "yoke", legal=legal_yoke, apply=apply_yoke, shows=())
board_action(
    Act.YOKE,
    needs=lambda g, seat, extra_lira: can_yoke(g, seat),
    starts=lambda g, seat, again, must: use_yoke(g, seat),
    with_bonus=NOTHING,
    worth=BY_LOOKAHEAD,
)
