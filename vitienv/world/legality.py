"""Prices, gains and legality of the actions on the board (W31, W51, W55, W63, W81 to W83)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import N_DECKS, N_VALUES, Deck, Season, Worker
from vitienv.viticulture.legality.make_unmake import ageing_leaves
from vitienv.viticulture.legality.predicates import Goal
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import place_grape
from vitienv.world.continents import EventCol, RuleCol
from vitienv.world.enums import N_ACTIONS_ON_BOARD, NO_OVAL, Beneficiary, EventKind, Kind, Limit, Metric, Place
from vitienv.world.goals import event_number, is_event, rule_number
from vitienv.world.language import WorldPart
from vitienv.world.ops.effects import all_possible, effect_possible, is_ageing, lira_of, sum_of
from vitienv.world.ops.terms import NO_TOKEN, amount_of, fits, is_token, n_at_table, n_tokens, owns, shares_place
from vitienv.world.ops.tiles import bonus_oval, has_rectangle
from vitienv.world.ops.tokens import N_GRAPES, slot_for_wine, try_ageing_grape
from vitienv.world.rows import OVAL_GAIN, PARTS, PRICE, ROW
from vitienv.world.vocabulary import N_KIND_WORDS, Choice

NO_KIND = -1  # no worker was placed: the Manager's action


class OpenSeason(IntConstants):
    """Seasons of an event's space."""

    BOTH = 0
    SUMMER = 1


# Prices and gains.


@jit
def row_of(g, place):
    """Return the effect of an action; a rectangle replaces the printed effect (W55)."""
    return ROW[1 if place < N_ACTIONS_ON_BOARD and has_rectangle(g, place) else 0, place]


@jit
def is_event_at(g, kind, place):
    """Return whether this year's event has this kind and is on this action (W31)."""
    return g.event >= 0 and event_number(g, EventCol.PLACE) == place and event_number(g, EventCol.KIND) == kind


@jit
def price_of(g, place):
    """Return the price of an action, with its rectangle and this year's tax (W55, W83)."""
    if place >= N_ACTIONS_ON_BOARD:
        return 0
    price = PRICE[1 if has_rectangle(g, place) else 0, place]
    return price + (event_number(g, EventCol.TAX) if is_event_at(g, EventKind.TAX, place) else 0)


@jit
def discount_at(g, place):
    """Return the discount on each structure built with this action (W82)."""
    return event_number(g, EventCol.DISCOUNT) if is_event_at(g, EventKind.BOOST, place) else 0


@jit
def has_boost(g, seat, place, kind):
    """Return whether a seat gets this year's boost for this action (W82)."""
    if not is_event_at(g, EventKind.BOOST, place):
        return False
    if event_number(g, EventCol.WHO) == Beneficiary.TRAINED and kind <= Kind.HATTED:
        return False
    return event_number(g, EventCol.LIMIT) != Limit.ONCE_PER_PLAYER or g.boosted[seat] == 0


@jit
def boost_lira(g, seat, place, kind):
    """Return the lira of a free boost, which come before the action and may help to pay for it (O37)."""
    if not has_boost(g, seat, place, kind) or event_number(g, EventCol.PAY) != 0:
        return 0
    return lira_of(event_number(g, EventCol.GAIN))


@jit
def lira_change(g, seat, place, kind):
    """Return the lira of this year's boost minus the price of an action."""
    return boost_lira(g, seat, place, kind) - price_of(g, place)


@jit
def oval_of(g, place, kind):
    """Return the oval whose bonus a worker gets: only trained workers do (W63)."""
    return bonus_oval(g, place) if place < N_ACTIONS_ON_BOARD and kind > Kind.HATTED else NO_OVAL


@jit
def bonus_lira(g, place, kind):
    """Return the lira of an oval's bonus, which may pay for the action (O23)."""
    oval = oval_of(g, place, kind)
    return lira_of(OVAL_GAIN[oval]) if oval != NO_OVAL else 0


# Legality.


@jit
def plays_visitor(place):
    return place == Place.PLAY_SUMMER_VISITOR or place == Place.PLAY_WINTER_VISITOR


@jit
def try_action(g, seat, place, kind, change):
    """Return whether an action is possible with `change` more lira; the state is changed and restored."""
    if g.lira[seat] + change < 0:
        return False
    g.lira[seat] += change
    is_visitor_action = plays_visitor(place) and kind != NO_KIND  # the worker that is placed is no longer at hand
    worker = Worker.GRANDE if kind == Kind.GRANDE else Worker.REGULAR
    turn_place = int(g.turn_place)
    if is_visitor_action:
        g.free[seat, worker] -= 1
        g.turn_place = 0
    is_possible = effect_possible(g, seat, row_of(g, place), discount_at(g, place))
    if is_visitor_action:
        g.free[seat, worker] += 1
        g.turn_place = turn_place
    g.lira[seat] -= change
    return is_possible


@jit
def goal_of(place):
    """Return the goal of an action that ageing before it may make possible."""
    return Goal.MAKE if place == Place.MAKE_WINE else Goal.FILL if place == Place.FILL_ORDER else 0


@jit
def ageing_enables(g, seat, row, goal):
    """Return whether ageing some grape or wine meets a goal."""
    if PARTS[row, 0, 0] != WorldPart.AGE_GRAPE:
        return ageing_leaves(g, seat, goal)
    for grape in range(N_GRAPES):
        if try_ageing_grape(g, seat, grape, goal):
            return True
    return False


@jit
def bonus_enables(g, seat, place, oval, kind, change):
    """Return whether the bonus of its oval makes an impossible action possible (W63, O23).

    Lira, points and the number of cards are changed in the state and restored; the drawn cards are unknown.
    """
    row = OVAL_GAIN[oval]
    if is_ageing(row):
        return goal_of(place) != 0 and g.lira[seat] + change >= 0 and ageing_enables(g, seat, row, goal_of(place))
    points, cards = sum_of(row, PartOp.POINTS), sum_of(row, PartOp.DRAW)
    g.vp[seat] += points
    draw_unseen(g, seat, cards, 1)
    is_possible = try_action(g, seat, place, kind, change + lira_of(row))
    draw_unseen(g, seat, cards, -1)
    g.vp[seat] -= points
    return is_possible


@jit
def draw_unseen(g, seat, counts, sign):
    """Change the hand sizes by cards of the decks, as far as these suffice."""
    for deck in range(N_DECKS):
        n = min((counts >> (3 * deck)) & 7, int(g.n_deck[deck]) + int(g.n_pile[deck]))
        g.n_hand[seat, deck] += sign * n


@jit
def can_take(g, seat, place, kind):
    """Return whether a worker of a kind can take an action of the board (W51, W82, W83)."""
    change = lira_change(g, seat, place, kind)
    if try_action(g, seat, place, kind, change):
        return True
    oval = oval_of(g, place, kind)
    return oval != NO_OVAL and bonus_enables(g, seat, place, oval, kind, change)


# This year's event as a place.


@jit
def is_event_open(g):
    """Return whether this year's event is a place that is open in this season (W41, W81)."""
    if not is_event(g, EventKind.SPACE):
        return False
    season = event_number(g, EventCol.SEASON)
    return season == OpenSeason.BOTH or (season == OpenSeason.SUMMER) == (g.season == Season.SUMMER)


@jit
def may_use_event(g, seat):
    """Return whether this year's event is open to a seat with uses left (W81)."""
    if not is_event_open(g):
        return False
    is_solo = g.rules[Rule.NUM_PLAYERS] == 1
    uses = rule_number(g, RuleCol.USES_ALONE) if is_solo else rule_number(g, RuleCol.USES)
    return g.deeds[seat, Metric.EVENT_SPACE_USES] < uses


@jit
def event_possible(g, seat):
    """Return whether a seat can pay for this year's event, and its gain is possible."""
    pay, row = event_number(g, EventCol.PAY), event_number(g, EventCol.GAIN)
    if not all_possible(g, seat, pay):
        return False
    g.lira[seat] += lira_of(pay)
    is_possible = effect_possible(g, seat, row, 0)
    g.lira[seat] -= lira_of(pay)
    return is_possible


# Actions that a grande's trade before them makes possible (W46). Cards taken are only counted, as hands may be closed
# (W27). A gift can only help by the slot of its token.


@jit
def n_of_kind(kind):
    """Return the number of alternatives of a kind in a trade: every token, or the whole amount."""
    return n_tokens(kind) if is_token(kind) else 1


@jit
def has_it(g, seat, kind, token):
    if is_token(kind):
        return owns(g, seat, kind, token)
    return kind == Choice.NOTHING or amount_of(g, seat, kind) > 0


@jit
def set_token(g, seat, kind, token, is_present):
    if kind == Choice.GRAPE:
        g.crush[seat, token // N_VALUES, token % N_VALUES] = is_present
    elif kind == Choice.WINE:
        g.cellar[seat, token // N_VALUES, token % N_VALUES] = is_present


@jit
def put_token(g, seat, kind, token):
    """Place a received token (W47); return its number after placement."""
    first_slot, value = token - token % N_VALUES, token % N_VALUES + 1
    if kind == Choice.GRAPE:
        return first_slot + place_grape(g, seat, token // N_VALUES, value) - 1
    slot = first_slot + slot_for_wine(g, seat, token // N_VALUES, value) - 1
    set_token(g, seat, kind, slot, 1)
    return slot


@jit
def take_goods(g, seat, kind, n):
    if kind == Choice.LIRA:
        g.lira[seat] += n
    elif kind == Choice.VINE or kind == Choice.ORDER:
        g.n_hand[seat, Deck.VINE if kind == Choice.VINE else Deck.ORDER] += n


@jit
def try_trade(g, seat, partner, place, given_token, gives, taken_token, takes):
    """Return whether an action is possible after a trade; the seat's state is changed and restored."""
    set_token(g, seat, gives, given_token, 0)
    slot = put_token(g, seat, takes, taken_token) if is_token(takes) else NO_TOKEN
    n = 0 if is_token(takes) else amount_of(g, partner, takes)
    take_goods(g, seat, takes, n)
    is_possible = event_possible(g, seat) if place == Place.EVENT else can_take(g, seat, place, Kind.GRANDE)
    take_goods(g, seat, takes, -n)
    if is_token(takes):
        set_token(g, seat, takes, slot, 0)
    set_token(g, seat, gives, given_token, 1)
    return is_possible


@jit
def trade_with_enables(g, seat, partner, place):
    for gives in (Choice.NOTHING, Choice.GRAPE, Choice.WINE):
        for given_token in range(n_of_kind(gives)):
            if not has_it(g, seat, gives, given_token):
                continue
            for takes in range(N_KIND_WORDS):
                for taken_token in range(n_of_kind(takes)):
                    if (
                        has_it(g, partner, takes, taken_token)
                        and fits(g, seat, partner, gives, given_token, takes, taken_token)
                        and try_trade(g, seat, partner, place, given_token, gives, taken_token, takes)
                    ):
                        return True
    return False


@jit
def trade_enables(g, seat, place):
    """Return whether some trade of the placed grande makes an impossible action possible (W46)."""
    for partner in range(n_at_table(g)):
        if shares_place(g, seat, partner, place) and trade_with_enables(g, seat, partner, place):
            return True
    return False
