"""The score of every legal action, for each kind of decision but placing a worker."""

import numpy as np

from vitienv.agents.cards import SWINDLER, VENDOR, branch_worth, play_branch, take_offer, visitor_worth
from vitienv.agents.drawing import deck_worth
from vitienv.agents.moves import (
    FAR_BELOW,
    give_wines,
    make_best,
    plant_best,
    put_structure,
    put_vine,
    sell_grape,
)
from vitienv.agents.placing import act_worth
from vitienv.agents.view import (
    AT_N_HAND,
    AT_PILE_TOP,
    AT_STACK,
    AT_TURN_SEAT,
    AT_VP,
    ME,
    PENDING_A,
    PENDING_B,
    PENDING_P0,
    PENDING_P1,
    PENDING_P2,
    card_in_play,
    copy_position,
)
from vitienv.agents.worth import worth
from vitienv.core.jit import jit
from vitienv.viticulture import playable as rules
from vitienv.viticulture.cards import (
    DECK_OF_KIND,
    FIRST_ORDER,
    FIRST_SUMMER,
    FIRST_WINTER,
    N_KINDS,
    N_VINES,
    PARTS,
)
from vitienv.viticulture.cards.parts import WAIVE_STRUCTURES
from vitienv.viticulture.facts import field_capacity
from vitienv.viticulture.names import (
    DECK_SUMMER,
    DECK_VINE,
    MAX_SEATS,
    N_DECKS,
    N_FIELDS,
    N_STRUCTURES,
    N_VALUES,
    RED,
    SPARKLING,
    WHITE,
)
from vitienv.viticulture.ops.cellar import wine_of_action
from vitienv.viticulture.ops.vineyard import harvest
from vitienv.viticulture.state import MAX_DEPTH
from vitienv.viticulture.tokens import age_wine
from vitienv.viticulture.vocabulary import (
    CARD_ACTION,
    DECISIONS,
    DECK,
    FIELD,
    GRAPE,
    MAKE,
    N_PLACINGS,
    NO,
    OPTION,
    PLACE,
    PLACE_CART,
    SEAT_ACTION,
    STRUCTURE,
    WINE,
    YES,
    FrameOp,
)

(
    WAKE_UP, CHOOSE_MAMA, CHOOSE_PAPA, PAPA_GIFTS, CHOOSE_DECK, PLACE_WORKER, TAKE_BONUS, PLAY_VISITOR, CHOOSE_OPTION,
    BUILD_STRUCTURE, PLANT_VINE, PLANT_FIELD, HARVEST_FIELD, UPROOT_FIELD, UPROOT_VINE, DISCARD_CARD,
    DISCARD_TO_LIMIT, GIVE_CARD, SELL, MAKE_WINE, CHOOSE_GRAPE, FILL_ORDER, CHOOSE_WINE, YOKES, DISCARD_GRAPE,
    DISCARD_WINE, AGE_WINE, BUY_GRAPE, SWAP_VINES, OFFER, QUEEN, IMPORT_CARD, CHOOSE_OPPONENT, PLAN_ACTION,
    RETRIEVE_WORKER, MANAGE_ACTION, MOVE_ROOSTER, CHOOSE_CARD, CHOOSE_PILE, SPEND_TOKEN, REDRAW_MAMA, CHOOSE_VINE,
) = range(42)
NAMES = """wake_up choose_mama choose_papa papa_gift choose_deck place_worker take_bonus play_visitor choose_option
build_structure plant_vine plant_field harvest_field uproot_field uproot_vine discard_card discard_to_limit give_card
sell make_wine choose_grape fill_order choose_wine yoke discard_grape discard_wine age_wine buy_grape swap_vines offer
queen import_card choose_opponent plan_action retrieve_worker manage_action move_rooster choose_card choose_pile
spend_token redraw_mama choose_vine"""
if NAMES.split() != DECISIONS:
    raise ValueError("the decisions of the game have changed: these rules do not know all of them")
OP_ORDER = int(FrameOp.ORDER)
# Decisions for which it matters what unknown cards are worth.
MAY_DRAW = np.zeros(len(DECISIONS), np.int64)
MAY_DRAW[[WAKE_UP, CHOOSE_MAMA, CHOOSE_DECK, PLACE_WORKER, PLAY_VISITOR, CHOOSE_OPTION, MOVE_ROOSTER, SPEND_TOKEN]] = 1


@jit
def keep_worth(p, flat, w, o, kind):
    """What a card in hand, or one to be had, is worth."""
    deck = int(DECK_OF_KIND[kind])
    copy_position(flat, 0, 1)
    if p[0].hand[ME, kind] == 0:
        p[1].hand[ME, kind] += 1
        p[1].n_hand[ME, deck] += 1
    copy_position(flat, 1, 2)
    p[2].hand[ME, kind] -= 1
    p[2].n_hand[ME, deck] -= 1
    before = worth(p, flat, 2, w)
    value = worth(p, flat, 1, w) - before
    if kind >= FIRST_SUMMER:
        copy_position(flat, 1, 3)
        played = visitor_worth(p, flat, 3, w, o, kind) - before
        value += min(300, max(0, played)) // 4
    return value


@jit
def offer_in_play(card):
    """Which offer a visitor makes."""
    for i in range(4):
        if PARTS[card, 0, i, 0] == rules.OP_EACH_MAY:
            return int(PARTS[card, 0, i, 1])
    return -1


@jit
def score_offer(p, flat, w, o, now, scores):
    """An offer is taken if it brings more than it gives to the one who makes it."""
    offer = offer_in_play(card_in_play(o) - FIRST_SUMMER)
    copy_position(flat, 0, 1)
    scores[YES] = -1
    if take_offer(p, flat, 1, w, offer):
        mine = o[AT_TURN_SEAT] == 1
        scores[YES] = worth(p, flat, 1, w) - now - (0 if mine or offer == VENDOR else w.rival)
    scores[NO] = -w.rival if offer == SWINDLER else 0


@jit
def score_options(p, flat, w, o, mask, now, scores):
    """The branches of a visitor, and which of two halves comes first."""
    kind = card_in_play(o)
    top = 0
    for i in range(MAX_DEPTH):
        if o[AT_STACK + i] > 0:
            top = int(o[AT_STACK + i])
    if top == OP_ORDER or kind < 0:
        return
    card = kind - FIRST_SUMMER
    first_pick = o[PENDING_A] == 0
    for branch in range(4):
        if not mask[OPTION + branch]:
            continue
        if first_pick:
            scores[OPTION + branch] = branch_worth(p, flat, 0, w, o, card, branch) - now
        else:
            copy_position(flat, 0, 1)
            possible = play_branch(p, flat, 1, w, o, card, branch)
            scores[OPTION + branch] = worth(p, flat, 1, w) - now if possible else FAR_BELOW
            if o[PENDING_A] == 1:
                scores[OPTION + branch] -= 100


@jit
def score_cards(p, flat, w, o, decision, mask, now, scores):
    """Decisions whose actions are cards."""
    for kind in range(N_KINDS):
        action = CARD_ACTION + kind
        if not mask[action]:
            continue
        copy_position(flat, 0, 1)
        if decision == PLAY_VISITOR:
            scores[action] = visitor_worth(p, flat, 0, w, o, kind) - now
        elif decision == PLANT_VINE:
            plant_best(p, flat, 1, w, int(o[PENDING_A]), kind)
            scores[action] = worth(p, flat, 1, w) - now
        elif decision == CHOOSE_VINE:
            p[1].hand[ME, kind] += 1
            plant_best(p, flat, 1, w, WAIVE_STRUCTURES, kind)
            scores[action] = worth(p, flat, 1, w) - now
        elif decision == FILL_ORDER:
            give_wines(p[1], kind - FIRST_ORDER)
            scores[action] = worth(p, flat, 1, w)
        elif decision == UPROOT_VINE:
            scores[action] = uprooted(p, flat, w, int(o[PENDING_P1]), kind)
        elif decision == CHOOSE_CARD:
            scores[action] = keep_worth(p, flat, w, o, kind)
        elif decision == IMPORT_CARD:
            scores[action] = -keep_worth(p, flat, w, o, kind)
        elif decision == DISCARD_CARD or decision == DISCARD_TO_LIMIT or decision == GIVE_CARD:
            scores[action] = -keep_worth(p, flat, w, o, kind)


@jit
def uprooted(p, flat, w, field, vine):
    """What the position is worth with a planted vine back in hand."""
    copy_position(flat, 0, 1)
    p[1].vines[ME, field, vine] -= 1
    p[1].hand[ME, vine] += 1
    p[1].n_hand[ME, DECK_VINE] += 1
    return worth(p, flat, 1, w)


@jit
def score_fields(p, flat, w, o, decision, mask, now, scores):
    """Decisions whose actions are fields."""
    for field in range(N_FIELDS):
        if not mask[FIELD + field]:
            continue
        copy_position(flat, 0, 1)
        if decision == HARVEST_FIELD:
            harvest(p[1], ME, field)
            scores[FIELD + field] = worth(p, flat, 1, w) - now
        elif decision == PLANT_FIELD:
            put_vine(p[1], int(o[PENDING_P0]), field, w)
            scores[FIELD + field] = worth(p, flat, 1, w)
        elif decision == UPROOT_FIELD:
            best = FAR_BELOW
            for vine in range(N_VINES):
                if p[0].vines[ME, field, vine] > 0:
                    best = max(best, uprooted(p, flat, w, field, vine))
            scores[FIELD + field] = best
        elif decision == SELL:
            p[1].lira[ME] += field_capacity(p[1], field) * (1 - 2 * p[1].sold[ME, field])
            p[1].sold[ME, field] = 1 - p[1].sold[ME, field]
            scores[FIELD + field] = worth(p, flat, 1, w) - now


@jit
def score_grapes(p, flat, w, o, decision, mask, now, scores):
    """Decisions whose actions are grapes."""
    for grape in range(2 * N_VALUES):
        if not mask[GRAPE + grape]:
            continue
        colour, value = grape // N_VALUES, grape % N_VALUES + 1
        copy_position(flat, 0, 1)
        if decision == SELL:
            sell_grape(p[1], colour, value)
        elif decision == DISCARD_GRAPE:
            p[1].crush[ME, colour, value - 1] = 0
        elif decision == BUY_GRAPE:
            p[1].crush[ME, colour, value - 1] = 1
        else:
            scores[GRAPE + grape] = with_grape(p, flat, w, o, colour, value)
            continue
        scores[GRAPE + grape] = worth(p, flat, 1, w) - now


@jit
def with_grape(p, flat, w, o, colour, value):
    """What the best wine with the grapes chosen so far and this one would leave."""
    kind, red1, red2 = int(o[PENDING_P0]), int(o[PENDING_P1]), int(o[PENDING_P2])
    first = red1 if red1 > 0 else (-1 if kind != WHITE else 0)
    second = red2 if red2 > 0 else (-1 if kind == SPARKLING else 0)
    white = -1
    if colour == WHITE:
        white = value
    elif first == -1:
        first = value
    else:
        second = value
    if kind == RED:
        white = 0
    return make_best(p, flat, 1, w, int(o[PENDING_A]), kind, first, second, white)


@jit
def score_wines(p, flat, w, o, decision, mask, scores):
    """Decisions whose actions are wines: for an order the lowest that is enough."""
    for action in range(WINE, MAKE):
        if not mask[action]:
            continue
        kind, value = wine_of_action(action)
        copy_position(flat, 0, 1)
        if decision == AGE_WINE:
            age_wine(p[1], ME, kind, value)
            scores[action] = worth(p, flat, 1, w)
        elif decision == DISCARD_WINE:
            p[1].cellar[ME, kind, value - 1] = 0
            scores[action] = worth(p, flat, 1, w)
        else:
            scores[action] = -value


@jit
def score_structures(p, flat, w, o, mask, now, scores):
    for structure in range(N_STRUCTURES):
        if mask[STRUCTURE + structure]:
            copy_position(flat, 0, 1)
            put_structure(p[1], structure, int(o[PENDING_A]), int(o[PENDING_B]), w)
            scores[STRUCTURE + structure] = worth(p, flat, 1, w) - now


@jit
def score_making(p, flat, w, o, mask, now, scores):
    """Kinds of wine to make, each with its best grapes."""
    for kind in range(SPARKLING + 1):
        if mask[MAKE + kind]:
            copy_position(flat, 0, 1)
            scores[MAKE + kind] = make_best(p, flat, 1, w, int(o[PENDING_A]), kind, -1, -1, -1) - now


@jit
def score_table(p, flat, w, o, decision, mask, now, scores):
    """Decisions about others, decks and placed workers."""
    if decision == CHOOSE_DECK:
        for deck in range(N_DECKS):
            scores[DECK + deck] = deck_worth(p, flat, deck, w)
    elif decision == CHOOSE_PILE:
        for kind in range(N_KINDS):
            if o[AT_PILE_TOP + kind] == 1:
                scores[DECK + int(DECK_OF_KIND[kind])] = keep_worth(p, flat, w, o, kind)
    elif decision == QUEEN:
        copy_position(flat, 0, 1)
        p[1].lira[ME] -= 3
        scores[OPTION] = -100
        scores[OPTION + 1] = -w.summer_card - w.winter_card
        scores[OPTION + 2] = worth(p, flat, 1, w) - now
    elif decision == CHOOSE_OPPONENT:
        copy_position(flat, 0, 1)
        p[1].lira[ME] -= 2
        paid = worth(p, flat, 1, w) + 100 - now
        pays = card_in_play(o) < FIRST_WINTER
        for k in range(1, MAX_SEATS):
            gain = paid - w.rival // 2 if pays else 60
            if not pays and o[AT_N_HAND + k * N_DECKS + DECK_SUMMER] == 0:
                gain = 100
            scores[SEAT_ACTION + k - 1] = gain + (0 if pays else int(o[AT_VP + k]))
    elif decision == RETRIEVE_WORKER:
        for action in range(PLACE, CARD_ACTION):
            grande = action >= PLACE_CART and (action - PLACE_CART) % 2 == 1
            scores[action] = 2 if grande else 1
    else:
        for action in range(PLACE, PLACE_CART):
            if mask[action]:
                scores[action] = act_worth(p, flat, 0, w, o, (action - PLACE) // N_PLACINGS, 0) - now
