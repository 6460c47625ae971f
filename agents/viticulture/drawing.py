"""What a card not yet known is worth, on the average over all that the seat has not seen."""

from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.value import cellar_worth, position_value, reckon_yields, vines_worth
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import FIRST_ORDER, FIRST_SUMMER, N_VINES
from vitienv.viticulture.enums import Deck
from vitienv.viticulture.observation import At


@jit
def average_vine(p, flat, w, o):
    """The mean gain of position 0 from a vine card, by how many of each variety are unseen; 1 is scratch."""
    before = vines_worth(p[0], w)
    copy_position(flat, 0, 1)
    p[1].n_hand[ME, Deck.VINE] += 1
    total, cards = 0, 0
    for kind in range(N_VINES):
        unseen = int(o[At.UNSEEN + kind])
        if unseen > 0:
            p[1].hand[ME, kind] += 1
            total += unseen * (vines_worth(p[1], w) - before)
            cards += unseen
            p[1].hand[ME, kind] -= 1
    return total // cards if cards > 0 else 0


@jit
def average_order(p, flat, w, o):
    """The mean gain of position 0 from an order, over all that are unseen; 1 to 3 are scratch."""
    reckon_yields(p[0])
    before = cellar_worth(p, flat, 0, w)
    copy_position(flat, 0, 1)
    p[1].n_hand[ME, Deck.ORDER] += 1
    total, cards = 0, 0
    for kind in range(FIRST_ORDER, FIRST_SUMMER):
        if o[At.UNSEEN + kind] > 0:
            p[1].hand[ME, kind] += 1
            total += cellar_worth(p, flat, 1, w) - before
            cards += 1
            p[1].hand[ME, kind] -= 1
    return total // cards if cards > 0 else 0


@jit
def reckon_draws(p, flat, w, o):
    """Note in position 0 what the next vine and the next order are worth."""
    p[0].next_vine = average_vine(p, flat, w, o) * w.draw_vine // 100
    p[0].next_order = average_order(p, flat, w, o) * w.draw_order // 100


@jit
def draw_card(me, deck, w):
    """Add a card not yet known: of visitors the number in hand counts, vines and orders go by their average."""
    me.n_hand[ME, deck] += 1
    if deck == Deck.VINE:
        me.extra += me.next_vine
        me.next_vine = me.next_vine * w.draw_less // 100
    elif deck == Deck.ORDER:
        me.extra += me.next_order
        me.next_order = me.next_order * w.draw_less // 100


@jit
def deck_worth(p, flat, deck, w):
    """What a card of a deck would bring to position 0."""
    copy_position(flat, 0, 1)
    draw_card(p[1], deck, w)
    gained = position_value(p, flat, 1, w)
    return gained - position_value(p, flat, 0, w)
