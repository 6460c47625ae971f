"""Making wine, filling orders, and single grapes and wines (Essential, Making wine, Filling wine orders)."""

from vitienv.core.jit import jit
from vitienv.viticulture.board import WINE_LEAST
from vitienv.viticulture.cards import (
    FIRST_ORDER,
    FIRST_SUMMER,
    ORDER_ICONS,
    ORDER_LEAST,
    ORDER_RESIDUAL,
    ORDER_TYPE,
    ORDER_VP,
)
from vitienv.viticulture.facts import can_make, can_make_kind, goals_met, order_fits
from vitienv.viticulture.frames import count_one, enough, finish, get, set_stage
from vitienv.viticulture.names import N_VALUES, RED, SPARKLING, WHITE
from vitienv.viticulture.ops.draw import onto_pile, out_of_hand
from vitienv.viticulture.ops.money import gain_residual, gain_vp
from vitienv.viticulture.state import DONE, GOALS, LEFT, MIN, P0, P1, P2, P3, SEAT, STAGE, A
from vitienv.viticulture.tokens import age_wine, can_age, has_room, wine_slot
from vitienv.viticulture.vocabulary import CARD_ACTION, DONE_ACTION, GRAPE, MAKE, WINE

# Where the actions of each type of wine begin: blush starts at 4, sparkling at 7.
FREE_PICK = 0  # a grape not yet chosen


@jit
def wine_action(kind, value):
    """The action number of a wine token."""
    start = WINE
    for before in range(kind):
        start += N_VALUES + 1 - int(WINE_LEAST[before])
    return start + value - int(WINE_LEAST[kind])


@jit
def wine_of_action(action):
    """The type and value of a wine token's action number."""
    kind = 0
    rest = action - WINE
    while rest >= N_VALUES + 1 - int(WINE_LEAST[kind]):
        rest -= N_VALUES + 1 - int(WINE_LEAST[kind])
        kind += 1
    return kind, rest + int(WINE_LEAST[kind])


# Make wine: LEFT at most, MIN at least, A whether cellars are ignored. P0 the type; P1, P2 the red grapes chosen;
# P3 what was made: four bits of types, then the number of sparkling wines.


@jit
def put_wine(g, seat, kind, red1, red2, white, slot, undo):
    """Turn grapes (0: none) into a wine at `slot` (0: it is lost), or take that back."""
    if red1 > 0:
        g.crush[seat, RED, red1 - 1] = undo
    if red2 > 0:
        g.crush[seat, RED, red2 - 1] = undo
    if white > 0:
        g.crush[seat, WHITE, white - 1] = undo
    if slot > 0:
        g.cellar[seat, kind, slot - 1] = 1 - undo


@jit
def making_works(g, seat, kind, red1, red2, white, settings, more, goals, left):
    """Whether some wine of `kind` with the grapes chosen so far (0: free) can be made and leaves what must follow.

    more: how many further wines are compulsory. goals: what must be possible after the last wine. left: how
    many wines may still be made, this one included. Wines are tried on the game and taken back.
    """
    for r1 in range(1, N_VALUES + 1):
        if kind == WHITE and r1 > 1:
            break
        if kind != WHITE and (g.crush[seat, RED, r1 - 1] == 0 or (red1 > 0 and r1 != red1)):
            continue
        for r2 in range(1, N_VALUES + 1):
            if kind != SPARKLING and r2 > 1:
                break
            if kind == SPARKLING and (r2 <= r1 or g.crush[seat, RED, r2 - 1] == 0 or (red2 > 0 and r2 != red2)):
                continue
            for w in range(1, N_VALUES + 1):
                if kind == RED and w > 1:
                    break
                if kind != RED and (g.crush[seat, WHITE, w - 1] == 0 or (white > 0 and w != white)):
                    continue
                a = r1 if kind != WHITE else 0
                b = r2 if kind == SPARKLING else 0
                c = w if kind != RED else 0
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
                        works = works or making_works(
                            g, seat, other, FREE_PICK, FREE_PICK, FREE_PICK, settings, max(0, more - 1), goals, left - 1
                        )
                put_wine(g, seat, kind, a, b, c, slot, 1)
                if works:
                    return True
    return False


@jit
def may_make(g, t, seat, kind, red1, red2, white):
    """Whether a partial choice can be finished, with all that must follow."""
    more = max(0, get(g, t, MIN) - get(g, t, DONE) - 1)
    goals = get(g, t, GOALS)
    if more == 0 and goals == 0 and red1 == FREE_PICK and red2 == FREE_PICK and white == FREE_PICK:
        return can_make_kind(g, seat, kind, get(g, t, A))
    return making_works(g, seat, kind, red1, red2, white, get(g, t, A), more, goals, get(g, t, LEFT))


@jit
def run_make(g, t):
    if g.frames[t, LEFT] == 0 or (g.frames[t, STAGE] == 0 and not can_make(g, get(g, t, SEAT), get(g, t, A))):
        finish(g, get(g, t, P3))
        return True
    return False


@jit
def legal_make(g, t, mask):
    seat, kind = get(g, t, SEAT), get(g, t, P0)
    if g.frames[t, STAGE] == 0:
        for wine in range(len(WINE_LEAST)):
            if may_make(g, t, seat, wine, FREE_PICK, FREE_PICK, FREE_PICK):
                mask[MAKE + wine] = 1
        if enough(g, t) and goals_met(g, seat, get(g, t, GOALS)):
            mask[DONE_ACTION] = 1
        return
    red1, red2 = get(g, t, P1), get(g, t, P2)
    next_is_white = kind == WHITE or (red1 > 0 and (kind != SPARKLING or red2 > 0))
    for value in range(1, N_VALUES + 1):
        if next_is_white:
            if g.crush[seat, WHITE, value - 1] == 1 and may_make(g, t, seat, kind, red1, red2, value):
                mask[GRAPE + N_VALUES + value - 1] = 1
        elif g.crush[seat, RED, value - 1] == 1 and value > red1:
            first = value if red1 == FREE_PICK else red1
            second = FREE_PICK if red1 == FREE_PICK else value
            if may_make(g, t, seat, kind, first, second, FREE_PICK):
                mask[GRAPE + value - 1] = 1


@jit
def apply_make(g, t, action):
    seat = get(g, t, SEAT)
    if action == DONE_ACTION:
        finish(g, get(g, t, P3))
        return
    if g.frames[t, STAGE] == 0:
        g.frames[t, P0] = action - MAKE
        g.frames[t, P1] = FREE_PICK
        g.frames[t, P2] = FREE_PICK
        set_stage(g, t, 1)
        return
    kind = get(g, t, P0)
    white = 0
    if action >= GRAPE + N_VALUES:
        white = action - GRAPE - N_VALUES + 1
    elif g.frames[t, P1] == FREE_PICK:
        g.frames[t, P1] = action - GRAPE + 1
    else:
        g.frames[t, P2] = action - GRAPE + 1
    red1, red2 = get(g, t, P1), get(g, t, P2)
    if white > 0 or kind == RED:
        value = red1 + red2 + white
        put_wine(g, seat, kind, red1, red2, white, wine_slot(g, seat, kind, value, get(g, t, A)), 0)
        g.frames[t, P3] = (get(g, t, P3) | (1 << kind)) + (16 if kind == SPARKLING else 0)
        set_stage(g, t, 0)
        count_one(g, t)


# Fill an order: P0 the order's kind, DONE the icon that is next, P1 the value given for the icon before it.


@jit
def filling_works(g, seat, order, icon, last_value, goals):
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
        works = filling_works(g, seat, order, icon + 1, value, goals)
        g.cellar[seat, kind, value - 1] = 1
        if works:
            return True
    return False


@jit
def may_fill(g, seat, order, goals):
    """Whether an order can be filled, leaving what must follow."""
    if not order_fits(g, seat, order):
        return False
    return goals == 0 or filling_works(g, seat, order, 0, 0, goals)


@jit
def may_give_wine(g, seat, order, icon, last_value, value, goals):
    """Whether this wine may be given for an icon, so that the rest can still be filled."""
    kind = int(ORDER_TYPE[order, icon])
    if g.cellar[seat, kind, value - 1] == 0 or value < ORDER_LEAST[order, icon]:
        return False
    if icon > 0 and ORDER_TYPE[order, icon - 1] == kind and value >= last_value:
        return False
    g.cellar[seat, kind, value - 1] = 0
    works = filling_works(g, seat, order, icon + 1, value, goals)
    g.cellar[seat, kind, value - 1] = 1
    return works


@jit
def legal_fill(g, t, mask):
    seat, goals = get(g, t, SEAT), get(g, t, GOALS)
    if g.frames[t, STAGE] == 0:
        for kind in range(FIRST_ORDER, FIRST_SUMMER):
            if g.hand[seat, kind] > 0 and may_fill(g, seat, kind - FIRST_ORDER, goals):
                mask[CARD_ACTION + kind] = 1
        return
    order, icon = get(g, t, P0) - FIRST_ORDER, get(g, t, DONE)
    for value in range(1, N_VALUES + 1):
        if may_give_wine(g, seat, order, icon, get(g, t, P1), value, goals):
            mask[wine_action(int(ORDER_TYPE[order, icon]), value)] = 1


@jit
def apply_fill(g, t, action):
    """Give the wines, then points and residual payment, then the card goes to its pile."""
    seat = get(g, t, SEAT)
    if g.frames[t, STAGE] == 0:
        g.frames[t, P0] = action - CARD_ACTION
        out_of_hand(g, seat, action - CARD_ACTION)
        set_stage(g, t, 1)
        return
    kind, value = wine_of_action(action)
    order = get(g, t, P0) - FIRST_ORDER
    g.cellar[seat, kind, value - 1] = 0
    g.frames[t, P1] = value
    g.frames[t, DONE] += 1
    if g.frames[t, DONE] == ORDER_ICONS[order]:
        gain_vp(g, seat, int(ORDER_VP[order]))
        gain_residual(g, seat, int(ORDER_RESIDUAL[order]))
        onto_pile(g, FIRST_ORDER + order)
        finish(g, 1)


# One grape: discard it. One wine: discard one of at least A (stage 0), or age it by a step (stage 1).


@jit
def legal_grape(g, t, mask):
    seat = get(g, t, SEAT)
    for grape in range(2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            mask[GRAPE + grape] = 1


@jit
def apply_grape(g, t, action):
    grape = action - GRAPE
    g.crush[get(g, t, SEAT), grape // N_VALUES, grape % N_VALUES] = 0
    finish(g, 1)


@jit
def ageing_allows(g, seat, kind, value, goals):
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
def legal_wine(g, t, mask):
    seat, ageing = get(g, t, SEAT), get(g, t, STAGE)
    for kind in range(len(WINE_LEAST)):
        for value in range(1, N_VALUES + 1):
            if g.cellar[seat, kind, value - 1] == 0:
                continue
            if ageing == 0 and value >= g.frames[t, A]:
                mask[wine_action(kind, value)] = 1
            if ageing == 1 and ageing_allows(g, seat, kind, value, get(g, t, GOALS)):
                mask[wine_action(kind, value)] = 1


@jit
def apply_wine(g, t, action):
    kind, value = wine_of_action(action)
    seat = get(g, t, SEAT)
    if g.frames[t, STAGE] == 1:
        age_wine(g, seat, kind, value)
    else:
        g.cellar[seat, kind, value - 1] = 0
    finish(g, value)


# Buy a grape of value 1 (Buyer, Merchant): the slot must be free (Essential, Summer and winter visitor cards).


@jit
def can_buy_grape(g, seat, colour):
    return g.crush[seat, colour, 0] == 0


@jit
def legal_buy(g, t, mask):
    for colour in range(2):
        if can_buy_grape(g, get(g, t, SEAT), colour):
            mask[GRAPE + colour * N_VALUES] = 1


@jit
def apply_buy(g, t, action):
    g.crush[get(g, t, SEAT), (action - GRAPE) // N_VALUES, 0] = 1
    finish(g, 1)
