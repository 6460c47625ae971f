"""Moves of the game on a simulated position, each with its most valuable choice.

Position `at` is changed; the positions above it are scratch. The functions return the best item, NOTHING (-1) if none
is possible.
"""

from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.maximum import FAR_BELOW, NOTHING, best_of
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import GRAPE_PRICE, MIN_WINE_VALUE
from vitienv.viticulture.cards import (
    FIRST_ORDER,
    FIRST_SUMMER,
    N_VINES,
    ORDER_ICONS,
    ORDER_MIN_VALUE,
    ORDER_RESIDUAL,
    ORDER_TYPE,
    ORDER_VP,
    VINE_TOTAL,
)
from vitienv.viticulture.derived import build_price, room_on_field, vine_allowed
from vitienv.viticulture.enums import (
    N_FIELDS,
    N_STRUCTURES,
    N_VALUES,
    RESIDUAL_MAX,
    Colour,
    Deck,
    Structure,
    Used,
    Wine,
)
from vitienv.viticulture.legality.predicates import can_harvest_field, can_pay_build, order_fits
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import harvest, wine_slot

N_WINES = len(MIN_WINE_VALUE) * N_VALUES  # indexed by kind and value


harvest_best = best_of(
    N_FIELDS,
    can=lambda me, field: can_harvest_field(me, ME, field),
    do=lambda p, flat, at, w, field: harvest(p[at], ME, field),
)


@jit
def put_wine(me, kind, red1, red2, white, no_cellars_needed):
    """Make a wine of grapes (0: none). Returns whether it is possible."""
    value = red1 + red2 + white
    slot = wine_slot(me, ME, kind, value, no_cellars_needed) if value >= MIN_WINE_VALUE[kind] else 0
    if slot == 0:
        return False
    if red1 > 0:
        me.crush[ME, Colour.RED, red1 - 1] = 0
    if red2 > 0:
        me.crush[ME, Colour.RED, red2 - 1] = 0
    if white > 0:
        me.crush[ME, Colour.WHITE, white - 1] = 0
    me.cellar[ME, kind, slot - 1] = 1
    return True


@jit
def has_grape_or_none(me, colour, value):
    return value == 0 or me.crush[ME, colour, value - 1] == 1


@jit
def make_best(p, flat, at, w, no_cellars_needed, kind, red1, red2, white):
    """Make the best wine; -1 for any kind or grape. Returns the value after it, FAR_BELOW if impossible."""
    best, grapes = FAR_BELOW, 0
    for k in range(Wine.SPARKLING + 1):
        if kind >= 0 and k != kind:
            continue
        for a in range(N_VALUES + 1):
            if (
                (a == 0) != (k == Wine.WHITE)
                or (red1 >= 0 and a != red1)
                or not has_grape_or_none(p[at], Colour.RED, a)
            ):
                continue
            for b in range(N_VALUES + 1):
                if (
                    (b == 0) != (k != Wine.SPARKLING)
                    or (red2 >= 0 and b != red2)
                    or not has_grape_or_none(p[at], Colour.RED, b)
                ):
                    continue
                if k == Wine.SPARKLING and b <= a:
                    continue
                for c in range(N_VALUES + 1):
                    if (
                        (c == 0) != (k == Wine.RED)
                        or (white >= 0 and c != white)
                        or not has_grape_or_none(p[at], Colour.WHITE, c)
                    ):
                        continue
                    copy_position(flat, at, at + 1)
                    if put_wine(p[at + 1], k, a, b, c, no_cellars_needed):
                        value = position_value(p, flat, at + 1, w)
                        if value > best:
                            best, grapes = value, ((k * 16 + a) * 16 + b) * 16 + c
    if best > FAR_BELOW:
        put_wine(p[at], grapes // 4096, grapes // 256 % 16, grapes // 16 % 16, grapes % 16, no_cellars_needed)
    return best


@jit
def make_several(p, flat, at, w, times, no_cellars_needed):
    """Make a wine, and further ones while they add value. Returns kinds as bits, and the number of sparkling wines."""
    kinds, sparkling = 0, 0
    before = FAR_BELOW
    for i in range(times):
        copy_position(flat, at, at + 1)
        value = make_best(p, flat, at + 1, w, no_cellars_needed, NOTHING, NOTHING, NOTHING, NOTHING)
        if value == FAR_BELOW or (i > 0 and value <= before):
            break
        for kind in range(Wine.SPARKLING + 1):
            for j in range(N_VALUES):
                if p[at + 1].cellar[ME, kind, j] > p[at].cellar[ME, kind, j]:
                    kinds |= 1 << kind
                    sparkling += 1 if kind == Wine.SPARKLING else 0
        before = value
        copy_position(flat, at + 1, at)
    return kinds, sparkling


@jit
def give_wines(me, order):
    """Fill an order with the lowest sufficient wines."""
    last = 0
    for icon in range(int(ORDER_ICONS[order]) - 1, -1, -1):
        kind = int(ORDER_TYPE[order, icon])
        if icon == ORDER_ICONS[order] - 1 or ORDER_TYPE[order, icon + 1] != kind:
            last = 0
        value = max(last + 1, int(ORDER_MIN_VALUE[order, icon]))
        while value < N_VALUES and me.cellar[ME, kind, value - 1] == 0:
            value += 1
        me.cellar[ME, kind, value - 1] = 0
        last = value
    me.hand[ME, FIRST_ORDER + order] -= 1
    me.n_hand[ME, Deck.ORDER] -= 1
    me.vp[ME] += int(ORDER_VP[order])
    me.residual[ME] = min(RESIDUAL_MAX, me.residual[ME] + int(ORDER_RESIDUAL[order]))


fill_one = best_of(
    FIRST_SUMMER - FIRST_ORDER,
    can=lambda me, order: me.hand[ME, FIRST_ORDER + order] > 0 and order_fits(me, ME, order),
    do=lambda p, flat, at, w, order: give_wines(p[at], order),
)


@jit
def fill_best(p, flat, at, w):
    """Fill the best order and return it."""
    order = fill_one(p, flat, at, w)
    if order >= 0:
        p[at].extra += w.fill_more
    return order


@jit
def put_vine(me, vine, field, w):
    """Plant a vine from hand, with the point of the windmill."""
    me.hand[ME, vine] -= 1
    me.n_hand[ME, Deck.VINE] -= 1
    me.vines[ME, field, vine] += 1
    me.extra += w.plant_more
    if me.structures[ME, Structure.WINDMILL] == 1 and me.used[ME, Used.WINDMILL] == 0:
        me.used[ME, Used.WINDMILL] = 1
        me.vp[ME] += 1


@jit
def can_put_vine(me, at, waive, only):
    """Return whether vine * N_FIELDS + field can be planted. only: variety, or -1 for any."""
    vine, field = at // N_FIELDS, at % N_FIELDS
    if me.hand[ME, vine] == 0 or (only >= 0 and vine != only) or not vine_allowed(me, ME, vine, waive):
        return False
    return VINE_TOTAL[vine] <= room_on_field(me, ME, field, waive)


# Plant the best vine, or only one variety, on the best field; returns vine * N_FIELDS + field.
plant_best = best_of(
    N_VINES * N_FIELDS,
    can=can_put_vine,
    do=lambda p, flat, at, w, vine, waive, only: put_vine(p[at], vine // N_FIELDS, vine % N_FIELDS, w),
    extra=", waive, only",
)


@jit
def put_structure(me, structure, discount, price, w):
    me.lira[ME] -= build_price(me, structure, discount, price)
    me.structures[ME, structure] = 1
    me.extra += w.build_more


# Build the best affordable structure.
build_best = best_of(
    N_STRUCTURES,
    can=lambda me, structure, discount, price, allowed: can_pay_build(me, ME, structure, discount, price, allowed, 0),
    do=lambda p, flat, at, w, structure, discount, price, allowed: put_structure(p[at], structure, discount, price, w),
    extra=", discount, price, allowed",
)


@jit
def train_one(me, price, w):
    """Train a worker. Returns whether it is possible."""
    if me.staff[ME, 0] + me.trained[ME] >= me.rules[Rule.STAFF_MAX] or me.lira[ME] < price:
        return False
    me.lira[ME] -= price
    me.trained[ME] += 1
    me.extra += w.train_more
    return True


@jit
def sell_best(p, flat, at, w):
    """Sell grapes that are worth more as money. Returns their number."""
    sold = 0
    before = position_value(p, flat, at, w)
    for colour in range(2):
        for value in range(1, N_VALUES + 1):
            if p[at].crush[ME, colour, value - 1] == 0:
                continue
            copy_position(flat, at, at + 1)
            sell_grape(p[at + 1], colour, value)
            after = position_value(p, flat, at + 1, w)
            if after > before:
                before = after
                copy_position(flat, at + 1, at)
                sold += 1
    return sold


@jit
def sell_grape(me, colour, value):
    me.crush[ME, colour, value - 1] = 0
    me.lira[ME] += int(GRAPE_PRICE[value - 1])


@jit
def has_grape(me, grape):
    """Return whether the grape colour * N_VALUES + value - 1 exists."""
    return me.crush[ME, grape // N_VALUES, grape % N_VALUES] == 1


@jit
def drop_grape(me, grape):
    me.crush[ME, grape // N_VALUES, grape % N_VALUES] = 0


# Discard the least valuable grape.
lose_grape = best_of(2 * N_VALUES, can=has_grape, do=lambda p, flat, at, w, grape: drop_grape(p[at], grape))


@jit
def has_that_wine(me, wine, min_value):
    """Return whether the wine kind * N_VALUES + value - 1 exists and has the minimum value."""
    return wine % N_VALUES + 1 >= min_value and me.cellar[ME, wine // N_VALUES, wine % N_VALUES] == 1


@jit
def drop_wine(me, wine):
    me.cellar[ME, wine // N_VALUES, wine % N_VALUES] = 0


# Discard the least valuable wine of at least a value.
lose_wine = best_of(
    N_WINES, can=has_that_wine, do=lambda p, flat, at, w, wine, min_value: drop_wine(p[at], wine), extra=", min_value"
)


@jit
def sell_field(me, field, price):
    """Sell an empty field, or buy back a sold one."""
    me.lira[ME] += price * (1 - 2 * me.sold[ME, field])
    me.sold[ME, field] = 1 - me.sold[ME, field]
