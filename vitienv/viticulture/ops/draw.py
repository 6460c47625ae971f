"""Cards between decks, hands and discard piles. A deck is a multiset; its order is determined by drawing."""

from vitienv.core.compiling.jit import jit
from vitienv.core.rng import below, word
from vitienv.core.text_utils import a, listed
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_OF_DECK, FIRST_ORDER, NEEDS_OTHERS
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import DECK_NOUNS, N_DECKS, Act, Deck
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.state import Chance, Rule

NO_KIND = -1
KNOWN_TO_ALL = 63
MAX_REDRAWN = 4  # number of such visitors in a deck; it has no others left


@jit
def random_word(g, stream):
    """Return the next random word of a stream."""
    used = int(g.chance[stream])
    g.chance[stream] = used + 1
    return word(int(g.key[0]), int(g.key[1]), stream, used)


@jit
def reshuffle(g, deck):
    """Turn the discard pile into the deck (Essential, Deck maintenance)."""
    first, last = FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1]
    for kind in range(first, last):
        g.deck[kind] += g.discard[kind]
        g.discard[kind] = 0
    for i in range(int(g.n_pile[deck])):
        g.pile[deck, i] = NO_KIND
    g.n_deck[deck] += g.n_pile[deck]
    g.n_pile[deck] = 0


@jit
def turn_up(g, deck):
    """Take the top card of a deck and return its kind, or NO_KIND.

    The solo game can redraw visitors that act only through opponents (Essential, Viticulture Automa, Setup).
    """
    kind = take_card(g, deck)
    if g.rules[Rule.REDRAW_VISITORS] == 1:
        redrawn = 0
        while kind != NO_KIND and NEEDS_OTHERS[kind] == 1:
            onto_pile(g, kind)
            redrawn += 1
            kind = take_card(g, deck) if redrawn < MAX_REDRAWN else NO_KIND
    return kind


@jit
def take_card(g, deck):
    """Take a random card, or the one fixed by a position.

    An empty deck is reshuffled immediately (ruling 8.1).
    """
    if g.n_deck[deck] == 0:
        return NO_KIND
    kind = NO_KIND
    if g.n_forced[deck] > 0:
        g.n_forced[deck] -= 1
        last = int(g.n_forced[deck])
        kind = int(g.forced[deck, last])
        g.forced[deck, last] = NO_KIND
    if kind == NO_KIND or g.deck[kind] == 0:
        index = below(random_word(g, Chance.VINE + deck), int(g.n_deck[deck]))
        kind = int(FIRST_OF_DECK[deck])
        index -= int(g.deck[kind])
        while index >= 0:
            kind += 1
            index -= int(g.deck[kind])
    g.deck[kind] -= 1
    g.n_deck[deck] -= 1
    if g.n_deck[deck] == 0:
        reshuffle(g, deck)
    return kind


@jit
def into_hand(g, seat, kind, known_by):
    """Add a card to a hand. known_by: bit mask of the seats that saw it."""
    g.hand[seat, kind] += 1
    g.n_hand[seat, DECK_OF_KIND[kind]] += 1
    if kind >= FIRST_ORDER:
        g.shown[seat, kind] = known_by
    elif known_by == KNOWN_TO_ALL:
        g.shown[seat, kind] += 1


@jit
def out_of_hand(g, seat, kind):
    """Remove a card from a hand, and the knowledge about it."""
    g.hand[seat, kind] -= 1
    g.n_hand[seat, DECK_OF_KIND[kind]] -= 1
    if kind >= FIRST_ORDER:
        g.shown[seat, kind] = 0
    elif g.shown[seat, kind] > 0:
        g.shown[seat, kind] -= 1


@jit
def draw(g, seat, deck):
    """Draw one card if there is one (ruling 8.2)."""
    kind = turn_up(g, deck)
    if kind != NO_KIND:
        into_hand(g, seat, kind, 0)


@jit
def draw_counts(g, seat, counts):
    """Draw several cards. counts: three bits per deck."""
    for deck in range(N_DECKS):
        for _ in range((counts >> (3 * deck)) & 7):
            draw(g, seat, deck)


def says_draw(counts: int, b: int, c: int) -> str:
    """Return the sentence of a part."""
    counts_by_noun = [(noun, (counts >> (3 * i)) & 7) for i, noun in enumerate(DECK_NOUNS.values())]
    return "draw " + listed(a(n, noun) for noun, n in counts_by_noun if n)


part(
    PartOp.DRAW,
    needs=NOTHING,  # without cards nothing happens (ruling 8.2)
    does=lambda g, seat, a, b, c, result: draw_counts(g, seat, a),
    worth=BY_LOOKAHEAD,
    says=says_draw,
)


@jit
def holds_two(g, deck):
    """Return whether a deck, with its discard pile, has two cards."""
    return int(g.n_deck[deck]) + int(g.n_pile[deck]) >= 2


board_action(
    Act.DRAW_VINE,
    needs=lambda g, seat, extra_lira: g.n_deck[Deck.VINE] > 0,
    starts=lambda g, seat, again, must: draw(g, seat, Deck.VINE),
    with_bonus=lambda g, seat: holds_two(g, Deck.VINE),
    worth=BY_LOOKAHEAD,
)
board_action(
    Act.DRAW_ORDER,
    needs=lambda g, seat, extra_lira: g.n_deck[Deck.ORDER] > 0,
    starts=lambda g, seat, again, must: draw(g, seat, Deck.ORDER),
    with_bonus=lambda g, seat: holds_two(g, Deck.ORDER),
    worth=BY_LOOKAHEAD,
)


@jit
def onto_pile(g, kind):
    """Put a card face up on its discard pile; an empty deck is reshuffled immediately."""
    deck = int(DECK_OF_KIND[kind])
    g.pile[deck, int(g.n_pile[deck])] = kind
    g.n_pile[deck] += 1
    g.discard[kind] += 1
    if g.n_deck[deck] == 0:
        reshuffle(g, deck)


@jit
def take_top(g, deck):
    """Take the top card of a discard pile and return its kind."""
    g.n_pile[deck] -= 1
    top = int(g.n_pile[deck])
    kind = int(g.pile[deck, top])
    g.pile[deck, top] = NO_KIND
    g.discard[kind] -= 1
    return kind


@jit
def discard_from_hand(g, seat, kind):
    out_of_hand(g, seat, kind)
    onto_pile(g, kind)


@jit
def hand_over(g, giver, receiver, kind):
    """Pass a card hidden from the others; the giver still knows it."""
    out_of_hand(g, giver, kind)
    into_hand(g, receiver, kind, 1 << giver)


@jit
def hand_size(g, seat):
    return int(g.n_hand[seat, 0]) + int(g.n_hand[seat, 1]) + int(g.n_hand[seat, 2]) + int(g.n_hand[seat, 3])
