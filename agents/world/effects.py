"""Effects of actions, tiles, events and cards tried on an imagined position, part by part."""

from vitienv.agents.viticulture.acts import best_visitor, sell_one
from vitienv.agents.viticulture.cards import own_part
from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.moves import (
    FAR_BELOW,
    give_wines,
    lose_grape,
    put_structure,
    put_vine,
    put_wine,
    sell_best,
)
from vitienv.agents.viticulture.view import ME, copy_position
from vitienv.agents.viticulture.worth import worth
from vitienv.core.jit import jit
from vitienv.viticulture.board import WINE_LEAST
from vitienv.viticulture.cards import DECK_OF_KIND, ORDER_VP
from vitienv.viticulture.cards import N_KINDS as N_CARDS
from vitienv.viticulture.cards.parts import ANY_DECK, PartOp
from vitienv.viticulture.names import N_DECKS, N_FIELDS, N_VALUES, Season
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import age_wine, can_age, harvest, place_grape
from vitienv.world.goals import flag
from vitienv.world.language import EITHER_COLOUR, MOST_PARTS, SELL_FIELD, WorldPart
from vitienv.world.names import N_LETTERS, N_REGULARS, N_TILES, NO_OVAL, Flag, Hat, Metric, Tile
from vitienv.world.ops.effects import LAST_OF_CARDS, MAY_BE_LEFT
from vitienv.world.ops.exchange import Kind, Way, can_lose, steps_left
from vitienv.world.ops.tokens import (
    DEAR,
    N_GRAPES,
    can_sell_field,
    gain_wine,
    grape_can_age,
    has_slot,
)
from vitienv.world.ops.verbs import GRAND_ORDER, planting_price_here
from vitienv.world.rows import EXCHANGED, PARTS
from vitienv.world.state import WorldRule

N_KINDS_OF_WINE = len(WINE_LEAST)


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


# Parts of World's language.


@jit
def draw_best(p, flat, at, w, decks, n):
    """Draw from the best of these decks."""
    for _ in range(n):
        best, found = FAR_BELOW, -1
        for deck in range(N_DECKS):
            if (decks >> deck) & 1 == 1:
                copy_position(flat, at, at + 1)
                draw_card(p[at + 1], deck, w)
                value = worth(p, flat, at + 1, w)
                if value > best:
                    best, found = value, deck
        draw_card(p[at], found, w)
    return True


@jit
def gain_best_grape(p, flat, at, w, colour, value):
    """A grape of a colour, or of the better one."""
    best, found = FAR_BELOW, -1
    for own in range(2):
        if (colour == EITHER_COLOUR or colour == own) and has_slot(p[at], ME, own, value):
            copy_position(flat, at, at + 1)
            place_grape(p[at + 1], ME, own, value)
            after = worth(p, flat, at + 1, w)
            if after > best:
                best, found = after, own
    if found >= 0:
        place_grape(p[at], ME, found, value)
    return found >= 0


@jit
def lose_least_wine(p, flat, at, w, least, kinds):
    """Give up the wine that is missed least, of at least this value and of these types (bits, 0: any)."""
    best, found = FAR_BELOW, -1
    for kind in range(N_KINDS_OF_WINE):
        if kinds != 0 and (kinds >> kind) & 1 == 0:
            continue
        for value in range(least, N_VALUES + 1):
            if p[at].cellar[ME, kind, value - 1] == 1:
                copy_position(flat, at, at + 1)
                p[at + 1].cellar[ME, kind, value - 1] = 0
                after = worth(p, flat, at + 1, w)
                if after > best:
                    best, found = after, kind * N_VALUES + value - 1
    if found >= 0:
        p[at].cellar[ME, found // N_VALUES, found % N_VALUES] = 0
    return found >= 0


@jit
def sell_wine_of(me, kind, value):
    """One wine for lira (W74)."""
    me.cellar[ME, kind, value - 1] = 0
    me.lira[ME] += value
    me.deeds[ME, Metric.WINES_SOLD] += 1
    if value >= DEAR:
        me.deeds[ME, Metric.WINES_SOLD_VALUE_4_PLUS] += 1


@jit
def sell_best_wine(p, flat, at, w):
    best, found = FAR_BELOW, -1
    for kind in range(N_KINDS_OF_WINE):
        for value in range(1, N_VALUES + 1):
            if p[at].cellar[ME, kind, value - 1] == 1:
                copy_position(flat, at, at + 1)
                sell_wine_of(p[at + 1], kind, value)
                after = worth(p, flat, at + 1, w)
                if after > best:
                    best, found = after, kind * N_VALUES + value - 1
    if found >= 0:
        sell_wine_of(p[at], found // N_VALUES, found % N_VALUES + 1)
    return found >= 0


@jit
def age_best_grape(p, flat, at, w):
    best, found = FAR_BELOW, -1
    for grape in range(N_GRAPES):
        if grape_can_age(p[at], ME, grape):
            copy_position(flat, at, at + 1)
            age_grape(p[at + 1], grape)
            after = worth(p, flat, at + 1, w)
            if after > best:
                best, found = after, grape
    if found >= 0:
        age_grape(p[at], found)
    return found >= 0


@jit
def age_grape(me, grape):
    """A grape moves up by one."""
    me.crush[ME, grape // N_VALUES, grape % N_VALUES] = 0
    me.crush[ME, grape // N_VALUES, grape % N_VALUES + 1] = 1


@jit
def age_best_wine(p, flat, at, w):
    best, found = FAR_BELOW, -1
    for kind in range(N_KINDS_OF_WINE):
        for value in range(1, N_VALUES):
            if p[at].cellar[ME, kind, value - 1] == 1 and can_age(p[at], ME, kind, value):
                copy_position(flat, at, at + 1)
                age_wine(p[at + 1], ME, kind, value)
                after = worth(p, flat, at + 1, w)
                if after > best:
                    best, found = after, kind * N_VALUES + value - 1
    if found >= 0:
        age_wine(p[at], ME, found // N_VALUES, found % N_VALUES + 1)
    return found >= 0


@jit
def play_best_visitors(p, flat, at, w, o, n, deck):
    """The best visitor, and further ones as far as they bring something."""
    before = worth(p, flat, at, w)
    first, value = best_visitor(p, flat, at, w, o, deck, -1)
    if first < 0:
        return False
    gained = value - before + w.visitor_more
    p[at].deeds[ME, Metric.VISITORS_PLAYED] += 1
    if n > 1:
        second, more = best_visitor(p, flat, at, w, o, deck, first)
        if second >= 0 and more > before:
            gained += more - before + w.visitor_more
            p[at].deeds[ME, Metric.VISITORS_PLAYED] += 1
    p[at].extra += gained
    return True


@jit
def sell_so(p, flat, at, w, ways):
    """Sell grapes, else a field or its buying back; the purchase of a grape is left to whoever is asked for it."""
    if sell_best(p, flat, at, w) > 0:
        return True
    best, found = FAR_BELOW, -1
    for thing in range(N_FIELDS + 2 * N_VALUES):
        copy_position(flat, at, at + 1)
        if thing < N_FIELDS and not can_sell_field(p[at], ME, thing, ways | SELL_FIELD):
            continue
        if sell_one(p[at + 1], thing):
            value = worth(p, flat, at + 1, w)
            if value > best:
                best, found = value, thing
    return found >= 0 and sell_one(p[at], found)


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


@jit
def discard_least(p, flat, at, w, n):
    """Give up the cards in hand that are missed least."""
    for _ in range(n):
        best, found = FAR_BELOW, -1
        for card in range(N_CARDS):
            if p[at].hand[ME, card] > 0:
                copy_position(flat, at, at + 1)
                discard(p[at + 1], card)
                value = worth(p, flat, at + 1, w)
                if value > best:
                    best, found = value, card
        if found < 0:
            return False
        discard(p[at], found)
    return True


@jit
def discard(me, card):
    me.hand[ME, card] -= 1
    me.n_hand[ME, DECK_OF_KIND[card]] -= 1


@jit
def lose_kind(p, flat, at, w, kind):
    """Give up what an exchange costs; see `exchange.Kind`."""
    n = EXCHANGED[Way.LOST, kind]
    if not can_lose(p[at], ME, kind):
        return False
    if kind == Kind.CARDS:
        return discard_least(p, flat, at, w, n)
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
        return draw_best(p, flat, at, w, ANY_DECK, n)
    if kind == Kind.GRAPE:
        return gain_best_grape(p, flat, at, w, EITHER_COLOUR, 1)
    if kind == Kind.LIRA:
        p[at].lira[ME] += n
    else:
        p[at].vp[ME] += n
    return True


@jit
def gain_best_kind(p, flat, at, w, but):
    """The best that an exchange brings, of another kind than what it cost."""
    best, found = FAR_BELOW, -1
    for kind in range(Kind.POINTS + 1):
        if kind != but:
            copy_position(flat, at, at + 1)
            if gain_kind(p, flat, at + 1, w, kind):
                value = worth(p, flat, at + 1, w)
                if value > best:
                    best, found = value, kind
    if found >= 0:
        gain_kind(p, flat, at, w, found)
    return best


@jit
def exchange_best(p, flat, at, w):
    """The best exchange."""
    best, found = FAR_BELOW, -1
    for kind in range(Kind.POINTS + 1):
        copy_position(flat, at, at + 1)
        if lose_kind(p, flat, at + 1, w, kind):
            value = gain_best_kind(p, flat, at + 1, w, kind)
            if value > best:
                best, found = value, kind
    if found < 0:
        return False
    lose_kind(p, flat, at, w, found)
    gain_best_kind(p, flat, at, w, found)
    return True


@jit
def tile_worth(me, w, tile):
    """What a tile brings to the years to come, to all seats."""
    others = me.rules[Rule.NUM_PLAYERS] - 1
    a_year = w.rectangles[tile] if tile < N_LETTERS else w.ovals[tile - N_LETTERS] + w.opened * others
    if tile < N_LETTERS and me.oval_on[tile] != NO_OVAL:
        a_year += w.together
    return a_year * (100 + w.shared * min(3, others)) // 100 * me.later // 100


@jit
def take_best_tile(me, w):
    """Whichever tile on show is worth most."""
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


@jit
def buy_steps(p, flat, at, w, most, each):
    """A step of influence, and more of them while they add worth."""
    for i in range(most):
        if steps_left(p[at]) <= 0 or p[at].lira[ME] < each:
            return i > 0
        copy_position(flat, at, at + 1)
        buy_step(p[at + 1], w, each)
        if i > 0 and worth(p, flat, at + 1, w) <= worth(p, flat, at, w):
            return True
        copy_position(flat, at + 1, at)
    return True


@jit
def own_world_part(p, flat, at, w, o, op, a, b):
    """A part that the other rulesets do not have; returns whether it can be done."""
    me = p[at]
    if op == WorldPart.INFLUENCE:
        me.influence = min(me.influence + a, me.rules[WorldRule.INFLUENCE_END])
        return True
    if op == WorldPart.DRAW_OF:
        return draw_best(p, flat, at, w, a, b)
    if op == WorldPart.GRAPE:
        return gain_best_grape(p, flat, at, w, a, b)
    if op == WorldPart.WINE:
        gain_wine(me, ME, a, b)
        return True
    if op == WorldPart.LOSE_GRAPE:
        return lose_grape(p, flat, at, w) >= 0
    if op == WorldPart.LOSE_WINE:
        return lose_least_wine(p, flat, at, w, a, b)
    if op == WorldPart.AGE_GRAPE:
        return age_best_grape(p, flat, at, w)
    if op == WorldPart.PLAY:
        return play_best_visitors(p, flat, at, w, o, a, b)
    if op == WorldPart.TOUR:
        me.lira[ME] += a
        me.extra += w.tour_more
        return True
    if op == WorldPart.SELL:
        return sell_so(p, flat, at, w, a)
    if op == WorldPart.SELL_WINE:
        return sell_best_wine(p, flat, at, w)
    if op == WorldPart.REMOVE_HAT:
        me.extra += w.train_more
        return wear_less(me, Hat.YELLOW) or wear_less(me, Hat.BLUE)
    if op == WorldPart.INNOVATE:
        return take_best_tile(me, w)
    if op == WorldPart.EXCHANGE:
        return exchange_best(p, flat, at, w)
    if op == WorldPart.BUY_INFLUENCE:
        return buy_steps(p, flat, at, w, a, b)
    if op == WorldPart.TEMPORARY:
        me.free += 1
        me.extra += w.temporary
    return True


@jit
def do_part(p, flat, at, w, o, row, i, discount, before):
    """Carry out a part of an effect once; before: how often a deed had been done that its points need."""
    op, a, b, c = PARTS[row, i, 0], PARTS[row, i, 1], PARTS[row, i, 2], PARTS[row, i, 3]
    if op == WorldPart.POINTS_IF_ALL:
        p[at].vp[ME] += a if p[at].deeds[ME, b] - before >= c else 0
        return True
    if op > LAST_OF_CARDS:
        return own_world_part(p, flat, at, w, o, op, a, b)
    if op == PartOp.AGE_ONE:
        return age_best_wine(p, flat, at, w)
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
                if not done or worth(p, flat, at + 1, w) <= worth(p, flat, at, w):
                    break
                copy_position(flat, at + 1, at)
            elif not do_part(p, flat, at, w, o, row, i, discount, before):
                if i == 0 and k == 0:
                    return False
                break
    return True
