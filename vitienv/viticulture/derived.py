"""Counts, prices and capacities derived from the state."""

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import N_VINES, VINE_IRRIGATION, VINE_TOTAL, VINE_TRELLIS
from vitienv.viticulture.cards.parts import NO_PRICE, WAIVE_LIMIT, WAIVE_STRUCTURES
from vitienv.viticulture.enums import N_FIELDS, N_STRUCTURES, Structure, Worker
from vitienv.viticulture.state import Rule


@jit
def structure_cost(g, structure):
    """Return the printed cost of a structure."""
    return int(g.rules[Rule.STRUCTURE_COST + structure])


@jit
def build_price(g, structure, discount, price):
    """Return the flat price if there is one, else the cost minus the discount (ruling 2.7)."""
    if price != NO_PRICE:
        return price
    return max(0, structure_cost(g, structure) - discount)


@jit
def n_structures(g, seat):
    total = 0
    for structure in range(N_STRUCTURES):
        total += int(g.structures[seat, structure])
    return total


@jit
def field_total(g, seat, field):
    """Return the sum of the red and white values of all vines on a field (ruling 7.1)."""
    total = 0
    for vine in range(N_VINES):
        total += int(VINE_TOTAL[vine]) * int(g.vines[seat, field, vine])
    return total


@jit
def field_vines(g, seat, field):
    """Return the number of vine cards on a field."""
    total = 0
    for vine in range(N_VINES):
        total += int(g.vines[seat, field, vine])
    return total


@jit
def planted_vines(g, seat):
    return field_vines(g, seat, 0) + field_vines(g, seat, 1) + field_vines(g, seat, 2)


@jit
def vine_allowed(g, seat, vine, waive):
    """Return whether the structures required by a vine are built or waived."""
    if waive & WAIVE_STRUCTURES:
        return True
    if VINE_TRELLIS[vine] == 1 and g.structures[seat, Structure.TRELLIS] == 0:
        return False
    return VINE_IRRIGATION[vine] == 0 or g.structures[seat, Structure.IRRIGATION] == 1


@jit
def planting_price(g, vine):
    """Return the price of planting a vine: 0 except in World, which replaces this function (W95)."""
    return 0


@jit
def field_capacity(g, field):
    """Return the capacity of a field, which is also its price."""
    return int(g.rules[Rule.FIELD_CAPACITY + field])


@jit
def room_on_field(g, seat, field, waive):
    """Return the free capacity of a field, -1 if it is sold."""
    if g.sold[seat, field] == 1:
        return -1
    if waive & WAIVE_LIMIT:
        return 100
    return field_capacity(g, field) - field_total(g, seat, field)


@jit
def most_room(g, seat, waive):
    return max(
        room_on_field(g, seat, 0, waive), max(room_on_field(g, seat, 1, waive), room_on_field(g, seat, 2, waive))
    )


@jit
def n_workers(g, seat):
    """Return all workers of a seat, including grande, temporary and newly trained ones (rulings, Professor)."""
    regular = int(g.staff[seat, Worker.REGULAR]) + int(g.trained[seat])
    return regular + int(g.staff[seat, Worker.GRANDE]) + int(g.staff[seat, Worker.TEMPORARY])


@jit
def vines_of_kinds(g, seat, field):
    """Return the number of varieties on a field."""
    kinds = 0
    for vine in range(N_VINES):
        if g.vines[seat, field, vine] > 0:
            kinds += 1
    return kinds


@jit
def fields_without_vines(g, seat):
    """Return the number of unsold fields without vines."""
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
