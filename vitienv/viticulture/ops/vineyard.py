"""Building, planting, harvesting, uprooting, exchanging vines, and trading fields and grapes."""

from vitienv.core.frames import Frame, count_one, enough, finish, get, push, set_stage
from vitienv.core.jit import jit
from vitienv.viticulture.board import GRAPE_PRICE
from vitienv.viticulture.cards import N_VINES, VINE_RED, VINE_TOTAL, VINE_WHITE
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, MAY_SKIP, NO_PRICE, PartOp
from vitienv.viticulture.facts import (
    Goal,
    build_price,
    can_build_any,
    can_harvest_field,
    can_pay_build,
    can_plant,
    can_sell,
    can_trade_field,
    field_capacity,
    field_total,
    field_vines,
    goals_met,
    harvestable,
    planted_vines,
    room_on_field,
    vine_allowed,
)
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.names import N_FIELDS, N_STRUCTURES, N_VALUES, Act, Colour, Deck, Structure, Used
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.cards import ask_to_discard
from vitienv.viticulture.ops.draw import KNOWN_TO_ALL, into_hand, out_of_hand
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.parts import IMAGINED, NOTHING, part
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import place_grape
from vitienv.viticulture.vocabulary import Move

# Build: A discount, B flat price, C allowed structures.


@jit
def try_building(g, seat, structure):
    """Whether a vine in hand could be planted once the structure stood (Overseer)."""
    g.structures[seat, structure] = 1
    possible = can_plant(g, seat, 0)
    g.structures[seat, structure] = 0
    return possible


@jit
def legal_build(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for structure in range(N_STRUCTURES):
        if can_pay_build(g, seat, structure, get(g, t, Frame.A), get(g, t, Frame.B), get(g, t, Frame.C), 0) and (
            get(g, t, Frame.GOALS) & Goal.PLANT == 0 or try_building(g, seat, structure)
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


@jit
def building_leaves(g, seat, discount, price, allowed, goals):
    """Whether some structure can be built after which a vine can be planted."""
    for structure in range(N_STRUCTURES):
        affordable = can_pay_build(g, seat, structure, discount, price, allowed, 0)
        if affordable and try_building(g, seat, structure):
            return True
    return False


part(
    PartOp.BUILD,
    needs=lambda g, seat, a, b, c: can_build_any(g, seat, a, b, c, 0),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.BUILD, seat, 1, 1, a, b, c),
    goal=Goal.BUILD,
    leaves=building_leaves,
    worth=IMAGINED,
)
board_action(
    Act.BUILD_STRUCTURE,
    needs=lambda g, seat, extra_lira: can_build_any(g, seat, 0, NO_PRICE, ALL_STRUCTURES, extra_lira),
    starts=lambda g, seat, again, must: push(g, FrameOp.BUILD, seat, 1, 1, 0, NO_PRICE, ALL_STRUCTURES),
    with_bonus=NOTHING,
    worth=IMAGINED,
)


# Plant: LEFT at most, MIN at least, A what is waived. P0 the vine chosen.


@jit
def plant(g, seat, vine, field):
    """Move a vine from hand to a field; the windmill scores once a year (Essential, Structures)."""
    out_of_hand(g, seat, vine)
    g.vines[seat, field, vine] += 1
    if g.structures[seat, Structure.WINDMILL] == 1 and g.used[seat, Used.WINDMILL] == 0:
        g.used[seat, Used.WINDMILL] = 1
        gain_vp(g, seat, 1)


@jit
def try_planting(g, seat, vine, field):
    """Whether a further vine can be planted after this one (a bonus that must be used)."""
    g.vines[seat, field, vine] += 1
    g.hand[seat, vine] -= 1
    possible = can_plant(g, seat, 0)
    g.vines[seat, field, vine] -= 1
    g.hand[seat, vine] += 1
    return possible


@jit
def may_plant(g, t, seat, vine, field):
    if VINE_TOTAL[vine] > room_on_field(g, seat, field, get(g, t, Frame.A)):
        return False
    more = g.frames[t, Frame.DONE] + 1 < g.frames[t, Frame.MIN]
    return not more or try_planting(g, seat, vine, field)


@jit
def run_plant(g, t):
    """Ends when nothing is left to plant."""
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
    if enough(g, t):
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
    """What a planting hands on: the vine and the field, above zero."""
    return 1 + vine * N_FIELDS + field


@jit
def first_least(settings):
    """How many plantings are compulsory: none where the card says so (Landscaper)."""
    return 0 if settings & MAY_SKIP else 1


part(
    PartOp.PLANT,
    needs=lambda g, seat, a, b, c: first_least(c) == 0 or can_plant(g, seat, b),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.PLANT, seat, a, first_least(c), b, 0, 0),
    goal=Goal.PLANT,
    worth=IMAGINED,
)


@jit
def can_plant_twice(g, seat):
    for vine in range(N_VINES):
        if g.hand[seat, vine] > 0 and vine_allowed(g, seat, vine, 0):
            for field in range(N_FIELDS):
                fits = room_on_field(g, seat, field, 0) >= VINE_TOTAL[vine]
                if fits and try_planting(g, seat, vine, field):
                    return True
    return False


board_action(
    Act.PLANT_VINE,
    needs=lambda g, seat, extra_lira: can_plant(g, seat, 0),
    starts=lambda g, seat, again, must: push(g, FrameOp.PLANT, seat, 1 + again, 1 + must, 0, 0, 0),
    with_bonus=can_plant_twice,
    worth=IMAGINED,
)


# Harvest: LEFT at most, MIN at least.


@jit
def harvest(g, seat, field):
    """Add up each colour into one grape (Essential, Harvesting fields)."""
    red, white = 0, 0
    for vine in range(N_VINES):
        red += int(VINE_RED[vine]) * int(g.vines[seat, field, vine])
        white += int(VINE_WHITE[vine]) * int(g.vines[seat, field, vine])
    g.harvested[seat, field] = 1
    red_slot = place_grape(g, seat, Colour.RED, red)
    return red_slot, place_grape(g, seat, Colour.WHITE, white)


@jit
def try_harvesting(g, seat, field, goals):
    """Whether a goal is met after harvesting this field: tried on the game and taken back."""
    if goals == 0:
        return True
    red, white = harvest(g, seat, field)
    possible = goals_met(g, seat, goals)
    g.harvested[seat, field] = 0
    if red > 0:
        g.crush[seat, Colour.RED, red - 1] = 0
    if white > 0:
        g.crush[seat, Colour.WHITE, white - 1] = 0
    return possible


@jit
def run_harvest(g, t):
    if g.frames[t, Frame.LEFT] == 0 or harvestable(g, get(g, t, Frame.SEAT)) == 0:
        finish(g, get(g, t, Frame.DONE))
        return True
    return False


@jit
def legal_harvest(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for field in range(N_FIELDS):
        if can_harvest_field(g, seat, field) and try_harvesting(g, seat, field, get(g, t, Frame.GOALS)):
            mask[Move.FIELD + field] = 1
    if enough(g, t):
        mask[Move.DONE] = 1


@jit
def apply_harvest(g, t, action):
    if action == Move.DONE:
        finish(g, get(g, t, Frame.DONE))
    else:
        harvest(g, get(g, t, Frame.SEAT), action - Move.FIELD)
        count_one(g, t)


operation(
    FrameOp.HARVEST, "harvest_field", run=run_harvest, legal=legal_harvest, apply=apply_harvest, shows=(Frame.GOALS,)
)


@jit
def harvesting_leaves(g, seat, a, b, c, goals):
    for field in range(N_FIELDS):
        if can_harvest_field(g, seat, field) and try_harvesting(g, seat, field, goals):
            return True
    return False


part(
    PartOp.HARVEST,
    needs=lambda g, seat, a, b, c: harvestable(g, seat) > 0,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.HARVEST, seat, a, 1, 0, 0, 0),
    goal=Goal.HARVEST,
    leaves=harvesting_leaves,
    worth=IMAGINED,
)


@jit
def start_harvest(g, seat, again, must):
    fields = int(g.rules[Rule.FIELDS_PER_HARVEST]) + again
    push(g, FrameOp.HARVEST, seat, fields, 1 + must, 0, 0, 0)


board_action(
    Act.HARVEST_FIELD,
    needs=lambda g, seat, extra_lira: harvestable(g, seat) > 0,
    starts=start_harvest,
    with_bonus=lambda g, seat: harvestable(g, seat) >= 2,
    worth=IMAGINED,
)


# Uproot: LEFT vines, by field and variety in ascending order; P0 the last one, P1 the field chosen.


@jit
def vines_from(g, seat, place):
    """How many planted vines stand at `place` (field and variety as one number) or after it."""
    total = 0
    for at in range(place, N_FIELDS * N_VINES):
        total += int(g.vines[seat, at // N_VINES, at % N_VINES])
    return total


@jit
def may_uproot(g, t, seat, place):
    if place < g.frames[t, Frame.P0] or g.vines[seat, place // N_VINES, place % N_VINES] == 0:
        return False
    return vines_from(g, seat, place) >= g.frames[t, Frame.LEFT]


@jit
def legal_uproot(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for place in range(N_FIELDS * N_VINES):
        if may_uproot(g, t, seat, place):
            if g.frames[t, Frame.STAGE] == 0:
                mask[Move.FIELD + place // N_VINES] = 1
            elif place // N_VINES == g.frames[t, Frame.P1]:
                mask[Move.CARD + place % N_VINES] = 1


@jit
def apply_uproot(g, t, action):
    """A vine goes back to hand for all to see (Essential, Uproot)."""
    if g.frames[t, Frame.STAGE] == 0:
        g.frames[t, Frame.P1] = action - Move.FIELD
        set_stage(g, t, 1)
        return
    seat, field, vine = get(g, t, Frame.SEAT), get(g, t, Frame.P1), action - Move.CARD
    g.vines[seat, field, vine] -= 1
    into_hand(g, seat, vine, KNOWN_TO_ALL)
    g.frames[t, Frame.P0] = field * N_VINES + vine
    set_stage(g, t, 0)
    count_one(g, t)
    if g.frames[t, Frame.LEFT] == 0:
        finish(g, 1)


operation(
    FrameOp.UPROOT, "uproot_field", "uproot_vine", legal=legal_uproot, apply=apply_uproot, shows=(Frame.P0, Frame.P1)
)


@jit
def ask_to_uproot(g, seat, n):
    """Vines are uprooted and then discarded from hand, any of them."""
    ask_to_discard(g, seat, n, 1 << Deck.VINE)
    push(g, FrameOp.UPROOT, seat, n, n, 0, 0, 0)


part(
    PartOp.UPROOT,
    needs=lambda g, seat, a, b, c: planted_vines(g, seat) >= a,
    asks=lambda g, seat, a, b, c: ask_to_uproot(g, seat, a),
    worth=IMAGINED,
)


# Exchange two planted vines (Landscaper): P0, P1 the first field and vine, P2 the second field.


@jit
def swap_fits(g, seat, field1, vine1, field2, vine2):
    """Both present, both unsold fields within their limits afterwards (rulings, Landscaper)."""
    if g.vines[seat, field1, vine1] == 0 or g.vines[seat, field2, vine2] == 0:
        return False
    change = int(VINE_TOTAL[vine2]) - int(VINE_TOTAL[vine1])
    if field_total(g, seat, field1) + change > field_capacity(g, field1):
        return False
    return field_total(g, seat, field2) - change <= field_capacity(g, field2)


@jit
def can_swap(g, seat):
    """Whether two vines on different fields can be exchanged."""
    for field1 in range(N_FIELDS - 1):
        for field2 in range(field1 + 1, N_FIELDS):
            for vine1 in range(N_VINES):
                for vine2 in range(N_VINES):
                    if swap_fits(g, seat, field1, vine1, field2, vine2):
                        return True
    return False


@jit
def legal_swap(g, t, mask):
    seat, stage = get(g, t, Frame.SEAT), get(g, t, Frame.STAGE)
    for field1 in range(N_FIELDS - 1):
        if stage > 0 and field1 != g.frames[t, Frame.P0]:
            continue
        for vine1 in range(N_VINES):
            if stage > 1 and vine1 != g.frames[t, Frame.P1]:
                continue
            for field2 in range(field1 + 1, N_FIELDS):
                if stage > 2 and field2 != g.frames[t, Frame.P2]:
                    continue
                for vine2 in range(N_VINES):
                    if swap_fits(g, seat, field1, vine1, field2, vine2):
                        if stage == 0:
                            mask[Move.FIELD + field1] = 1
                        elif stage == 1:
                            mask[Move.CARD + vine1] = 1
                        elif stage == 2:
                            mask[Move.FIELD + field2] = 1
                        else:
                            mask[Move.CARD + vine2] = 1


@jit
def apply_swap(g, t, action):
    stage = get(g, t, Frame.STAGE)
    if stage == 0:
        g.frames[t, Frame.P0] = action - Move.FIELD
    elif stage == 1:
        g.frames[t, Frame.P1] = action - Move.CARD
    elif stage == 2:
        g.frames[t, Frame.P2] = action - Move.FIELD
    else:
        seat, vine2 = get(g, t, Frame.SEAT), action - Move.CARD
        g.vines[seat, get(g, t, Frame.P0), get(g, t, Frame.P1)] -= 1
        g.vines[seat, get(g, t, Frame.P0), vine2] += 1
        g.vines[seat, get(g, t, Frame.P2), vine2] -= 1
        g.vines[seat, get(g, t, Frame.P2), get(g, t, Frame.P1)] += 1
        finish(g, 1)
        return
    set_stage(g, t, stage + 1)


operation(
    FrameOp.SWAP,
    "swap_vines",
    "swap_vines",
    "swap_vines",
    "swap_vines",
    legal=legal_swap,
    apply=apply_swap,
    shows=(Frame.P0, Frame.P1, Frame.P2),
)


part(
    PartOp.SWAP_VINES,
    needs=lambda g, seat, a, b, c: can_swap(g, seat),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.SWAP, seat, 1, 1, 0, 0, 0),
    worth=0,
)


# Sell: grapes in ascending order, or one field (ruling 7.18). P0 the lowest grape still offered.


@jit
def legal_sell(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for grape in range(get(g, t, Frame.P0), 2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            mask[Move.GRAPE + grape] = 1
    if g.frames[t, Frame.DONE] > 0:
        mask[Move.DONE] = 1
        return
    for field in range(N_FIELDS):
        if can_trade_field(g, seat, field):
            mask[Move.FIELD + field] = 1


@jit
def run_sell(g, t):
    """Ends when no grape is left after the last one sold."""
    if g.frames[t, Frame.DONE] == 0:
        return False
    seat = get(g, t, Frame.SEAT)
    for grape in range(get(g, t, Frame.P0), 2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            return False
    finish(g, 1)
    return True


@jit
def apply_sell(g, t, action):
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        finish(g, 1)
    elif action >= Move.GRAPE:
        grape = action - Move.GRAPE
        g.crush[seat, grape // N_VALUES, grape % N_VALUES] = 0
        gain_lira(g, seat, int(GRAPE_PRICE[grape % N_VALUES]))
        g.frames[t, Frame.P0] = grape + 1
        count_one(g, t)
    else:
        field = action - Move.FIELD
        sold = int(g.sold[seat, field])
        gain_lira(g, seat, field_capacity(g, field) * (1 - 2 * sold))
        g.sold[seat, field] = 1 - sold
        finish(g, 1)


operation(FrameOp.SELL, "sell", run=run_sell, legal=legal_sell, apply=apply_sell, shows=(Frame.P0,))
board_action(
    Act.SELL_GRAPES_OR_FIELD,
    needs=lambda g, seat, extra_lira: can_sell(g, seat),
    starts=lambda g, seat, again, must: push(g, FrameOp.SELL, seat, 2 * N_VALUES, 1, 0, 0, 0),
    with_bonus=NOTHING,
    worth=IMAGINED,
)


@jit
def vines_of_kinds(g, seat, field):
    """How many different varieties stand on a field."""
    kinds = 0
    for vine in range(N_VINES):
        if g.vines[seat, field, vine] > 0:
            kinds += 1
    return kinds


@jit
def fields_without_vines(g, seat):
    """How many unsold fields carry no vine."""
    total = 0
    for field in range(N_FIELDS):
        if g.sold[seat, field] == 0 and field_vines(g, seat, field) == 0:
            total += 1
    return total


@jit
def fields_with_vines(g, seat):
    total = 0
    for field in range(N_FIELDS):
        if field_vines(g, seat, field) > 0:
            total += 1
    return total
