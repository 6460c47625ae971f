"""What an action of the board costs and brings, and whether it can be taken (W31, W51, W55, W63, W81 to W83)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import Numbers
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import N_DECKS, N_VALUES, Deck, Season, Worker
from vitienv.viticulture.legality.make_unmake import ageing_leaves
from vitienv.viticulture.legality.predicates import Goal
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import place_grape
from vitienv.world.continents import Ev, Ru
from vitienv.world.enums import N_ACTIONS_ON_BOARD, NO_OVAL, EventKind, Kind, Limit, Metric, Place, Who
from vitienv.world.goals import event_number, is_event, rule_number
from vitienv.world.language import WorldPart
from vitienv.world.ops.effects import all_possible, effect_possible, is_ageing, lira_of, sum_of
from vitienv.world.ops.terms import NO_TOKEN, fits, has_some, is_beside, is_token, n_at_table, n_tokens, owns
from vitienv.world.ops.tiles import bonus_oval, has_rectangle
from vitienv.world.ops.tokens import N_GRAPES, slot_for_wine, try_ageing_grape
from vitienv.world.rows import OVAL_GAIN, PARTS, PRICE, ROW
from vitienv.world.vocabulary import N_KIND_WORDS, Choice

NO_KIND = -1  # nobody was placed: the Manager's action


class Open(Numbers):
    """Seasons of an event's space."""

    BOTH = 0
    SUMMER = 1


# What it costs and brings.


@jit
def row_of(g, place):
    """What an action does: its rectangle's effect in place of the printed one (W55)."""
    return ROW[1 if place < N_ACTIONS_ON_BOARD and has_rectangle(g, place) else 0, place]


@jit
def marks(g, kind, place):
    """Whether this year's event is of a kind and lies on an action (W31)."""
    return g.event >= 0 and event_number(g, Ev.PLACE) == place and event_number(g, Ev.KIND) == kind


@jit
def price_of(g, place):
    """Lira for an action, with its rectangle's price and this year's tax (W55, W83)."""
    if place >= N_ACTIONS_ON_BOARD:
        return 0
    price = PRICE[1 if has_rectangle(g, place) else 0, place]
    return price + (event_number(g, Ev.TAX) if marks(g, EventKind.TAX, place) else 0)


@jit
def discount_at(g, place):
    """Off each structure built with this taking (W82)."""
    return event_number(g, Ev.DISCOUNT) if marks(g, EventKind.BOOST, place) else 0


@jit
def has_boost(g, seat, place, kind):
    """Whether this year's event gives a seat something for this taking (W82)."""
    if not marks(g, EventKind.BOOST, place):
        return False
    if event_number(g, Ev.WHO) == Who.TRAINED and kind <= Kind.HATTED:
        return False
    return event_number(g, Ev.LIMIT) != Limit.ONCE_PER_PLAYER or g.boosted[seat] == 0


@jit
def boost_lira(g, seat, place, kind):
    """Lira that come before the action without a price, and may help to pay it (O37)."""
    if not has_boost(g, seat, place, kind) or event_number(g, Ev.PAY) != 0:
        return 0
    return lira_of(event_number(g, Ev.GAIN))


@jit
def lira_change(g, seat, place, kind):
    """What an action costs, and what this year's boost brings before it."""
    return boost_lira(g, seat, place, kind) - price_of(g, place)


@jit
def oval_of(g, place, kind):
    """The oval whose bonus a worker of a kind would have: trained workers alone (W63)."""
    return bonus_oval(g, place) if place < N_ACTIONS_ON_BOARD and kind > Kind.HATTED else NO_OVAL


@jit
def bonus_lira(g, place, kind):
    """Lira of an oval's bonus, which may pay for the action (O23)."""
    oval = oval_of(g, place, kind)
    return lira_of(OVAL_GAIN[oval]) if oval != NO_OVAL else 0


# Whether it can be taken.


@jit
def plays_visitor(place):
    return place == Place.PLAY_SUMMER_VISITOR or place == Place.PLAY_WINTER_VISITOR


@jit
def try_action(g, seat, place, kind, change):
    """Whether an action could be carried out with so much more lira: tried on the record and taken back."""
    if g.lira[seat] + change < 0:
        return False
    g.lira[seat] += change
    out = plays_visitor(place) and kind != NO_KIND  # the worker that is placed is no longer at hand
    worker = Worker.GRANDE if kind == Kind.GRANDE else Worker.REGULAR
    before = int(g.turn_place)
    if out:
        g.free[seat, worker] -= 1
        g.turn_place = 0
    possible = effect_possible(g, seat, row_of(g, place), discount_at(g, place))
    if out:
        g.free[seat, worker] += 1
        g.turn_place = before
    g.lira[seat] -= change
    return possible


@jit
def goal_of(place):
    """What an ageing before it may make possible, as the cards say it."""
    return Goal.MAKE if place == Place.MAKE_WINE else Goal.FILL if place == Place.FILL_ORDER else 0


@jit
def ageing_enables(g, seat, row, goal):
    """Whether some grape or wine can age so that a goal is met."""
    if PARTS[row, 0, 0] != WorldPart.AGE_GRAPE:
        return ageing_leaves(g, seat, goal)
    for grape in range(N_GRAPES):
        if try_ageing_grape(g, seat, grape, goal):
            return True
    return False


@jit
def bonus_enables(g, seat, place, oval, kind, change):
    """Whether an action that is impossible can be taken once the bonus of its oval was had (W63, O23).

    Lira, points and the number of cards are tried on the record and taken back; which cards come nobody knows.
    """
    row = OVAL_GAIN[oval]
    if is_ageing(row):
        return goal_of(place) != 0 and g.lira[seat] + change >= 0 and ageing_enables(g, seat, row, goal_of(place))
    points, cards = sum_of(row, PartOp.POINTS), sum_of(row, PartOp.DRAW)
    g.vp[seat] += points
    draw_unseen(g, seat, cards, 1)
    possible = try_action(g, seat, place, kind, change + lira_of(row))
    draw_unseen(g, seat, cards, -1)
    g.vp[seat] -= points
    return possible


@jit
def draw_unseen(g, seat, counts, sign):
    """A hand longer, or again shorter, by cards that lie in a deck."""
    for deck in range(N_DECKS):
        n = min((counts >> (3 * deck)) & 7, int(g.n_deck[deck]) + int(g.n_pile[deck]))
        g.n_hand[seat, deck] += sign * n


@jit
def can_take(g, seat, place, kind):
    """Whether a worker of a kind could take an action of the board, with all that it brings (W51, W82, W83)."""
    change = lira_change(g, seat, place, kind)
    if try_action(g, seat, place, kind, change):
        return True
    oval = oval_of(g, place, kind)
    return oval != NO_OVAL and bonus_enables(g, seat, place, oval, kind, change)


# This year's event as a place.


@jit
def is_open_now(g):
    """Whether this year's event is a place, and of this season (W41, W81)."""
    if not is_event(g, EventKind.SPACE):
        return False
    season = event_number(g, Ev.SEASON)
    return season == Open.BOTH or (season == Open.SUMMER) == (g.season == Season.SUMMER)


@jit
def may_use_event(g, seat):
    """Whether this year's event is open to a seat that has not used it up (W81)."""
    if not is_open_now(g):
        return False
    alone = g.rules[Rule.NUM_PLAYERS] == 1
    uses = rule_number(g, Ru.USES_ALONE) if alone else rule_number(g, Ru.USES)
    return g.deeds[seat, Metric.EVENT_SPACE_USES] < uses


@jit
def event_possible(g, seat):
    """Whether a seat has what this year's event takes, and would have something of it."""
    pay, row = event_number(g, Ev.PAY), event_number(g, Ev.GAIN)
    if not all_possible(g, seat, pay):
        return False
    g.lira[seat] += lira_of(pay)
    possible = effect_possible(g, seat, row, 0)
    g.lira[seat] -= lira_of(pay)
    return possible


# What a trade of a grande before its action makes possible (W46). The number of cards that are taken counts, and not
# which they are, as hands may be closed (W27); of what is given a token alone can help, by the slot that it leaves.


@jit
def n_of_kind(kind):
    """How many things of a kind a part of a trade may be: each token, or all there is of the rest."""
    return n_tokens(kind) if is_token(kind) else 1


@jit
def has_it(g, seat, kind, token):
    if is_token(kind):
        return owns(g, seat, kind, token)
    return kind == Choice.NOTHING or has_some(g, seat, kind) > 0


@jit
def set_token(g, seat, kind, token, there):
    """Put a token on its slot, or take it away."""
    if kind == Choice.GRAPE:
        g.crush[seat, token // N_VALUES, token % N_VALUES] = there
    elif kind == Choice.WINE:
        g.cellar[seat, token // N_VALUES, token % N_VALUES] = there


@jit
def put_token(g, seat, kind, token):
    """Place a token as it arrives (W47); returns the one that it is there."""
    first, value = token - token % N_VALUES, token % N_VALUES + 1
    if kind == Choice.GRAPE:
        return first + place_grape(g, seat, token // N_VALUES, value) - 1
    there = first + slot_for_wine(g, seat, token // N_VALUES, value) - 1
    set_token(g, seat, kind, there, 1)
    return there


@jit
def take_goods(g, seat, kind, n):
    """Lira and cards that a seat has more, or again less."""
    if kind == Choice.LIRA:
        g.lira[seat] += n
    elif kind == Choice.VINE or kind == Choice.ORDER:
        g.n_hand[seat, Deck.VINE if kind == Choice.VINE else Deck.ORDER] += n


@jit
def try_trade(g, seat, partner, place, given, gives, taken, takes):
    """Whether an action can be taken after a trade: tried on the record of the seat and taken back."""
    set_token(g, seat, gives, given, 0)
    there = put_token(g, seat, takes, taken) if is_token(takes) else NO_TOKEN
    n = 0 if is_token(takes) else has_some(g, partner, takes)
    take_goods(g, seat, takes, n)
    possible = event_possible(g, seat) if place == Place.EVENT else can_take(g, seat, place, Kind.GRANDE)
    take_goods(g, seat, takes, -n)
    if is_token(takes):
        set_token(g, seat, takes, there, 0)
    set_token(g, seat, gives, given, 1)
    return possible


@jit
def trade_with_enables(g, seat, partner, place):
    for gives in (Choice.NOTHING, Choice.GRAPE, Choice.WINE):
        for given in range(n_of_kind(gives)):
            if not has_it(g, seat, gives, given):
                continue
            for takes in range(N_KIND_WORDS):
                for taken in range(n_of_kind(takes)):
                    if (
                        has_it(g, partner, takes, taken)
                        and fits(g, seat, partner, gives, given, takes, taken)
                        and try_trade(g, seat, partner, place, given, gives, taken, takes)
                    ):
                        return True
    return False


@jit
def trade_enables(g, seat, place):
    """Whether an action that is impossible could be taken after some trade of the grande that is placed there (W46)."""
    for partner in range(n_at_table(g)):
        if is_beside(g, seat, partner, place) and trade_with_enables(g, seat, partner, place):
            return True
    return False
