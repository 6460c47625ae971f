"""Value of a position: points, money, yearly income, cards, and the path from vines to filled orders.

In hundredths of a victory point. `me` is a record of `features.POSITION`, `w` one of `weights.WEIGHTS_DTYPE`.
"""

from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import LARGE_TIER, MEDIUM_TIER
from vitienv.viticulture.cards import (
    FIRST_ORDER,
    FIRST_SUMMER,
    N_VINES,
    ORDER_ICONS,
    ORDER_MIN_VALUE,
    ORDER_RESIDUAL,
    ORDER_TYPE,
    ORDER_VP,
    VINE_RED,
    VINE_TOTAL,
    VINE_WHITE,
)
from vitienv.viticulture.derived import room_on_field, vine_allowed
from vitienv.viticulture.enums import (
    HAND_LIMIT,
    N_FIELDS,
    N_VALUES,
    RESIDUAL_MAX,
    Colour,
    Deck,
    Season,
    Structure,
    Used,
    Wine,
)
from vitienv.viticulture.state import Rule

# Origin of a token for an order; a filled order takes one action more.
FROM_WINE = 0
FROM_GRAPE = 1
FROM_FIELD = 2
PERCENT = 100


@jit
def lira_worth(me, w):
    """Return the value of money, with diminishing returns and fading in the last years."""
    lira = me.lira[ME]
    full = min(lira, 4) * w.lira_low
    full += min(max(lira - 4, 0), 4) * w.lira_mid
    full += min(max(lira - 8, 0), 6) * w.lira_high
    full += max(lira - 14, 0) * w.lira_rich
    return full * min(me.later, w.lira_fade) // w.lira_fade + lira


@jit
def yearly_worth(me, w):
    """Return the value of workers, structures and residual payments in later years."""
    workers = me.staff[ME, 0] + me.staff[ME, 1] + me.trained[ME]
    yearly = me.residual[ME] * w.residual_year
    for i in range(3, workers):
        yearly += w.worker_year - (i - 3) * w.worker_less
    built = me.structures[ME]
    yearly += built[Structure.WINDMILL] * w.windmill_year + built[Structure.TASTING_ROOM] * w.tasting_year
    yearly += built[Structure.COTTAGE] * w.cottage_year + built[Structure.YOKE] * w.yoke_year
    yearly += built[Structure.TRELLIS] * w.trellis_year + built[Structure.IRRIGATION] * w.irrigation_year
    yearly += built[Structure.MEDIUM_CELLAR] * w.medium_year + built[Structure.LARGE_CELLAR] * w.large_year
    yearly -= (me.sold[ME, 0] + me.sold[ME, 1] + me.sold[ME, 2]) * w.field_open
    this_year = 0
    if me.season <= Season.SUMMER and me.free > 0:
        this_year = built[Structure.WINDMILL] * (1 - me.used[ME, Used.WINDMILL]) * w.windmill_year
        this_year += built[Structure.TASTING_ROOM] * (1 - me.used[ME, Used.TASTING_ROOM]) * w.tasting_year
    return yearly * me.later // 100 + this_year // 2


@jit
def hand_size(me):
    """Return the number of cards in hand."""
    return me.n_hand[ME, 0] + me.n_hand[ME, 1] + me.n_hand[ME, 2] + me.n_hand[ME, 3]


@jit
def visitors_worth(me, w):
    """Return the value of visitors in hand, with diminishing returns; 0 if they are not playable any more."""
    total = 0
    for deck in range(Deck.SUMMER, Deck.WINTER + 1):
        card_value = w.summer_card if deck == Deck.SUMMER else w.winter_card
        playable = me.later > 0 or (me.free > 0 and (deck == Deck.WINTER or me.season <= Season.SUMMER))
        for _ in range(me.n_hand[ME, deck]):
            if playable and card_value > 0:
                total += card_value
                card_value -= w.visitor_less
    excess = hand_size(me) - HAND_LIMIT - me.free // 2
    return total - max(0, excess) * w.over_limit


@jit
def update_yields(me):
    """Compute the red and white grape of each field, 0 for none."""
    for field in range(N_FIELDS):
        red, white = 0, 0
        for vine in range(N_VINES):
            n = me.vines[ME, field, vine]
            if n > 0:
                red += n * VINE_RED[vine]
                white += n * VINE_WHITE[vine]
        me.yields[field, Colour.RED] = min(red, N_VALUES)
        me.yields[field, Colour.WHITE] = min(white, N_VALUES)


@jit
def grape_worth(w, value):
    return w.grape + w.grape_value * value if value > 0 else 0


@jit
def wine_worth(w, kind, value):
    if kind == Wine.SPARKLING:
        return w.sparkling + w.sparkling_value * value
    if kind == Wine.BLUSH:
        return w.blush + w.blush_value * value
    return w.wine + w.wine_value * value


@jit
def fields_worth(me, w):
    """Return the value of grapes of later years, with diminishing returns."""
    total, share = 0, PERCENT
    for value in range(N_VALUES, 0, -1):
        for field in range(N_FIELDS):
            for colour in range(2):
                if me.yields[field, colour] == value:
                    total += grape_worth(w, value) * share // PERCENT
                    share = share * w.field_crowd // PERCENT
    ready = 0
    for field in range(N_FIELDS):
        if me.harvested[ME, field] == 0:
            ready += grape_worth(w, me.yields[field, Colour.RED]) + grape_worth(w, me.yields[field, Colour.WHITE])
    if me.free == 0:
        ready = 0
    return total * w.field_year * me.later // 10000 + ready * w.field_year // PERCENT


@jit
def cap_of_cellar(me):
    """Return the highest value of a new wine."""
    if me.structures[ME, Structure.MEDIUM_CELLAR] == 0:
        return 3
    return 9 if me.structures[ME, Structure.LARGE_CELLAR] == 1 else 6


@jit
def find_grape(me, colour, min_value, depth, strict):
    """Return the best grape of a colour for a wine of `min_value`: (place, value), place -1 if there is none.

    The lowest sufficient grape, otherwise the highest. Places 0 to 8 are grapes of the crush pad, 9 to 11 fields.
    depth: FROM_GRAPE or FROM_FIELD. strict: only sufficient grapes.
    """
    place, best = -1, 0
    for value in range(1, N_VALUES + 1):
        if me.crush[ME, colour, value - 1] == 1:
            if place < 0 or best < min_value:
                place, best = value - 1, value
    if best < min_value and depth >= FROM_FIELD:
        for field in range(N_FIELDS):
            value = me.yields[field, colour]
            if value > 0 and me.promised[field, colour] == 0 and value > best:
                place, best = N_VALUES + field, value
    if strict and best < min_value:
        return -1, 0
    return place, best


@jit
def assign_grape(me, colour, place):
    """Assign a grape to an order. Returns whether it must be harvested first."""
    if place < N_VALUES:
        me.crush[ME, colour, place] = 0
        return 0
    me.promised[place - N_VALUES, colour] = 1
    return 1


@jit
def unassign_grape(me, colour, place):
    if place < N_VALUES:
        me.crush[ME, colour, place] = 1
    else:
        me.promised[place - N_VALUES, colour] = 0


@jit
def icon_share(me, w, kind, min_value, depth):
    """Return the percentage of an order's value for a wine, and assign its tokens; 0 without tokens.

    Up to FROM_GRAPE only sufficient wines count; with FROM_FIELD also wines that must age.
    """
    for value in range(min_value, N_VALUES + 1):
        if me.cellar[ME, kind, value - 1] == 1:
            me.cellar[ME, kind, value - 1] = 0
            return w.from_wine
    if depth == FROM_WINE:
        return 0
    strict = depth == FROM_GRAPE
    cap = cap_of_cellar(me)
    if strict and cap < min_value:
        return 0
    share = 0
    best_wine = 0
    if not strict:
        for value in range(min_value - 1, 0, -1):
            if me.cellar[ME, kind, value - 1] == 1:
                best_wine = value
                share = w.from_wine - (min_value - value) * w.ageing
                if cap < min_value:
                    share = share * w.no_cellar // PERCENT
                break
    first, second, third, value = -1, -1, -1, 0
    first_colour = Colour.WHITE if kind == Wine.WHITE else Colour.RED
    if kind <= Wine.WHITE:
        first, value = find_grape(me, first_colour, min_value, depth, strict)
    else:
        first, value1 = find_grape(me, Colour.RED, 9, depth, False)
        value2, value3 = 0, 0
        if first >= 0:
            assign_grape(me, Colour.RED, first)
            if kind == Wine.SPARKLING:
                third, value3 = find_grape(me, Colour.RED, 9, depth, False)
            second, value2 = find_grape(me, Colour.WHITE, max(1, min_value - value1 - value3), depth, False)
            unassign_grape(me, Colour.RED, first)
        value = value1 + value2 + value3
        if second < 0 or (kind == Wine.SPARKLING and third < 0) or (strict and value < min_value):
            first = -1
    grape_share = 0
    if first >= 0:
        later = 1 if first >= N_VALUES or second >= N_VALUES or third >= N_VALUES else 0
        grape_share = w.from_field if later == 1 else w.from_grape
        grape_share -= max(0, min_value - value) * w.ageing
        if cap < min_value:
            grape_share = grape_share * w.no_cellar // PERCENT
    if share <= 0 and grape_share <= 0:
        return 0
    if share >= grape_share:
        me.cellar[ME, kind, best_wine - 1] = 0
        return share
    assign_grape(me, first_colour, first)
    if second >= 0:
        assign_grape(me, Colour.WHITE, second)
    if third >= 0:
        assign_grape(me, Colour.RED, third)
    return grape_share


@jit
def order_worth(me, w, order):
    """Return the value of filling an order."""
    steps = min(int(ORDER_RESIDUAL[order]), RESIDUAL_MAX - me.residual[ME])
    return 100 * int(ORDER_VP[order]) * me.rules[Rule.VP_IN_PLAY] + steps * w.residual_year * me.later // 100


@jit
def assign_order(p, flat, at, w, order, depth):
    """Return whether tokens of this depth fill an order, which assigns them, and the percentage of its value."""
    copy_position(flat, at, at + 1)
    total, least_share, icons = 0, PERCENT, int(ORDER_ICONS[order])
    for icon in range(icons):
        share = icon_share(p[at + 1], w, int(ORDER_TYPE[order, icon]), int(ORDER_MIN_VALUE[order, icon]), depth)
        total += share
        least_share = min(least_share, share)
    if least_share > 0:
        p[at + 1].hand[ME, FIRST_ORDER + order] = 0
        copy_position(flat, at + 1, at)
    return least_share > 0, (total // icons + least_share) // 2


@jit
def nearest_token(me):
    """Return the first depth with any token."""
    for kind in range(Wine.SPARKLING + 1):
        for value in range(N_VALUES):
            if me.cellar[ME, kind, value] == 1:
                return FROM_WINE
    for colour in range(2):
        for value in range(N_VALUES):
            if me.crush[ME, colour, value] == 1:
                return FROM_GRAPE
    return FROM_FIELD


@jit
def cellar_worth(p, flat, at, w):
    """Return the value of orders with assigned tokens, nearest to completion first, and of the remaining tokens."""
    work = at + 1
    copy_position(flat, at, work)
    me = p[at]
    total = 0
    hurried = me.later == 0
    if me.n_hand[ME, Deck.ORDER] > 0 and me.rules[Rule.ORDERS] == 1:
        lowest, highest = FIRST_SUMMER, FIRST_ORDER
        for kind in range(FIRST_ORDER, FIRST_SUMMER):
            if me.hand[ME, kind] > 0:
                lowest, highest = min(lowest, kind), kind
        for depth in range(nearest_token(me), FROM_FIELD + 1):
            if hurried and me.free < depth + 1:
                break
            for order in range(highest - FIRST_ORDER, lowest - FIRST_ORDER - 1, -1):
                if p[work].hand[ME, FIRST_ORDER + order] == 0:
                    continue
                complete, share = assign_order(p, flat, work, w, order, depth)
                if complete:
                    total += order_worth(me, w, order) * share // PERCENT
                elif depth == FROM_FIELD and not hurried:
                    # The tokens of an incomplete order stay free for other orders.
                    total += w.order_card + order_worth(me, w, order) * max(share // 2, w.from_nothing) // PERCENT
    token_value = leftover_value(p[work], w)
    return total + (token_value // 20 if hurried else token_value)


@jit
def leftover_value(me, w):
    """Return the value of wines and grapes without an order, with diminishing returns."""
    total, share = 0, PERCENT
    for kind in range(Wine.SPARKLING, -1, -1):
        for value in range(N_VALUES, 0, -1):
            if me.cellar[ME, kind, value - 1] == 1:
                total += wine_worth(w, kind, value) * share // PERCENT
                share = share * w.token_less // PERCENT
    for value in range(N_VALUES, 0, -1):
        for colour in range(2):
            if me.crush[ME, colour, value - 1] == 1:
                total += grape_worth(w, value) * share // PERCENT
                share = share * w.token_less // PERCENT
    return total


@jit
def vines_worth(me, w):
    """Return the value of vine cards: a share of their value when planted."""
    if me.n_hand[ME, Deck.VINE] == 0 or me.later == 0:
        return 0
    total, share = 0, PERCENT
    for vine in range(N_VINES - 1, -1, -1):
        for _ in range(me.hand[ME, vine]):
            card_value = w.vine_card
            room = max(room_on_field(me, ME, 0, 0), max(room_on_field(me, ME, 1, 0), room_on_field(me, ME, 2, 0)))
            if VINE_TOTAL[vine] <= room:
                planted = grape_worth(w, int(VINE_RED[vine])) + grape_worth(w, int(VINE_WHITE[vine]))
                planted = planted * w.field_year * me.later // 10000
                if not vine_allowed(me, ME, vine, 0):
                    planted = planted * w.vine_locked // PERCENT
                card_value += planted * w.vine_share // PERCENT
            total += card_value * share // PERCENT
            share = share * w.token_less // PERCENT
    return total


@jit
def points_worth(me, w):
    """Return the value of points, points required this year, and points for wines (campaign)."""
    total = 100 * me.vp[ME] * me.rules[Rule.VP_IN_PLAY] - w.urgent * max(0, me.target - me.vp[ME])
    if me.rules[Rule.LARGE_WINE_VP] + me.rules[Rule.MEDIUM_WINE_VP] > 0:
        for kind in range(Wine.SPARKLING + 1):
            for value in range(1, N_VALUES + 1):
                if me.cellar[ME, kind, value - 1] == 1:
                    total += wine_points(me, value)
        for colour in range(2):
            for value in range(1, N_VALUES + 1):
                if me.crush[ME, colour, value - 1] == 1:
                    total += wine_points(me, value) // 2
    return total


@jit
def wine_points(me, value):
    """Return the expected points of a wine at the end of the game, after ageing (campaign, challenge 6)."""
    reached = min(N_VALUES, value + me.later // 100)
    cellars = me.structures[ME, Structure.MEDIUM_CELLAR] + me.structures[ME, Structure.LARGE_CELLAR]
    if reached >= LARGE_TIER:
        return me.rules[Rule.LARGE_WINE_VP] * (30 + 35 * cellars)
    if reached >= MEDIUM_TIER:
        return me.rules[Rule.MEDIUM_WINE_VP] * (40 + 30 * cellars)
    return 0


@jit
def position_value(p, flat, at, w):
    """Return the value of position `at`. The two positions above it are scratch."""
    me = p[at]
    update_yields(me)
    total = points_worth(p[at], w) + me.extra + lira_worth(me, w) + yearly_worth(me, w) + visitors_worth(me, w)
    return total + fields_worth(me, w) + vines_worth(me, w) + cellar_worth(p, flat, at, w)
