"""Questions about cards in hand and decks: discarding, giving, naming decks, turned-up cards, discard piles."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, push, set_stage
from vitienv.core.text_utils import a, listed
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_OF_DECK, N_KINDS
from vitienv.viticulture.cards.parts import ANY_DECK, VISITORS, PartOp
from vitienv.viticulture.enums import DECK_NOUNS, N_DECKS
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.ops.draw import (
    KNOWN_TO_ALL,
    NO_KIND,
    discard_from_hand,
    draw,
    hand_over,
    hand_size,
    into_hand,
    onto_pile,
    take_top,
    turn_up,
)
from vitienv.viticulture.ops.parts import IMAGINED, NOTHING, part
from vitienv.viticulture.vocabulary import Move

# Stages: only the name of the decision differs.
DISCARD_CARD = 0
DISCARD_TO_LIMIT = 1
GIVE_CARD = 2
TO_PILES = -1
BEFORE_ALL_PILES = -1


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
    seat, decks, needed, lowest = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.LEFT), get(g, t, Frame.B)
    behind = 0
    for deck in range(N_DECKS - 1, -1, -1):
        if (decks >> deck) & 1 == 0 or g.n_hand[seat, deck] == 0:
            continue
        unseen = int(g.n_hand[seat, deck])
        for kind in range(FIRST_OF_DECK[deck + 1] - 1, max(FIRST_OF_DECK[deck], lowest) - 1, -1):
            if g.hand[seat, kind] > 0:
                behind += int(g.hand[seat, kind])
                if behind >= needed:
                    mask[Move.CARD + kind] = 1
                unseen -= int(g.hand[seat, kind])
                if unseen == 0:
                    break


@jit
def apply_cards(g, t, action):
    kind = action - Move.CARD
    seat, receiver = get(g, t, Frame.SEAT), get(g, t, Frame.C)
    if receiver == TO_PILES:
        discard_from_hand(g, seat, kind)
    else:
        hand_over(g, seat, receiver, kind)
    g.frames[t, Frame.B] = kind
    count_one(g, t)
    if g.frames[t, Frame.LEFT] == 0:
        finish(g, 1)


operation(
    FrameOp.CARDS,
    "discard_card",
    "discard_to_limit",
    "give_card",
    legal=legal_cards,
    apply=apply_cards,
    shows=(Frame.A, Frame.B),
    private=(Frame.B,),
)


@jit
def ask_to_discard(g, seat, n, decks):
    """Ask a seat to discard cards of its choice."""
    set_stage(g, push(g, FrameOp.CARDS, seat, n, n, decks, 0, TO_PILES), DISCARD_CARD)


def says_discard(n: int, decks: int, c: int) -> str:
    """The sentence of a part."""
    kind = {ANY_DECK: "card", VISITORS: "visitor card"}.get(decks)
    if kind is None:
        kind = listed((noun for i, noun in enumerate(DECK_NOUNS.values()) if (decks >> i) & 1), "or")
    return f"discard {a(n, kind)}"


part(
    PartOp.DISCARD,
    needs=lambda g, seat, a, b, c: cards_in(g, seat, b) >= a,
    asks=lambda g, seat, a, b, c: ask_to_discard(g, seat, a, b),
    worth=IMAGINED,
    says=says_discard,
)


@jit
def discard_hand(g, seat):
    """Discard the whole hand, kinds in ascending order."""
    for kind in range(N_KINDS):
        for _ in range(int(g.hand[seat, kind])):
            discard_from_hand(g, seat, kind)


part(
    PartOp.DISCARD_HAND,
    needs=lambda g, seat, a, b, c: hand_size(g, seat) > 0,
    does=lambda g, seat, a, b, c, result: discard_hand(g, seat),
    worth=IMAGINED,
    says=lambda a, b, c: "discard your whole hand",
)


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
    done = get(g, t, Frame.DONE)
    if g.frames[t, Frame.LEFT] > 0 and available(g, get(g, t, Frame.A)) != 0:
        return False
    seat = get(g, t, Frame.SEAT)
    first, second = get(g, t, Frame.P0), get(g, t, Frame.P1)
    finish(g, 1)
    if done > 0:
        draw(g, seat, first)
    if done > 1:
        draw(g, seat, second)
    return True


@jit
def legal_deck(g, t, mask):
    """Decks in ascending order; one below the deck named first only if nothing else is left."""
    decks = available(g, get(g, t, Frame.A))
    first = get(g, t, Frame.P0) if g.frames[t, Frame.DONE] > 0 else 0
    if decks >> first == 0:
        first = 0
    for deck in range(first, N_DECKS):
        if (decks >> deck) & 1 == 1:
            mask[Move.DECK + deck] = 1


@jit
def apply_deck(g, t, action):
    g.frames[t, Frame.P0 + get(g, t, Frame.DONE)] = action - Move.DECK
    count_one(g, t)


operation(
    FrameOp.DECK, "choose_deck", run=run_deck, legal=legal_deck, apply=apply_deck, shows=(Frame.A, Frame.P0, Frame.P1)
)


# Caravan: P0 to P3 hold the turned-up cards, by deck; LEFT to keep; B the last kind kept.


@jit
def turn_up_all(g, t):
    """Turn up a card of every deck; two are kept, or all if there are fewer."""
    turned = 0
    for deck in range(N_DECKS):
        g.frames[t, Frame.P0 + deck] = turn_up(g, deck)
        if g.frames[t, Frame.P0 + deck] != NO_KIND:
            turned += 1
    g.frames[t, Frame.LEFT] = min(2, turned)


@jit
def run_caravan(g, t):
    """Discards the rest once two cards are taken."""
    if g.frames[t, Frame.LEFT] > 0:
        return False
    kinds = (get(g, t, Frame.P0), get(g, t, Frame.P1), get(g, t, Frame.P2), get(g, t, Frame.P2 + 1))
    finish(g, 1)
    for kind in kinds:
        if kind != NO_KIND:
            onto_pile(g, kind)
    return True


@jit
def legal_caravan(g, t, mask):
    behind = 0
    for deck in range(N_DECKS - 1, -1, -1):
        kind = get(g, t, Frame.P0 + deck)
        if kind != NO_KIND and kind > g.frames[t, Frame.B]:
            behind += 1
            if behind >= g.frames[t, Frame.LEFT]:
                mask[Move.CARD + kind] = 1


@jit
def apply_caravan(g, t, action):
    kind = action - Move.CARD
    into_hand(g, get(g, t, Frame.SEAT), kind, KNOWN_TO_ALL)
    g.frames[t, Frame.P0 + int(DECK_OF_KIND[kind])] = NO_KIND
    g.frames[t, Frame.B] = kind
    count_one(g, t)


operation(
    FrameOp.CARAVAN,
    "choose_card",
    run=run_caravan,
    legal=legal_caravan,
    apply=apply_caravan,
    shows=(Frame.B, Frame.P0, Frame.P1, Frame.P2, Frame.P3),
)


part(
    PartOp.CARAVAN,
    needs=NOTHING,
    asks=lambda g, seat, a, b, c: turn_up_all(g, push(g, FrameOp.CARAVAN, seat, 2, 2, 0, BEFORE_ALL_PILES, 0)),
    worth=130,
    says=lambda a, b, c: "turn up the top card of each of the four decks, keep 2 and discard the others",
)


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
        if g.n_pile[deck] > 0 and deck > g.frames[t, Frame.B]:
            behind += 1
            if behind >= g.frames[t, Frame.LEFT]:
                mask[Move.DECK + deck] = 1


@jit
def apply_piles(g, t, action):
    """The card was face up, so everybody knows it."""
    deck = action - Move.DECK
    into_hand(g, get(g, t, Frame.SEAT), take_top(g, deck), KNOWN_TO_ALL)
    g.frames[t, Frame.B] = deck
    count_one(g, t)
    if g.frames[t, Frame.LEFT] == 0:
        finish(g, 1)


operation(FrameOp.PILES, "choose_pile", legal=legal_piles, apply=apply_piles, shows=(Frame.B,))


part(
    PartOp.INNKEEPER,
    needs=lambda g, seat, a, b, c: n_piles(g) >= 2,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.PILES, seat, 2, 2, 0, BEFORE_ALL_PILES, 0),
    worth=110,
    says=lambda a, b, c: "take the top cards of two different discard piles into your hand",
)
