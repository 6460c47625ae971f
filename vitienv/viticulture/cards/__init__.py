"""Card tables for the compiled rules.

Card kinds are numbered through all four decks: vines, orders, summer visitors, winter visitors.
"""

import numpy as np

from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.cards.automa import AUTOMA_CARDS
from vitienv.viticulture.cards.mamas import MAMAS
from vitienv.viticulture.cards.orders import ORDERS
from vitienv.viticulture.cards.papas import PAPAS
from vitienv.viticulture.cards.parts import table
from vitienv.viticulture.cards.summer import SUMMER_VISITORS
from vitienv.viticulture.cards.vines import VINES
from vitienv.viticulture.cards.winter import WINTER_VISITORS
from vitienv.viticulture.enums import DECKS, N_DECKS, N_SUMMER_ACTIONS

N_VINES = len(VINES)
N_ORDERS = len(ORDERS)
N_SUMMER = len(SUMMER_VISITORS)
N_WINTER = len(WINTER_VISITORS)
FIRST_ORDER = N_VINES
FIRST_SUMMER = FIRST_ORDER + N_ORDERS
FIRST_WINTER = FIRST_SUMMER + N_SUMMER
N_KINDS = FIRST_WINTER + N_WINTER

CARD_IDS = [row.id for row in (*VINES, *ORDERS, *SUMMER_VISITORS, *WINTER_VISITORS)]
COPIES = np.array([vine.copies for vine in VINES] + [1] * (N_KINDS - N_VINES), np.int64)
FIRST_OF_DECK = np.array([0, FIRST_ORDER, FIRST_SUMMER, FIRST_WINTER, N_KINDS], np.int64)
DECK_OF_KIND = np.repeat(np.arange(N_DECKS), np.diff(FIRST_OF_DECK))
DECK_SIZE = np.array([int(COPIES[FIRST_OF_DECK[d] : FIRST_OF_DECK[d + 1]].sum()) for d in range(N_DECKS)], np.int64)
PILE_SIZE = int(DECK_SIZE.max())
CARD_NAMES = [f"{DECKS[DECK_OF_KIND[kind]]}:{CARD_IDS[kind]}" for kind in range(N_KINDS)]
KIND = {name: kind for kind, name in enumerate(CARD_NAMES)}

VINE_RED = np.array([vine.red for vine in VINES], np.int64)
VINE_WHITE = np.array([vine.white for vine in VINES], np.int64)
VINE_TOTAL = VINE_RED + VINE_WHITE
VINE_TRELLIS = np.array([vine.trellis for vine in VINES], np.int64)
VINE_IRRIGATION = np.array([vine.irrigation for vine in VINES], np.int64)

MAX_ICONS = 3
ORDER_ICONS = np.array([len(order.wines) for order in ORDERS], np.int64)
ORDER_TYPE = np.zeros((N_ORDERS, MAX_ICONS), np.int64)
ORDER_MIN_VALUE = np.zeros((N_ORDERS, MAX_ICONS), np.int64)
for _i, _order in enumerate(ORDERS):
    for _j, (_type, _min_value) in enumerate(_order.wines):
        ORDER_TYPE[_i, _j], ORDER_MIN_VALUE[_i, _j] = _type, _min_value
ORDER_VP = np.array([order.vp for order in ORDERS], np.int64)
ORDER_RESIDUAL = np.array([order.residual for order in ORDERS], np.int64)

MAMA_DRAWS = np.array([(m.vine, m.order, m.summer, m.winter) for m in MAMAS], np.int64)
MAMA_LIRA = np.array([m.lira for m in MAMAS], np.int64)
PAPA_LIRA = np.array([p.lira for p in PAPAS], np.int64)
PAPA_GIFT = np.array([p.gift for p in PAPAS], np.int64)
PAPA_GIFT_LIRA = np.array([p.gift_lira for p in PAPAS], np.int64)

N_AUTOMA = len(AUTOMA_CARDS)
AUTOMA_IDS = [row.id for row in AUTOMA_CARDS]
AUTOMA_PLACES = np.full((N_AUTOMA, 2, 3), -1, np.int64)  # board actions by card and season, -1 for none
for _i, _automa in enumerate(AUTOMA_CARDS):
    AUTOMA_PLACES[_i, 0, : len(_automa.summer)] = _automa.summer
    AUTOMA_PLACES[_i, 1, : len(_automa.winter)] = _automa.winter
    if any(act >= N_SUMMER_ACTIONS for act in _automa.summer) or any(act < N_SUMMER_ACTIONS for act in _automa.winter):
        raise ValueError(f"{_automa.id} must block actions of its season")


class CardSet(IntConstants):
    """Sets of cards in the decks."""

    ALL = 0
    SOLO = 1  # without visitors that act only through opponents
    ORIGINAL = 2  # the first 20 of each visitor deck
    TRAIN = 3  # without the visitors of HELD_OUT
    HELD_OUT = 4  # the first of every five of each visitor deck, and no other visitors


# All sets number the same kinds, and leave some out.
THROUGH_OTHERS = ("summer:swindler", "summer:wedding_party", "winter:governor", "winter:queen")
N_ORIGINAL_VISITORS = 20
HELD_OUT_STEP = 5
NEEDS_OTHERS = np.array([name in THROUGH_OTHERS for name in CARD_NAMES], np.int64)
COPIES_IN = np.tile(COPIES, (len(CardSet), 1))
COPIES_IN[CardSet.SOLO, NEEDS_OTHERS == 1] = 0
for _first, _end in ((FIRST_SUMMER, FIRST_WINTER), (FIRST_WINTER, N_KINDS)):
    COPIES_IN[CardSet.ORIGINAL, _first + N_ORIGINAL_VISITORS : _end] = 0
    COPIES_IN[CardSet.TRAIN, _first:_end:HELD_OUT_STEP] = 0
    COPIES_IN[CardSet.HELD_OUT, _first:_end] -= COPIES_IN[CardSet.TRAIN, _first:_end]

MODE, N_BRANCHES, PARTS = table((*SUMMER_VISITORS, *WINTER_VISITORS))
