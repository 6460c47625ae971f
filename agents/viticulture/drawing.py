"""Expected values of unknown cards, averaged over the unseen cards."""

from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.value import cellar_worth, position_value, update_yields, vines_worth
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import FIRST_ORDER, FIRST_SUMMER, N_VINES
from vitienv.viticulture.enums import Deck
from vitienv.viticulture.observation import At


@jit
def average_vine(p, flat, w, o):
    """Return the mean gain of position 0 from an unseen vine card. Position 1 is scratch."""
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
    """Return the mean gain of position 0 from an unseen order. Positions 1 to 3 are scratch."""
    update_yields(p[0])
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
def estimate_draws(p, flat, w, o):
    """Store the expected gains of the next vine and order in position 0."""
    p[0].next_vine = average_vine(p, flat, w, o) * w.draw_vine // 100
    p[0].next_order = average_order(p, flat, w, o) * w.draw_order // 100


@jit
def draw_card(me, deck, w):
    """Add an unknown card: visitors by their number in hand, vines and orders by their expected gain."""
    me.n_hand[ME, deck] += 1
    if deck == Deck.VINE:
        me.extra += me.next_vine
        me.next_vine = me.next_vine * w.draw_less // 100
    elif deck == Deck.ORDER:
        me.extra += me.next_order
        me.next_order = me.next_order * w.draw_less // 100


@jit
def deck_worth(p, flat, deck, w):
    """Return the expected gain of position 0 from a card of a deck."""
    copy_position(flat, 0, 1)
    draw_card(p[1], deck, w)
    gained = position_value(p, flat, 1, w)
    return gained - position_value(p, flat, 0, w)
