"""Conditions of a position that are tested without changing it."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.board import MIN_WINE_VALUE
from vitienv.viticulture.cards import (
    FIRST_ORDER,
    FIRST_SUMMER,
    N_VINES,
    ORDER_ICONS,
    ORDER_MIN_VALUE,
    ORDER_TYPE,
    VINE_TOTAL,
)
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, NO_PRICE
from vitienv.viticulture.derived import (
    build_price,
    field_capacity,
    field_total,
    field_vines,
    most_room,
    planted_vines,
    vine_allowed,
)
from vitienv.viticulture.enums import (
    N_FIELDS,
    N_STRUCTURES,
    N_VALUES,
    RESIDUAL_MAX,
    VP_FLOOR,
    Colour,
    Deck,
    Season,
    Structure,
    Used,
    Wine,
    Worker,
)
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import can_age, has_room, highest_grape


class Goal(IntConstants):
    """Goals after a part, as a bit mask: at least one must be possible."""

    BUILD = 1
    PLANT = 2
    HARVEST = 4
    MAKE = 8
    FILL = 16
    AGE = 32


@jit
def can_build(g, seat, structure):
    """Return whether a structure is unbuilt; the large cellar requires the medium one (Essential, Structures)."""
    if g.structures[seat, structure] == 1:
        return False
    return structure != Structure.LARGE_CELLAR or g.structures[seat, Structure.MEDIUM_CELLAR] == 1


@jit
def can_pay_build(g, seat, structure, discount, price, allowed, extra_lira):
    if (allowed >> structure) & 1 == 0 or not can_build(g, seat, structure):
        return False
    return build_price(g, structure, discount, price) <= g.lira[seat] + extra_lira


@jit
def can_build_any(g, seat, discount, price, allowed, extra_lira):
    for structure in range(N_STRUCTURES):
        if can_pay_build(g, seat, structure, discount, price, allowed, extra_lira):
            return True
    return False


@jit
def can_plant(g, seat, waive):
    """Return whether some vine in hand can be planted."""
    if g.n_hand[seat, Deck.VINE] == 0:
        return False
    room = most_room(g, seat, waive)
    for vine in range(N_VINES):
        if g.hand[seat, vine] > 0 and VINE_TOTAL[vine] <= room and vine_allowed(g, seat, vine, waive):
            return True
    return False


@jit
def could_plant(g, seat, waive):
    """Return whether a seat might plant, judged by public information: a vine card in hand and a variety that fits."""
    if g.n_hand[seat, Deck.VINE] == 0:
        return False
    room = most_room(g, seat, waive)
    for vine in range(N_VINES):
        if VINE_TOTAL[vine] <= room and vine_allowed(g, seat, vine, waive):
            return True
    return False


@jit
def swap_fits(g, seat, field1, vine1, field2, vine2):
    """Return whether two vines can be exchanged within the limits of both fields (rulings, Landscaper)."""
    if g.vines[seat, field1, vine1] == 0 or g.vines[seat, field2, vine2] == 0:
        return False
    change = int(VINE_TOTAL[vine2]) - int(VINE_TOTAL[vine1])
    if field_total(g, seat, field1) + change > field_capacity(g, field1):
        return False
    return field_total(g, seat, field2) - change <= field_capacity(g, field2)


@jit
def can_swap(g, seat):
    """Return whether two vines on different fields can be exchanged."""
    for field1 in range(N_FIELDS - 1):
        for field2 in range(field1 + 1, N_FIELDS):
            for vine1 in range(N_VINES):
                for vine2 in range(N_VINES):
                    if swap_fits(g, seat, field1, vine1, field2, vine2):
                        return True
    return False


@jit
def can_harvest_field(g, seat, field):
    return g.harvested[seat, field] == 0 and field_vines(g, seat, field) > 0


@jit
def harvestable(g, seat):
    """Return the number of harvestable fields."""
    total = 0
    for field in range(N_FIELDS):
        if can_harvest_field(g, seat, field):
            total += 1
    return total


@jit
def highest_two_reds(g, seat):
    """Return the sum of the two highest red grapes, 0 with fewer than two."""
    first = highest_grape(g, seat, Colour.RED)
    second = first - 1
    while second > 0 and g.crush[seat, Colour.RED, second - 1] == 0:
        second -= 1
    if second <= 0:
        return 0
    return first + second


@jit
def can_make_kind(g, seat, kind, no_cellars_needed):
    # The highest grapes decide, because a higher sum can use every lower slot too.
    red = highest_grape(g, seat, Colour.RED)
    white = highest_grape(g, seat, Colour.WHITE)
    if kind == Wine.SPARKLING:
        red = highest_two_reds(g, seat)
    value = 0
    if kind == Wine.RED:
        value = red
    elif kind == Wine.WHITE:
        value = white
    elif red > 0 and white > 0:
        value = red + white
    if value < MIN_WINE_VALUE[kind]:
        return False
    return has_room(g, seat, kind, value, no_cellars_needed)


@jit
def can_make(g, seat, no_cellars_needed):
    """Return whether some wine can be made."""
    if highest_grape(g, seat, Colour.RED) == 0 and highest_grape(g, seat, Colour.WHITE) == 0:
        return False
    for kind in range(len(MIN_WINE_VALUE)):
        if can_make_kind(g, seat, kind, no_cellars_needed):
            return True
    return False


@jit
def can_buy_grape(g, seat, colour):
    return g.crush[seat, colour, 0] == 0


@jit
def order_fits(g, seat, order):
    """Return whether the cellar has a distinct wine for each icon of an order.

    Icons of a type are in descending order, so the highest wines are compared in that order. Challenge 8 of the
    campaign allows no orders (Essential, Campaign play).
    """
    if g.rules[Rule.ORDERS] == 0:
        return False
    kind = -1
    value = 0
    for icon in range(int(ORDER_ICONS[order])):
        if ORDER_TYPE[order, icon] != kind:
            kind = int(ORDER_TYPE[order, icon])
            value = N_VALUES
        else:
            value -= 1
        while value > 0 and g.cellar[seat, kind, value - 1] == 0:
            value -= 1
        if value < ORDER_MIN_VALUE[order, icon]:
            return False
    return True


@jit
def can_fill(g, seat):
    """Return whether some order in hand can be filled."""
    if g.n_hand[seat, Deck.ORDER] == 0:
        return False
    for kind in range(FIRST_ORDER, FIRST_SUMMER):
        if g.hand[seat, kind] > 0 and order_fits(g, seat, kind - FIRST_ORDER):
            return True
    return False


@jit
def can_age_any(g, seat):
    """Return whether some wine can age by 1."""
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(1, N_VALUES):
            if g.cellar[seat, kind, value - 1] == 1 and can_age(g, seat, kind, value):
                return True
    return False


@jit
def can_train(g, seat, price, extra_lira):
    """Return whether a seat can train a regular worker; the temporary one does not count (rulings 3.12, 1.14)."""
    staff = int(g.staff[seat, Worker.REGULAR]) + int(g.trained[seat])
    return staff < g.rules[Rule.STAFF_MAX] and g.lira[seat] + extra_lira >= price


@jit
def can_sell(g, seat):
    """Return whether a seat can sell a grape or a field, or buy a field back (Essential, Sell at least one grape)."""
    if highest_grape(g, seat, Colour.RED) > 0 or highest_grape(g, seat, Colour.WHITE) > 0:
        return True
    for field in range(N_FIELDS):
        if can_trade_field(g, seat, field):
            return True
    return False


@jit
def can_trade_field(g, seat, field):
    if g.rules[Rule.FIELD_TRADE] == 0:
        return False
    if g.sold[seat, field] == 1:
        return g.lira[seat] >= field_capacity(g, field)
    return field_vines(g, seat, field) == 0


@jit
def can_gain_vp(g, seat, n):
    """Return whether points can change by n; a loss must be possible in full (Essential, Game board setup, note 1)."""
    return g.vp[seat] + n >= VP_FLOOR


@jit
def can_gain_residual(g, seat, n, at_limit_too):
    if n < 0:
        return g.residual[seat] + n >= 0
    return at_limit_too == 1 or g.residual[seat] < RESIDUAL_MAX


@jit
def can_yoke(g, seat):
    """Return whether the yoke can be used, once a year (Essential, Structures, Yoke)."""
    if g.structures[seat, Structure.YOKE] == 0 or g.used[seat, Used.YOKE] == 1:
        return False
    return can_yoke_uproot(g, seat) or can_yoke_harvest(g, seat)


@jit
def can_yoke_uproot(g, seat):
    """Return whether the yoke can uproot; in the original manual only in summer (Original, Structures)."""
    return planted_vines(g, seat) > 0 and (g.rules[Rule.YOKE_BY_SEASON] == 0 or g.season == Season.SUMMER)


@jit
def can_yoke_harvest(g, seat):
    """Return whether the yoke can harvest; in the original manual only in winter."""
    return harvestable(g, seat) > 0 and (g.rules[Rule.YOKE_BY_SEASON] == 0 or g.season == Season.WINTER)


@jit
def goals_met(g, seat, goals):
    """Return whether at least one goal is possible now, or there are none."""
    if goals == 0:
        return True
    if goals & Goal.BUILD and can_build_any(g, seat, 0, NO_PRICE, ALL_STRUCTURES, 0):
        return True
    if goals & Goal.PLANT and can_plant(g, seat, 0):
        return True
    if goals & Goal.HARVEST and harvestable(g, seat) > 0:
        return True
    if goals & Goal.MAKE and can_make(g, seat, 0):
        return True
    if goals & Goal.FILL and can_fill(g, seat):
        return True
    return goals & Goal.AGE != 0 and can_age_any(g, seat)
