"""Values of visitors: the parts of a card are applied to a simulated position."""

from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.moves import fill_best
from vitienv.agents.viticulture.parts import own_part
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_SUMMER, MODE, N_BRANCHES, PARTS
from vitienv.viticulture.cards.parts import MAX_PARTS, Mode, PartOp
from vitienv.viticulture.legality.predicates import can_age_any
from vitienv.viticulture.tokens import age_wine, can_age


@jit
def age_and_fill(p, flat, at, w):
    """Age a wine and fill an order, in either order (Master Vintner)."""
    for kind in range(4):
        for value in range(1, 9):
            if p[at].cellar[ME, kind, value - 1] == 1 and can_age(p[at], ME, kind, value):
                copy_position(flat, at, at + 1)
                age_wine(p[at + 1], ME, kind, value)
                if fill_best(p, flat, at + 1, w) >= 0:
                    copy_position(flat, at + 1, at)
                    return True
    return fill_best(p, flat, at, w) >= 0 and can_age_any(p[at], ME)


@jit
def play_branch(p, flat, at, w, o, card, branch):
    """Apply a branch of a card. Returns whether it is possible."""
    result = -1
    for i in range(MAX_PARTS):
        op, a = PARTS[card, branch, i, 0], PARTS[card, branch, i, 1]
        b, c = PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
        if op == 0:
            return True
        if op == PartOp.IN_ANY_ORDER:
            first = N_BRANCHES[card]
            if PARTS[card, first, 0, 0] == PartOp.AGE_ONE:
                return age_and_fill(p, flat, at, w)
            return play_plain(p, flat, at, w, o, card, first) and play_plain(p, flat, at, w, o, card, first + 1)
        possible, result = own_part(p, flat, at, w, o, op, a, b, c, result)
        if not possible:
            return False
    return True


@jit
def play_plain(p, flat, at, w, o, card, branch):
    """Apply a half of a branch; see `play_branch`."""
    result = -1
    for i in range(MAX_PARTS):
        op = PARTS[card, branch, i, 0]
        if op == 0:
            return True
        a, b, c = PARTS[card, branch, i, 1], PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
        possible, result = own_part(p, flat, at, w, o, op, a, b, c, result)
        if not possible:
            return False
    return True


@jit
def branch_worth(p, flat, at, w, o, card, branch):
    """Return the value of the position after a branch, and the second branch if the card allows both."""
    copy_position(flat, at, at + 1)
    if not play_branch(p, flat, at + 1, w, o, card, branch):
        return FAR_BELOW
    mode = MODE[card]
    best = position_value(p, flat, at + 1, w)
    if mode != Mode.TWO and mode != Mode.BOTH_FOR_A_POINT:
        return best
    if mode == Mode.TWO:
        best = FAR_BELOW
    for second in range(N_BRANCHES[card]):
        if second != branch:
            copy_position(flat, at + 1, at + 2)
            if mode == Mode.BOTH_FOR_A_POINT:
                p[at + 2].vp[ME] -= 1
            if play_branch(p, flat, at + 2, w, o, card, second):
                best = max(best, position_value(p, flat, at + 2, w))
    return best


@jit
def visitor_worth(p, flat, at, w, o, kind):
    """Return the value of position `at` after the best use of a visitor in hand; FAR_BELOW if impossible."""
    card = kind - FIRST_SUMMER
    top = at + 1
    copy_position(flat, at, top)
    p[top].hand[ME, kind] -= 1
    p[top].n_hand[ME, DECK_OF_KIND[kind]] -= 1
    best = FAR_BELOW
    mode = MODE[card]
    if mode == Mode.BY_SIGN:
        return branch_worth(p, flat, top, w, o, card, 0 if p[at].vp[ME] < 0 else 1)
    for branch in range(N_BRANCHES[card]):
        best = max(best, branch_worth(p, flat, top, w, o, card, branch))
    return best
