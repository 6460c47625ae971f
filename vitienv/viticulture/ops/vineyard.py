"""Building, planting, harvesting, uprooting, exchanging vines, and trading fields and grapes."""

from vitienv.core.jit import jit
from vitienv.viticulture.board import GRAPE_PRICE
from vitienv.viticulture.cards import N_VINES, VINE_RED, VINE_TOTAL, VINE_WHITE
from vitienv.viticulture.cards.parts import MAY_SKIP
from vitienv.viticulture.facts import (
    GOAL_PLANT,
    build_price,
    can_harvest_field,
    can_pay_build,
    can_plant,
    can_trade_field,
    field_capacity,
    field_total,
    field_vines,
    goals_met,
    harvestable,
    room_on_field,
    vine_allowed,
)
from vitienv.viticulture.frames import count_one, enough, finish, get, set_stage
from vitienv.viticulture.names import (
    N_FIELDS,
    N_STRUCTURES,
    N_VALUES,
    RED,
    USED_WINDMILL,
    WHITE,
    WINDMILL,
)
from vitienv.viticulture.ops.draw import KNOWN_TO_ALL, into_hand, out_of_hand
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.state import DONE, GOALS, LEFT, MIN, P0, P1, P2, SEAT, STAGE, A, B, C
from vitienv.viticulture.tokens import place_grape
from vitienv.viticulture.vocabulary import CARD_ACTION, DONE_ACTION, FIELD, GRAPE, STRUCTURE

# Build: A discount, B flat price, C allowed structures.


@jit
def enables_planting(g, seat, structure):
    """Whether a vine in hand could be planted once the structure stood (Overseer)."""
    g.structures[seat, structure] = 1
    possible = can_plant(g, seat, 0)
    g.structures[seat, structure] = 0
    return possible


@jit
def legal_build(g, t, mask):
    seat = get(g, t, SEAT)
    for structure in range(N_STRUCTURES):
        if can_pay_build(g, seat, structure, get(g, t, A), get(g, t, B), get(g, t, C), 0) and (
            get(g, t, GOALS) & GOAL_PLANT == 0 or enables_planting(g, seat, structure)
        ):
            mask[STRUCTURE + structure] = 1


@jit
def apply_build(g, t, action):
    seat = get(g, t, SEAT)
    structure = action - STRUCTURE
    gain_lira(g, seat, -build_price(g, structure, get(g, t, A), get(g, t, B)))
    g.structures[seat, structure] = 1
    finish(g, structure)


# Plant: LEFT at most, MIN at least, A what is waived. P0 the vine chosen.


@jit
def plant(g, seat, vine, field):
    """Move a vine from hand to a field; the windmill scores once a year (Essential, Structures)."""
    out_of_hand(g, seat, vine)
    g.vines[seat, field, vine] += 1
    if g.structures[seat, WINDMILL] == 1 and g.used[seat, USED_WINDMILL] == 0:
        g.used[seat, USED_WINDMILL] = 1
        gain_vp(g, seat, 1)


@jit
def leaves_another(g, seat, vine, field):
    """Whether a further vine can be planted after this one (a bonus that must be used)."""
    g.vines[seat, field, vine] += 1
    g.hand[seat, vine] -= 1
    possible = can_plant(g, seat, 0)
    g.vines[seat, field, vine] -= 1
    g.hand[seat, vine] += 1
    return possible


@jit
def may_plant(g, t, seat, vine, field):
    if VINE_TOTAL[vine] > room_on_field(g, seat, field, get(g, t, A)):
        return False
    more = g.frames[t, DONE] + 1 < g.frames[t, MIN]
    return not more or leaves_another(g, seat, vine, field)


@jit
def run_plant(g, t):
    """Ends when nothing is left to plant."""
    if g.frames[t, LEFT] == 0 or (g.frames[t, STAGE] == 0 and not can_plant(g, get(g, t, SEAT), get(g, t, A))):
        finish(g, get(g, t, P1))
        return True
    return False


@jit
def legal_plant(g, t, mask):
    seat = get(g, t, SEAT)
    if g.frames[t, STAGE] == 1:
        for field in range(N_FIELDS):
            if may_plant(g, t, seat, get(g, t, P0), field):
                mask[FIELD + field] = 1
        return
    waive = get(g, t, A)
    for vine in range(N_VINES):
        if g.hand[seat, vine] > 0 and vine_allowed(g, seat, vine, waive):
            for field in range(N_FIELDS):
                if may_plant(g, t, seat, vine, field):
                    mask[CARD_ACTION + vine] = 1
    if enough(g, t):
        mask[DONE_ACTION] = 1


@jit
def apply_plant(g, t, action):
    seat = get(g, t, SEAT)
    if action == DONE_ACTION:
        finish(g, get(g, t, P1))
    elif g.frames[t, STAGE] == 0:
        g.frames[t, P0] = action - CARD_ACTION
        set_stage(g, t, 1)
    else:
        field = action - FIELD
        vine = get(g, t, P0)
        plant(g, seat, vine, field)
        set_stage(g, t, 0)
        count_one(g, t)
        g.frames[t, P1] = planted_result(vine, field)


@jit
def planted_result(vine, field):
    """What a planting hands on: the vine and the field, above zero."""
    return 1 + vine * N_FIELDS + field


@jit
def first_least(settings):
    """How many plantings are compulsory: none where the card says so (Landscaper)."""
    return 0 if settings & MAY_SKIP else 1


# Harvest: LEFT at most, MIN at least.


@jit
def harvest(g, seat, field):
    """Add up each colour into one grape (Essential, Harvesting fields)."""
    red, white = 0, 0
    for vine in range(N_VINES):
        red += int(VINE_RED[vine]) * int(g.vines[seat, field, vine])
        white += int(VINE_WHITE[vine]) * int(g.vines[seat, field, vine])
    g.harvested[seat, field] = 1
    red_slot = place_grape(g, seat, RED, red)
    return red_slot, place_grape(g, seat, WHITE, white)


@jit
def harvest_allows(g, seat, field, goals):
    """Whether a goal is met after harvesting this field: tried on the game and taken back."""
    if goals == 0:
        return True
    red, white = harvest(g, seat, field)
    possible = goals_met(g, seat, goals)
    g.harvested[seat, field] = 0
    if red > 0:
        g.crush[seat, RED, red - 1] = 0
    if white > 0:
        g.crush[seat, WHITE, white - 1] = 0
    return possible


@jit
def run_harvest(g, t):
    if g.frames[t, LEFT] == 0 or harvestable(g, get(g, t, SEAT)) == 0:
        finish(g, get(g, t, DONE))
        return True
    return False


@jit
def legal_harvest(g, t, mask):
    seat = get(g, t, SEAT)
    for field in range(N_FIELDS):
        if can_harvest_field(g, seat, field) and harvest_allows(g, seat, field, get(g, t, GOALS)):
            mask[FIELD + field] = 1
    if enough(g, t):
        mask[DONE_ACTION] = 1


@jit
def apply_harvest(g, t, action):
    if action == DONE_ACTION:
        finish(g, get(g, t, DONE))
    else:
        harvest(g, get(g, t, SEAT), action - FIELD)
        count_one(g, t)


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
    if place < g.frames[t, P0] or g.vines[seat, place // N_VINES, place % N_VINES] == 0:
        return False
    return vines_from(g, seat, place) >= g.frames[t, LEFT]


@jit
def legal_uproot(g, t, mask):
    seat = get(g, t, SEAT)
    for place in range(N_FIELDS * N_VINES):
        if may_uproot(g, t, seat, place):
            if g.frames[t, STAGE] == 0:
                mask[FIELD + place // N_VINES] = 1
            elif place // N_VINES == g.frames[t, P1]:
                mask[CARD_ACTION + place % N_VINES] = 1


@jit
def apply_uproot(g, t, action):
    """A vine goes back to hand for all to see (Essential, Uproot)."""
    if g.frames[t, STAGE] == 0:
        g.frames[t, P1] = action - FIELD
        set_stage(g, t, 1)
        return
    seat, field, vine = get(g, t, SEAT), get(g, t, P1), action - CARD_ACTION
    g.vines[seat, field, vine] -= 1
    into_hand(g, seat, vine, KNOWN_TO_ALL)
    g.frames[t, P0] = field * N_VINES + vine
    set_stage(g, t, 0)
    count_one(g, t)
    if g.frames[t, LEFT] == 0:
        finish(g, 1)


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
    seat, stage = get(g, t, SEAT), get(g, t, STAGE)
    for field1 in range(N_FIELDS - 1):
        if stage > 0 and field1 != g.frames[t, P0]:
            continue
        for vine1 in range(N_VINES):
            if stage > 1 and vine1 != g.frames[t, P1]:
                continue
            for field2 in range(field1 + 1, N_FIELDS):
                if stage > 2 and field2 != g.frames[t, P2]:
                    continue
                for vine2 in range(N_VINES):
                    if swap_fits(g, seat, field1, vine1, field2, vine2):
                        if stage == 0:
                            mask[FIELD + field1] = 1
                        elif stage == 1:
                            mask[CARD_ACTION + vine1] = 1
                        elif stage == 2:
                            mask[FIELD + field2] = 1
                        else:
                            mask[CARD_ACTION + vine2] = 1


@jit
def apply_swap(g, t, action):
    stage = get(g, t, STAGE)
    if stage == 0:
        g.frames[t, P0] = action - FIELD
    elif stage == 1:
        g.frames[t, P1] = action - CARD_ACTION
    elif stage == 2:
        g.frames[t, P2] = action - FIELD
    else:
        seat, vine2 = get(g, t, SEAT), action - CARD_ACTION
        g.vines[seat, get(g, t, P0), get(g, t, P1)] -= 1
        g.vines[seat, get(g, t, P0), vine2] += 1
        g.vines[seat, get(g, t, P2), vine2] -= 1
        g.vines[seat, get(g, t, P2), get(g, t, P1)] += 1
        finish(g, 1)
        return
    set_stage(g, t, stage + 1)


# Sell: grapes in ascending order, or one field (ruling 7.18). P0 the lowest grape still offered.


@jit
def legal_sell(g, t, mask):
    seat = get(g, t, SEAT)
    for grape in range(get(g, t, P0), 2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            mask[GRAPE + grape] = 1
    if g.frames[t, DONE] > 0:
        mask[DONE_ACTION] = 1
        return
    for field in range(N_FIELDS):
        if can_trade_field(g, seat, field):
            mask[FIELD + field] = 1


@jit
def run_sell(g, t):
    """Ends when no grape is left after the last one sold."""
    if g.frames[t, DONE] == 0:
        return False
    seat = get(g, t, SEAT)
    for grape in range(get(g, t, P0), 2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            return False
    finish(g, 1)
    return True


@jit
def apply_sell(g, t, action):
    seat = get(g, t, SEAT)
    if action == DONE_ACTION:
        finish(g, 1)
    elif action >= GRAPE:
        grape = action - GRAPE
        g.crush[seat, grape // N_VALUES, grape % N_VALUES] = 0
        gain_lira(g, seat, int(GRAPE_PRICE[grape % N_VALUES]))
        g.frames[t, P0] = grape + 1
        count_one(g, t)
    else:
        field = action - FIELD
        sold = int(g.sold[seat, field])
        gain_lira(g, seat, field_capacity(g, field) * (1 - 2 * sold))
        g.sold[seat, field] = 1 - sold
        finish(g, 1)


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

