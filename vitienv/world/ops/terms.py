"""Legality of trades: the goods on both sides, and room for them (W43 to W48)."""

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import MIN_WINE_VALUE
from vitienv.viticulture.enums import N_VALUES, Deck
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import is_open
from vitienv.world.enums import N_LETTERS, Place
from vitienv.world.ops.tokens import N_GRAPES
from vitienv.world.ops.workers import has_worker_on
from vitienv.world.state import WorldRule
from vitienv.world.vocabulary import N_KIND_WORDS, Choice

N_WINE_SLOTS = len(MIN_WINE_VALUE) * N_VALUES
NO_TOKEN = -1
CARDS_OF_PARTNER = 2

# A token is the number of a grape or a wine. lost: the token that the receiver gives in the same trade.


@jit
def grape_arrives(g, seat, grape, lost):
    """Return whether a received grape has a free slot up to its value (W47)."""
    first = grape - grape % N_VALUES
    for slot in range(first, grape + 1):
        if slot == lost or g.crush[seat, slot // N_VALUES, slot % N_VALUES] == 0:
            return True
    return False


@jit
def wine_arrives(g, seat, wine, lost):
    """Return whether a received wine has a free open slot up to its value, blush from 4, sparkling from 7 (W47)."""
    kind = wine // N_VALUES
    for slot in range(kind * N_VALUES + int(MIN_WINE_VALUE[kind]) - 1, wine + 1):
        is_free = slot == lost or g.cellar[seat, kind, slot % N_VALUES] == 0
        if is_free and is_open(g, seat, slot % N_VALUES + 1):
            return True
    return False


@jit
def owns(g, seat, kind, token):
    if kind == Choice.GRAPE:
        return g.crush[seat, token // N_VALUES, token % N_VALUES] == 1
    return g.cellar[seat, token // N_VALUES, token % N_VALUES] == 1


@jit
def n_tokens(kind):
    return N_GRAPES if kind == Choice.GRAPE else N_WINE_SLOTS


@jit
def is_token(kind):
    return kind == Choice.GRAPE or kind == Choice.WINE


@jit
def n_at_table(g):
    """Return the number of seats, with the simulated partner as the second one of a single seat (W98)."""
    return max(int(g.rules[Rule.NUM_PLAYERS]), 1 + int(g.rules[WorldRule.PARTNER]))


@jit
def is_simulated(g, seat):
    return seat >= g.rules[Rule.NUM_PLAYERS]


@jit
def arrives(g, seat, kind, token, lost_kind, lost):
    """Return whether a seat has room for received goods; the simulated partner always does."""
    if not is_token(kind) or is_simulated(g, seat):
        return True
    lost_token = lost if lost_kind == kind else NO_TOKEN
    if kind == Choice.GRAPE:
        return grape_arrives(g, seat, token, lost_token)
    return wine_arrives(g, seat, token, lost_token)


# Goods that can be given and taken.


@jit
def amount_of(g, seat, kind):
    """Return the amount of lira or cards of a seat; the simulated partner has its purse and two cards of each deck."""
    if is_simulated(g, seat):
        if kind == Choice.LIRA:
            return int(g.partner_lira)
        if kind == Choice.VINE or kind == Choice.ORDER:
            return min(CARDS_OF_PARTNER, int(g.n_deck[Deck.VINE if kind == Choice.VINE else Deck.ORDER]))
        return 0
    if kind == Choice.LIRA:
        return int(g.lira[seat])
    if kind == Choice.VINE:
        return int(g.n_hand[seat, Deck.VINE])
    return int(g.n_hand[seat, Deck.ORDER]) if kind == Choice.ORDER else 0


@jit
def fits(g, seat, partner, gives, given_token, takes, taken_token):
    """Return whether both seats have room for what they receive."""
    return arrives(g, partner, gives, given_token, takes, taken_token) and arrives(
        g, seat, takes, taken_token, gives, given_token
    )


@jit
def may_take_token(g, seat, partner, gives, given_token, kind, token):
    return owns(g, partner, kind, token) and fits(g, seat, partner, gives, given_token, kind, token)


@jit
def may_take(g, seat, partner, gives, given_token, kind):
    """Return whether a kind can be taken for the gift."""
    if is_token(kind):
        for token in range(n_tokens(kind)):
            if may_take_token(g, seat, partner, gives, given_token, kind, token):
                return True
        return False
    if kind == Choice.NOTHING:
        return gives != Choice.NOTHING and fits(g, seat, partner, gives, given_token, kind, NO_TOKEN)
    return amount_of(g, partner, kind) > 0 and fits(g, seat, partner, gives, given_token, kind, NO_TOKEN)


@jit
def may_take_something(g, seat, partner, gives, given_token):
    for kind in range(N_KIND_WORDS):
        if may_take(g, seat, partner, gives, given_token, kind):
            return True
    return False


@jit
def may_give_token(g, seat, partner, kind, token):
    return owns(g, seat, kind, token) and may_take_something(g, seat, partner, kind, token)


@jit
def may_give(g, seat, partner, kind):
    """Return whether a kind can be given in some complete trade."""
    if is_token(kind):
        for token in range(n_tokens(kind)):
            if may_give_token(g, seat, partner, kind, token):
                return True
        return False
    if kind == Choice.NOTHING:
        return may_take_something(g, seat, partner, kind, NO_TOKEN)
    return amount_of(g, seat, kind) > 0


@jit
def shares_place(g, seat, partner, place):
    """Return whether another seat has a worker on a place (W43)."""
    if is_simulated(g, partner):
        return place < N_LETTERS and g.partner_on[place] != 0
    return partner != seat and has_worker_on(g, partner, place)


@jit
def can_trade_with(g, seat, partner, place):
    """Return whether some trade with another seat is legal at a place (W43)."""
    if not shares_place(g, seat, partner, place):
        return False
    for kind in range(N_KIND_WORDS):
        if may_give(g, seat, partner, kind):
            return True
    return False


@jit
def can_trade_at(g, seat, place):
    """Return whether a grande can trade at a place (W43, W48); a yoke is private."""
    if place == Place.YOKE:
        return False
    for partner in range(n_at_table(g)):
        if can_trade_with(g, seat, partner, place):
            return True
    return False
