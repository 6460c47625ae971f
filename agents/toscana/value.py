"""Values of boxes, squares and crossroads for the viewer, in hundredths of money."""

from vitienv.core.compiling.jit import jit
from vitienv.toscana.enums import (
    ABANDONED,
    CAPACITY,
    COLUMNS,
    CROSS_COLUMNS,
    FULL_SQUARE,
    MAX_SEATS,
    N_CROSSROADS,
    N_GOODS,
    N_SQUARES,
    WINEMASTERS,
    WORKERS,
    Action,
    Good,
)
from vitienv.toscana.observation import N_KINDS, At
from vitienv.toscana.state import Rule


@jit
def selling(o, good):
    """Return the price of selling a box."""
    level = int(o[At.PRICE + good])
    return 0 if level == 0 else level + 1


@jit
def wealth(o, seat):
    """Return the money of a seat plus the price of its boxes."""
    money = int(o[At.MONEY + seat])
    for good in range(N_GOODS):
        money += int(o[At.BOXES + N_GOODS * seat + good]) * selling(o, good)
    return money


@jit
def rounds_left(o):
    """Return the rounds after this one; 0 if a seat, or the viewer after trading, has the money that ends the game."""
    money = int(o[At.MONEY]) if o[At.USED + Action.TRADING] == 1 else wealth(o, 0)
    for seat in range(1, MAX_SEATS):
        money = max(money, int(o[At.MONEY + seat]))
    if money >= o[At.RULES + Rule.END_MONEY]:
        return 0
    return int(o[At.RULES + Rule.LAST_ROUND]) - int(o[At.ROUND_NUMBER])


@jit
def is_ahead(o):
    """Return whether no opponent has more wealth."""
    for seat in range(1, MAX_SEATS):
        if wealth(o, seat) > wealth(o, 0):
            return False
    return True


@jit
def expected_price(o, good):
    """Return the expected price of a box after the first two phases, in hundredths."""
    level = int(o[At.PRICE + good]) + int(o[At.SIGN + good])
    stock = int(o[At.STOCK + good])
    level += 1 if stock == 0 else (-1 if stock == CAPACITY else 0)
    level = min(max(level, 0), 6)
    return 0 if level == 0 else 100 * (level + 1)


@jit
def pieces_hired(o):
    """Return the number of pieces, without the free start worker."""
    return WORKERS - 1 + WINEMASTERS - int(o[At.WORKERS]) - int(o[At.WINEMASTERS])


@jit
def fee(o, w, good):
    """Return the price of the next piece in boxes of a good; 0 if no piece is wanted."""
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
def share(w, num_boxes):
    """Return the value of a further box in percent of its price."""
    if num_boxes < 2:
        return w.share_2 if num_boxes == 1 else w.share_1
    return w.share_3 if num_boxes == 2 else (w.share_4 if num_boxes == 3 else w.share_5)


@jit
def box(o, w, good, num_boxes):
    """Return the value of a further box."""
    if num_boxes >= CAPACITY:
        return 0
    value = expected_price(o, good) * share(w, num_boxes) // 100
    if num_boxes < fee(o, w, good):
        value += w.fee
    if num_boxes == 0 and o[At.WORKERS] == 0 and o[At.WINEMASTERS] == 1:
        value += w.third_fee
    if num_boxes == 0 and (good == Good.ROSE or good == Good.CHAMPAGNE) and rounds_left(o) > 0:
        value += w.service_fee
    if good == Good.WATER and num_boxes < w.water_wanted and rounds_left(o) > 0:
        value = max(value, w.water_first - w.water_less * num_boxes)
    return value


@jit
def boxes(o, w, good, num_boxes, change):
    """Return the value of `change` further boxes; negative for fewer."""
    value = 0
    for i in range(change):
        value += box(o, w, good, num_boxes + i)
    for i in range(-change):
        value -= box(o, w, good, num_boxes - 1 - i)
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
def is_near(square, neighbour):
    """Return whether two squares share a crossroad."""
    rows = abs(square // COLUMNS - neighbour // COLUMNS)
    return rows <= 1 and abs(square % COLUMNS - neighbour % COLUMNS) <= 1


@jit
def touches(crossroad, square):
    row = square // COLUMNS - crossroad // CROSS_COLUMNS
    column = square % COLUMNS - crossroad % CROSS_COLUMNS
    return 0 <= row <= 1 and 0 <= column <= 1


@jit
def place(o, w, square):
    """Return the value per round of the next piece on a square: its boxes, and squares that share their water."""
    kind, workers = kind_of(o, square), int(o[At.WORKERS])
    is_strong = workers == 0 or o[At.SQUARE_WORKERS + square] == 1
    if kind == ABANDONED:
        output = w.abandoned_square if is_strong else 0
    else:
        price = max(expected_price(o, kind), w.price_least)
        output = price if workers > 0 else 2 * price
        if kind == Good.WATER:
            output = max(output, w.water_worker if workers > 0 else w.water_master)
    near = 0
    for other in range(N_SQUARES):
        if other != square and is_own(o, other) and is_near(square, other):
            near += 1
    same = 0  # boxes of one good beyond five are lost
    for other in range(N_SQUARES):
        if is_own(o, other) and kind_of(o, other) == kind:
            same += 1
    if kind == Good.ROSE or kind == Good.CHAMPAGNE:
        output += w.service_square
    elif kind == Good.WHITE:
        output += w.winemaster_square
    return output + w.near * min(near, 3) - w.same * same


@jit
def made_by(o, square):
    """Return the boxes that a square of the viewer makes."""
    strength = int(o[At.SQUARE_WORKERS + square]) + FULL_SQUARE * int(o[At.SQUARE_WINEMASTER + square])
    if kind_of(o, square) == ABANDONED:
        return 1 if strength == FULL_SQUARE else 0
    return strength


@jit
def gain_of_water(o, w, crossroad, watered, boxes_made, commit):
    """Return the gain of a box of water. watered (squares,), boxes_made (goods,): state so far; updated if `commit`."""
    gain = 0
    for square in range(N_SQUARES):
        if watered[square] == 1 or not is_own(o, square) or not touches(crossroad, square):
            continue
        if o[At.SQUARE_PRODUCED + square] == 1:
            continue
        kind, n = kind_of(o, square), made_by(o, square)
        if kind == ABANDONED:
            gain += w.abandoned_box * n
        else:
            num_boxes = int(o[At.BOXES + kind]) + int(boxes_made[kind])
            gain += boxes(o, w, kind, num_boxes, min(n, max(CAPACITY - num_boxes, 0)))
            if commit:
                boxes_made[kind] += n
        if commit:
            watered[square] = 1
    return gain


@jit
def plan_water(o, w, first, n, plan, watered, boxes_made):
    """Plan up to n boxes of water greedily, as 1 in plan (crossroads,); return the gain minus the water's value."""
    total = 0
    for square in range(N_SQUARES):
        watered[square] = 0
    for good in range(N_GOODS):
        boxes_made[good] = 0
    for crossroad in range(N_CROSSROADS):
        plan[crossroad] = 0
        if o[At.WATER + crossroad] == 1:
            gain_of_water(o, w, crossroad, watered, boxes_made, True)
    for i in range(n):
        cost = boxes(o, w, Good.WATER, int(o[At.BOXES + Good.WATER]) - i, -1)
        # The value of saved water includes the wine of later rounds.
        cost = -cost * w.water_cost // 100
        best, best_gain = -1, 0
        for crossroad in range(first, N_CROSSROADS):
            if plan[crossroad] == 0:
                gain = gain_of_water(o, w, crossroad, watered, boxes_made, False)
                if gain - cost > best_gain:
                    best, best_gain = crossroad, gain - cost
        if best < 0:
            return total
        gain_of_water(o, w, best, watered, boxes_made, True)
        plan[best] = 1
        total += best_gain
    return total


@jit
def position_value(o, w):
    """Return the value of the viewer's position."""
    value = 100 * int(o[At.MONEY])
    for good in range(N_GOODS):
        value += boxes(o, w, good, 0, int(o[At.BOXES + good]))
    output = 0
    for square in range(N_SQUARES):
        if is_own(o, square):
            kind, n = kind_of(o, square), made_by(o, square)
            output += n * (w.abandoned_box if kind == ABANDONED else max(expected_price(o, kind), w.price_least))
    return value + output * w.square_round * rounds_left(o) // 100
