"""Lookahead of board actions: a function for each applies it to a simulated position.

    imagine(Act.HARVEST_FIELD, does=harvest_fields, is_wanted=has_vines)

Actions with a fixed value in their row need none.
"""

from collections.abc import Callable

from vitienv.agents.viticulture.cards import visitor_worth
from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.features import ME, copy_position, has_one
from vitienv.agents.viticulture.lookahead import LookaheadFunctions
from vitienv.agents.viticulture.maximum import FAR_BELOW, best_of
from vitienv.agents.viticulture.moves import (
    build_best,
    fill_best,
    harvest_best,
    has_grape,
    make_several,
    plant_best,
    sell_best,
    sell_field,
    sell_grape,
    train_one,
)
from vitienv.agents.viticulture.value import position_value
from vitienv.core import rows
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import CART_LIRA, TOUR_LIRA, WINES_PER_ACTION, Bonus
from vitienv.viticulture.cards import FIRST_OF_DECK, N_VINES
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, NO_PRICE
from vitienv.viticulture.derived import field_capacity
from vitienv.viticulture.enums import N_DECKS, N_FIELDS, N_VALUES, Act, Deck, Structure, Used
from vitienv.viticulture.legality.predicates import can_trade_field
from vitienv.viticulture.observation import At
from vitienv.viticulture.ops import board
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import has_wine

MIN_LIRA_TO_BUILD = 4  # estimate for opponents


BY_LOOKAHEAD = LookaheadFunctions("board action", Act, board.ROWS)
IS_WANTED: dict[int, Callable] = {}


def lookahead(act: Act, *, does: Callable, is_wanted: Callable | None = None) -> None:
    """Register the lookahead of a board action. ValueError for a duplicate.

    does(p, flat, at, w, o, bonus): applies it to position `at` and returns whether it is possible; bonus: 1 with its
    bonus. is_wanted(o, seat): whether an opponent may want it; never by default.
    """
    BY_LOOKAHEAD.add(act)(does)
    if is_wanted is not None:
        IS_WANTED[int(act)] = is_wanted


@jit
def draw_cards(p, at, w, deck, bonus):
    for _ in range(1 + bonus):
        draw_card(p[at], deck, w)
    return True


@jit
def has_cards(o, seat, deck):
    """Return whether a seat has cards of a deck."""
    return o[At.N_HAND + seat * N_DECKS + deck] > 0


lookahead(Act.DRAW_VINE, does=lambda p, flat, at, w, o, bonus: draw_cards(p, at, w, Deck.VINE, bonus))
lookahead(Act.DRAW_ORDER, does=lambda p, flat, at, w, o, bonus: draw_cards(p, at, w, Deck.ORDER, bonus))


@jit
def give_tour(p, flat, at, w, o, bonus):
    me = p[at]
    me.lira[ME] += TOUR_LIRA + bonus
    me.extra += w.tour_more
    tastes = me.rules[Rule.TASTING_NEEDS_WINE] == 0 or has_wine(me, ME, 1)
    if me.structures[ME, Structure.TASTING_ROOM] == 1 and me.used[ME, Used.TASTING_ROOM] == 0 and tastes:
        me.used[ME, Used.TASTING_ROOM] = 1
        me.vp[ME] += 1
    return True


lookahead(Act.GIVE_TOUR, does=give_tour, is_wanted=lambda o, seat: True)


@jit
def gain_lira(p, flat, at, w, o, bonus):
    p[at].lira[ME] += CART_LIRA
    return True


lookahead(Act.GAIN_LIRA, does=gain_lira)


@jit
def build_structure(p, flat, at, w, o, bonus):
    p[at].lira[ME] += bonus
    return build_best(p, flat, at, w, 0, NO_PRICE, ALL_STRUCTURES) >= 0


lookahead(Act.BUILD_STRUCTURE, does=build_structure, is_wanted=lambda o, seat: o[At.LIRA + seat] >= MIN_LIRA_TO_BUILD)


@jit
def best_visitor(p, flat, at, w, o, deck, without):
    """Return the best visitor of a deck and the value after it; kind -1 if none is possible."""
    best, best_kind = FAR_BELOW, -1
    for kind in range(FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1]):
        if p[at].hand[ME, kind] > 0 and kind != without:
            value = visitor_worth(p, flat, at, w, o, kind)
            if value > best:
                best, best_kind = value, kind
    return best_kind, best


@jit
def play_visitors(p, flat, at, w, o, act, deck, bonus):
    """Play the best visitor, and with the bonus a second one if it adds value."""
    before = position_value(p, flat, at, w)
    first, value = best_visitor(p, flat, at, w, o, deck, -1)
    if first < 0:
        return False
    gain = value - before + w.visitor_more
    if bonus == 1 and p[at].rules[Rule.BONUS_OF_ACT + act] != Bonus.NONE:
        second, second_value = best_visitor(p, flat, at, w, o, deck, first)
        if second >= 0 and second_value > before:
            gain += second_value - before + w.visitor_more
    p[at].extra += gain
    return True


lookahead(
    Act.PLAY_SUMMER_VISITOR,
    does=lambda p, flat, at, w, o, bonus: play_visitors(p, flat, at, w, o, Act.PLAY_SUMMER_VISITOR, Deck.SUMMER, bonus),
    is_wanted=lambda o, seat: has_cards(o, seat, Deck.SUMMER),
)
lookahead(
    Act.PLAY_WINTER_VISITOR,
    does=lambda p, flat, at, w, o, bonus: play_visitors(p, flat, at, w, o, Act.PLAY_WINTER_VISITOR, Deck.WINTER, bonus),
    is_wanted=lambda o, seat: has_cards(o, seat, Deck.WINTER),
)


@jit
def can_sell(me, item):
    """Return whether a field (0 to 2) can be traded, or a grape sold."""
    return can_trade_field(me, ME, item) if item < N_FIELDS else has_grape(me, item - N_FIELDS)


@jit
def sell(me, item):
    if item < N_FIELDS:
        sell_field(me, item, field_capacity(me, item))
    else:
        sell_grape(me, (item - N_FIELDS) // N_VALUES, (item - N_FIELDS) % N_VALUES + 1)


N_SALES = N_FIELDS + 2 * N_VALUES
sell_one = best_of(N_SALES, can=can_sell, do=lambda p, flat, at, w, item: sell(p[at], item))


@jit
def sell_something(p, flat, at, w, bonus):
    """Sell grapes or a field, or buy a field back; the bonus is a point or a lira."""
    kind = p[at].rules[Rule.BONUS_OF_ACT + Act.SELL_GRAPES_OR_FIELD]
    p[at].vp[ME] += bonus if kind == Bonus.VP else 0
    p[at].lira[ME] += bonus if kind == Bonus.LIRA else 0
    if sell_best(p, flat, at, w) > 0:
        return True
    return sell_one(p, flat, at, w) >= 0


lookahead(Act.SELL_GRAPES_OR_FIELD, does=lambda p, flat, at, w, o, bonus: sell_something(p, flat, at, w, bonus))


@jit
def repeat_if_better(p, flat, at, w, act):
    """Plant or harvest once more if it adds value."""
    copy_position(flat, at, at + 1)
    item = harvest_best(p, flat, at + 1, w) if act == Act.HARVEST_FIELD else plant_best(p, flat, at + 1, w, 0, -1)
    if item >= 0 and position_value(p, flat, at + 1, w) > position_value(p, flat, at, w):
        copy_position(flat, at + 1, at)


@jit
def plant_vines(p, flat, at, w, o, bonus):
    if plant_best(p, flat, at, w, 0, -1) < 0:
        return False
    if bonus == 1:
        repeat_if_better(p, flat, at, w, Act.PLANT_VINE)
    return True


lookahead(Act.PLANT_VINE, does=plant_vines, is_wanted=lambda o, seat: has_cards(o, seat, Deck.VINE))


@jit
def harvest_fields(p, flat, at, w, o, bonus):
    if harvest_best(p, flat, at, w) < 0:
        return False
    for _ in range(bonus + p[at].rules[Rule.FIELDS_PER_HARVEST] - 1):
        repeat_if_better(p, flat, at, w, Act.HARVEST_FIELD)
    return True


lookahead(
    Act.HARVEST_FIELD,
    does=harvest_fields,
    is_wanted=lambda o, seat: has_one(o, At.VINES + seat * N_FIELDS * N_VINES, N_FIELDS * N_VINES),
)
lookahead(Act.YOKE, does=lambda p, flat, at, w, o, bonus: harvest_best(p, flat, at, w) >= 0)


@jit
def train_worker(p, flat, at, w, o, bonus):
    me = p[at]
    me.lira[ME] += bonus
    return train_one(me, int(me.rules[Rule.TRAIN_PRICE]), w)


@jit
def can_train(o, seat):
    """Return whether an opponent can train a worker."""
    staff = o[At.STAFF + 3 * seat] + o[At.TRAINED + seat]
    return o[At.LIRA + seat] >= o[At.RULES + Rule.TRAIN_PRICE] and staff < o[At.RULES + Rule.STAFF_MAX]


lookahead(Act.TRAIN_WORKER, does=train_worker, is_wanted=can_train)


@jit
def make_wines(p, flat, at, w, o, bonus):
    p[at].extra += w.make_more
    return make_several(p, flat, at, w, WINES_PER_ACTION + bonus, 0)[0] > 0


lookahead(
    Act.MAKE_WINE, does=make_wines, is_wanted=lambda o, seat: has_one(o, At.CRUSH + seat * 2 * N_VALUES, 2 * N_VALUES)
)


@jit
def fill_order(p, flat, at, w, o, bonus):
    p[at].vp[ME] += bonus
    return fill_best(p, flat, at, w) >= 0


lookahead(
    Act.FILL_ORDER,
    does=fill_order,
    is_wanted=lambda o, seat: (
        has_one(o, At.CELLAR + seat * 4 * N_VALUES, 4 * N_VALUES) and has_cards(o, seat, Deck.ORDER)
    ),
)


does_of_act = BY_LOOKAHEAD.dispatch("does_of_act", "p, flat, at, w, o, bonus", otherwise="True")
wanted_of_act = rows.dispatch("wanted_of_act", IS_WANTED, "o, seat", default="False")
WORTH_OF_ACT = board.table(lambda row: row.worth or 0)


@jit
def do_act(p, flat, at, w, o, act, bonus):
    """Apply a board action to position `at`. Returns whether it is possible."""
    p[at].extra += WORTH_OF_ACT[act]
    return does_of_act(act, p, flat, at, w, o, bonus)
