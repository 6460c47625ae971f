"""What parts of cards count and ask for: `per`, `when` and `needs`."""

from vitienv.core.jit import jit
from vitienv.viticulture.cards import VINE_TOTAL
from vitienv.viticulture.cards.parts import Condition, Fact, PartOp
from vitienv.viticulture.facts import (
    fields_with_vines,
    fields_without_vines,
    n_structures,
    n_workers,
    planted_vines,
    structure_cost,
    vines_of_kinds,
)
from vitienv.viticulture.names import N_FIELDS, N_STRUCTURES
from vitienv.viticulture.ops.draw import hand_size
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.parts import IMAGINED, NOTHING, part
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import highest_wine

FULL_STAFF = 6
BY_COST = 4


@jit
def count_fact(g, seat, fact):
    """The number that a `per` part pays for."""
    if fact == Fact.EMPTY_FIELDS:
        return fields_without_vines(g, seat)
    if fact == Fact.PLANTED_FIELDS:
        return fields_with_vines(g, seat)
    if fact == Fact.HAND_CARDS:
        return hand_size(g, seat)
    total = 0
    if fact == Fact.STRUCTURES_OF_COST_4:
        for structure in range(N_STRUCTURES):
            if structure_cost(g, structure) == BY_COST:
                total += int(g.structures[seat, structure])
    else:
        for other in range(int(g.rules[Rule.NUM_PLAYERS])):
            if other != seat and n_workers(g, other) >= FULL_STAFF:
                total += 1
    return total


@jit
def count_condition(g, seat, condition, result):
    """How often a `when` part pays; `result` is what the part before handed on."""
    if condition == Condition.BUILT_COST_5_OR_6:
        return 1 if 5 <= structure_cost(g, result) <= 6 else 0
    if condition == Condition.SIX_VINES_PLANTED:
        return 1 if planted_vines(g, seat) >= 6 else 0
    if condition == Condition.THREE_HARVESTED:
        return 1 if result == 3 else 0
    if condition == Condition.SIX_STRUCTURES:
        return 1 if n_structures(g, seat) >= 6 else 0
    if condition == Condition.SIX_WORKERS:
        return 1 if n_workers(g, seat) >= FULL_STAFF else 0
    if condition == Condition.EACH_SPARKLING:
        return result >> 4
    if condition == Condition.EACH_TYPE:
        return (result & 1) + ((result >> 1) & 1) + ((result >> 2) & 1) + ((result >> 3) & 1)
    if condition == Condition.MOST_VALUABLE_WINE:
        for other in range(int(g.rules[Rule.NUM_PLAYERS])):
            if highest_wine(g, other) >= result:
                return 0
        return 1
    return count_planting(g, seat, condition, result)


@jit
def count_planting(g, seat, condition, result):
    """The conditions about the vine just planted; the result holds its variety and field."""
    if result == 0:
        return 0
    vine, field = (result - 1) // N_FIELDS, (result - 1) % N_FIELDS
    if condition == Condition.PLANTED_TOTAL_4:
        return 1 if VINE_TOTAL[vine] == 4 else 0
    return 1 if vines_of_kinds(g, seat, field) >= 3 else 0


@jit
def pay_for(g, seat, fact, lira, vp):
    """Lira and points for each thing counted."""
    n = count_fact(g, seat, fact)
    gain_lira(g, seat, n * lira)
    gain_vp(g, seat, n * vp)


part(
    PartOp.PER,
    needs=NOTHING,
    does=lambda g, seat, a, b, c, result: pay_for(g, seat, a, b, c),
    worth=IMAGINED,
)
part(
    PartOp.WHEN,
    needs=NOTHING,
    does=lambda g, seat, a, b, c, result: gain_vp(g, seat, b * count_condition(g, seat, a, result)),
    worth=IMAGINED,
)
part(
    PartOp.NEEDS,
    needs=lambda g, seat, a, b, c: count_condition(g, seat, a, 0) > 0,
    does=lambda g, seat, a, b, c, result: None,
    worth=IMAGINED,
)
