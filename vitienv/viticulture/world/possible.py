"""What an action of the board costs and brings, and whether it can be taken (W31, W51, W55, W63, W81 to W83)."""

from vitienv.core.jit import jit
from vitienv.core.namespaces import Numbers
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.names import N_DECKS, Season, Worker
from vitienv.viticulture.possible.asking import Goal
from vitienv.viticulture.possible.trying import ageing_leaves
from vitienv.viticulture.state import Rule
from vitienv.viticulture.world.continents import Ev, Ru
from vitienv.viticulture.world.effects import all_possible, effect_possible, is_ageing, lira_of, sum_of
from vitienv.viticulture.world.goals import event_number, is_event, rule_number
from vitienv.viticulture.world.language import WorldPart
from vitienv.viticulture.world.names import N_ACTIONS_ON_BOARD, NO_OVAL, EventKind, Kind, Limit, Metric, Place, Who
from vitienv.viticulture.world.rows import OVAL_GAIN, PARTS, PRICE, ROW
from vitienv.viticulture.world.tiles import bonus_oval, has_rectangle
from vitienv.viticulture.world.tokens import N_GRAPES, try_ageing_grape

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
def can_use_event(g, seat):
    """Whether a seat may stand on this year's event, what it pays is there, and it would have something (W81)."""
    if not is_open_now(g):
        return False
    alone = g.rules[Rule.NUM_PLAYERS] == 1
    uses = rule_number(g, Ru.USES_ALONE) if alone else rule_number(g, Ru.USES)
    if g.deeds[seat, Metric.EVENT_SPACE_USES] >= uses:
        return False
    return event_possible(g, seat)


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
