"""Making wine; choices of single grapes and wines (Essential, Making wine)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, has_enough, push, set_stage
from vitienv.core.text_utils import up_to
from vitienv.viticulture.board import MIN_WINE_VALUE, WINES_PER_ACTION, ZYMOLOGIST_MIN_VALUE
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import N_VALUES, Act, Colour, Wine
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.make_unmake import (
    FREE_PICK,
    ageing_leaves,
    can_make_three,
    making_leaves,
    try_ageing,
    try_making,
)
from vitienv.viticulture.legality.predicates import Goal, can_age_any, can_buy_grape, can_make, can_make_kind, goals_met
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, part
from vitienv.viticulture.tokens import age_wine, age_wines, has_grape, has_wine, put_wine, wine_slot
from vitienv.viticulture.vocabulary import Move

AGEING = 1  # stage of the question about one wine


@jit
def wine_action(kind, value):
    """Return the action number of a wine token."""
    start = Move.WINE
    for before in range(kind):
        start += N_VALUES + 1 - int(MIN_WINE_VALUE[before])
    return start + value - int(MIN_WINE_VALUE[kind])


@jit
def wine_of_action(action):
    """Return the type and the value of a wine token by action number."""
    kind = 0
    index = action - Move.WINE
    while index >= N_VALUES + 1 - int(MIN_WINE_VALUE[kind]):
        index -= N_VALUES + 1 - int(MIN_WINE_VALUE[kind])
        kind += 1
    return kind, index + int(MIN_WINE_VALUE[kind])


# Frame columns of wine making: LEFT maximum, MIN minimum, A whether cellars are ignored; P0 the type; P1, P2 the chosen
# red grapes; P3 the result: four bits of types, then the number of sparkling wines.


@jit
def may_make(g, t, seat, kind, red1, red2, white):
    """Return whether a partial choice can be completed with everything that must follow."""
    num_required = max(0, get(g, t, Frame.MIN) - get(g, t, Frame.DONE) - 1)
    goals = get(g, t, Frame.GOALS)
    if num_required == 0 and goals == 0 and red1 == FREE_PICK and red2 == FREE_PICK and white == FREE_PICK:
        return can_make_kind(g, seat, kind, get(g, t, Frame.A))
    return try_making(g, seat, kind, red1, red2, white, get(g, t, Frame.A), num_required, goals, get(g, t, Frame.LEFT))


@jit
def run_make(g, t):
    if g.frames[t, Frame.LEFT] == 0 or (
        g.frames[t, Frame.STAGE] == 0 and not can_make(g, get(g, t, Frame.SEAT), get(g, t, Frame.A))
    ):
        finish(g, get(g, t, Frame.P3))
        return True
    return False


@jit
def legal_make(g, t, mask):
    seat, kind = get(g, t, Frame.SEAT), get(g, t, Frame.P0)
    if g.frames[t, Frame.STAGE] == 0:
        for wine in range(len(MIN_WINE_VALUE)):
            if may_make(g, t, seat, wine, FREE_PICK, FREE_PICK, FREE_PICK):
                mask[Move.MAKE + wine] = 1
        if has_enough(g, t) and goals_met(g, seat, get(g, t, Frame.GOALS)):
            mask[Move.DONE] = 1
        return
    red1, red2 = get(g, t, Frame.P1), get(g, t, Frame.P2)
    next_is_white = kind == Wine.WHITE or (red1 > 0 and (kind != Wine.SPARKLING or red2 > 0))
    for value in range(1, N_VALUES + 1):
        if next_is_white:
            if g.crush[seat, Colour.WHITE, value - 1] == 1 and may_make(g, t, seat, kind, red1, red2, value):
                mask[Move.GRAPE + N_VALUES + value - 1] = 1
        elif g.crush[seat, Colour.RED, value - 1] == 1 and value > red1:
            first = value if red1 == FREE_PICK else red1
            second = FREE_PICK if red1 == FREE_PICK else value
            if may_make(g, t, seat, kind, first, second, FREE_PICK):
                mask[Move.GRAPE + value - 1] = 1


@jit
def apply_make(g, t, action):
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        finish(g, get(g, t, Frame.P3))
        return
    if g.frames[t, Frame.STAGE] == 0:
        g.frames[t, Frame.P0] = action - Move.MAKE
        g.frames[t, Frame.P1] = FREE_PICK
        g.frames[t, Frame.P2] = FREE_PICK
        set_stage(g, t, 1)
        return
    kind = get(g, t, Frame.P0)
    white = 0
    if action >= Move.GRAPE + N_VALUES:
        white = action - Move.GRAPE - N_VALUES + 1
    elif g.frames[t, Frame.P1] == FREE_PICK:
        g.frames[t, Frame.P1] = action - Move.GRAPE + 1
    else:
        g.frames[t, Frame.P2] = action - Move.GRAPE + 1
    red1, red2 = get(g, t, Frame.P1), get(g, t, Frame.P2)
    if white > 0 or kind == Wine.RED:
        value = red1 + red2 + white
        put_wine(g, seat, kind, red1, red2, white, wine_slot(g, seat, kind, value, get(g, t, Frame.A)), 0)
        g.frames[t, Frame.P3] = (get(g, t, Frame.P3) | (1 << kind)) + (16 if kind == Wine.SPARKLING else 0)
        set_stage(g, t, 0)
        count_one(g, t)


operation(
    FrameOp.MAKE,
    "make_wine",
    "choose_grape",
    run=run_make,
    legal=legal_make,
    apply=apply_make,
    shows=(Frame.A, Frame.GOALS, Frame.P0, Frame.P1, Frame.P2, Frame.P3),
)


part(
    PartOp.MAKE,
    needs=lambda g, seat, a, b, c: can_make(g, seat, b),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.MAKE, seat, a, 1, b, 0, 0),
    goal=Goal.MAKE,
    leaves=lambda g, seat, a, b, c, goals: making_leaves(g, seat, a, b, goals),
    worth=BY_LOOKAHEAD,
    says=lambda num_wines, no_cellars, c: (
        f"make {up_to(num_wines, 'wine')}"
        + (f" of value {ZYMOLOGIST_MIN_VALUE} or more, even without the cellars" if no_cellars else "")
    ),
)


@jit
def start_making(g, seat, again, must):
    """Start wine making: two wines, at least one; a compulsory third makes all three compulsory."""
    push(g, FrameOp.MAKE, seat, WINES_PER_ACTION + again, 1 + WINES_PER_ACTION * must, 0, 0, 0)


board_action(
    Act.MAKE_WINE,
    needs=lambda g, seat, extra_lira: can_make(g, seat, 0),
    starts=start_making,
    with_bonus=can_make_three,
    worth=BY_LOOKAHEAD,
)


# One grape: discard it. One wine: discard one of value A or more (stage 0), or age it by 1 (stage 1).


@jit
def legal_grape(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    for grape in range(2 * N_VALUES):
        if g.crush[seat, grape // N_VALUES, grape % N_VALUES] == 1:
            mask[Move.GRAPE + grape] = 1


@jit
def apply_grape(g, t, action):
    grape = action - Move.GRAPE
    g.crush[get(g, t, Frame.SEAT), grape // N_VALUES, grape % N_VALUES] = 0
    finish(g, 1)


operation(FrameOp.GRAPE, "discard_grape", legal=legal_grape, apply=apply_grape, shows=())


part(
    PartOp.DISCARD_GRAPE,
    needs=lambda g, seat, a, b, c: has_grape(g, seat),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.GRAPE, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "discard a grape",
)


@jit
def legal_wine(g, t, mask):
    seat, ageing = get(g, t, Frame.SEAT), get(g, t, Frame.STAGE)
    for kind in range(len(MIN_WINE_VALUE)):
        for value in range(1, N_VALUES + 1):
            if g.cellar[seat, kind, value - 1] == 0:
                continue
            if ageing == 0 and value >= g.frames[t, Frame.A]:
                mask[wine_action(kind, value)] = 1
            if ageing == 1 and try_ageing(g, seat, kind, value, get(g, t, Frame.GOALS)):
                mask[wine_action(kind, value)] = 1


@jit
def apply_wine(g, t, action):
    kind, value = wine_of_action(action)
    seat = get(g, t, Frame.SEAT)
    if g.frames[t, Frame.STAGE] == 1:
        age_wine(g, seat, kind, value)
    else:
        g.cellar[seat, kind, value - 1] = 0
    finish(g, value)


operation(FrameOp.WINE, "discard_wine", "age_wine", legal=legal_wine, apply=apply_wine, shows=(Frame.A, Frame.GOALS))


@jit
def age_all(g, seat, steps):
    """Age every wine by some steps."""
    for _ in range(steps):
        age_wines(g, seat)


part(
    PartOp.DISCARD_WINE,
    needs=lambda g, seat, a, b, c: has_wine(g, seat, a),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.WINE, seat, 1, 1, a, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda min_value, b, c: "discard a wine" + (f" of value {min_value} or more" if min_value > 1 else ""),
)
part(
    PartOp.AGE_ALL,
    needs=lambda g, seat, a, b, c: has_wine(g, seat, 1),
    does=lambda g, seat, a, b, c, result: age_all(g, seat, a),
    worth=BY_LOOKAHEAD,
    says=lambda n, b, c: f"age every wine in your cellar by {n}",
)
part(
    PartOp.AGE_ONE,
    needs=lambda g, seat, a, b, c: can_age_any(g, seat),
    asks=lambda g, seat, a, b, c: set_stage(g, push(g, FrameOp.WINE, seat, 1, 1, 0, 0, 0), AGEING),
    goal=Goal.AGE,
    leaves=lambda g, seat, a, b, c, goals: ageing_leaves(g, seat, goals),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "age one wine by 1",
)


# A bought grape has value 1 (Buyer, Merchant), and its slot must be free (Essential, Summer and winter visitor cards).


@jit
def legal_buy(g, t, mask):
    for colour in range(2):
        if can_buy_grape(g, get(g, t, Frame.SEAT), colour):
            mask[Move.GRAPE + colour * N_VALUES] = 1


@jit
def apply_buy(g, t, action):
    g.crush[get(g, t, Frame.SEAT), (action - Move.GRAPE) // N_VALUES, 0] = 1
    finish(g, 1)


operation(FrameOp.BUY, "buy_grape", legal=legal_buy, apply=apply_buy, shows=())


@jit
def buy_pair(g, seat):
    """Add a grape of each colour."""
    g.crush[seat, Colour.RED, 0] = 1
    g.crush[seat, Colour.WHITE, 0] = 1


part(
    PartOp.BUY_GRAPE,
    needs=lambda g, seat, a, b, c: can_buy_grape(g, seat, Colour.RED) or can_buy_grape(g, seat, Colour.WHITE),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.BUY, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "place a red or a white grape of value 1 on your crush pad",
)
part(
    PartOp.BUY_GRAPE_PAIR,
    needs=lambda g, seat, a, b, c: can_buy_grape(g, seat, Colour.RED) and can_buy_grape(g, seat, Colour.WHITE),
    does=lambda g, seat, a, b, c, result: buy_pair(g, seat),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "place a red and a white grape of value 1 on your crush pad",
)
