"""Grape and wine tokens: placement and ageing (Essential, Harvesting fields, Making wine, Year end)."""

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import LARGE_TIER, MEDIUM_TIER, MIN_WINE_VALUE, ZYMOLOGIST_MIN_VALUE
from vitienv.viticulture.cards import N_VINES, VINE_RED, VINE_WHITE
from vitienv.viticulture.enums import N_VALUES, Colour, Structure
from vitienv.viticulture.state import Rule


@jit
def place_grape(g, seat, colour, value):
    """Put a grape on the highest free slot up to its value; return the value of the slot, 0 if it is lost.

    A sum above 9 counts as 9 (rulings 7.7, 7.8).
    """
    slot = min(value, N_VALUES)
    while slot > 0 and g.crush[seat, colour, slot - 1] == 1:
        slot -= 1
    if slot > 0:
        g.crush[seat, colour, slot - 1] = 1
    return slot


@jit
def is_open(g, seat, value):
    """Return whether the cellar has slots of this value (Essential, Making wine, note 2)."""
    if value >= LARGE_TIER:
        return g.structures[seat, Structure.LARGE_CELLAR] == 1
    if value >= MEDIUM_TIER:
        return g.structures[seat, Structure.MEDIUM_CELLAR] == 1
    return True


@jit
def wine_slot(g, seat, kind, value, no_cellars_needed):
    """Return the highest free slot up to `value` for a wine, 0 if it cannot be made.

    Blush requires a sum of 4, sparkling of 7 (Essential, glossary, Make wine). The Zymologist ignores missing cellars
    and requires a slot of at least 4.
    """
    min_value = int(MIN_WINE_VALUE[kind])
    if no_cellars_needed == 1:
        min_value = max(min_value, ZYMOLOGIST_MIN_VALUE)
    slot = min(value, N_VALUES)
    while slot >= min_value:
        if g.cellar[seat, kind, slot - 1] == 0 and (no_cellars_needed == 1 or is_open(g, seat, slot)):
            return slot
        slot -= 1
    return 0


@jit
def has_room(g, seat, kind, value, no_cellars_needed):
    """Return whether a wine of this value can be made, in some editions without a slot (Original, Devaluing).

    Blush and sparkling require their cellars in any case.
    """
    if wine_slot(g, seat, kind, value, no_cellars_needed) > 0:
        return True
    return g.rules[Rule.WINE_CAN_BE_LOST] == 1 and is_open(g, seat, int(MIN_WINE_VALUE[kind]))


@jit
def can_age(g, seat, kind, value):
    """Return whether a wine can age: not past 9, onto another, or into a missing cellar (ruling 7.14)."""
    if value >= N_VALUES or g.cellar[seat, kind, value] == 1:
        return False
    if value + 1 == MEDIUM_TIER:
        return g.structures[seat, Structure.MEDIUM_CELLAR] == 1
    if value + 1 == LARGE_TIER:
        return g.structures[seat, Structure.LARGE_CELLAR] == 1
    return True


@jit
def age_wine(g, seat, kind, value):
    g.cellar[seat, kind, value - 1] = 0
    g.cellar[seat, kind, value] = 1


@jit
def age_wines(g, seat):
    """Age all wines, highest first so that a sequence moves together."""
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(N_VALUES - 1, 0, -1):
            if g.cellar[seat, kind, value - 1] == 1 and can_age(g, seat, kind, value):
                age_wine(g, seat, kind, value)


@jit
def age_grapes(g, seat):
    for colour in range(2):
        for value in range(N_VALUES - 1, 0, -1):
            if g.crush[seat, colour, value - 1] == 1 and g.crush[seat, colour, value] == 0:
                g.crush[seat, colour, value - 1] = 0
                g.crush[seat, colour, value] = 1


@jit
def highest_grape(g, seat, colour):
    """Return the highest grape of a colour, 0 without one."""
    value = N_VALUES
    while value > 0 and g.crush[seat, colour, value - 1] == 0:
        value -= 1
    return value


@jit
def wine_value(g, seat):
    """Return the sum of all wine values."""
    total = 0
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(1, N_VALUES + 1):
            total += value * int(g.cellar[seat, kind, value - 1])
    return total


@jit
def grape_value(g, seat):
    """Return the sum of all grape values."""
    total = 0
    for value in range(1, N_VALUES + 1):
        total += value * (int(g.crush[seat, 0, value - 1]) + int(g.crush[seat, 1, value - 1]))
    return total


@jit
def has_wine(g, seat, min_value):
    """Return whether the cellar has a wine of at least this value."""
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(min_value, N_VALUES + 1):
            if g.cellar[seat, kind, value - 1] == 1:
                return True
    return False


@jit
def has_grape(g, seat):
    return highest_grape(g, seat, 0) > 0 or highest_grape(g, seat, 1) > 0


@jit
def highest_wine(g, seat):
    """Return the highest value of a wine in the cellar, 0 without one."""
    best = 0
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(best + 1, N_VALUES + 1):
            if g.cellar[seat, kind, value - 1] == 1:
                best = value
    return best


@jit
def harvest(g, seat, field):
    """Harvest a field: each colour adds up to one grape (Essential, Harvesting fields). Returns both slots."""
    red, white = 0, 0
    for vine in range(N_VINES):
        red += int(VINE_RED[vine]) * int(g.vines[seat, field, vine])
        white += int(VINE_WHITE[vine]) * int(g.vines[seat, field, vine])
    g.harvested[seat, field] = 1
    red_slot = place_grape(g, seat, Colour.RED, red)
    return red_slot, place_grape(g, seat, Colour.WHITE, white)


@jit
def put_wine(g, seat, kind, red1, red2, white, slot, undo):
    """Turn grapes (0: none) into a wine at `slot` (0: it is lost), or undo that."""
    if red1 > 0:
        g.crush[seat, Colour.RED, red1 - 1] = undo
    if red2 > 0:
        g.crush[seat, Colour.RED, red2 - 1] = undo
    if white > 0:
        g.crush[seat, Colour.WHITE, white - 1] = undo
    if slot > 0:
        g.cellar[seat, kind, slot - 1] = 1 - undo
