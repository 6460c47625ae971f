"""Lookahead of the heuristic bot through the parts of effects (actions, tiles, events, cards)."""

from vitienv.agents.viticulture.acts import N_SALES, best_visitor, can_sell, sell
from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.lookahead import LookaheadFunctions
from vitienv.agents.viticulture.maximum import FAR_BELOW, best_of
from vitienv.agents.viticulture.moves import (
    N_WINES,
    drop_grape,
    drop_wine,
    give_wines,
    has_that_wine,
    lose_grape,
    put_structure,
    put_vine,
    put_wine,
    sell_best,
)
from vitienv.agents.viticulture.parts import own_part
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import DECK_OF_KIND, ORDER_VP
from vitienv.viticulture.cards import N_KINDS as N_CARDS
from vitienv.viticulture.cards.parts import ANY_DECK, PartOp
from vitienv.viticulture.enums import COLOURS, N_DECKS, N_FIELDS, N_VALUES, Season
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import age_wine, can_age, harvest, place_grape
from vitienv.world.enums import N_LETTERS, N_REGULARS, N_TILES, NO_OVAL, Flag, Hat, Metric, Tile
from vitienv.world.goals import flag
from vitienv.world.language import EITHER_COLOUR, MAX_EFFECT_PARTS, SELL_FIELD, WorldPart
from vitienv.world.ops.effects import IS_OPTIONAL, LAST_OF_CARDS
from vitienv.world.ops.exchange import Kind, Way, can_buy_steps, can_lose
from vitienv.world.ops.overrides import GRAND_ORDER, world_planting_price
from vitienv.world.ops.parts import ADDED
from vitienv.world.ops.tokens import HIGH_VALUE, N_GRAPES, can_sell_field, gain_wine, grape_can_age, has_slot
from vitienv.world.rows import EXCHANGED, PARTS
from vitienv.world.state import WorldRule

# Replacements of Viticulture's functions that count deeds too.


@jit
def world_put_vine(me, vine, field, w):
    put_vine(me, vine, field, w)
    me.lira[ME] -= world_planting_price(me, vine)
    me.deeds[ME, Metric.PLANTS] += 1


@jit
def world_harvest(me, seat, field):
    me.deeds[seat, Metric.HARVESTS] += 1
    return harvest(me, seat, field)


@jit
def world_put_wine(me, kind, red1, red2, white, no_cellars_needed):
    if not put_wine(me, kind, red1, red2, white, no_cellars_needed):
        return False
    me.lira[ME] += flag(me, Flag.LIRA_PER_WINE_MADE)
    me.deeds[ME, Metric.WINES_MADE] += 1
    return True


@jit
def world_give_wines(me, order):
    give_wines(me, order)
    me.vp[ME] += flag(me, Flag.VP_PER_ORDER_FILLED)
    me.deeds[ME, Metric.ORDERS_FILLED] += 1
    me.deeds[ME, Metric.ORDER_VP] += int(ORDER_VP[order])
    if ORDER_VP[order] >= GRAND_ORDER:
        me.deeds[ME, Metric.ORDERS_FILLED_4VP_PLUS] += 1


@jit
def world_put_structure(me, structure, discount, price, w):
    put_structure(me, structure, discount, price, w)
    me.deeds[ME, Metric.STRUCTURES_BUILT] += 1


# Parts that World adds.


ADDED_BY_LOOKAHEAD = LookaheadFunctions("part", WorldPart, ADDED.rows)
lookahead = ADDED_BY_LOOKAHEAD.add
draw_one = best_of(
    N_DECKS,
    can=lambda me, deck, decks: (decks >> deck) & 1 == 1,
    do=lambda p, flat, at, w, deck, decks: draw_card(p[at], deck, w),
    extra=", decks",
)


@lookahead(WorldPart.DRAW_OF)
def draw_best(p, flat, at, w, o, a, b, c, result):
    """Draw b cards, each from the best deck of the bits in a."""
    for _ in range(b):
        draw_one(p, flat, at, w, a)
    return True


gain_best_grape = best_of(
    len(COLOURS),
    can=lambda me, grape, colour, value: (
        (colour == EITHER_COLOUR or colour == grape) and has_slot(me, ME, grape, value)
    ),
    do=lambda p, flat, at, w, grape, colour, value: place_grape(p[at], ME, grape, value),
    extra=", colour, value",
)
lookahead(WorldPart.GRAPE)(lambda p, flat, at, w, o, a, b, c, result: gain_best_grape(p, flat, at, w, a, b) >= 0)


@lookahead(WorldPart.WINE)
def gain_new_wine(p, flat, at, w, o, a, b, c, result):
    gain_wine(p[at], ME, a, b)
    return True


lookahead(WorldPart.LOSE_GRAPE)(lambda p, flat, at, w, o, a, b, c, result: lose_grape(p, flat, at, w) >= 0)
lose_least_wine = best_of(
    N_WINES,
    can=lambda me, wine, min_value, kinds: (
        (kinds == 0 or (kinds >> (wine // N_VALUES)) & 1 == 1) and has_that_wine(me, wine, min_value)
    ),
    do=lambda p, flat, at, w, wine, min_value, kinds: drop_wine(p[at], wine),
    extra=", min_value, kinds",
)
lookahead(WorldPart.LOSE_WINE)(lambda p, flat, at, w, o, a, b, c, result: lose_least_wine(p, flat, at, w, a, b) >= 0)


@jit
def sell_wine_of(me, wine):
    """Sell a wine for lira (W74)."""
    value = wine % N_VALUES + 1
    drop_wine(me, wine)
    me.lira[ME] += value
    me.deeds[ME, Metric.WINES_SOLD] += 1
    if value >= HIGH_VALUE:
        me.deeds[ME, Metric.WINES_SOLD_VALUE_4_PLUS] += 1


sell_best_wine = best_of(
    N_WINES, can=lambda me, wine: has_that_wine(me, wine, 1), do=lambda p, flat, at, w, wine: sell_wine_of(p[at], wine)
)
lookahead(WorldPart.SELL_WINE)(lambda p, flat, at, w, o, a, b, c, result: sell_best_wine(p, flat, at, w) >= 0)


@jit
def age_grape(me, grape):
    drop_grape(me, grape)
    me.crush[ME, grape // N_VALUES, grape % N_VALUES + 1] = 1


age_best_grape = best_of(
    N_GRAPES,
    can=lambda me, grape: grape_can_age(me, ME, grape),
    do=lambda p, flat, at, w, grape: age_grape(p[at], grape),
)
lookahead(WorldPart.AGE_GRAPE)(lambda p, flat, at, w, o, a, b, c, result: age_best_grape(p, flat, at, w) >= 0)
age_best_wine = best_of(
    N_WINES,
    can=lambda me, wine: (
        wine % N_VALUES + 1 < N_VALUES
        and has_that_wine(me, wine, 1)
        and can_age(me, ME, wine // N_VALUES, wine % N_VALUES + 1)
    ),
    do=lambda p, flat, at, w, wine: age_wine(p[at], ME, wine // N_VALUES, wine % N_VALUES + 1),
)


@lookahead(WorldPart.PLAY)
def play_best_visitors(p, flat, at, w, o, a, b, c, result):
    """Play the best visitor of deck b, and a second one if a > 1 and it gains value."""
    before = position_value(p, flat, at, w)
    first_visitor, value = best_visitor(p, flat, at, w, o, b, -1)
    if first_visitor < 0:
        return False
    gained = value - before + w.visitor_more
    p[at].deeds[ME, Metric.VISITORS_PLAYED] += 1
    if a > 1:
        second_visitor, second_value = best_visitor(p, flat, at, w, o, b, first_visitor)
        if second_visitor >= 0 and second_value > before:
            gained += second_value - before + w.visitor_more
            p[at].deeds[ME, Metric.VISITORS_PLAYED] += 1
    p[at].extra += gained
    return True


sell_allowed = best_of(
    N_SALES,
    can=lambda me, sale, allowed: (
        (sale >= N_FIELDS or can_sell_field(me, ME, sale, allowed | SELL_FIELD)) and can_sell(me, sale)
    ),
    do=lambda p, flat, at, w, sale, allowed: sell(p[at], sale),
    extra=", allowed",
)


@lookahead(WorldPart.SELL)
def sell_grapes_or_field(p, flat, at, w, o, a, b, c, result):
    """Sell grapes, else sell or buy back a field; buying a grape is not considered."""
    return sell_best(p, flat, at, w) > 0 or sell_allowed(p, flat, at, w, a) >= 0


@jit
def remove_hat(me, hat):
    """Remove a hat of a colour; a worker without a yellow hat can be placed in winter too."""
    for i in range(N_REGULARS):
        if me.hat[ME, i] == hat:
            me.hat[ME, i] = Hat.BARE
            if hat == Hat.YELLOW and me.season <= Season.SUMMER:
                me.early -= 1
                me.free += 1
            return True
    return False


@lookahead(WorldPart.REMOVE_HAT)
def take_hat(p, flat, at, w, o, a, b, c, result):
    p[at].extra += w.train_more
    return remove_hat(p[at], Hat.YELLOW) or remove_hat(p[at], Hat.BLUE)


@jit
def discard(me, card):
    me.hand[ME, card] -= 1
    me.n_hand[ME, DECK_OF_KIND[card]] -= 1


discard_least = best_of(
    N_CARDS, can=lambda me, card: me.hand[ME, card] > 0, do=lambda p, flat, at, w, card: discard(p[at], card)
)


@jit
def lose_kind(p, flat, at, w, kind):
    """Pay the cost of an exchange, an `exchange.Kind`; return whether the seat can."""
    n = EXCHANGED[Way.LOST, kind]
    if not can_lose(p[at], ME, kind):
        return False
    if kind == Kind.CARDS:
        for _ in range(n):
            if discard_least(p, flat, at, w) < 0:
                return False
        return True
    if kind == Kind.GRAPE:
        return lose_grape(p, flat, at, w) >= 0
    if kind == Kind.LIRA:
        p[at].lira[ME] -= n
    else:
        p[at].vp[ME] -= n
    return True


@jit
def gain_kind(p, flat, at, w, kind):
    """Take the gain of an exchange; return whether the seat can."""
    n = EXCHANGED[Way.GAINED, kind]
    if n == 0:
        return False
    if kind == Kind.CARDS:
        for _ in range(n):
            draw_one(p, flat, at, w, ANY_DECK)
    elif kind == Kind.GRAPE:
        return gain_best_grape(p, flat, at, w, EITHER_COLOUR, 1) >= 0
    elif kind == Kind.LIRA:
        p[at].lira[ME] += n
    else:
        p[at].vp[ME] += n
    return True


# Best gain of an exchange, which differs from its cost; then the best exchange.
gain_best_kind = best_of(
    len(Kind), do=lambda p, flat, at, w, kind, cost: kind != cost and gain_kind(p, flat, at, w, kind), extra=", cost"
)
exchange_best = best_of(
    len(Kind),
    do=lambda p, flat, at, w, kind: lose_kind(p, flat, at, w, kind) and gain_best_kind(p, flat, at, w, kind) >= 0,
)
lookahead(WorldPart.EXCHANGE)(lambda p, flat, at, w, o, a, b, c, result: exchange_best(p, flat, at, w) >= 0)


@jit
def tile_value(me, w, tile):
    """Return the value of a tile in the remaining years, for all seats."""
    num_others = me.rules[Rule.NUM_PLAYERS] - 1
    a_year = w.rectangles[tile] if tile < N_LETTERS else w.ovals[tile - N_LETTERS] + w.opened * num_others
    if tile < N_LETTERS and me.oval_on[tile] != NO_OVAL:
        a_year += w.together
    return a_year * (100 + w.shared * min(3, num_others)) // 100 * me.later // 100


@lookahead(WorldPart.INNOVATE)
def take_best_tile(p, flat, at, w, o, a, b, c, result):
    me = p[at]
    best_value, best_tile = FAR_BELOW, -1
    for tile in range(N_TILES):
        if me.tile[tile] == Tile.SHOWN and tile_value(me, w, tile) > best_value:
            best_value, best_tile = tile_value(me, w, tile), tile
    if best_tile < 0:
        return False
    me.extra += best_value
    me.deeds[ME, Metric.INNOVATIONS_TAKEN] += 1
    return True


@jit
def buy_step(me, w, lira):
    """Buy an influence step; the penalty of early years stands for other uses of the lira."""
    me.influence += 1
    me.lira[ME] -= lira
    me.extra -= w.buy_early * me.later // 100


@lookahead(WorldPart.BUY_INFLUENCE)
def buy_steps(p, flat, at, w, o, a, b, c, result):
    """Buy an influence step, and up to a while they add value."""
    for i in range(a):
        if not can_buy_steps(p[at], ME, b):
            return i > 0
        copy_position(flat, at, at + 1)
        buy_step(p[at + 1], w, b)
        if i > 0 and position_value(p, flat, at + 1, w) <= position_value(p, flat, at, w):
            return True
        copy_position(flat, at + 1, at)
    return True


@lookahead(WorldPart.INFLUENCE)
def gain_steps(p, flat, at, w, o, a, b, c, result):
    p[at].influence = min(p[at].influence + a, p[at].rules[WorldRule.INFLUENCE_END])
    return True


@lookahead(WorldPart.TOUR)
def give_tour(p, flat, at, w, o, a, b, c, result):
    p[at].lira[ME] += a
    p[at].extra += w.tour_more
    return True


@lookahead(WorldPart.TEMPORARY)
def gain_temporary_worker(p, flat, at, w, o, a, b, c, result):
    p[at].free += 1
    p[at].extra += w.temporary
    return True


@lookahead(WorldPart.POINTS_IF_ALL)
def gain_points_if_all(p, flat, at, w, o, a, b, c, result):
    """Gain a points if deed b was done c times since its count was `result`."""
    p[at].vp[ME] += a if p[at].deeds[ME, b] - result >= c else 0
    return True


try_added = ADDED_BY_LOOKAHEAD.dispatch("try_added", "p, flat, at, w, o, a, b, c, result", otherwise="True")


@jit
def do_part(p, flat, at, w, o, row, i, discount, deed_count):
    """Apply a part of an effect once. deed_count: count of the deed that its points need, before the effect."""
    op, a, b, c = PARTS[row, i, 0], PARTS[row, i, 1], PARTS[row, i, 2], PARTS[row, i, 3]
    if op > LAST_OF_CARDS:
        return try_added(op, p, flat, at, w, o, a, b, c, deed_count)
    if op == PartOp.AGE_ONE:
        return age_best_wine(p, flat, at, w) >= 0
    if op == PartOp.MAKE:
        p[at].extra += w.make_more
    return own_part(p, flat, at, w, o, op, a + (discount if op == PartOp.BUILD else 0), b, c, -1)[0]


@jit
def required_deed_count(me, row):
    """Return the count of the deed that the points of an effect need."""
    for i in range(MAX_EFFECT_PARTS):
        if PARTS[row, i, 0] == WorldPart.POINTS_IF_ALL:
            return me.deeds[ME, PARTS[row, i, 2]]
    return 0


@jit
def do_effect(p, flat, at, w, o, row, discount):
    """Apply an effect, optional repetitions only while they add value; return whether its first part is possible."""
    deed_count = required_deed_count(p[at], row)
    for i in range(MAX_EFFECT_PARTS):
        op = PARTS[row, i, 0]
        if op == 0:
            return True
        for k in range(PARTS[row, i, 4]):
            if k > 0 and IS_OPTIONAL[op] == 1:
                copy_position(flat, at, at + 1)
                is_done = do_part(p, flat, at + 1, w, o, row, i, discount, deed_count)
                if not is_done or position_value(p, flat, at + 1, w) <= position_value(p, flat, at, w):
                    break
                copy_position(flat, at + 1, at)
            elif not do_part(p, flat, at, w, o, row, i, discount, deed_count):
                if i == 0 and k == 0:
                    return False
                break
    return True
