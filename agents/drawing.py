"""What a card not yet known is worth, on the average over all that the seat has not seen."""

from vitienv.agents.view import AT_UNSEEN, ME, copy_position
from vitienv.agents.worth import worth
from vitienv.core.jit import jit
from vitienv.viticulture.cards import FIRST_ORDER, FIRST_SUMMER, N_VINES
from vitienv.viticulture.names import DECK_ORDER, DECK_VINE


@jit
def average_gain(p, flat, w, o, first, end, deck):
    """The mean gain of position 0 from a card of these kinds, by how many of each are unseen; uses scratch from 1."""
    before = worth(p, flat, 0, w)
    total, cards = 0, 0
    for kind in range(first, end):
        unseen = int(o[AT_UNSEEN + kind])
        if unseen > 0:
            copy_position(flat, 0, 1)
            p[1].hand[ME, kind] += 1
            p[1].n_hand[ME, deck] += 1
            total += unseen * (worth(p, flat, 1, w) - before)
            cards += unseen
    return total // cards if cards > 0 else 0


@jit
def reckon_draws(p, flat, w, o):
    """Note in position 0 what the next vine and the next order are worth."""
    me = p[0]
    me.next_vine = average_gain(p, flat, w, o, 0, N_VINES, DECK_VINE) * w.draw_vine // 100
    me.next_order = average_gain(p, flat, w, o, FIRST_ORDER, FIRST_SUMMER, DECK_ORDER) * w.draw_order // 100


@jit
def draw_card(me, deck, w):
    """Add a card not yet known: of visitors the number in hand counts, vines and orders go by their average."""
    me.n_hand[ME, deck] += 1
    if deck == DECK_VINE:
        me.extra += me.next_vine
        me.next_vine = me.next_vine * w.draw_less // 100
    elif deck == DECK_ORDER:
        me.extra += me.next_order
        me.next_order = me.next_order * w.draw_less // 100


@jit
def deck_worth(p, flat, deck, w):
    """What a card of a deck would bring to position 0."""
    copy_position(flat, 0, 1)
    draw_card(p[1], deck, w)
    gained = worth(p, flat, 1, w)
    return gained - worth(p, flat, 0, w)
