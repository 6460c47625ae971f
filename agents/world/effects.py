"""Effects of actions, tiles, events and cards tried on an imagined position, part by part."""

from vitienv.agents.viticulture.acts import N_SALES, best_visitor, can_sell, sell
from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.lookahead import Imaginations
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
from vitienv.world.language import EITHER_COLOUR, MOST_PARTS, SELL_FIELD, WorldPart
from vitienv.world.ops.effects import LAST_OF_CARDS, MAY_BE_LEFT
from vitienv.world.ops.exchange import Kind, Way, can_buy_steps, can_lose
from vitienv.world.ops.parts import ADDED
from vitienv.world.ops.tokens import DEAR, N_GRAPES, can_sell_field, gain_wine, grape_can_age, has_slot
from vitienv.world.ops.verbs import GRAND_ORDER, planting_price_here
from vitienv.world.rows import EXCHANGED, PARTS
from vitienv.world.state import WorldRule

# Verbs of the other rulesets that count deeds here; each stands in for one of theirs.


@jit
def put_vine_here(me, vine, field, w):
    put_vine(me, vine, field, w)
    me.lira[ME] -= planting_price_here(me, vine)
    me.deeds[ME, Metric.PLANTS] += 1


@jit
def harvest_here(me, seat, field):
    me.deeds[seat, Metric.HARVESTS] += 1
    return harvest(me, seat, field)


@jit
def put_wine_here(me, kind, red1, red2, white, no_cellars_needed):
    if not put_wine(me, kind, red1, red2, white, no_cellars_needed):
        return False
    me.lira[ME] += flag(me, Flag.LIRA_PER_WINE_MADE)
    me.deeds[ME, Metric.WINES_MADE] += 1
    return True


@jit
def give_wines_here(me, order):
    give_wines(me, order)
    me.vp[ME] += flag(me, Flag.VP_PER_ORDER_FILLED)
    me.deeds[ME, Metric.ORDERS_FILLED] += 1
    me.deeds[ME, Metric.ORDER_VP] += int(ORDER_VP[order])
    if ORDER_VP[order] >= GRAND_ORDER:
        me.deeds[ME, Metric.ORDERS_FILLED_4VP_PLUS] += 1


@jit
def put_structure_here(me, structure, discount, price, w):
    put_structure(me, structure, discount, price, w)
    me.deeds[ME, Metric.STRUCTURES_BUILT] += 1


# Parts that World adds, and what they consist of.


ADDED_IMAGINED = Imaginations("part", WorldPart, ADDED.rows)
imagine = ADDED_IMAGINED.add
draw_one = best_of(
    N_DECKS,
    can=lambda me, deck, decks: (decks >> deck) & 1 == 1,
    do=lambda p, flat, at, w, deck, decks: draw_card(p[at], deck, w),
    more=", decks",
)


@imagine(WorldPart.DRAW_OF)
def draw_best(p, flat, at, w, o, a, b, c, result):
    """Draw b cards, each from the best of the decks a."""
    for _ in range(b):
        draw_one(p, flat, at, w, a)
    return True


gain_best_grape = best_of(
    len(COLOURS),
    can=lambda me, own, colour, value: (colour == EITHER_COLOUR or colour == own) and has_slot(me, ME, own, value),
    do=lambda p, flat, at, w, own, colour, value: place_grape(p[at], ME, own, value),
    more=", colour, value",
)
imagine(WorldPart.GRAPE)(lambda p, flat, at, w, o, a, b, c, result: gain_best_grape(p, flat, at, w, a, b) >= 0)


@imagine(WorldPart.WINE)
def have_wine(p, flat, at, w, o, a, b, c, result):
    gain_wine(p[at], ME, a, b)
    return True


imagine(WorldPart.LOSE_GRAPE)(lambda p, flat, at, w, o, a, b, c, result: lose_grape(p, flat, at, w) >= 0)
lose_least_wine = best_of(
    N_WINES,
    can=lambda me, wine, least, kinds: (
        (kinds == 0 or (kinds >> (wine // N_VALUES)) & 1 == 1) and has_that_wine(me, wine, least)
    ),
    do=lambda p, flat, at, w, wine, least, kinds: drop_wine(p[at], wine),
    more=", least, kinds",
)
imagine(WorldPart.LOSE_WINE)(lambda p, flat, at, w, o, a, b, c, result: lose_least_wine(p, flat, at, w, a, b) >= 0)


@jit
def sell_wine_of(me, wine):
    """One wine for lira (W74)."""
    value = wine % N_VALUES + 1
    drop_wine(me, wine)
    me.lira[ME] += value
    me.deeds[ME, Metric.WINES_SOLD] += 1
    if value >= DEAR:
        me.deeds[ME, Metric.WINES_SOLD_VALUE_4_PLUS] += 1


sell_best_wine = best_of(
    N_WINES, can=lambda me, wine: has_that_wine(me, wine, 1), do=lambda p, flat, at, w, wine: sell_wine_of(p[at], wine)
)
imagine(WorldPart.SELL_WINE)(lambda p, flat, at, w, o, a, b, c, result: sell_best_wine(p, flat, at, w) >= 0)


@jit
def age_grape(me, grape):
    """A grape moves up by one."""
    drop_grape(me, grape)
    me.crush[ME, grape // N_VALUES, grape % N_VALUES + 1] = 1


age_best_grape = best_of(
    N_GRAPES,
    can=lambda me, grape: grape_can_age(me, ME, grape),
    do=lambda p, flat, at, w, grape: age_grape(p[at], grape),
)
imagine(WorldPart.AGE_GRAPE)(lambda p, flat, at, w, o, a, b, c, result: age_best_grape(p, flat, at, w) >= 0)
age_best_wine = best_of(
    N_WINES,
    can=lambda me, wine: (
        wine % N_VALUES + 1 < N_VALUES
        and has_that_wine(me, wine, 1)
        and can_age(me, ME, wine // N_VALUES, wine % N_VALUES + 1)
    ),
    do=lambda p, flat, at, w, wine: age_wine(p[at], ME, wine // N_VALUES, wine % N_VALUES + 1),
)


@imagine(WorldPart.PLAY)
def play_best_visitors(p, flat, at, w, o, a, b, c, result):
    """The best visitor of deck b, and further ones, a at most, as far as they bring something."""
    before = position_value(p, flat, at, w)
    first, value = best_visitor(p, flat, at, w, o, b, -1)
    if first < 0:
        return False
    gained = value - before + w.visitor_more
    p[at].deeds[ME, Metric.VISITORS_PLAYED] += 1
    if a > 1:
        second, more = best_visitor(p, flat, at, w, o, b, first)
        if second >= 0 and more > before:
            gained += more - before + w.visitor_more
            p[at].deeds[ME, Metric.VISITORS_PLAYED] += 1
    p[at].extra += gained
    return True


sell_allowed = best_of(
    N_SALES,
    can=lambda me, thing, ways: (
        (thing >= N_FIELDS or can_sell_field(me, ME, thing, ways | SELL_FIELD)) and can_sell(me, thing)
    ),
    do=lambda p, flat, at, w, thing, ways: sell(p[at], thing),
    more=", ways",
)


@imagine(WorldPart.SELL)
def sell_so(p, flat, at, w, o, a, b, c, result):
    """Sell grapes, else a field or its buying back; the purchase of a grape is left to whoever is asked for it."""
    return sell_best(p, flat, at, w) > 0 or sell_allowed(p, flat, at, w, a) >= 0


@jit
def wear_less(me, hat):
    """Take a hat of a colour off; a worker without yellow hat may be placed in winter too."""
    for i in range(N_REGULARS):
        if me.hat[ME, i] == hat:
            me.hat[ME, i] = Hat.BARE
            if hat == Hat.YELLOW and me.season <= Season.SUMMER:
                me.early -= 1
                me.free += 1
            return True
    return False


@imagine(WorldPart.REMOVE_HAT)
def take_hat(p, flat, at, w, o, a, b, c, result):
    p[at].extra += w.train_more
    return wear_less(p[at], Hat.YELLOW) or wear_less(p[at], Hat.BLUE)


@jit
def discard(me, card):
    me.hand[ME, card] -= 1
    me.n_hand[ME, DECK_OF_KIND[card]] -= 1


discard_least = best_of(
    N_CARDS, can=lambda me, card: me.hand[ME, card] > 0, do=lambda p, flat, at, w, card: discard(p[at], card)
)


@jit
def lose_kind(p, flat, at, w, kind):
    """Give up what an exchange costs; see `exchange.Kind`."""
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
    """Have what an exchange brings."""
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


# The best that an exchange brings, of another kind than what it cost; then the best exchange.
gain_best_kind = best_of(
    len(Kind), do=lambda p, flat, at, w, kind, but: kind != but and gain_kind(p, flat, at, w, kind), more=", but"
)
exchange_best = best_of(
    len(Kind),
    do=lambda p, flat, at, w, kind: lose_kind(p, flat, at, w, kind) and gain_best_kind(p, flat, at, w, kind) >= 0,
)
imagine(WorldPart.EXCHANGE)(lambda p, flat, at, w, o, a, b, c, result: exchange_best(p, flat, at, w) >= 0)


@jit
def tile_worth(me, w, tile):
    """What a tile brings to the years to come, to all seats."""
    others = me.rules[Rule.NUM_PLAYERS] - 1
    a_year = w.rectangles[tile] if tile < N_LETTERS else w.ovals[tile - N_LETTERS] + w.opened * others
    if tile < N_LETTERS and me.oval_on[tile] != NO_OVAL:
        a_year += w.together
    return a_year * (100 + w.shared * min(3, others)) // 100 * me.later // 100


@imagine(WorldPart.INNOVATE)
def take_best_tile(p, flat, at, w, o, a, b, c, result):
    """Whichever tile on show is worth most."""
    me = p[at]
    best, found = FAR_BELOW, -1
    for tile in range(N_TILES):
        if me.tile[tile] == Tile.SHOWN and tile_worth(me, w, tile) > best:
            best, found = tile_worth(me, w, tile), tile
    if found < 0:
        return False
    me.extra += best
    me.deeds[ME, Metric.INNOVATIONS_TAKEN] += 1
    return True


@jit
def buy_step(me, w, lira):
    """One step of influence; in early years the money could have been put to work first."""
    me.influence += 1
    me.lira[ME] -= lira
    me.extra -= w.buy_early * me.later // 100


@imagine(WorldPart.BUY_INFLUENCE)
def buy_steps(p, flat, at, w, o, a, b, c, result):
    """A step of influence, and more of them, a at most, while they add worth."""
    for i in range(a):
        if not can_buy_steps(p[at], ME, b):
            return i > 0
        copy_position(flat, at, at + 1)
        buy_step(p[at + 1], w, b)
        if i > 0 and position_value(p, flat, at + 1, w) <= position_value(p, flat, at, w):
            return True
        copy_position(flat, at + 1, at)
    return True


@imagine(WorldPart.INFLUENCE)
def have_steps(p, flat, at, w, o, a, b, c, result):
    p[at].influence = min(p[at].influence + a, p[at].rules[WorldRule.INFLUENCE_END])
    return True


@imagine(WorldPart.TOUR)
def give_tour(p, flat, at, w, o, a, b, c, result):
    p[at].lira[ME] += a
    p[at].extra += w.tour_more
    return True


@imagine(WorldPart.TEMPORARY)
def have_temporary(p, flat, at, w, o, a, b, c, result):
    p[at].free += 1
    p[at].extra += w.temporary
    return True


@imagine(WorldPart.POINTS_IF_ALL)
def have_points(p, flat, at, w, o, a, b, c, result):
    """Points if a deed was done so often since it stood at `result`."""
    p[at].vp[ME] += a if p[at].deeds[ME, b] - result >= c else 0
    return True


try_added = ADDED_IMAGINED.dispatch("try_added", "p, flat, at, w, o, a, b, c, result", otherwise="True")


@jit
def do_part(p, flat, at, w, o, row, i, discount, before):
    """Carry out a part of an effect once; before: how often a deed had been done that its points need."""
    op, a, b, c = PARTS[row, i, 0], PARTS[row, i, 1], PARTS[row, i, 2], PARTS[row, i, 3]
    if op > LAST_OF_CARDS:
        return try_added(op, p, flat, at, w, o, a, b, c, before)
    if op == PartOp.AGE_ONE:
        return age_best_wine(p, flat, at, w) >= 0
    if op == PartOp.MAKE:
        p[at].extra += w.make_more
    return own_part(p, flat, at, w, o, op, a + (discount if op == PartOp.BUILD else 0), b, c, -1)[0]


@jit
def deed_needed(me, row):
    """How often the deed was done that an effect's points need."""
    for i in range(MOST_PARTS):
        if PARTS[row, i, 0] == WorldPart.POINTS_IF_ALL:
            return me.deeds[ME, PARTS[row, i, 2]]
    return 0


@jit
def do_effect(p, flat, at, w, o, row, discount):
    """Carry out an effect, what may be left only while it adds worth; returns whether its first part can be done."""
    before = deed_needed(p[at], row)
    for i in range(MOST_PARTS):
        op = PARTS[row, i, 0]
        if op == 0:
            return True
        for k in range(PARTS[row, i, 4]):
            if k > 0 and MAY_BE_LEFT[op] == 1:
                copy_position(flat, at, at + 1)
                done = do_part(p, flat, at + 1, w, o, row, i, discount, before)
                if not done or position_value(p, flat, at + 1, w) <= position_value(p, flat, at, w):
                    break
                copy_position(flat, at + 1, at)
            elif not do_part(p, flat, at, w, o, row, i, discount, before):
                if i == 0 and k == 0:
                    return False
                break
    return True
