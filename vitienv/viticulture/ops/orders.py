"""Filling wine orders (Essential, Filling wine orders)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, push, set_stage
from vitienv.viticulture.cards import FIRST_ORDER, FIRST_SUMMER, ORDER_ICONS, ORDER_RESIDUAL, ORDER_TYPE, ORDER_VP
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import N_VALUES, Act
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.make_unmake import filling_leaves, may_fill, try_giving
from vitienv.viticulture.legality.predicates import Goal, can_fill
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.cellar import wine_action, wine_of_action
from vitienv.viticulture.ops.draw import onto_pile, out_of_hand
from vitienv.viticulture.ops.money import gain_residual, gain_vp
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.vocabulary import Move

# Frame columns of filling: P0 the kind of the order, DONE the next icon, P1 the value given for the previous icon.


@jit
def legal_fill(g, t, mask):
    seat, goals = get(g, t, Frame.SEAT), get(g, t, Frame.GOALS)
    if g.frames[t, Frame.STAGE] == 0:
        for kind in range(FIRST_ORDER, FIRST_SUMMER):
            if g.hand[seat, kind] > 0 and may_fill(g, seat, kind - FIRST_ORDER, goals):
                mask[Move.CARD + kind] = 1
        return
    order, icon = get(g, t, Frame.P0) - FIRST_ORDER, get(g, t, Frame.DONE)
    for value in range(1, N_VALUES + 1):
        if try_giving(g, seat, order, icon, get(g, t, Frame.P1), value, goals):
            mask[wine_action(int(ORDER_TYPE[order, icon]), value)] = 1


@jit
def apply_fill(g, t, action):
    """Give the wines; after the last one gain points and residual payment and discard the card."""
    seat = get(g, t, Frame.SEAT)
    if g.frames[t, Frame.STAGE] == 0:
        g.frames[t, Frame.P0] = action - Move.CARD
        out_of_hand(g, seat, action - Move.CARD)
        set_stage(g, t, 1)
        return
    kind, value = wine_of_action(action)
    order = get(g, t, Frame.P0) - FIRST_ORDER
    g.cellar[seat, kind, value - 1] = 0
    g.frames[t, Frame.P1] = value
    g.frames[t, Frame.DONE] += 1
    if g.frames[t, Frame.DONE] == ORDER_ICONS[order]:
        gain_vp(g, seat, int(ORDER_VP[order]))
        gain_residual(g, seat, int(ORDER_RESIDUAL[order]))
        onto_pile(g, FIRST_ORDER + order)
        finish(g, 1)


operation(
    FrameOp.FILL,
    "fill_order",
    "choose_wine",
    legal=legal_fill,
    apply=apply_fill,
    shows=(Frame.GOALS, Frame.P0, Frame.P1),
)


part(
    PartOp.FILL,
    needs=lambda g, seat, a, b, c: can_fill(g, seat),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.FILL, seat, 1, 1, 0, 0, 0),
    goal=Goal.FILL,
    leaves=lambda g, seat, a, b, c, goals: filling_leaves(g, seat, goals),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "fill a wine order",
)
board_action(
    Act.FILL_ORDER,
    needs=lambda g, seat, extra_lira: can_fill(g, seat),
    starts=lambda g, seat, again, must: push(g, FrameOp.FILL, seat, 1, 1, 0, 0, 0),
    with_bonus=NOTHING,
    worth=BY_LOOKAHEAD,
)
