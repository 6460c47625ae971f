"""Harvesting, uprooting, exchanging vines, and trading fields and grapes."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, has_enough, push, set_stage
from vitienv.core.text_utils import a, up_to
from vitienv.viticulture.board import GRAPE_PRICE
from vitienv.viticulture.cards import N_VINES
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.derived import field_capacity, planted_vines
from vitienv.viticulture.enums import N_FIELDS, N_VALUES, Act, Deck
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.make_unmake import harvesting_leaves, try_harvesting
from vitienv.viticulture.legality.predicates import (
    Goal,
    can_harvest_field,
    can_sell,
    can_swap,
    can_trade_field,
    harvestable,
    swap_fits,
)
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.cards import ask_to_discard
from vitienv.viticulture.ops.draw import KNOWN_TO_ALL, into_hand
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import harvest
from vitienv.viticulture.vocabulary import Move

# Frame columns of harvesting: LEFT maximum, MIN minimum.


@jit
def run_harvest(g, t):
    if g.frames[t, Frame.LEFT] == 0 or harvestable(g, get(g, t, Frame.SEAT)) == 0:
        finish(g, get(g, t, Frame.DONE))
        return True
    return False


@jit
def legal_harvest(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for field in range(N_FIELDS):
        if can_harvest_field(g, seat, field) and try_harvesting(g, seat, field, get(g, t, Frame.GOALS)):
            mask[Move.FIELD + field] = 1
    if has_enough(g, t):
        mask[Move.DONE] = 1


@jit
def apply_harvest(g, t, action):
    if action == Move.DONE:
        finish(g, get(g, t, Frame.DONE))
    else:
        harvest(g, get(g, t, Frame.SEAT), action - Move.FIELD)
        count_one(g, t)


operation(
    FrameOp.HARVEST, "harvest_field", run=run_harvest, legal=legal_harvest, apply=apply_harvest, shows=(Frame.GOALS,)
)


part(
    PartOp.HARVEST,
    needs=lambda g, seat, a, b, c: harvestable(g, seat) > 0,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.HARVEST, seat, a, 1, 0, 0, 0),
    goal=Goal.HARVEST,
    leaves=harvesting_leaves,
    worth=BY_LOOKAHEAD,
    says=lambda n, b, c: f"harvest {up_to(n, 'field')}",
)


@jit
def start_harvest(g, seat, again, must):
    fields = int(g.rules[Rule.FIELDS_PER_HARVEST]) + again
    push(g, FrameOp.HARVEST, seat, fields, 1 + must, 0, 0, 0)


board_action(
    Act.HARVEST_FIELD,
    needs=lambda g, seat, extra_lira: harvestable(g, seat) > 0,
    starts=start_harvest,
    with_bonus=lambda g, seat: harvestable(g, seat) >= 2,
    worth=BY_LOOKAHEAD,
)


# Uprooting goes by field and variety in ascending order. Frame columns: LEFT vines; P0 the last one, P1 the chosen
# field.


@jit
def vines_from(g, seat, place):
    """Return the number of planted vines from `place` (field and variety as one number) on."""
    total = 0
    for index in range(place, N_FIELDS * N_VINES):
        total += int(g.vines[seat, index // N_VINES, index % N_VINES])
    return total


@jit
def may_uproot(g, t, seat, place):
    if place < g.frames[t, Frame.P0] or g.vines[seat, place // N_VINES, place % N_VINES] == 0:
        return False
    return vines_from(g, seat, place) >= g.frames[t, Frame.LEFT]


@jit
def legal_uproot(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for place in range(N_FIELDS * N_VINES):
        if may_uproot(g, t, seat, place):
            if g.frames[t, Frame.STAGE] == 0:
                mask[Move.FIELD + place // N_VINES] = 1
            elif place // N_VINES == g.frames[t, Frame.P1]:
                mask[Move.CARD + place % N_VINES] = 1


@jit
def apply_uproot(g, t, action):
    """Return a vine to the hand, publicly (Essential, Uproot)."""
    if g.frames[t, Frame.STAGE] == 0:
        g.frames[t, Frame.P1] = action - Move.FIELD
        set_stage(g, t, 1)
        return
    seat, field, vine = get(g, t, Frame.SEAT), get(g, t, Frame.P1), action - Move.CARD
    g.vines[seat, field, vine] -= 1
    into_hand(g, seat, vine, KNOWN_TO_ALL)
    g.frames[t, Frame.P0] = field * N_VINES + vine
    set_stage(g, t, 0)
    count_one(g, t)
    if g.frames[t, Frame.LEFT] == 0:
        finish(g, 1)


operation(
    FrameOp.UPROOT, "uproot_field", "uproot_vine", legal=legal_uproot, apply=apply_uproot, shows=(Frame.P0, Frame.P1)
)


@jit
def ask_to_uproot(g, seat, n):
    """Ask for vines to uproot, and then for vine cards to discard."""
    ask_to_discard(g, seat, n, 1 << Deck.VINE)
    push(g, FrameOp.UPROOT, seat, n, n, 0, 0, 0)


part(
    PartOp.UPROOT,
    needs=lambda g, seat, a, b, c: planted_vines(g, seat) >= a,
    asks=lambda g, seat, a, b, c: ask_to_uproot(g, seat, a),
    worth=BY_LOOKAHEAD,
    says=lambda n, b, c: f"uproot {a(n, 'vine')} and discard {a(n, 'vine card')}",
)


# Exchange of two planted vines (Landscaper). Frame columns: P0, P1 the first field and vine, P2 the second field.


@jit
def legal_swap(g, t, mask):
    seat, stage = get(g, t, Frame.SEAT), get(g, t, Frame.STAGE)
    for field1 in range(N_FIELDS - 1):
        if stage > 0 and field1 != g.frames[t, Frame.P0]:
            continue
        for vine1 in range(N_VINES):
            if stage > 1 and vine1 != g.frames[t, Frame.P1]:
                continue
            for field2 in range(field1 + 1, N_FIELDS):
                if stage > 2 and field2 != g.frames[t, Frame.P2]:
                    continue
                for vine2 in range(N_VINES):
                    if swap_fits(g, seat, field1, vine1, field2, vine2):
                        if stage == 0:
                            mask[Move.FIELD + field1] = 1
                        elif stage == 1:
                            mask[Move.CARD + vine1] = 1
                        elif stage == 2:
                            mask[Move.FIELD + field2] = 1
                        else:
                            mask[Move.CARD + vine2] = 1


@jit
def apply_swap(g, t, action):
    stage = get(g, t, Frame.STAGE)
    if stage == 0:
        g.frames[t, Frame.P0] = action - Move.FIELD
    elif stage == 1:
        g.frames[t, Frame.P1] = action - Move.CARD
    elif stage == 2:
        g.frames[t, Frame.P2] = action - Move.FIELD
    else:
        seat, vine2 = get(g, t, Frame.SEAT), action - Move.CARD
        g.vines[seat, get(g, t, Frame.P0), get(g, t, Frame.P1)] -= 1
        g.vines[seat, get(g, t, Frame.P0), vine2] += 1
        g.vines[seat, get(g, t, Frame.P2), vine2] -= 1
        g.vines[seat, get(g, t, Frame.P2), get(g, t, Frame.P1)] += 1
        finish(g, 1)
        return
    set_stage(g, t, stage + 1)


operation(
    FrameOp.SWAP,
    "swap_vines",
    "swap_vines",
    "swap_vines",
    "swap_vines",
    legal=legal_swap,
    apply=apply_swap,
    shows=(Frame.P0, Frame.P1, Frame.P2),
)


part(
    PartOp.SWAP_VINES,
    needs=lambda g, seat, a, b, c: can_swap(g, seat),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.SWAP, seat, 1, 1, 0, 0, 0),
    worth=0,
    says=lambda a, b, c: "exchange two planted vines on different fields",
)


# Selling: grapes in ascending order, or one field (ruling 7.18). Frame columns: P0 the lowest grape available.


@jit
def legal_sell(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for grape in range(get(g, t, Frame.P0), 2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            mask[Move.GRAPE + grape] = 1
    if g.frames[t, Frame.DONE] > 0:
        mask[Move.DONE] = 1
        return
    for field in range(N_FIELDS):
        if can_trade_field(g, seat, field):
            mask[Move.FIELD + field] = 1


@jit
def run_sell(g, t):
    """End when no later grape is left."""
    if g.frames[t, Frame.DONE] == 0:
        return False
    seat = get(g, t, Frame.SEAT)
    for grape in range(get(g, t, Frame.P0), 2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            return False
    finish(g, 1)
    return True


@jit
def apply_sell(g, t, action):
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        finish(g, 1)
    elif action >= Move.GRAPE:
        grape = action - Move.GRAPE
        g.crush[seat, grape // N_VALUES, grape % N_VALUES] = 0
        gain_lira(g, seat, int(GRAPE_PRICE[grape % N_VALUES]))
        g.frames[t, Frame.P0] = grape + 1
        count_one(g, t)
    else:
        field = action - Move.FIELD
        sold = int(g.sold[seat, field])
        gain_lira(g, seat, field_capacity(g, field) * (1 - 2 * sold))
        g.sold[seat, field] = 1 - sold
        finish(g, 1)


operation(FrameOp.SELL, "sell", run=run_sell, legal=legal_sell, apply=apply_sell, shows=(Frame.P0,))
board_action(
    Act.SELL_GRAPES_OR_FIELD,
    needs=lambda g, seat, extra_lira: can_sell(g, seat),
    starts=lambda g, seat, again, must: push(g, FrameOp.SELL, seat, 2 * N_VALUES, 1, 0, 0, 0),
    with_bonus=NOTHING,
    worth=BY_LOOKAHEAD,
)
