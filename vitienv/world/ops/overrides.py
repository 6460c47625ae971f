"""World's replacements of Viticulture's operations, which count deeds, cost more or are optional.

(W8, W53, W56, W86, W87, W95, W107)
"""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, push
from vitienv.viticulture.cards import FIRST_ORDER, ORDER_VP, PARTS, VINE_IRRIGATION
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.derived import vine_allowed
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.legality.predicates import Goal
from vitienv.viticulture.legality.visitors import branch_possible, may_spoil
from vitienv.viticulture.ops.cellar import apply_make, legal_make, run_make
from vitienv.viticulture.ops.harvest import apply_harvest, legal_harvest, run_harvest
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.orders import apply_fill, legal_fill
from vitienv.viticulture.ops.vineyard import apply_build, legal_build, plant
from vitienv.viticulture.ops.visitors import apply_play, legal_play, run_play
from vitienv.viticulture.tokens import wine_slot
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import Flag, Metric
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import deed, flag
from vitienv.world.ops.effects import has_hat
from vitienv.world.ops.tokens import DECLINED, may_stop

WINES_STAGE = 1  # choice of the wines of an order
GRAND_ORDER = 4  # minimum of `orders_filled_4vp_plus`


# Replacements of functions.


@jit
def world_planting_price(g, vine):
    """Return the price of planting a vine (W95). Replaces `planting_price`."""
    return flag(g, Flag.IRRIGATION_VINE_PLANT_COST_EXTRA) if VINE_IRRIGATION[vine] == 1 else 0


@jit
def world_may_spoil(g, op, goals):
    """Return whether an operation may spoil a goal; a price of planting competes with building for lira (W95)."""
    if flag(g, Flag.IRRIGATION_VINE_PLANT_COST_EXTRA) > 0:
        if (op == PartOp.PLANT and goals & Goal.BUILD) or (op == PartOp.BUILD and goals & Goal.PLANT):
            return True
    return may_spoil(g, op, goals)


@jit
def world_vine_allowed(g, seat, vine, waive):
    """Return whether a seat has the structures and the lira for a vine. Replaces `vine_allowed`."""
    return vine_allowed(g, seat, vine, waive) and g.lira[seat] >= world_planting_price(g, vine)


@jit
def world_branch_possible(g, seat, card, branch):
    """Return whether a branch of a visitor is possible; its lira can pay for planting (Planter; W95)."""
    op, n = PARTS[card, branch, 0, 0], int(PARTS[card, branch, 0, 1])
    lira = n if op == PartOp.LIRA and n > 0 else 0
    g.lira[seat] += lira
    is_possible = branch_possible(g, seat, card, branch)
    g.lira[seat] -= lira
    return is_possible


@jit
def world_plant(g, seat, vine, field):
    """Plant a vine, pay and count it. Replaces `plant`."""
    plant(g, seat, vine, field)
    gain_lira(g, seat, -world_planting_price(g, vine))
    deed(g, seat, Metric.PLANTS, 1)


@jit
def world_wine_slot(g, seat, kind, value, no_cellars_needed):
    """Return the slot of a made wine, which some events lower (W86, O38). Replaces `wine_slot`."""
    return wine_slot(g, seat, kind, value - flag(g, Flag.WINE_MADE_VALUE_LESS), no_cellars_needed)


@jit
def world_can_train(g, seat, price, extra_lira):
    """Return whether a seat has the lira and a regular with a hat (W105). Replaces `can_train`."""
    return has_hat(g, seat) and g.lira[seat] + extra_lira >= price


@jit
def world_train(g, seat, price, at_once):
    """Pay and remove a hat; the worker is available at once (W105). Replaces `train`."""
    gain_lira(g, seat, -price)
    push(g, WorldOp.HAT, seat, 1, 1, 0, 0, 0)


# Replacements of rows.


@jit
def apply_world_harvest(g, t, action):
    seat = get(g, t, Frame.SEAT)
    apply_harvest(g, t, action)
    if action != Move.DONE:
        deed(g, seat, Metric.HARVESTS, 1)


operation(
    FrameOp.HARVEST,
    "harvest_field",
    run=run_harvest,
    legal=legal_harvest,
    apply=apply_world_harvest,
    shows=(Frame.GOALS,),
)


@jit
def apply_world_make(g, t, action):
    """Count a wine once its last grape is chosen; some events pay lira for it (W86)."""
    seat, num_made = get(g, t, Frame.SEAT), get(g, t, Frame.DONE)
    apply_make(g, t, action)
    if action != Move.DONE and g.frames[t, Frame.DONE] > num_made:
        gain_lira(g, seat, flag(g, Flag.LIRA_PER_WINE_MADE))
        deed(g, seat, Metric.WINES_MADE, 1)


operation(
    FrameOp.MAKE,
    "make_wine",
    "choose_grape",
    run=run_make,
    legal=legal_make,
    apply=apply_world_make,
    shows=(Frame.A, Frame.GOALS, Frame.P0, Frame.P1, Frame.P2, Frame.P3),
)


@jit
def legal_world_fill(g, t, mask):
    legal_fill(g, t, mask)
    if g.frames[t, Frame.STAGE] != WINES_STAGE:
        may_stop(g, t, mask)


@jit
def apply_world_fill(g, t, action):
    """Count an order once its last wine is chosen; some events add points (W86)."""
    if action == Move.DONE:
        finish(g, DECLINED)
        return
    seat, kind, depth = get(g, t, Frame.SEAT), get(g, t, Frame.P0), int(g.depth)
    apply_fill(g, t, action)
    if g.depth < depth:
        vp = int(ORDER_VP[kind - FIRST_ORDER])
        gain_vp(g, seat, flag(g, Flag.VP_PER_ORDER_FILLED))
        deed(g, seat, Metric.ORDERS_FILLED, 1)
        deed(g, seat, Metric.ORDER_VP, vp)
        if vp >= GRAND_ORDER:
            deed(g, seat, Metric.ORDERS_FILLED_4VP_PLUS, 1)


operation(
    FrameOp.FILL,
    "fill_order",
    "choose_wine",
    legal=legal_world_fill,
    apply=apply_world_fill,
    shows=(Frame.GOALS, Frame.P0, Frame.P1),
)


@jit
def legal_world_build(g, t, mask):
    legal_build(g, t, mask)
    may_stop(g, t, mask)


@jit
def apply_world_build(g, t, action):
    if action == Move.DONE:
        finish(g, DECLINED)
        return
    seat = get(g, t, Frame.SEAT)
    apply_build(g, t, action)
    deed(g, seat, Metric.STRUCTURES_BUILT, 1)


operation(
    FrameOp.BUILD,
    "build_structure",
    legal=legal_world_build,
    apply=apply_world_build,
    shows=(Frame.A, Frame.B, Frame.C, Frame.GOALS),
)


@jit
def apply_world_play(g, t, action):
    seat = get(g, t, Frame.SEAT)
    apply_play(g, t, action)
    if action != Move.DONE:
        deed(g, seat, Metric.VISITORS_PLAYED, 1)


operation(FrameOp.PLAY, "play_visitor", run=run_play, legal=legal_play, apply=apply_world_play, shows=(Frame.A,))
