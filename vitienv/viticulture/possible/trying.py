"""Questions that are answered by doing it on the record and taking it back: nothing is different afterwards.

`try_...` asks about one choice, `..._leaves` about any. goals: what must be possible then, as bits of `Goal`; 0 for
nothing.
"""

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import WINE_LEAST, WINES_PER_ACTION
from vitienv.viticulture.cards import (
    FIRST_ORDER,
    FIRST_SUMMER,
    N_VINES,
    ORDER_ICONS,
    ORDER_LEAST,
    ORDER_TYPE,
    VINE_TOTAL,
)
from vitienv.viticulture.facts import build_price, planting_price, room_on_field, vine_allowed
from vitienv.viticulture.names import N_FIELDS, N_STRUCTURES, N_VALUES, Colour, Wine
from vitienv.viticulture.possible.asking import Goal, can_harvest_field, can_pay_build, can_plant, goals_met, order_fits
from vitienv.viticulture.tokens import age_wine, can_age, harvest, has_room, put_wine, wine_slot

FREE_PICK = 0  # a grape not yet chosen


@jit
def try_building(g, seat, structure, price):
    """Whether a vine in hand could be planted once the structure stood and was paid for (Overseer)."""
    g.structures[seat, structure] = 1
    g.lira[seat] -= price
    possible = can_plant(g, seat, 0)
    g.structures[seat, structure] = 0
    g.lira[seat] += price
    return possible


@jit
def building_leaves(g, seat, discount, price, allowed, goals):
    """Whether some structure can be built after which a vine can be planted."""
    for structure in range(N_STRUCTURES):
        affordable = can_pay_build(g, seat, structure, discount, price, allowed, 0)
        if affordable and try_building(g, seat, structure, build_price(g, structure, discount, price)):
            return True
    return False


@jit
def try_planting(g, seat, vine, field, goals):
    """Whether a goal is met once this vine is planted and paid for: a further one (a bonus that must be used), a
    structure (Overseer)."""
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
    """Whether some vine can be planted so that a goal is met afterwards."""
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
def harvesting_leaves(g, seat, a, b, c, goals):
    for field in range(N_FIELDS):
        if can_harvest_field(g, seat, field) and try_harvesting(g, seat, field, goals):
            return True
    return False


@jit
def try_making(g, seat, kind, red1, red2, white, settings, more, goals, left):
    """Whether some wine of `kind` with the grapes chosen so far (0: free) can be made and leaves what must follow.

    more: how many further wines are compulsory. goals: what must be possible after the last wine. left: how
    many wines may still be made, this one included. Wines are tried on the game and taken back.
    """
    for r1 in range(1, N_VALUES + 1):
        if kind == Wine.WHITE and r1 > 1:
            break
        if kind != Wine.WHITE and (g.crush[seat, Colour.RED, r1 - 1] == 0 or (red1 > 0 and r1 != red1)):
            continue
        for r2 in range(1, N_VALUES + 1):
            if kind != Wine.SPARKLING and r2 > 1:
                break
            if kind == Wine.SPARKLING and (
                r2 <= r1 or g.crush[seat, Colour.RED, r2 - 1] == 0 or (red2 > 0 and r2 != red2)
            ):
                continue
            for w in range(1, N_VALUES + 1):
                if kind == Wine.RED and w > 1:
                    break
                if kind != Wine.RED and (g.crush[seat, Colour.WHITE, w - 1] == 0 or (white > 0 and w != white)):
                    continue
                a = r1 if kind != Wine.WHITE else 0
                b = r2 if kind == Wine.SPARKLING else 0
                c = w if kind != Wine.RED else 0
                value = a + b + c
                if value < WINE_LEAST[kind]:
                    continue
                if not has_room(g, seat, kind, value, settings):
                    continue
                slot = wine_slot(g, seat, kind, value, settings)
                if more == 0 and goals == 0:
                    return True
                put_wine(g, seat, kind, a, b, c, slot, 0)
                works = more == 0 and goals_met(g, seat, goals)
                if not works and left > 1:
                    for other in range(len(WINE_LEAST)):
                        works = works or try_making(
                            g, seat, other, FREE_PICK, FREE_PICK, FREE_PICK, settings, max(0, more - 1), goals, left - 1
                        )
                put_wine(g, seat, kind, a, b, c, slot, 1)
                if works:
                    return True
    return False


@jit
def making_leaves(g, seat, up_to, no_cellars_needed, goals):
    for kind in range(len(WINE_LEAST)):
        if try_making(g, seat, kind, FREE_PICK, FREE_PICK, FREE_PICK, no_cellars_needed, 0, goals, up_to):
            return True
    return False


@jit
def can_make_three(g, seat):
    """Whether one wine beyond the two of the action can be made."""
    for kind in range(len(WINE_LEAST)):
        if try_making(g, seat, kind, FREE_PICK, FREE_PICK, FREE_PICK, 0, WINES_PER_ACTION, 0, WINES_PER_ACTION + 1):
            return True
    return False


@jit
def try_filling(g, seat, order, icon, last_value, goals):
    """Whether wines for all icons from `icon` on can be found so that a goal is met afterwards.

    Same types get strictly falling values, so that each set of wines is reached one way.
    """
    if icon == ORDER_ICONS[order]:
        return goals_met(g, seat, goals)
    kind = int(ORDER_TYPE[order, icon])
    same = icon > 0 and ORDER_TYPE[order, icon - 1] == kind
    for value in range(int(ORDER_LEAST[order, icon]), N_VALUES + 1):
        if g.cellar[seat, kind, value - 1] == 0 or (same and value >= last_value):
            continue
        g.cellar[seat, kind, value - 1] = 0
        works = try_filling(g, seat, order, icon + 1, value, goals)
        g.cellar[seat, kind, value - 1] = 1
        if works:
            return True
    return False


@jit
def may_fill(g, seat, order, goals):
    """Whether an order can be filled, leaving what must follow."""
    if not order_fits(g, seat, order):
        return False
    return goals == 0 or try_filling(g, seat, order, 0, 0, goals)


@jit
def try_giving(g, seat, order, icon, last_value, value, goals):
    """Whether this wine may be given for an icon, so that the rest can still be filled."""
    kind = int(ORDER_TYPE[order, icon])
    if g.cellar[seat, kind, value - 1] == 0 or value < ORDER_LEAST[order, icon]:
        return False
    if icon > 0 and ORDER_TYPE[order, icon - 1] == kind and value >= last_value:
        return False
    g.cellar[seat, kind, value - 1] = 0
    works = try_filling(g, seat, order, icon + 1, value, goals)
    g.cellar[seat, kind, value - 1] = 1
    return works


@jit
def filling_leaves(g, seat, goals):
    for kind in range(FIRST_ORDER, FIRST_SUMMER):
        if g.hand[seat, kind] > 0 and may_fill(g, seat, kind - FIRST_ORDER, goals):
            return True
    return False


@jit
def try_ageing(g, seat, kind, value, goals):
    """Whether a wine can age by a step and a goal is met afterwards."""
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
    for kind in range(len(WINE_LEAST)):
        for value in range(1, N_VALUES + 1):
            if g.cellar[seat, kind, value - 1] == 1 and try_ageing(g, seat, kind, value, goals):
                return True
    return False
