"""What boxes, squares and crossroads are worth to the seat that looks, in hundredths of money."""

from vitienv.core.compiling.jit import jit
from vitienv.toscana.enums import (
    ABANDONED,
    COLUMNS,
    CROSS_COLUMNS,
    FULL_SQUARE,
    MAX_SEATS,
    N_CROSSROADS,
    N_GOODS,
    N_SQUARES,
    ROOM,
    WINEMASTERS,
    WORKERS,
    Action,
    Good,
)
from vitienv.toscana.observation import N_KINDS, At
from vitienv.toscana.state import Rule


@jit
def selling(o, good):
    """Money from a box now."""
    level = int(o[At.PRICE + good])
    return 0 if level == 0 else level + 1


@jit
def wealth(o, seat):
    """Money of a seat if it sold all its boxes now."""
    money = int(o[At.MONEY + seat])
    for good in range(N_GOODS):
        money += int(o[At.BOXES + N_GOODS * seat + good]) * selling(o, good)
    return money


@jit
def rounds_left(o):
    """After this one; none if somebody has the money that ends the game, or the seat that looks would have it by the
    trading that it still has before it."""
    most = int(o[At.MONEY]) if o[At.USED + Action.TRADING] == 1 else wealth(o, 0)
    for seat in range(1, MAX_SEATS):
        most = max(most, int(o[At.MONEY + seat]))
    if most >= o[At.RULES + Rule.END_MONEY]:
        return 0
    return int(o[At.RULES + Rule.LAST_ROUND]) - int(o[At.ROUND_NUMBER])


@jit
def is_ahead(o):
    """Whether nobody has more, boxes counted at their prices."""
    for seat in range(1, MAX_SEATS):
        if wealth(o, seat) > wealth(o, 0):
            return False
    return True


@jit
def expected(o, good):
    """Money from a box after the first two phases, in hundredths."""
    level = int(o[At.PRICE + good]) + int(o[At.SIGN + good])
    stock = int(o[At.STOCK + good])
    level += 1 if stock == 0 else (-1 if stock == ROOM else 0)
    level = min(max(level, 0), 6)
    return 0 if level == 0 else 100 * (level + 1)


@jit
def pieces_hired(o):
    """Without the start worker, which costs nothing."""
    return WORKERS - 1 + WINEMASTERS - int(o[At.WORKERS]) - int(o[At.WINEMASTERS])


@jit
def fee(o, w, good):
    """How many boxes of a good the next piece costs, if one more is wanted."""
    workers, masters = int(o[At.WORKERS]), int(o[At.WINEMASTERS])
    if rounds_left(o) == 0 or pieces_hired(o) >= w.pieces_wanted:
        return 0
    if workers > 0:
        return 1 if good == Good.RED else 0
    hired = WINEMASTERS - masters
    if hired == WINEMASTERS - 1:
        return 1
    return hired + 1 if good == Good.WHITE and masters > 0 else 0


@jit
def share(w, held):
    """How much of its price a box brings to who has so many, percent."""
    if held < 2:
        return w.share_2 if held == 1 else w.share_1
    return w.share_3 if held == 2 else (w.share_4 if held == 3 else w.share_5)


@jit
def box(o, w, good, held):
    """What one more box is worth to who has so many."""
    if held >= ROOM:
        return 0
    value = expected(o, good) * share(w, held) // 100
    if held < fee(o, w, good):
        value += w.fee
    if held == 0 and o[At.WORKERS] == 0 and o[At.WINEMASTERS] == 1:
        value += w.third_fee
    if held == 0 and (good == Good.ROSE or good == Good.CHAMPAGNE) and rounds_left(o) > 0:
        value += w.service_fee
    if good == Good.WATER and held < w.water_wanted and rounds_left(o) > 0:
        value = max(value, w.water_first - w.water_less * held)
    return value


@jit
def boxes(o, w, good, held, more):
    """What so many more boxes are worth, or fewer if negative."""
    value = 0
    for i in range(more):
        value += box(o, w, good, held + i)
    for i in range(-more):
        value -= box(o, w, good, held - 1 - i)
    return value


@jit
def kind_of(o, square):
    kind = 0
    while o[At.SQUARE_KIND + N_KINDS * square + kind] == 0:
        kind += 1
    return kind


@jit
def is_own(o, square):
    return o[At.SQUARE_OWNER + MAX_SEATS * square] == 1


@jit
def is_near(square, other):
    """Whether two squares touch a common crossroad."""
    rows = abs(square // COLUMNS - other // COLUMNS)
    return rows <= 1 and abs(square % COLUMNS - other % COLUMNS) <= 1


@jit
def touches(crossroad, square):
    row = square // COLUMNS - crossroad // CROSS_COLUMNS
    column = square % COLUMNS - crossroad % CROSS_COLUMNS
    return 0 <= row <= 1 and 0 <= column <= 1


@jit
def place(o, w, square):
    """What the next piece brings on a square in each round to come: its boxes, and how many share their water."""
    kind, workers = kind_of(o, square), int(o[At.WORKERS])
    is_strong = workers == 0 or o[At.SQUARE_WORKERS + square] == 1
    if kind == ABANDONED:
        made = w.abandoned_square if is_strong else 0
    else:
        price = max(expected(o, kind), w.price_least)
        made = price if workers > 0 else 2 * price
        if kind == Good.WATER:
            made = max(made, w.water_worker if workers > 0 else w.water_master)
    near = 0
    for other in range(N_SQUARES):
        if other != square and is_own(o, other) and is_near(square, other):
            near += 1
    same = 0  # boxes of one good beyond five are lost
    for other in range(N_SQUARES):
        if is_own(o, other) and kind_of(o, other) == kind:
            same += 1
    if kind == Good.ROSE or kind == Good.CHAMPAGNE:
        made += w.service_square
    elif kind == Good.WHITE:
        made += w.winemaster_square
    return made + w.near * min(near, 3) - w.same * same


@jit
def made_by(o, square):
    """Boxes that an own square makes."""
    strength = int(o[At.SQUARE_WORKERS + square]) + FULL_SQUARE * int(o[At.SQUARE_WINEMASTER + square])
    if kind_of(o, square) == ABANDONED:
        return 1 if strength == FULL_SQUARE else 0
    return strength


@jit
def gain_of_water(o, w, crossroad, wet, made, keep):
    """What one more box of water makes. wet (squares,): watered already; made (goods,): boxes made so far. keep: note
    what it makes in both."""
    gain = 0
    for square in range(N_SQUARES):
        if wet[square] == 1 or not is_own(o, square) or not touches(crossroad, square):
            continue
        if o[At.SQUARE_PRODUCED + square] == 1:
            continue
        kind, n = kind_of(o, square), made_by(o, square)
        if kind == ABANDONED:
            gain += w.abandoned_box * n
        else:
            held = int(o[At.BOXES + kind]) + int(made[kind])
            gain += boxes(o, w, kind, held, min(n, max(ROOM - held, 0)))
            if keep:
                made[kind] += n
        if keep:
            wet[square] = 1
    return gain


@jit
def plan_water(o, w, first, n, plan, wet, made):
    """The best crossroads one by one, from the first on, for up to n boxes beside those that lie there, written as 1
    into plan (crossroads,). Returns what they bring beyond the water that they cost. wet, made: scratch."""
    total = 0
    for square in range(N_SQUARES):
        wet[square] = 0
    for good in range(N_GOODS):
        made[good] = 0
    for crossroad in range(N_CROSSROADS):
        plan[crossroad] = 0
        if o[At.WATER + crossroad] == 1:
            gain_of_water(o, w, crossroad, wet, made, True)
    for i in range(n):
        cost = boxes(o, w, Good.WATER, int(o[At.BOXES + Good.WATER]) - i, -1)
        # Water that is kept is worth what it will make; here it competes with making at once.
        cost = -cost * w.water_cost // 100
        best, most = -1, 0
        for crossroad in range(first, N_CROSSROADS):
            if plan[crossroad] == 0:
                gain = gain_of_water(o, w, crossroad, wet, made, False)
                if gain - cost > most:
                    best, most = crossroad, gain - cost
        if best < 0:
            return total
        gain_of_water(o, w, best, wet, made, True)
        plan[best] = 1
        total += most
    return total


@jit
def position_value(o, w):
    """What the position of the seat that looks is worth."""
    value = 100 * int(o[At.MONEY])
    for good in range(N_GOODS):
        value += boxes(o, w, good, 0, int(o[At.BOXES + good]))
    made = 0
    for square in range(N_SQUARES):
        if is_own(o, square):
            kind, n = kind_of(o, square), made_by(o, square)
            made += n * (w.abandoned_box if kind == ABANDONED else max(expected(o, kind), w.price_least))
    return value + made * w.square_round * rounds_left(o) // 100
