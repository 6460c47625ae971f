"""Counts and conditions of card parts: `per`, `when` and `needs`."""

from vitienv.core.compiling.jit import jit
from vitienv.core.text_utils import count, listed
from vitienv.viticulture.cards import VINE_TOTAL
from vitienv.viticulture.cards.parts import Condition, Fact, PartOp
from vitienv.viticulture.derived import (
    fields_with_vines,
    fields_without_vines,
    n_structures,
    n_workers,
    planted_vines,
    structure_cost,
    vines_of_kinds,
)
from vitienv.viticulture.enums import N_FIELDS, N_STRUCTURES
from vitienv.viticulture.ops.draw import hand_size
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import highest_wine

FULL_STAFF = 6
BY_COST = 4


@jit
def count_fact(g, seat, fact):
    """Return the count of a `per` part."""
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
        for opponent in range(int(g.rules[Rule.NUM_PLAYERS])):
            if opponent != seat and n_workers(g, opponent) >= FULL_STAFF:
                total += 1
    return total


@jit
def count_condition(g, seat, condition, result):
    """Return how often a `when` part pays. result: of the preceding part."""
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
        for holder in range(int(g.rules[Rule.NUM_PLAYERS])):
            if highest_wine(g, holder) >= result:
                return 0
        return 1
    return count_planting(g, seat, condition, result)


@jit
def count_planting(g, seat, condition, result):
    """Return the conditions about the planted vine. result: its variety and field."""
    if result == 0:
        return 0
    vine, field = (result - 1) // N_FIELDS, (result - 1) % N_FIELDS
    if condition == Condition.PLANTED_TOTAL_4:
        return 1 if VINE_TOTAL[vine] == 4 else 0
    return 1 if vines_of_kinds(g, seat, field) >= 3 else 0


@jit
def pay_for(g, seat, fact, lira, vp):
    """Give lira and points for each counted item."""
    n = count_fact(g, seat, fact)
    gain_lira(g, seat, n * lira)
    gain_vp(g, seat, n * vp)


# Sentences of facts and conditions.
COUNTED = {
    Fact.EMPTY_FIELDS: "for each field you own that has no vines",
    Fact.PLANTED_FIELDS: "for each field that has vines",
    Fact.STRUCTURES_OF_COST_4: f"for each of your structures that costs {BY_COST} lira",
    Fact.OPPONENTS_WITH_SIX_WORKERS: f"for each opponent who has {FULL_STAFF} workers",
    Fact.HAND_CARDS: "for each card in your hand",
}
CONDITIONS = {
    Condition.BUILT_COST_5_OR_6: "if it costs 5 or 6 lira without the discount",
    Condition.PLANTED_TOTAL_4: "if the vine's values add up to 4",
    Condition.SIX_VINES_PLANTED: "if you then have 6 vines planted",
    Condition.THREE_VARIETIES_ON_FIELD: "if that field then has 3 different vines",
    Condition.THREE_HARVESTED: "if you harvest 3 fields",
    Condition.SIX_STRUCTURES: "if you then have 6 structures",
    Condition.EACH_SPARKLING: "for each sparkling wine you make",
    Condition.EACH_TYPE: "for each type of wine you make",
    Condition.MOST_VALUABLE_WINE: "if no opponent has a wine of that value or more",
    Condition.SIX_WORKERS: f"with {FULL_STAFF} workers",
}


def says_per(fact: int, lira: int, vp: int) -> str:
    """Return the sentence of a part."""
    gains = [f"receive {lira} lira" if lira else "", f"score {count(vp, 'point')}" if vp else ""]
    return f"{listed(gains)} {COUNTED[Fact(fact)]}"


part(
    PartOp.PER,
    needs=NOTHING,
    does=lambda g, seat, a, b, c, result: pay_for(g, seat, a, b, c),
    worth=BY_LOOKAHEAD,
    says=says_per,
)
part(
    PartOp.WHEN,
    needs=NOTHING,
    does=lambda g, seat, a, b, c, result: gain_vp(g, seat, b * count_condition(g, seat, a, result)),
    worth=BY_LOOKAHEAD,
    says=lambda condition, vp, c: f"score {count(vp, 'point')} {CONDITIONS[Condition(condition)]}",
)
part(
    PartOp.NEEDS,
    needs=lambda g, seat, a, b, c: count_condition(g, seat, a, 0) > 0,
    does=lambda g, seat, a, b, c, result: None,
    worth=BY_LOOKAHEAD,
    says=lambda condition, b, c: CONDITIONS[Condition(condition)],
)
