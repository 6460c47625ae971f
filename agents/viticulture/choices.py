"""Scores of legal actions for all decisions other than worker placement."""

import numpy as np

from vitienv.agents.viticulture.cards import branch_worth, play_branch, visitor_worth
from vitienv.agents.viticulture.drawing import deck_worth
from vitienv.agents.viticulture.features import ME, card_in_play, copy_position
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.moves import give_wines, make_best, plant_best, put_structure, put_vine, sell_grape
from vitienv.agents.viticulture.parts import take_offer
from vitienv.agents.viticulture.placing import act_worth
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_ORDER, FIRST_SUMMER, FIRST_WINTER, N_KINDS, N_VINES, PARTS
from vitienv.viticulture.cards.parts import WAIVE_STRUCTURES, Offer, PartOp
from vitienv.viticulture.derived import field_capacity
from vitienv.viticulture.enums import (
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_STRUCTURES,
    N_VALUES,
    Colour,
    Deck,
    Wine,
)
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.handlers import DECISIONS, Decision
from vitienv.viticulture.observation import At, Pending
from vitienv.viticulture.ops.cellar import wine_of_action
from vitienv.viticulture.places import ACT_OF_PLACING, PLACING_OF_ACTION
from vitienv.viticulture.state import MAX_DEPTH
from vitienv.viticulture.tokens import age_wine, harvest
from vitienv.viticulture.vocabulary import Move, Placing

# Decisions that depend on the values of unknown cards.
MAY_DRAW = np.zeros(len(DECISIONS), np.int64)
MAY_DRAW[
    [
        Decision.WAKE_UP,
        Decision.CHOOSE_MAMA,
        Decision.CHOOSE_DECK,
        Decision.PLACE_WORKER,
        Decision.PLAY_VISITOR,
        Decision.CHOOSE_OPTION,
        Decision.MOVE_ROOSTER,
        Decision.SPEND_TOKEN,
    ]
] = 1
# Decisions whose actions are cards.
ABOUT_CARDS = np.zeros(len(DECISIONS), np.int64)
ABOUT_CARDS[
    [
        Decision.FILL_ORDER,
        Decision.PLAY_VISITOR,
        Decision.PLANT_VINE,
        Decision.UPROOT_VINE,
        Decision.CHOOSE_CARD,
        Decision.IMPORT_CARD,
        Decision.DISCARD_CARD,
        Decision.DISCARD_TO_LIMIT,
        Decision.GIVE_CARD,
        Decision.CHOOSE_VINE,
    ]
] = 1


@jit
def keep_worth(p, flat, w, o, kind):
    """Return the value of a card in hand or on offer."""
    deck = int(DECK_OF_KIND[kind])
    copy_position(flat, 0, 1)
    if p[0].hand[ME, kind] == 0:
        p[1].hand[ME, kind] += 1
        p[1].n_hand[ME, deck] += 1
    copy_position(flat, 1, 2)
    p[2].hand[ME, kind] -= 1
    p[2].n_hand[ME, deck] -= 1
    before = position_value(p, flat, 2, w)
    value = position_value(p, flat, 1, w) - before
    if kind >= FIRST_SUMMER:
        copy_position(flat, 1, 3)
        played = visitor_worth(p, flat, 3, w, o, kind) - before
        value += min(300, max(0, played)) // 4
    return value


@jit
def offer_in_play(card):
    """Return the offer of a visitor; -1 without one."""
    for i in range(4):
        if PARTS[card, 0, i, 0] == PartOp.EACH_MAY:
            return int(PARTS[card, 0, i, 1])
    return -1


@jit
def score_offer(p, flat, w, o, current_value, scores):
    """Score an offer by its gain minus a share of the gain of its owner."""
    offer = offer_in_play(card_in_play(o) - FIRST_SUMMER)
    copy_position(flat, 0, 1)
    scores[Move.YES] = -1
    if take_offer(p, flat, 1, w, offer):
        mine = o[At.TURN_SEAT] == 1
        scores[Move.YES] = (
            position_value(p, flat, 1, w) - current_value - (0 if mine or offer == Offer.VENDOR else w.rival)
        )
    scores[Move.NO] = -w.rival if offer == Offer.SWINDLER else 0


@jit
def score_options(p, flat, w, o, mask, current_value, scores):
    """Score the branches of a visitor, and the order of two halves."""
    kind = card_in_play(o)
    top = 0
    for i in range(MAX_DEPTH):
        if o[At.STACK + i] > 0:
            top = int(o[At.STACK + i])
    if top == FrameOp.ORDER or kind < 0:
        return
    card = kind - FIRST_SUMMER
    first_pick = o[Pending.A] == 0
    for branch in range(4):
        if not mask[Move.OPTION + branch]:
            continue
        if first_pick:
            scores[Move.OPTION + branch] = branch_worth(p, flat, 0, w, o, card, branch) - current_value
        else:
            copy_position(flat, 0, 1)
            possible = play_branch(p, flat, 1, w, o, card, branch)
            scores[Move.OPTION + branch] = position_value(p, flat, 1, w) - current_value if possible else FAR_BELOW
            if o[Pending.A] == 1:
                scores[Move.OPTION + branch] -= 100


@jit
def score_cards(p, flat, w, o, decision, mask, current_value, scores):
    """Score decisions whose actions are cards."""
    for kind in range(N_KINDS):
        action = Move.CARD + kind
        if not mask[action]:
            continue
        copy_position(flat, 0, 1)
        if decision == Decision.PLAY_VISITOR:
            scores[action] = visitor_worth(p, flat, 0, w, o, kind) - current_value
        elif decision == Decision.PLANT_VINE:
            plant_best(p, flat, 1, w, int(o[Pending.A]), kind)
            scores[action] = position_value(p, flat, 1, w) - current_value
        elif decision == Decision.CHOOSE_VINE:
            p[1].hand[ME, kind] += 1
            plant_best(p, flat, 1, w, WAIVE_STRUCTURES, kind)
            scores[action] = position_value(p, flat, 1, w) - current_value
        elif decision == Decision.FILL_ORDER:
            give_wines(p[1], kind - FIRST_ORDER)
            scores[action] = position_value(p, flat, 1, w)
        elif decision == Decision.UPROOT_VINE:
            scores[action] = uprooted_value(p, flat, w, int(o[Pending.PICK1]), kind)
        elif decision == Decision.CHOOSE_CARD:
            scores[action] = keep_worth(p, flat, w, o, kind)
        elif decision == Decision.IMPORT_CARD:
            scores[action] = -keep_worth(p, flat, w, o, kind)
        elif (
            decision == Decision.DISCARD_CARD or decision == Decision.DISCARD_TO_LIMIT or decision == Decision.GIVE_CARD
        ):
            scores[action] = -keep_worth(p, flat, w, o, kind)


@jit
def uprooted_value(p, flat, w, field, vine):
    """Return the value of the position with a planted vine back in hand."""
    copy_position(flat, 0, 1)
    p[1].vines[ME, field, vine] -= 1
    p[1].hand[ME, vine] += 1
    p[1].n_hand[ME, Deck.VINE] += 1
    return position_value(p, flat, 1, w)


@jit
def score_fields(p, flat, w, o, decision, mask, current_value, scores):
    """Score decisions whose actions are fields."""
    for field in range(N_FIELDS):
        if not mask[Move.FIELD + field]:
            continue
        copy_position(flat, 0, 1)
        if decision == Decision.HARVEST_FIELD:
            harvest(p[1], ME, field)
            scores[Move.FIELD + field] = position_value(p, flat, 1, w) - current_value
        elif decision == Decision.PLANT_FIELD:
            put_vine(p[1], int(o[Pending.PICK0]), field, w)
            scores[Move.FIELD + field] = position_value(p, flat, 1, w)
        elif decision == Decision.UPROOT_FIELD:
            best = FAR_BELOW
            for vine in range(N_VINES):
                if p[0].vines[ME, field, vine] > 0:
                    best = max(best, uprooted_value(p, flat, w, field, vine))
            scores[Move.FIELD + field] = best
        elif decision == Decision.SELL:
            p[1].lira[ME] += field_capacity(p[1], field) * (1 - 2 * p[1].sold[ME, field])
            p[1].sold[ME, field] = 1 - p[1].sold[ME, field]
            scores[Move.FIELD + field] = position_value(p, flat, 1, w) - current_value


@jit
def score_grapes(p, flat, w, o, decision, mask, current_value, scores):
    """Score decisions whose actions are grapes."""
    for grape in range(2 * N_VALUES):
        if not mask[Move.GRAPE + grape]:
            continue
        colour, value = grape // N_VALUES, grape % N_VALUES + 1
        copy_position(flat, 0, 1)
        if decision == Decision.SELL:
            sell_grape(p[1], colour, value)
        elif decision == Decision.DISCARD_GRAPE:
            p[1].crush[ME, colour, value - 1] = 0
        elif decision == Decision.BUY_GRAPE:
            p[1].crush[ME, colour, value - 1] = 1
        else:
            scores[Move.GRAPE + grape] = with_grape(p, flat, w, o, colour, value)
            continue
        scores[Move.GRAPE + grape] = position_value(p, flat, 1, w) - current_value


@jit
def with_grape(p, flat, w, o, colour, value):
    """Return the value of the position after the best wine with the selected grapes and this one."""
    kind, red1, red2 = int(o[Pending.PICK0]), int(o[Pending.PICK1]), int(o[Pending.PICK2])
    first = red1 if red1 > 0 else (-1 if kind != Wine.WHITE else 0)
    second = red2 if red2 > 0 else (-1 if kind == Wine.SPARKLING else 0)
    white = -1
    if colour == Colour.WHITE:
        white = value
    elif first == -1:
        first = value
    else:
        second = value
    if kind == Wine.RED:
        white = 0
    return make_best(p, flat, 1, w, int(o[Pending.A]), kind, first, second, white)


@jit
def score_wines(p, flat, w, o, decision, mask, scores):
    """Score decisions whose actions are wines; orders take the lowest sufficient wine."""
    for action in range(Move.WINE, Move.MAKE):
        if not mask[action]:
            continue
        kind, value = wine_of_action(action)
        copy_position(flat, 0, 1)
        if decision == Decision.AGE_WINE:
            age_wine(p[1], ME, kind, value)
            scores[action] = position_value(p, flat, 1, w)
        elif decision == Decision.DISCARD_WINE:
            p[1].cellar[ME, kind, value - 1] = 0
            scores[action] = position_value(p, flat, 1, w)
        else:
            scores[action] = -value


@jit
def score_structures(p, flat, w, o, mask, current_value, scores):
    for structure in range(N_STRUCTURES):
        if mask[Move.STRUCTURE + structure]:
            copy_position(flat, 0, 1)
            put_structure(p[1], structure, int(o[Pending.A]), int(o[Pending.B]), w)
            scores[Move.STRUCTURE + structure] = position_value(p, flat, 1, w) - current_value


@jit
def score_making(p, flat, w, o, mask, current_value, scores):
    """Score kinds of wine, each with its best grapes."""
    for kind in range(Wine.SPARKLING + 1):
        if mask[Move.MAKE + kind]:
            copy_position(flat, 0, 1)
            scores[Move.MAKE + kind] = make_best(p, flat, 1, w, int(o[Pending.A]), kind, -1, -1, -1) - current_value


@jit
def score_table(p, flat, w, o, decision, mask, current_value, scores):
    """Score decisions about opponents, decks and placed workers."""
    if decision == Decision.CHOOSE_DECK:
        for deck in range(N_DECKS):
            scores[Move.DECK + deck] = deck_worth(p, flat, deck, w)
    elif decision == Decision.CHOOSE_PILE:
        for kind in range(N_KINDS):
            if o[At.PILE_TOP + kind] == 1:
                scores[Move.DECK + int(DECK_OF_KIND[kind])] = keep_worth(p, flat, w, o, kind)
    elif decision == Decision.QUEEN:
        copy_position(flat, 0, 1)
        p[1].lira[ME] -= 3
        scores[Move.OPTION] = -100
        scores[Move.OPTION + 1] = -w.summer_card - w.winter_card
        scores[Move.OPTION + 2] = position_value(p, flat, 1, w) - current_value
    elif decision == Decision.CHOOSE_OPPONENT:
        copy_position(flat, 0, 1)
        p[1].lira[ME] -= 2
        paid = position_value(p, flat, 1, w) + 100 - current_value
        pays = card_in_play(o) < FIRST_WINTER
        for k in range(1, MAX_SEATS):
            gain = paid - w.rival // 2 if pays else 60
            if not pays and o[At.N_HAND + k * N_DECKS + Deck.SUMMER] == 0:
                gain = 100
            scores[Move.SEAT + k - 1] = gain + (0 if pays else int(o[At.VP + k]))
    elif decision == Decision.RETRIEVE_WORKER:
        for action in range(Move.PLACE, Move.CARD):
            grande = ACT_OF_PLACING[action] >= N_BOARD_ACTIONS and PLACING_OF_ACTION[action] == Placing.PLAIN_GRANDE
            scores[action] = 2 if grande else 1
    else:
        for action in range(Move.PLACE, Move.PLACE_CART):
            if mask[action]:
                scores[action] = act_worth(p, flat, 0, w, o, ACT_OF_PLACING[action], 0) - current_value
