"""Building structures and planting vines (Essential, Build one structure, Plant one vine)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, has_enough, push, set_stage
from vitienv.core.text_utils import listed, plain, up_to
from vitienv.viticulture.cards import N_VINES, VINE_TOTAL
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, MAY_SKIP, NO_PRICE, WAIVE_LIMIT, WAIVE_STRUCTURES, PartOp
from vitienv.viticulture.derived import build_price, room_on_field, vine_allowed
from vitienv.viticulture.enums import N_FIELDS, N_STRUCTURES, STRUCTURES, Act, Structure, Used
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.make_unmake import (
    building_leaves,
    can_plant_twice,
    planting_leaves,
    try_building,
    try_planting,
)
from vitienv.viticulture.legality.predicates import Goal, can_build_any, can_pay_build, can_plant
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.draw import out_of_hand
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.vocabulary import Move

# Frame columns of building: A discount, B flat price, C allowed structures.


@jit
def legal_build(g, t, mask):
    seat, discount, price = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.B)
    for structure in range(N_STRUCTURES):
        if can_pay_build(g, seat, structure, discount, price, get(g, t, Frame.C), 0) and (
            get(g, t, Frame.GOALS) & Goal.PLANT == 0
            or try_building(g, seat, structure, build_price(g, structure, discount, price))
        ):
            mask[Move.STRUCTURE + structure] = 1


@jit
def apply_build(g, t, action):
    seat = get(g, t, Frame.SEAT)
    structure = action - Move.STRUCTURE
    gain_lira(g, seat, -build_price(g, structure, get(g, t, Frame.A), get(g, t, Frame.B)))
    g.structures[seat, structure] = 1
    finish(g, structure)


operation(
    FrameOp.BUILD,
    "build_structure",
    legal=legal_build,
    apply=apply_build,
    shows=(Frame.A, Frame.B, Frame.C, Frame.GOALS),
)


def says_build(discount: int, price: int, allowed: int) -> str:
    """Return the sentence of a part."""
    noun = "a structure" if allowed == ALL_STRUCTURES else structure_names(allowed)
    if price == 0:
        return f"build {noun} without paying"
    if price != NO_PRICE:
        return f"build {noun} for {price} lira"
    return f"build {noun}" + (f" for {discount} lira less" if discount else "")


def structure_names(allowed: int) -> str:
    """Return the names of the structures in a mask."""
    return f"the {listed((plain(name) for i, name in enumerate(STRUCTURES) if (allowed >> i) & 1), 'or')}"


part(
    PartOp.BUILD,
    needs=lambda g, seat, a, b, c: can_build_any(g, seat, a, b, c, 0),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.BUILD, seat, 1, 1, a, b, c),
    goal=Goal.BUILD,
    leaves=building_leaves,
    worth=BY_LOOKAHEAD,
    says=says_build,
)
board_action(
    Act.BUILD_STRUCTURE,
    needs=lambda g, seat, extra_lira: can_build_any(g, seat, 0, NO_PRICE, ALL_STRUCTURES, extra_lira),
    starts=lambda g, seat, again, must: push(g, FrameOp.BUILD, seat, 1, 1, 0, NO_PRICE, ALL_STRUCTURES),
    with_bonus=NOTHING,
    worth=BY_LOOKAHEAD,
)


# Frame columns of planting: LEFT maximum, MIN minimum, A waived conditions, P0 the chosen vine.


@jit
def plant(g, seat, vine, field):
    """Move a vine from hand to a field; the windmill scores once a year (Essential, Structures)."""
    out_of_hand(g, seat, vine)
    g.vines[seat, field, vine] += 1
    if g.structures[seat, Structure.WINDMILL] == 1 and g.used[seat, Used.WINDMILL] == 0:
        g.used[seat, Used.WINDMILL] = 1
        gain_vp(g, seat, 1)


@jit
def may_plant(g, t, seat, vine, field):
    if VINE_TOTAL[vine] > room_on_field(g, seat, field, get(g, t, Frame.A)):
        return False
    must_continue = g.frames[t, Frame.DONE] + 1 < g.frames[t, Frame.MIN]
    goals = Goal.PLANT if must_continue else get(g, t, Frame.GOALS)
    return goals == 0 or try_planting(g, seat, vine, field, goals)


@jit
def run_plant(g, t):
    """End when nothing can be planted."""
    if g.frames[t, Frame.LEFT] == 0 or (
        g.frames[t, Frame.STAGE] == 0 and not can_plant(g, get(g, t, Frame.SEAT), get(g, t, Frame.A))
    ):
        finish(g, get(g, t, Frame.P1))
        return True
    return False


@jit
def legal_plant(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    if g.frames[t, Frame.STAGE] == 1:
        for field in range(N_FIELDS):
            if may_plant(g, t, seat, get(g, t, Frame.P0), field):
                mask[Move.FIELD + field] = 1
        return
    waive = get(g, t, Frame.A)
    for vine in range(N_VINES):
        if g.hand[seat, vine] > 0 and vine_allowed(g, seat, vine, waive):
            for field in range(N_FIELDS):
                if may_plant(g, t, seat, vine, field):
                    mask[Move.CARD + vine] = 1
    if has_enough(g, t):
        mask[Move.DONE] = 1


@jit
def apply_plant(g, t, action):
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        finish(g, get(g, t, Frame.P1))
    elif g.frames[t, Frame.STAGE] == 0:
        g.frames[t, Frame.P0] = action - Move.CARD
        set_stage(g, t, 1)
    else:
        field = action - Move.FIELD
        vine = get(g, t, Frame.P0)
        plant(g, seat, vine, field)
        set_stage(g, t, 0)
        count_one(g, t)
        g.frames[t, Frame.P1] = planted_result(vine, field)


operation(
    FrameOp.PLANT,
    "plant_vine",
    "plant_field",
    run=run_plant,
    legal=legal_plant,
    apply=apply_plant,
    shows=(Frame.A, Frame.P0),
    private=(Frame.P0,),
)


@jit
def planted_result(vine, field):
    """Return the result of a planting: vine and field as a positive number."""
    return 1 + vine * N_FIELDS + field


@jit
def min_plantings(settings):
    """Return the minimum of plantings: 0 where the card says so (Landscaper)."""
    return 0 if settings & MAY_SKIP else 1


def says_plant(num_vines: int, waive: int, optional: int) -> str:
    """Return the sentence of a part."""
    text = f"{'you may ' if optional else ''}plant {up_to(num_vines, 'vine')}"
    if waive & WAIVE_STRUCTURES:
        text += " without the structures it needs"
    if waive & WAIVE_LIMIT:
        text += ", even beyond the limit of the field"
    return text


part(
    PartOp.PLANT,
    needs=lambda g, seat, a, b, c: min_plantings(c) == 0 or can_plant(g, seat, b),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.PLANT, seat, a, min_plantings(c), b, 0, 0),
    goal=Goal.PLANT,
    leaves=lambda g, seat, a, b, c, goals: planting_leaves(g, seat, b, goals),
    worth=BY_LOOKAHEAD,
    says=says_plant,
)


board_action(
    Act.PLANT_VINE,
    needs=lambda g, seat, extra_lira: can_plant(g, seat, 0),
    starts=lambda g, seat, again, must: push(g, FrameOp.PLANT, seat, 1 + again, 1 + must, 0, 0, 0),
    with_bonus=can_plant_twice,
    worth=BY_LOOKAHEAD,
)
