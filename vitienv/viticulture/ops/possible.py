"""When an action of the board, and its bonus, can be carried out at all (rulings 1.6, 1.7, 8.15)."""

from vitienv.core.jit import jit
from vitienv.viticulture.board import WINES_PER_ACTION, Bonus
from vitienv.viticulture.cards import FIRST_OF_DECK, N_VINES, VINE_TOTAL
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, NO_PRICE
from vitienv.viticulture.facts import (
    can_build_any,
    can_fill,
    can_make,
    can_plant,
    can_sell,
    can_train,
    harvestable,
    room_on_field,
    vine_allowed,
)
from vitienv.viticulture.names import N_FIELDS, N_SUMMER_ACTIONS, Act, Deck
from vitienv.viticulture.ops.cellar import FREE_PICK, making_works
from vitienv.viticulture.ops.vineyard import leaves_another
from vitienv.viticulture.playable import any_playable
from vitienv.viticulture.state import Rule


@jit
def visitor_possible(g, seat, deck):
    """Whether some visitor of a deck can be played."""
    return g.n_hand[seat, deck] > 0 and any_playable(g, seat, FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1])


@jit
def summer_act_possible(g, seat, act, extra_lira):
    """Whether a summer action can be carried out at least minimally (ruling 1.6)."""
    if act == Act.DRAW_VINE:
        return g.n_deck[Deck.VINE] > 0
    if act == Act.BUILD_STRUCTURE:
        return can_build_any(g, seat, 0, NO_PRICE, ALL_STRUCTURES, extra_lira)
    if act == Act.PLAY_SUMMER_VISITOR:
        return visitor_possible(g, seat, Deck.SUMMER)
    if act == Act.SELL_GRAPES_OR_FIELD:
        return can_sell(g, seat)
    if act == Act.PLANT_VINE:
        return can_plant(g, seat, 0)
    return True


@jit
def act_possible(g, seat, act, extra_lira):
    """Whether an action of the board can be carried out at least minimally (ruling 1.6)."""
    if act < N_SUMMER_ACTIONS:
        return summer_act_possible(g, seat, act, extra_lira)
    if act == Act.DRAW_ORDER:
        return g.n_deck[Deck.ORDER] > 0
    if act == Act.HARVEST_FIELD:
        return harvestable(g, seat) > 0
    if act == Act.TRAIN_WORKER:
        return can_train(g, seat, int(g.rules[Rule.TRAIN_PRICE]), extra_lira)
    if act == Act.PLAY_WINTER_VISITOR:
        return visitor_possible(g, seat, Deck.WINTER)
    if act == Act.MAKE_WINE:
        return can_make(g, seat, 0)
    return can_fill(g, seat)


@jit
def can_plant_twice(g, seat):
    for vine in range(N_VINES):
        if g.hand[seat, vine] > 0 and vine_allowed(g, seat, vine, 0):
            for field in range(N_FIELDS):
                fits = room_on_field(g, seat, field, 0) >= VINE_TOTAL[vine]
                if fits and leaves_another(g, seat, vine, field):
                    return True
    return False


@jit
def can_make_three(g, seat):
    """Whether one wine beyond the two of the action can be made."""
    for kind in range(4):
        if making_works(g, seat, kind, FREE_PICK, FREE_PICK, FREE_PICK, 0, WINES_PER_ACTION, 0, WINES_PER_ACTION + 1):
            return True
    return False


@jit
def bonus_possible(g, seat, act):
    """Whether action and bonus can both be carried out (Essential, Friendly variant; ruling 8.15)."""
    if act == Act.DRAW_VINE:
        return int(g.n_deck[Deck.VINE]) + int(g.n_pile[Deck.VINE]) >= 2
    if act == Act.DRAW_ORDER:
        return int(g.n_deck[Deck.ORDER]) + int(g.n_pile[Deck.ORDER]) >= 2
    if act == Act.PLANT_VINE:
        return can_plant_twice(g, seat)
    if act == Act.HARVEST_FIELD:
        return harvestable(g, seat) >= 2
    if act == Act.MAKE_WINE:
        return can_make_three(g, seat)
    if act == Act.PLAY_SUMMER_VISITOR:
        return g.n_hand[seat, Deck.SUMMER] >= 2
    if act == Act.PLAY_WINTER_VISITOR:
        return g.n_hand[seat, Deck.WINTER] >= 2
    return True


@jit
def bonus_of(g, act):
    """What the bonus of an action is."""
    return int(g.rules[Rule.BONUS_OF_ACT + act])


@jit
def may_spend_token(g, seat, act):
    """Whether a bonus action token can be spent on an action (Essential, Bonus action tokens; ruling 9.3)."""
    if g.rules[Rule.BONUS_TOKENS] == 0 or g.bonus_tokens[seat] == 0 or bonus_of(g, act) == Bonus.NONE:
        return False
    return bonus_of(g, act) != Bonus.DRAW or bonus_possible(g, seat, act)
