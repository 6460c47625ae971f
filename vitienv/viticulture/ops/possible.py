"""When an action of the board, and its bonus, can be carried out at all (rulings 1.6, 1.7, 8.15)."""

from vitienv.core.jit import jit
from vitienv.viticulture.board import BONUS_DRAW, NO_BONUS, WINES_PER_ACTION
from vitienv.viticulture.cards import FIRST_SUMMER, FIRST_WINTER, N_KINDS, N_VINES, VINE_TOTAL
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
from vitienv.viticulture.names import (
    ACT_BUILD_STRUCTURE,
    ACT_DRAW_ORDER,
    ACT_DRAW_VINE,
    ACT_GIVE_TOUR,
    ACT_HARVEST_FIELD,
    ACT_MAKE_WINE,
    ACT_PLANT_VINE,
    ACT_PLAY_SUMMER_VISITOR,
    ACT_PLAY_WINTER_VISITOR,
    ACT_SELL,
    ACT_TRAIN_WORKER,
    DECK_ORDER,
    DECK_SUMMER,
    DECK_VINE,
    DECK_WINTER,
    N_FIELDS,
    N_SUMMER_ACTIONS,
)
from vitienv.viticulture.ops.cellar import FREE_PICK, making_works
from vitienv.viticulture.ops.vineyard import leaves_another
from vitienv.viticulture.playable import MANAGER, any_playable, playable_in_hand
from vitienv.viticulture.state import BONUS_OF_ACT, BONUS_TOKENS, TRAIN_PRICE


@jit
def visitor_possible(g, seat, deck):
    """Whether some visitor of a deck can be played, the Manager by its summer actions."""
    if g.n_hand[seat, deck] == 0:
        return False
    if deck == DECK_SUMMER:
        return any_playable(g, seat, FIRST_SUMMER, FIRST_WINTER)
    if any_playable(g, seat, FIRST_WINTER, N_KINDS):
        return True
    return g.hand[seat, MANAGER] > 0 and manager_possible(g, seat)


@jit
def summer_act_possible(g, seat, act, extra_lira):
    """Whether a summer action can be carried out at least minimally (ruling 1.6)."""
    if act == ACT_DRAW_VINE:
        return g.n_deck[DECK_VINE] > 0
    if act == ACT_BUILD_STRUCTURE:
        return can_build_any(g, seat, 0, NO_PRICE, ALL_STRUCTURES, extra_lira)
    if act == ACT_PLAY_SUMMER_VISITOR:
        return g.n_hand[seat, DECK_SUMMER] > 0 and any_playable(g, seat, FIRST_SUMMER, FIRST_WINTER)
    if act == ACT_SELL:
        return can_sell(g, seat)
    if act == ACT_PLANT_VINE:
        return can_plant(g, seat, 0)
    return True


@jit
def manager_possible(g, seat):
    """A tour is always possible, so the Manager always is."""
    return summer_act_possible(g, seat, ACT_GIVE_TOUR, 0)


@jit
def visitor_playable(g, seat, kind):
    if kind == MANAGER:
        return manager_possible(g, seat)
    return playable_in_hand(g, seat, kind)


@jit
def act_possible(g, seat, act, extra_lira):
    """Whether an action of the board can be carried out at least minimally (ruling 1.6)."""
    if act < N_SUMMER_ACTIONS:
        return summer_act_possible(g, seat, act, extra_lira)
    if act == ACT_DRAW_ORDER:
        return g.n_deck[DECK_ORDER] > 0
    if act == ACT_HARVEST_FIELD:
        return harvestable(g, seat) > 0
    if act == ACT_TRAIN_WORKER:
        return can_train(g, seat, int(g.rules[TRAIN_PRICE]), extra_lira)
    if act == ACT_PLAY_WINTER_VISITOR:
        return visitor_possible(g, seat, DECK_WINTER)
    if act == ACT_MAKE_WINE:
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
    if act == ACT_DRAW_VINE:
        return int(g.n_deck[DECK_VINE]) + int(g.n_pile[DECK_VINE]) >= 2
    if act == ACT_DRAW_ORDER:
        return int(g.n_deck[DECK_ORDER]) + int(g.n_pile[DECK_ORDER]) >= 2
    if act == ACT_PLANT_VINE:
        return can_plant_twice(g, seat)
    if act == ACT_HARVEST_FIELD:
        return harvestable(g, seat) >= 2
    if act == ACT_MAKE_WINE:
        return can_make_three(g, seat)
    if act == ACT_PLAY_SUMMER_VISITOR:
        return g.n_hand[seat, DECK_SUMMER] >= 2
    if act == ACT_PLAY_WINTER_VISITOR:
        return g.n_hand[seat, DECK_WINTER] >= 2
    return True


@jit
def bonus_of(g, act):
    """What the bonus of an action is."""
    return int(g.rules[BONUS_OF_ACT + act])


@jit
def may_spend_token(g, seat, act):
    """Whether a bonus action token can be spent on an action (Essential, Bonus action tokens; ruling 9.3)."""
    if g.rules[BONUS_TOKENS] == 0 or g.bonus_tokens[seat] == 0 or bonus_of(g, act) == NO_BONUS:
        return False
    return bonus_of(g, act) != BONUS_DRAW or bonus_possible(g, seat, act)
