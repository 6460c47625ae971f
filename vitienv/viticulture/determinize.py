"""Determinization: random hands and decks that are consistent with the observation of a seat."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame
from vitienv.core.rng import below
from vitienv.viticulture.cards import FIRST_OF_DECK, FIRST_ORDER, N_AUTOMA, N_KINDS
from vitienv.viticulture.enums import N_DECKS, Deck
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.ops.draw import NO_KIND, random_word
from vitienv.viticulture.state import Chance, Rule


@jit
def known_copies(g, seat, kind, viewer):
    """Return the number of copies of a card that the viewer knows in another hand."""
    if kind < FIRST_ORDER:
        return max(int(g.shown[seat, kind]), chosen_vine(g, seat, kind))
    return (int(g.shown[seat, kind]) >> viewer) & 1


@jit
def chosen_vine(g, seat, kind):
    """Return 1 for a vine that is chosen but not yet planted: it must stay in hand."""
    t = int(g.depth) - 1
    if (
        t < 0
        or g.frames[t, Frame.OP] != FrameOp.PLANT
        or g.frames[t, Frame.SEAT] != seat
        or g.frames[t, Frame.STAGE] == 0
    ):
        return 0
    return 1 if g.frames[t, Frame.P0] == kind else 0


@jit
def draw_hidden(g, deck):
    """Draw a random card from the pool, which is in the deck."""
    index = below(random_word(g, Chance.SETUP), int(g.n_deck[deck]))
    kind = int(FIRST_OF_DECK[deck])
    index -= int(g.deck[kind])
    while index >= 0:
        kind += 1
        index -= int(g.deck[kind])
    g.deck[kind] -= 1
    g.n_deck[deck] -= 1
    return kind


@jit
def return_to_pool(g, seat, viewer, deck):
    """Return unknown cards of a hand to the deck, and their number."""
    count = 0
    for kind in range(FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1]):
        unknown = int(g.hand[seat, kind]) - known_copies(g, seat, kind, viewer)
        if unknown > 0:
            g.hand[seat, kind] -= unknown
            if kind >= FIRST_ORDER:
                g.shown[seat, kind] = 0
            g.deck[kind] += unknown
            g.n_deck[deck] += unknown
            count += unknown
    return count


@jit
def redeal_hands(g, viewer):
    """Redeal the unknown cards of the other hands, deck by deck."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for deck in range(N_DECKS):
        counts = 0
        for seat in range(n):
            if seat != viewer:
                counts += return_to_pool(g, seat, viewer, deck) << (6 * seat)
        for seat in range(n):
            for _ in range((counts >> (6 * seat)) & 63):
                g.hand[seat, draw_hidden(g, deck)] += 1


@jit
def redeal_set_aside(g, viewer):
    """Redeal hidden cards that other seats set aside for the Importer; each stays of the same deck."""
    for t in range(int(g.depth)):
        if g.frames[t, Frame.OP] != FrameOp.IMPORT:
            continue
        for i in range(int(g.frames[t, Frame.DONE])):
            giver, kind = int(g.frames[t, Frame.P1 + i]) // N_KINDS, int(g.frames[t, Frame.P1 + i]) % N_KINDS
            if giver != viewer and (int(g.shown[giver, kind]) >> viewer) & 1 == 0:
                deck = Deck.SUMMER if kind < FIRST_OF_DECK[Deck.SUMMER + 1] else Deck.SUMMER + 1
                g.deck[kind] += 1
                g.n_deck[deck] += 1
                g.shown[giver, kind] = 0
                g.frames[t, Frame.P1 + i] = giver * N_KINDS + draw_hidden(g, deck)


@jit
def redeal_hidden(g, viewer):
    """Redeal all cards hidden from the viewer, unless hands are open, and drop draws fixed by a position."""
    for deck in range(N_DECKS):
        g.n_forced[deck] = 0
        for j in range(g.forced.shape[1]):
            g.forced[deck, j] = NO_KIND
    g.automa_n_forced = 0
    for card in range(N_AUTOMA):
        g.automa_forced[card] = NO_KIND
    if g.rules[Rule.OPEN_HANDS] == 0:
        redeal_hands(g, viewer)
        redeal_set_aside(g, viewer)
