"""Legality of visitor cards: some branch must be possible in full (Essential, Summer and winter visitor cards).

Parts of a branch are independent, except those that rows mark with `in_any_order`, and the second of two different
options. There the first part must leave a goal possible, which is tested by make and unmake.
"""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import push
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_OF_DECK, FIRST_SUMMER, MODE, N_BRANCHES, PARTS
from vitienv.viticulture.cards.parts import MAX_BRANCHES, MAX_PARTS, Mode, PartOp
from vitienv.viticulture.derived import n_structures
from vitienv.viticulture.enums import N_STRUCTURES
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.legality.predicates import Goal, goals_met
from vitienv.viticulture.ops import (  # noqa: F401
    cards,
    cellar,
    counting,
    draw,
    harvest,
    importer,
    money,
    offers,
    orders,
    planning,
    vineyard,
    workers,
)
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, ROWS, part

part(
    PartOp.IN_ANY_ORDER,
    needs=NOTHING,  # `branch_possible` tests both orders of the halves
    asks=lambda g, seat, a, b, c: push(g, FrameOp.ORDER, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "",
)
ROWS.check()
part_possible = ROWS.dispatch("needs", otherwise="True")  # NOTHING is needed
GOAL_OF_PART = ROWS.table(lambda row: row.goal)
# Goal that makes a branch possible; 0 if it is always possible.
GOAL_OF_BRANCH = GOAL_OF_PART[PARTS[:, :MAX_BRANCHES, 0, 0]]
LEAVES_SOME = ROWS.table(lambda row: row.leaves is not None)
part_makes_possible = ROWS.dispatch("leaves", ", goals", otherwise="False")


@jit
def part_leaves(op, g, seat, a, b, c, goals):
    """Return whether a part can be resolved so that a goal is possible afterwards.

    Parts without `leaves` (points) make no further goal possible.
    """
    if LEAVES_SOME[op] == 1:
        return part_makes_possible(op, g, seat, a, b, c, goals)
    return part_possible(op, g, seat, a, b, c) and goals_met(g, seat, goals)


@jit
def may_spoil(g, op, goals):
    """Return whether a part can make a goal impossible: an order can take the wine that should age.

    World replaces this function, because planting can cost the lira for building (W95).
    """
    return op == PartOp.FILL and goals & Goal.AGE != 0


@jit
def binding_goals(g, seat, op, goals):
    """Return the goals that restrict a part: none if one is possible already and the part cannot spoil it."""
    if goals == 0 or (not may_spoil(g, op, goals) and goals_met(g, seat, goals)):
        return 0
    return goals


@jit
def half_possible(g, seat, card, first, second):
    """Return whether branch `first` and then branch `second` are possible."""
    op, a, b, c = PARTS[card, first, 0, 0], PARTS[card, first, 0, 1], PARTS[card, first, 0, 2], PARTS[card, first, 0, 3]
    if not part_possible(op, g, seat, a, b, c):
        return False
    goals = binding_goals(g, seat, op, GOAL_OF_BRANCH[card, second])
    return goals == 0 or part_leaves(op, g, seat, a, b, c, goals)


@jit
def branch_possible(g, seat, card, branch):
    """Return whether every part of a branch is possible."""
    buildings = 0
    for i in range(MAX_PARTS):
        op, a = PARTS[card, branch, i, 0], PARTS[card, branch, i, 1]
        b, c = PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
        if op == PartOp.IN_ANY_ORDER:
            first = N_BRANCHES[card]
            if not (half_possible(g, seat, card, first, first + 1) or half_possible(g, seat, card, first + 1, first)):
                return False
        elif not part_possible(op, g, seat, a, b, c):
            return False
        if op == PartOp.BUILD:
            buildings += 1
    # Two buildings in a row (Stonemason) require two unbuilt ones; the large cellar may follow the medium one.
    return buildings < 2 or N_STRUCTURES - n_structures(g, seat) >= buildings


@jit
def goals_after(card, branch):
    """Return the goals after the first of two different branches, 0 if some other branch is always possible."""
    goals = 0
    for second in range(N_BRANCHES[card]):
        if second != branch:
            if GOAL_OF_BRANCH[card, second] == 0:
                return 0
            goals |= GOAL_OF_BRANCH[card, second]
    return goals


@jit
def first_possible(g, seat, card, branch):
    """Return whether a branch can be the first of two different ones."""
    op, a = PARTS[card, branch, 0, 0], PARTS[card, branch, 0, 1]
    b, c = PARTS[card, branch, 0, 2], PARTS[card, branch, 0, 3]
    if not branch_possible(g, seat, card, branch):
        return False
    goals = binding_goals(g, seat, op, goals_after(card, branch))
    return goals == 0 or part_leaves(op, g, seat, a, b, c, goals)


@jit
def card_possible(g, seat, card):
    """Return whether a visitor (by row) can be resolved; it has already left the hand."""
    mode = MODE[card]
    if mode == Mode.BY_SIGN:
        return True
    for branch in range(N_BRANCHES[card]):
        if mode == Mode.TWO:
            if first_possible(g, seat, card, branch):
                return True
        elif branch_possible(g, seat, card, branch):
            return True
    return False


@jit
def try_playing(g, seat, kind):
    """Return whether a visitor in hand can be played; it does not count for itself (ruling 3.6)."""
    deck = DECK_OF_KIND[kind]
    g.hand[seat, kind] -= 1
    g.n_hand[seat, deck] -= 1
    possible = card_possible(g, seat, kind - FIRST_SUMMER)
    g.hand[seat, kind] += 1
    g.n_hand[seat, deck] += 1
    return possible


@jit
def any_playable(g, seat, first, last, n):
    """Return whether some visitor of kinds first..last - 1 can be played; the seat has n of them."""
    for kind in range(first, last):
        if g.hand[seat, kind] > 0:
            if try_playing(g, seat, kind):
                return True
            n -= int(g.hand[seat, kind])
            if n == 0:
                return False
    return False


@jit
def visitor_possible(g, seat, deck):
    """Return whether some visitor of a deck can be played."""
    n = int(g.n_hand[seat, deck])
    return n > 0 and any_playable(g, seat, FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1], n)
