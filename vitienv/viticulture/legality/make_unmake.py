"""Conditions tested by make and unmake on the record, which is unchanged afterwards.

`try_...` tests one choice, `..._leaves` tests whether any choice works. goals: bit mask of `Goal`, of which at least
one must be possible afterwards; 0 for no condition.
"""

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import MIN_WINE_VALUE, WINES_PER_ACTION
from vitienv.viticulture.cards import (
    FIRST_ORDER,
    FIRST_SUMMER,
    N_VINES,
    ORDER_ICONS,
    ORDER_MIN_VALUE,
    ORDER_TYPE,
    VINE_TOTAL,
)
from vitienv.viticulture.derived import build_price, planting_price, room_on_field, vine_allowed
from vitienv.viticulture.enums import N_FIELDS, N_STRUCTURES, N_VALUES, Colour, Wine
from vitienv.viticulture.legality.predicates import (
    Goal,
    can_harvest_field,
    can_pay_build,
    can_plant,
    goals_met,
    order_fits,
)
from vitienv.viticulture.tokens import age_wine, can_age, harvest, has_room, put_wine, wine_slot

FREE_PICK = 0  # no grape chosen yet
MAX_TRIED = 4  # wines that fit into 64 bits: an order requires up to three, and no card makes five
WINE_BITS = 16  # bits of a tried wine: ten for the grapes, four for the slot, two for the type


@jit
def try_building(g, seat, structure, price):
    """Return whether a vine in hand can be planted after building a structure (Overseer)."""
    g.structures[seat, structure] = 1
    g.lira[seat] -= price
    possible = can_plant(g, seat, 0)
    g.structures[seat, structure] = 0
    g.lira[seat] += price
    return possible


@jit
def building_leaves(g, seat, discount, price, allowed, goals):
    """Return whether a vine can be planted after building some structure."""
    for structure in range(N_STRUCTURES):
        affordable = can_pay_build(g, seat, structure, discount, price, allowed, 0)
        if affordable and try_building(g, seat, structure, build_price(g, structure, discount, price)):
            return True
    return False


@jit
def try_planting(g, seat, vine, field, goals):
    """Return whether a goal is possible after planting a vine.

    Goals are another planting (a bonus that must be used) or a structure (Overseer).
    """
    price = planting_price(g, vine)
    g.vines[seat, field, vine] += 1
    g.hand[seat, vine] -= 1
    g.lira[seat] -= price
    possible = goals_met(g, seat, goals)
    g.vines[seat, field, vine] -= 1
    g.hand[seat, vine] += 1
    g.lira[seat] += price
    return possible


@jit
def planting_leaves(g, seat, waive, goals):
    """Return whether a goal is possible after planting some vine."""
    for vine in range(N_VINES):
        if g.hand[seat, vine] > 0 and vine_allowed(g, seat, vine, waive):
            for field in range(N_FIELDS):
                fits = room_on_field(g, seat, field, waive) >= VINE_TOTAL[vine]
                if fits and try_planting(g, seat, vine, field, goals):
                    return True
    return False


@jit
def can_plant_twice(g, seat):
    return planting_leaves(g, seat, 0, Goal.PLANT)


@jit
def try_harvesting(g, seat, field, goals):
    """Return whether a goal is possible after harvesting a field."""
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
def harvesting_leaves(g, seat, a, b, c, goals):
    for field in range(N_FIELDS):
        if can_harvest_field(g, seat, field) and try_harvesting(g, seat, field, goals):
            return True
    return False


@jit
def may_use(g, seat, colour, value, choice):
    """Return whether a grape (value 0: none) is available and consistent with the chosen one."""
    return value == 0 or (g.crush[seat, colour, value - 1] == 1 and (choice == FREE_PICK or value == choice))


@jit
def next_grapes(g, seat, kind, red1, red2, white, settings, previous):
    """Return the next grapes after `previous` for a wine of `kind`, 0 if there are none.

    The digits are the values of the lower red, the higher red and the white grape.
    """
    for a in range(previous // 100, N_VALUES + 1):
        if (a == 0) != (kind == Wine.WHITE) or not may_use(g, seat, Colour.RED, a, red1):
            continue
        for b in range(N_VALUES + 1):
            if (b > a) != (kind == Wine.SPARKLING) or 0 < b <= a or not may_use(g, seat, Colour.RED, b, red2):
                continue
            for c in range(N_VALUES + 1):
                if (c == 0) != (kind == Wine.RED) or not may_use(g, seat, Colour.WHITE, c, white):
                    continue
                grapes, value = 100 * a + 10 * b + c, a + b + c
                if grapes > previous and value >= MIN_WINE_VALUE[kind] and has_room(g, seat, kind, value, settings):
                    return grapes
    return 0


@jit
def try_making(g, seat, kind, red1, red2, white, settings, num_required, goals, num_left):
    """Return whether a wine of `kind` with the chosen grapes (0: free) can be made so that a goal is possible.

    num_required: further wines that must be made. goals: bit mask, tested after the last wine. num_left: wines that may
    still be made, including this one. Wines are unmade in reverse order.
    """
    num_tried, wines = 0, 0  # number of wines made, and the wines, the last one in the lowest bits
    wine, grapes = kind, 0  # current candidate
    while True:
        is_possible = False
        if num_tried == 0:
            grapes = next_grapes(g, seat, wine, red1, red2, white, settings, grapes)
        else:
            grapes = next_grapes(g, seat, wine, FREE_PICK, FREE_PICK, FREE_PICK, settings, grapes)
        if grapes > 0:
            a, b, c = grapes // 100, grapes // 10 % 10, grapes % 10
            slot = wine_slot(g, seat, wine, a + b + c, settings)
            put_wine(g, seat, wine, a, b, c, slot, 0)
            wines = (wines << WINE_BITS) | (grapes << 6) | (slot << 2) | wine
            num_tried += 1
            is_possible = num_tried > num_required and goals_met(g, seat, goals)
            if not is_possible and num_tried < min(num_left, MAX_TRIED):
                wine, grapes = 0, 0
                continue
        elif num_tried == 0:
            return False
        elif wine + 1 < len(MIN_WINE_VALUE):
            wine += 1
            continue
        for _ in range(num_tried if is_possible else 1):
            wine, slot, grapes = wines & 3, (wines >> 2) & 15, (wines >> 6) & 1023
            put_wine(g, seat, wine, grapes // 100, grapes // 10 % 10, grapes % 10, slot, 1)
            wines >>= WINE_BITS
            num_tried -= 1
        if is_possible:
            return True


@jit
def making_leaves(g, seat, up_to, no_cellars_needed, goals):
    for kind in range(len(MIN_WINE_VALUE)):
        if try_making(g, seat, kind, FREE_PICK, FREE_PICK, FREE_PICK, no_cellars_needed, 0, goals, up_to):
            return True
    return False


@jit
def can_make_three(g, seat):
    """Return whether three wines can be made, one more than by the action without its bonus."""
    for kind in range(len(MIN_WINE_VALUE)):
        if try_making(g, seat, kind, FREE_PICK, FREE_PICK, FREE_PICK, 0, WINES_PER_ACTION, 0, WINES_PER_ACTION + 1):
            return True
    return False


@jit
def may_give(g, seat, order, icon, last_value, value):
    """Return whether a wine fits an icon, after `last_value` for the previous icon.

    Values of the same type must be descending, so that each set of wines is reached one way.
    """
    kind = int(ORDER_TYPE[order, icon])
    if g.cellar[seat, kind, value - 1] == 0 or value < ORDER_MIN_VALUE[order, icon]:
        return False
    return icon == 0 or ORDER_TYPE[order, icon - 1] != kind or value < last_value


@jit
def try_filling(g, seat, order, icon, last_value, goals):
    """Return whether wines for all icons from `icon` on leave a goal possible."""
    n_given, values = 0, 0  # number of wines given, and their values, the last one in the lowest four bits
    value = 0  # current candidate
    while True:
        is_possible = icon == ORDER_ICONS[order] and goals_met(g, seat, goals)
        if icon < ORDER_ICONS[order]:
            value += 1
            while value <= N_VALUES and not may_give(
                g, seat, order, icon, last_value if n_given == 0 else values & 15, value
            ):
                value += 1
            if value <= N_VALUES:
                g.cellar[seat, int(ORDER_TYPE[order, icon]), value - 1] = 0
                values = (values << 4) | value
                n_given, icon, value = n_given + 1, icon + 1, 0
                continue
        if n_given == 0:
            return is_possible
        for _ in range(n_given if is_possible else 1):
            n_given, icon, value = n_given - 1, icon - 1, values & 15
            g.cellar[seat, int(ORDER_TYPE[order, icon]), value - 1] = 1
            values >>= 4
        if is_possible:
            return True


@jit
def may_fill(g, seat, order, goals):
    """Return whether an order can be filled so that a goal is possible."""
    if not order_fits(g, seat, order):
        return False
    return goals == 0 or try_filling(g, seat, order, 0, 0, goals)


@jit
def try_giving(g, seat, order, icon, last_value, value, goals):
    """Return whether a wine can be given for an icon so that the order can be completed."""
    if not may_give(g, seat, order, icon, last_value, value):
        return False
    kind = int(ORDER_TYPE[order, icon])
    g.cellar[seat, kind, value - 1] = 0
    is_possible = try_filling(g, seat, order, icon + 1, value, goals)
    g.cellar[seat, kind, value - 1] = 1
    return is_possible


@jit
def filling_leaves(g, seat, goals):
    for kind in range(FIRST_ORDER, FIRST_SUMMER):
        if g.hand[seat, kind] > 0 and may_fill(g, seat, kind - FIRST_ORDER, goals):
            return True
    return False


@jit
def try_ageing(g, seat, kind, value, goals):
    """Return whether a goal is possible after ageing a wine by 1."""
    if not can_age(g, seat, kind, value):
        return False
    if goals == 0:
        return True
    age_wine(g, seat, kind, value)
    possible = goals_met(g, seat, goals)
    g.cellar[seat, kind, value - 1] = 1
    g.cellar[seat, kind, value] = 0
    return possible


@jit
def ageing_leaves(g, seat, goals):
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(1, N_VALUES + 1):
            if g.cellar[seat, kind, value - 1] == 1 and try_ageing(g, seat, kind, value, goals):
                return True
    return False
