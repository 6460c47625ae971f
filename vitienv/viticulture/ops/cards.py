"""Questions about cards in hand and decks: discarding, giving, naming decks, turned-up cards, discard piles."""

from vitienv.core.jit import jit
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_OF_DECK, N_KINDS
from vitienv.viticulture.frames import count_one, finish, get
from vitienv.viticulture.names import N_DECKS
from vitienv.viticulture.ops.draw import (
    KNOWN_TO_ALL,
    NO_KIND,
    discard_from_hand,
    draw,
    hand_over,
    into_hand,
    onto_pile,
    take_top,
    turn_up,
)
from vitienv.viticulture.state import DONE, LEFT, P0, P1, P2, SEAT, A, B, C
from vitienv.viticulture.vocabulary import CARD_ACTION, DECK

DISCARD_CARD, DISCARD_TO_LIMIT, GIVE_CARD = 0, 1, 2  # stages: only the name of the decision differs
TO_PILES = -1


@jit
def cards_in(g, seat, decks):
    """How many cards of these decks (bits) a seat holds."""
    total = 0
    for deck in range(N_DECKS):
        if (decks >> deck) & 1 == 1:
            total += int(g.n_hand[seat, deck])
    return total


# Cards: LEFT to discard, or to give to seat C; A the decks allowed as bits, B the last kind picked.


@jit
def legal_cards(g, t, mask):
    """In ascending order, never leaving too few behind (so that each set is reached one way)."""
    seat, decks, needed, lowest = get(g, t, SEAT), get(g, t, A), get(g, t, LEFT), get(g, t, B)
    behind = 0
    for deck in range(N_DECKS - 1, -1, -1):
        if (decks >> deck) & 1 == 0 or g.n_hand[seat, deck] == 0:
            continue
        for kind in range(FIRST_OF_DECK[deck + 1] - 1, max(FIRST_OF_DECK[deck], lowest) - 1, -1):
            if g.hand[seat, kind] > 0:
                behind += int(g.hand[seat, kind])
                if behind >= needed:
                    mask[CARD_ACTION + kind] = 1


@jit
def apply_cards(g, t, action):
    kind = action - CARD_ACTION
    seat, receiver = get(g, t, SEAT), get(g, t, C)
    if receiver == TO_PILES:
        discard_from_hand(g, seat, kind)
    else:
        hand_over(g, seat, receiver, kind)
    g.frames[t, B] = kind
    count_one(g, t)
    if g.frames[t, LEFT] == 0:
        finish(g, 1)


@jit
def discard_hand(g, seat):
    """Discard the whole hand, kinds in ascending order."""
    for kind in range(N_KINDS):
        for _ in range(int(g.hand[seat, kind])):
            discard_from_hand(g, seat, kind)


# Deck: LEFT decks to name out of A (bits), all named before the first draw (ruling 8.4). P0, P1 those named.


@jit
def available(g, decks):
    """Which of these decks have a card to draw, as bits."""
    found = 0
    for deck in range(N_DECKS):
        if (decks >> deck) & 1 == 1 and g.n_deck[deck] > 0:
            found |= 1 << deck
    return found


@jit
def run_deck(g, t):
    """Draws once all decks are named; asks nothing if no deck is left."""
    done = get(g, t, DONE)
    if g.frames[t, LEFT] > 0 and available(g, get(g, t, A)) != 0:
        return False
    seat = get(g, t, SEAT)
    first, second = get(g, t, P0), get(g, t, P1)
    finish(g, 1)
    if done > 0:
        draw(g, seat, first)
    if done > 1:
        draw(g, seat, second)
    return True


@jit
def legal_deck(g, t, mask):
    """Decks in ascending order; one below the deck named first only if nothing else is left."""
    decks = available(g, get(g, t, A))
    first = get(g, t, P0) if g.frames[t, DONE] > 0 else 0
    if decks >> first == 0:
        first = 0
    for deck in range(first, N_DECKS):
        if (decks >> deck) & 1 == 1:
            mask[DECK + deck] = 1


@jit
def apply_deck(g, t, action):
    g.frames[t, P0 + get(g, t, DONE)] = action - DECK
    count_one(g, t)


# Caravan: P0 to P3 hold the turned-up cards, by deck; LEFT to keep; B the last kind kept.


@jit
def turn_up_all(g, t):
    """Turn up a card of every deck; two are kept, or all if there are fewer."""
    turned = 0
    for deck in range(N_DECKS):
        g.frames[t, P0 + deck] = turn_up(g, deck)
        if g.frames[t, P0 + deck] != NO_KIND:
            turned += 1
    g.frames[t, LEFT] = min(2, turned)


@jit
def run_caravan(g, t):
    """Discards the rest once two cards are taken."""
    if g.frames[t, LEFT] > 0:
        return False
    kinds = (get(g, t, P0), get(g, t, P1), get(g, t, P2), get(g, t, P2 + 1))
    finish(g, 1)
    for kind in kinds:
        if kind != NO_KIND:
            onto_pile(g, kind)
    return True


@jit
def legal_caravan(g, t, mask):
    behind = 0
    for deck in range(N_DECKS - 1, -1, -1):
        kind = get(g, t, P0 + deck)
        if kind != NO_KIND and kind > g.frames[t, B]:
            behind += 1
            if behind >= g.frames[t, LEFT]:
                mask[CARD_ACTION + kind] = 1


@jit
def apply_caravan(g, t, action):
    kind = action - CARD_ACTION
    into_hand(g, get(g, t, SEAT), kind, KNOWN_TO_ALL)
    g.frames[t, P0 + int(DECK_OF_KIND[kind])] = NO_KIND
    g.frames[t, B] = kind
    count_one(g, t)


# Innkeeper: the top cards of two different discard piles; B the last pile picked.


@jit
def n_piles(g):
    """How many discard piles hold a card."""
    total = 0
    for deck in range(N_DECKS):
        if g.n_pile[deck] > 0:
            total += 1
    return total


@jit
def legal_piles(g, t, mask):
    behind = 0
    for deck in range(N_DECKS - 1, -1, -1):
        if g.n_pile[deck] > 0 and deck > g.frames[t, B]:
            behind += 1
            if behind >= g.frames[t, LEFT]:
                mask[DECK + deck] = 1


@jit
def apply_piles(g, t, action):
    """The card was face up, so everybody knows it."""
    deck = action - DECK
    into_hand(g, get(g, t, SEAT), take_top(g, deck), KNOWN_TO_ALL)
    g.frames[t, B] = deck
    count_one(g, t)
    if g.frames[t, LEFT] == 0:
        finish(g, 1)

