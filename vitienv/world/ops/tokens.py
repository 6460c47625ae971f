"""Ageing, gaining, losing and selling single grapes and wines (W58, W64, W68, W74, W88)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, pop, push
from vitienv.viticulture.board import GRAPE_PRICE, MIN_WINE_VALUE
from vitienv.viticulture.derived import field_capacity, field_vines
from vitienv.viticulture.enums import N_FIELDS, N_VALUES
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.legality.predicates import goals_met
from vitienv.viticulture.ops.cellar import apply_grape, apply_wine, legal_wine, wine_action, wine_of_action
from vitienv.viticulture.ops.harvest import apply_sell, run_sell
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD
from vitienv.viticulture.tokens import has_grape, has_wine, is_open, place_grape
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import Metric
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import deed
from vitienv.world.language import BUY_FIELD, BUY_GRAPE, EITHER_COLOUR, SELL_FIELD, SELL_GRAPES, WorldPart
from vitienv.world.ops.parts import part
from vitienv.world.vocabulary import Choice, WorldMove

DECLINED = -1  # result of a decision that ended with `done`
N_GRAPES = 2 * N_VALUES
ROWS_OF_PAD, ROW_LENGTH = 3, 3
HIGH_VALUE = 4  # minimum of `wines_sold_value_4_plus`


@jit
def may_stop(g, t, mask):
    """Mark `done` if the minimum of the frame is 0."""
    if g.frames[t, Frame.MIN] == 0:
        mask[Move.DONE] = 1


# Ageing a grape (W64, W68).


@jit
def grape_can_age(g, seat, grape):
    """Return whether a seat has a grape and its next slot is free."""
    colour, at = grape // N_VALUES, grape % N_VALUES
    return at + 1 < N_VALUES and g.crush[seat, colour, at] == 1 and g.crush[seat, colour, at + 1] == 0


@jit
def can_age_grape(g, seat):
    for grape in range(N_GRAPES):
        if grape_can_age(g, seat, grape):
            return True
    return False


@jit
def age_grape(g, seat, grape, steps):
    colour, at = grape // N_VALUES, grape % N_VALUES
    g.crush[seat, colour, at] = 0
    g.crush[seat, colour, at + steps] = 1


@jit
def try_ageing_grape(g, seat, grape, goals):
    """Return whether a grape can age and a goal is met afterwards; the state is changed and restored."""
    if not grape_can_age(g, seat, grape):
        return False
    if goals == 0:
        return True
    age_grape(g, seat, grape, 1)
    is_possible = goals_met(g, seat, goals)
    age_grape(g, seat, grape + 1, -1)
    return is_possible


@jit
def legal_age_grape(g, t, mask):
    for grape in range(N_GRAPES):
        if try_ageing_grape(g, get(g, t, Frame.SEAT), grape, get(g, t, Frame.GOALS)):
            mask[Move.GRAPE + grape] = 1


@jit
def apply_age_grape(g, t, action):
    age_grape(g, get(g, t, Frame.SEAT), action - Move.GRAPE, 1)
    finish(g, 1)


operation(WorldOp.AGE_GRAPE, "age_grape", legal=legal_age_grape, apply=apply_age_grape, shows=())
part(
    WorldPart.AGE_GRAPE,
    needs=lambda g, seat, a, b, c: can_age_grape(g, seat),
    asks=lambda g, seat, a, b, c: push(g, WorldOp.AGE_GRAPE, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
)


# Gaining a grape: A is the colour, or either; B its value.


@jit
def has_slot(g, seat, colour, value):
    """Return whether a grape has a free slot up to its value."""
    for at in range(min(value, N_VALUES)):
        if g.crush[seat, colour, at] == 0:
            return True
    return False


@jit
def can_gain_grape(g, seat, colour, value):
    if colour == EITHER_COLOUR:
        return has_slot(g, seat, 0, value) or has_slot(g, seat, 1, value)
    return has_slot(g, seat, colour, value)


@jit
def legal_gain_grape(g, t, mask):
    """Mark grapes of the value gained; they are placed like received grapes (W47)."""
    seat, colour, value = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.B)
    for grape_colour in range(2):
        if (colour == EITHER_COLOUR or colour == grape_colour) and has_slot(g, seat, grape_colour, value):
            mask[Move.GRAPE + grape_colour * N_VALUES + value - 1] = 1


@jit
def apply_gain_grape(g, t, action):
    grape = action - Move.GRAPE
    place_grape(g, get(g, t, Frame.SEAT), grape // N_VALUES, grape % N_VALUES + 1)
    finish(g, 1)


operation(WorldOp.GAIN_GRAPE, "gain_grape", legal=legal_gain_grape, apply=apply_gain_grape, shows=(Frame.A, Frame.B))
part(
    WorldPart.GRAPE,
    needs=lambda g, seat, a, b, c: can_gain_grape(g, seat, a, b),
    asks=lambda g, seat, a, b, c: push(g, WorldOp.GAIN_GRAPE, seat, 1, 1, a, b, 0),
    worth=BY_LOOKAHEAD,
)


# Losing a grape or a wine of value A or more; B are the types of the wine as bits, 0 for any.


@jit
def can_lose_grape(g, seat, min_value):
    for grape in range(N_GRAPES):
        if grape % N_VALUES + 1 >= min_value and g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            return True
    return False


@jit
def legal_lose_grape(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for grape in range(N_GRAPES):
        if grape % N_VALUES + 1 >= g.frames[t, Frame.A] and g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            mask[Move.GRAPE + grape] = 1


operation(FrameOp.GRAPE, "discard_grape", legal=legal_lose_grape, apply=apply_grape, shows=(Frame.A,))
part(
    WorldPart.LOSE_GRAPE,
    needs=lambda g, seat, a, b, c: can_lose_grape(g, seat, a),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.GRAPE, seat, 1, 1, a, 0, 0),
    worth=BY_LOOKAHEAD,
)


@jit
def can_lose_wine(g, seat, min_value, kinds):
    for kind in range(len(MIN_WINE_VALUE)):
        if (kinds >> kind) & 1 == 1:
            for value in range(min_value, N_VALUES + 1):
                if g.cellar[seat, kind, value - 1] == 1:
                    return True
    return False


@jit
def legal_lose_wine(g, t, mask):
    """Mark wines as in Viticulture, restricted to the types in B."""
    legal_wine(g, t, mask)
    kinds = get(g, t, Frame.B)
    if kinds == 0:
        return
    for kind in range(len(MIN_WINE_VALUE)):
        if (kinds >> kind) & 1 == 0:
            for value in range(int(MIN_WINE_VALUE[kind]), N_VALUES + 1):
                mask[wine_action(kind, value)] = 0


operation(
    FrameOp.WINE,
    "discard_wine",
    "age_wine",
    legal=legal_lose_wine,
    apply=apply_wine,
    shows=(Frame.A, Frame.B, Frame.GOALS),
)
part(
    WorldPart.LOSE_WINE,
    needs=lambda g, seat, a, b, c: can_lose_wine(g, seat, a, b),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.WINE, seat, 1, 1, a, b, 0),
    worth=BY_LOOKAHEAD,
)


# Gaining a wine, in the highest free open slot up to its value (W47).


@jit
def slot_for_wine(g, seat, kind, value):
    """Return the slot of a gained wine from 1; 0 if there is none."""
    slot = min(value, N_VALUES)
    while slot >= MIN_WINE_VALUE[kind]:
        if g.cellar[seat, kind, slot - 1] == 0 and is_open(g, seat, slot):
            return slot
        slot -= 1
    return 0


@jit
def gain_wine(g, seat, kind, value):
    slot = slot_for_wine(g, seat, kind, value)
    if slot > 0:
        g.cellar[seat, kind, slot - 1] = 1


part(
    WorldPart.WINE,
    needs=lambda g, seat, a, b, c: slot_for_wine(g, seat, a, b) > 0,
    does=lambda g, seat, a, b, c, result: gain_wine(g, seat, a, b),
    worth=BY_LOOKAHEAD,
)


# Selling a wine for its value (W74).


@jit
def legal_sell_wine(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(int(MIN_WINE_VALUE[kind]), N_VALUES + 1):
            if g.cellar[seat, kind, value - 1] == 1:
                mask[wine_action(kind, value)] = 1
    may_stop(g, t, mask)


@jit
def apply_sell_wine(g, t, action):
    if action == Move.DONE:
        finish(g, DECLINED)
        return
    kind, value = wine_of_action(action)
    seat = get(g, t, Frame.SEAT)
    g.cellar[seat, kind, value - 1] = 0
    gain_lira(g, seat, value)
    finish(g, value)
    deed(g, seat, Metric.WINES_SOLD, 1)
    if value >= HIGH_VALUE:
        deed(g, seat, Metric.WINES_SOLD_VALUE_4_PLUS, 1)


operation(WorldOp.SELL_WINE, "sell_wine", legal=legal_sell_wine, apply=apply_sell_wine, shows=())
part(
    WorldPart.SELL_WINE,
    needs=lambda g, seat, a, b, c: has_wine(g, seat, 1),
    asks=lambda g, seat, a, b, c: push(g, WorldOp.SELL_WINE, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
)


# A sale: A are its allowed kinds as bits, P0 is the lowest grape that can be sold (W52, W58, O12).


@jit
def can_sell_field(g, seat, field, allowed):
    """Return whether a field can be sold (if empty) or bought back (if sold and affordable)."""
    if g.sold[seat, field] == 1:
        return allowed & BUY_FIELD != 0 and g.lira[seat] >= field_capacity(g, field)
    return allowed & SELL_FIELD != 0 and field_vines(g, seat, field) == 0


@jit
def slot_of_row(g, seat, colour, row):
    """Return the lowest free slot from 1 of a crush pad row, else of the next lower row with room; 0 if none."""
    for lower in range(row, -1, -1):
        for at in range(lower * ROW_LENGTH, (lower + 1) * ROW_LENGTH):
            if g.crush[seat, colour, at] == 0:
                return at + 1
    return 0


@jit
def can_buy_in_row(g, seat, colour, row):
    return g.lira[seat] >= GRAPE_PRICE[row * ROW_LENGTH] and slot_of_row(g, seat, colour, row) > 0


@jit
def can_buy_any_grape(g, seat):
    for row in range(ROWS_OF_PAD):
        if can_buy_in_row(g, seat, 0, row) or can_buy_in_row(g, seat, 1, row):
            return True
    return False


@jit
def can_sell_any(g, seat, allowed):
    if allowed & SELL_GRAPES != 0 and has_grape(g, seat):
        return True
    if allowed & BUY_GRAPE != 0 and can_buy_any_grape(g, seat):
        return True
    for field in range(N_FIELDS):
        if can_sell_field(g, seat, field, allowed):
            return True
    return False


@jit
def legal_sale(g, t, mask):
    seat, allowed = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    if allowed & SELL_GRAPES != 0:
        for grape in range(get(g, t, Frame.P0), N_GRAPES):
            if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
                mask[Move.GRAPE + grape] = 1
    if g.frames[t, Frame.DONE] > 0:
        mask[Move.DONE] = 1
        return
    for field in range(N_FIELDS):
        if can_sell_field(g, seat, field, allowed):
            mask[Move.FIELD + field] = 1
    if allowed & BUY_GRAPE != 0 and can_buy_any_grape(g, seat):
        mask[WorldMove.KIND + Choice.GRAPE] = 1


@jit
def apply_sale(g, t, action):
    if action == WorldMove.KIND + Choice.GRAPE:
        seat = get(g, t, Frame.SEAT)
        pop(g)
        push(g, WorldOp.BUY_ROW, seat, 1, 1, 0, 0, 0)
    else:
        apply_sell(g, t, action)


operation(FrameOp.SELL, "sell", run=run_sell, legal=legal_sale, apply=apply_sale, shows=(Frame.A, Frame.P0))
part(
    WorldPart.SELL,
    needs=lambda g, seat, a, b, c: can_sell_any(g, seat, a),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.SELL, seat, N_GRAPES, 1, a, 0, 0),
    worth=BY_LOOKAHEAD,
)


@jit
def legal_buy_row(g, t, mask):
    """Mark the first grape of each affordable row (W58)."""
    for colour in range(2):
        for row in range(ROWS_OF_PAD):
            if can_buy_in_row(g, get(g, t, Frame.SEAT), colour, row):
                mask[Move.GRAPE + colour * N_VALUES + row * ROW_LENGTH] = 1


@jit
def apply_buy_row(g, t, action):
    seat, grape = get(g, t, Frame.SEAT), action - Move.GRAPE
    colour, row = grape // N_VALUES, (grape % N_VALUES) // ROW_LENGTH
    gain_lira(g, seat, -int(GRAPE_PRICE[row * ROW_LENGTH]))
    g.crush[seat, colour, slot_of_row(g, seat, colour, row) - 1] = 1
    finish(g, 1)


operation(WorldOp.BUY_ROW, "buy_grape", legal=legal_buy_row, apply=apply_buy_row, shows=())
