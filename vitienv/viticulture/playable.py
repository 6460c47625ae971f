"""Which visitor cards can be played: some branch fully resolvable, parts in any order (Essential, Summer and
winter visitor cards).

Parts within a branch are independent, but for the few that the rows mark with `in_any_order` and the second of
two different options; there the first part must leave a goal possible, and that is tried on the game itself.
"""

import numpy as np

from vitienv.core.jit import jit
from vitienv.viticulture.cards import (
    DECK_OF_KIND,
    FIRST_ORDER,
    FIRST_SUMMER,
    KIND,
    MODE,
    N_BRANCHES,
    PARTS,
    VINE_TOTAL,
)
from vitienv.viticulture.cards.parts import MAX_BRANCHES, MAX_PARTS, Condition, Fact, Mode, Op, Reward
from vitienv.viticulture.facts import (
    GOAL_AGE,
    GOAL_BUILD,
    GOAL_FILL,
    GOAL_HARVEST,
    GOAL_MAKE,
    GOAL_PLANT,
    can_age_any,
    can_build_any,
    can_fill,
    can_harvest_field,
    can_make,
    can_pay_build,
    can_plant,
    can_train,
    goals_met,
    harvestable,
    n_structures,
    n_workers,
    planted_vines,
    structure_cost,
)
from vitienv.viticulture.names import (
    N_FIELDS,
    N_STRUCTURES,
    N_VALUES,
    RED,
    RESIDUAL_MAX,
    SUMMER,
    WHITE,
)
from vitienv.viticulture.ops.cards import cards_in, n_piles
from vitienv.viticulture.ops.cellar import FREE_PICK, ageing_allows, can_buy_grape, making_works, may_fill
from vitienv.viticulture.ops.draw import hand_size
from vitienv.viticulture.ops.money import can_gain_vp
from vitienv.viticulture.ops.opponents import WEDDING_LIRA, can_offer, can_queen
from vitienv.viticulture.ops.planning import can_plan
from vitienv.viticulture.ops.vineyard import (
    can_swap,
    enables_planting,
    fields_with_vines,
    fields_without_vines,
    harvest_allows,
    vines_of_kinds,
)
from vitienv.viticulture.ops.workers import has_opponents, n_placed
from vitienv.viticulture.state import NUM_PLAYERS
from vitienv.viticulture.tokens import has_grape, has_wine, highest_wine

(
    _,
    OP_LIRA,
    OP_POINTS,
    OP_RESIDUAL,
    OP_DRAW,
    OP_BUILD,
    OP_PLANT,
    OP_HARVEST,
    OP_MAKE,
    OP_FILL,
    OP_TRAIN,
    OP_UPROOT,
    OP_DISCARD,
    OP_DISCARD_HAND,
    OP_DISCARD_GRAPE,
    OP_DISCARD_WINE,
    OP_AGE_ALL,
    OP_AGE_ONE,
    OP_BUY_GRAPE,
    OP_BUY_GRAPE_PAIR,
    OP_PER,
    OP_WHEN,
    OP_SWAP_VINES,
    OP_EACH_MAY,
    OP_CHOOSE_OPPONENTS,
    OP_IN_ANY_ORDER,
    OP_IMPORT,
    OP_PLAN,
    OP_RETRIEVE,
    OP_MOVE_ROOSTER,
    OP_MANAGE,
    OP_INNKEEPER,
    OP_CARAVAN,
    OP_QUEEN,
    OP_NEEDS,
) = (int(op) for op in Op)
MODE_ALL, MODE_ONE, MODE_BOTH, MODE_TWO, MODE_BY_SIGN = (int(mode) for mode in Mode)
(
    EMPTY_FIELDS,
    PLANTED_FIELDS,
    STRUCTURES_OF_COST_4,
    OPPONENTS_WITH_SIX_WORKERS,
    HAND_CARDS,
) = (int(fact) for fact in Fact)
(
    BUILT_COST_5_OR_6,
    PLANTED_TOTAL_4,
    SIX_VINES_PLANTED,
    THREE_VARIETIES_ON_FIELD,
    THREE_HARVESTED,
    SIX_STRUCTURES,
    EACH_SPARKLING,
    EACH_TYPE,
    MOST_VALUABLE_WINE,
    SIX_WORKERS,
) = (int(condition) for condition in Condition)
PAY_TWO_LIRA = int(Reward.PAY_TWO_LIRA)
MANAGER = KIND["winter:manager"]
FULL_STAFF = 6
BY_COST = 4

_GOAL_OF_OP = {
    Op.BUILD: GOAL_BUILD,
    Op.PLANT: GOAL_PLANT,
    Op.HARVEST: GOAL_HARVEST,
    Op.MAKE: GOAL_MAKE,
    Op.FILL: GOAL_FILL,
    Op.AGE_ONE: GOAL_AGE,
}
# What a branch needs to be possible, as a goal; 0 if it is always possible.
GOAL_OF_BRANCH = np.zeros((len(PARTS), MAX_BRANCHES), np.int64)
for _card in range(len(PARTS)):
    for _branch in range(MAX_BRANCHES):
        GOAL_OF_BRANCH[_card, _branch] = _GOAL_OF_OP.get(Op(int(PARTS[_card, _branch, 0, 0])), 0)


@jit
def count_fact(g, seat, fact):
    """The number that a `per` part pays for."""
    if fact == EMPTY_FIELDS:
        return fields_without_vines(g, seat)
    if fact == PLANTED_FIELDS:
        return fields_with_vines(g, seat)
    if fact == HAND_CARDS:
        return hand_size(g, seat)
    total = 0
    if fact == STRUCTURES_OF_COST_4:
        for structure in range(N_STRUCTURES):
            if structure_cost(g, structure) == BY_COST:
                total += int(g.structures[seat, structure])
    else:
        for other in range(int(g.rules[NUM_PLAYERS])):
            if other != seat and n_workers(g, other) >= FULL_STAFF:
                total += 1
    return total


@jit
def count_condition(g, seat, condition, result):
    """How often a `when` part pays; `result` is what the part before handed on."""
    if condition == BUILT_COST_5_OR_6:
        return 1 if 5 <= structure_cost(g, result) <= 6 else 0
    if condition == SIX_VINES_PLANTED:
        return 1 if planted_vines(g, seat) >= 6 else 0
    if condition == THREE_HARVESTED:
        return 1 if result == 3 else 0
    if condition == SIX_STRUCTURES:
        return 1 if n_structures(g, seat) >= 6 else 0
    if condition == SIX_WORKERS:
        return 1 if n_workers(g, seat) >= FULL_STAFF else 0
    if condition == EACH_SPARKLING:
        return result >> 4
    if condition == EACH_TYPE:
        return (result & 1) + ((result >> 1) & 1) + ((result >> 2) & 1) + ((result >> 3) & 1)
    if condition == MOST_VALUABLE_WINE:
        for other in range(int(g.rules[NUM_PLAYERS])):
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
    if condition == PLANTED_TOTAL_4:
        return 1 if VINE_TOTAL[vine] == 4 else 0
    return 1 if vines_of_kinds(g, seat, field) >= 3 else 0


@jit
def part_possible(g, seat, op, a, b, c):
    """Whether one part can be carried out now. The Manager is judged elsewhere."""
    if op == OP_LIRA:
        return g.lira[seat] + a >= 0
    if op == OP_POINTS:
        return can_gain_vp(g, seat, a)
    if op == OP_RESIDUAL:
        if a < 0:
            return g.residual[seat] + a >= 0
        return b == 1 or g.residual[seat] < RESIDUAL_MAX
    if op == OP_BUILD:
        return can_build_any(g, seat, a, b, c, 0)
    if op == OP_PLANT:
        return c == 1 or can_plant(g, seat, b)
    if op == OP_HARVEST:
        return harvestable(g, seat) > 0
    if op == OP_MAKE:
        return can_make(g, seat, b)
    if op == OP_FILL:
        return can_fill(g, seat)
    if op == OP_TRAIN:
        return can_train(g, seat, a, 0)
    if op == OP_UPROOT:
        return planted_vines(g, seat) >= a
    if op == OP_DISCARD:
        return cards_in(g, seat, b) >= a
    if op == OP_DISCARD_HAND:
        return hand_size(g, seat) > 0
    if op == OP_DISCARD_GRAPE:
        return has_grape(g, seat)
    if op == OP_DISCARD_WINE:
        return has_wine(g, seat, a)
    if op == OP_AGE_ALL:
        return has_wine(g, seat, 1)
    if op == OP_AGE_ONE:
        return can_age_any(g, seat)
    if op == OP_BUY_GRAPE:
        return can_buy_grape(g, seat, RED) or can_buy_grape(g, seat, WHITE)
    if op == OP_BUY_GRAPE_PAIR:
        return can_buy_grape(g, seat, RED) and can_buy_grape(g, seat, WHITE)
    if op == OP_NEEDS:
        return count_condition(g, seat, a, 0) > 0
    return table_part_possible(g, seat, op, a)


@jit
def table_part_possible(g, seat, op, a):
    """The parts that look beyond the own mat."""
    if op == OP_SWAP_VINES:
        return can_swap(g, seat)
    if op == OP_EACH_MAY:
        return can_offer(g, seat, a)
    if op == OP_CHOOSE_OPPONENTS:
        return has_opponents(g) and (a != PAY_TWO_LIRA or g.lira[seat] >= WEDDING_LIRA)
    if op == OP_PLAN:
        return g.season == SUMMER and can_plan(g, seat)
    if op == OP_RETRIEVE:
        return n_placed(g, seat, int(g.turn_place)) > 0
    if op == OP_INNKEEPER:
        return n_piles(g) >= 2
    if op == OP_QUEEN:
        return can_queen(g, seat)
    return True


@jit
def part_leaves(g, seat, op, a, b, c, goals):
    """Whether a part can be carried out so that one of the goals is possible afterwards."""
    if op == OP_BUILD:
        for structure in range(N_STRUCTURES):
            if can_pay_build(g, seat, structure, a, b, c, 0) and enables_planting(g, seat, structure):
                return True
        return False
    if op == OP_HARVEST:
        for field in range(N_FIELDS):
            if can_harvest_field(g, seat, field) and harvest_allows(g, seat, field, goals):
                return True
        return False
    if op == OP_MAKE:
        for kind in range(4):
            if making_works(g, seat, kind, FREE_PICK, FREE_PICK, FREE_PICK, b, 0, goals, a):
                return True
        return False
    if op == OP_FILL:
        for kind in range(FIRST_ORDER, FIRST_SUMMER):
            if g.hand[seat, kind] > 0 and may_fill(g, seat, kind - FIRST_ORDER, goals):
                return True
        return False
    if op == OP_AGE_ONE:
        for kind in range(4):
            for value in range(1, N_VALUES + 1):
                if g.cellar[seat, kind, value - 1] == 1 and ageing_allows(g, seat, kind, value, goals):
                    return True
        return False
    # Other parts (points, planting) make none of the goals possible that is not possible already.
    return part_possible(g, seat, op, a, b, c) and goals_met(g, seat, goals)


@jit
def pressing_goals(g, seat, op, goals):
    """The goals that a part must be chosen for: none if one is met already and the part cannot spoil it.

    Only filling an order can: it takes the wine that was to age.
    """
    if goals == 0 or ((op != OP_FILL or goals & GOAL_AGE == 0) and goals_met(g, seat, goals)):
        return 0
    return goals


@jit
def half_possible(g, seat, card, first, second):
    """Whether branch `first` can be carried out and then branch `second`."""
    op, a, b, c = PARTS[card, first, 0, 0], PARTS[card, first, 0, 1], PARTS[card, first, 0, 2], PARTS[card, first, 0, 3]
    if not part_possible(g, seat, op, a, b, c):
        return False
    goals = pressing_goals(g, seat, op, GOAL_OF_BRANCH[card, second])
    return goals == 0 or part_leaves(g, seat, op, a, b, c, goals)


@jit
def branch_possible(g, seat, card, branch):
    """Whether every part of a branch can be carried out."""
    buildings = 0
    for i in range(MAX_PARTS):
        op, a = PARTS[card, branch, i, 0], PARTS[card, branch, i, 1]
        b, c = PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
        if op == OP_IN_ANY_ORDER:
            first = N_BRANCHES[card]
            if not (half_possible(g, seat, card, first, first + 1) or half_possible(g, seat, card, first + 1, first)):
                return False
        elif not part_possible(g, seat, op, a, b, c):
            return False
        if op == OP_BUILD:
            buildings += 1
    # Two buildings in a row (Stonemason) need two unbuilt ones; a large cellar may follow the medium one.
    return buildings < 2 or N_STRUCTURES - n_structures(g, seat) >= buildings


@jit
def goals_after(card, branch):
    """What must be possible after the first of two different branches: 0 if some other one always is."""
    goals = 0
    for other in range(N_BRANCHES[card]):
        if other != branch:
            if GOAL_OF_BRANCH[card, other] == 0:
                return 0
            goals |= GOAL_OF_BRANCH[card, other]
    return goals


@jit
def first_possible(g, seat, card, branch):
    """Whether a branch can be the first of two different ones."""
    op, a = PARTS[card, branch, 0, 0], PARTS[card, branch, 0, 1]
    b, c = PARTS[card, branch, 0, 2], PARTS[card, branch, 0, 3]
    if not branch_possible(g, seat, card, branch):
        return False
    goals = pressing_goals(g, seat, op, goals_after(card, branch))
    return goals == 0 or part_leaves(g, seat, op, a, b, c, goals)


@jit
def card_possible(g, seat, card):
    """Whether a visitor (by row) can be resolved; it is out of hand already."""
    mode = MODE[card]
    if mode == MODE_BY_SIGN:
        return True
    for branch in range(N_BRANCHES[card]):
        if mode == MODE_TWO:
            if first_possible(g, seat, card, branch):
                return True
        elif branch_possible(g, seat, card, branch):
            return True
    return False


@jit
def playable_in_hand(g, seat, kind):
    """Whether a visitor other than the Manager can be played from hand; it does not count for itself (ruling 3.6)."""
    deck = DECK_OF_KIND[kind]
    g.hand[seat, kind] -= 1
    g.n_hand[seat, deck] -= 1
    possible = card_possible(g, seat, kind - FIRST_SUMMER)
    g.hand[seat, kind] += 1
    g.n_hand[seat, deck] += 1
    return possible


@jit
def any_playable(g, seat, first, last):
    """Whether some visitor of kinds first..last - 1 but the Manager can be played."""
    for kind in range(first, last):
        if g.hand[seat, kind] > 0 and kind != MANAGER and playable_in_hand(g, seat, kind):
            return True
    return False
