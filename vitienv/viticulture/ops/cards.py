"""Decisions about cards: discarding, giving, choosing decks, revealed cards, discard piles."""

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
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.vocabulary import Move

# Stages differ only in the name of the decision.
DISCARD_CARD = 0
DISCARD_TO_LIMIT = 1
GIVE_CARD = 2
TO_PILES = -1
BEFORE_ALL_PILES = -1


@jit
def cards_in(g, seat, decks):
    """Return the number of cards of a seat in decks (bit mask)."""
    total = 0
    for deck in range(N_DECKS):
        if (decks >> deck) & 1 == 1:
            total += int(g.n_hand[seat, deck])
    return total


# Frame columns of card choices: LEFT to discard, or to give to seat C; A the decks as a bit mask, B the last kind
# picked.


@jit
def legal_cards(g, t, mask):
    """Mark cards in ascending order, leaving enough later ones, so that each set is reached one way."""
    seat, decks, n, lowest = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.LEFT), get(g, t, Frame.B)
    num_later = 0
    for deck in range(N_DECKS - 1, -1, -1):
        if (decks >> deck) & 1 == 0 or g.n_hand[seat, deck] == 0:
            continue
        unseen = int(g.n_hand[seat, deck])
        for kind in range(FIRST_OF_DECK[deck + 1] - 1, max(FIRST_OF_DECK[deck], lowest) - 1, -1):
            if g.hand[seat, kind] > 0:
                num_later += int(g.hand[seat, kind])
                if num_later >= n:
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
    """Return the sentence of a part."""
    kind = {ANY_DECK: "card", VISITORS: "visitor card"}.get(decks)
    if kind is None:
        kind = listed((noun for i, noun in enumerate(DECK_NOUNS.values()) if (decks >> i) & 1), "or")
    return f"discard {a(n, kind)}"


part(
    PartOp.DISCARD,
    needs=lambda g, seat, a, b, c: cards_in(g, seat, b) >= a,
    asks=lambda g, seat, a, b, c: ask_to_discard(g, seat, a, b),
    worth=BY_LOOKAHEAD,
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
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: "discard your whole hand",
)


# Frame columns of deck choices: LEFT decks to choose out of A (bit mask), before the first draw (ruling 8.4); P0, P1
# the chosen decks.


@jit
def available(g, decks):
    """Return the decks with cards, as a bit mask."""
    with_cards = 0
    for deck in range(N_DECKS):
        if (decks >> deck) & 1 == 1 and g.n_deck[deck] > 0:
            with_cards |= 1 << deck
    return with_cards


@jit
def run_deck(g, t):
    """Draw once all decks are chosen; skip the question if no deck is left."""
    num_chosen = get(g, t, Frame.DONE)
    if g.frames[t, Frame.LEFT] > 0 and available(g, get(g, t, Frame.A)) != 0:
        return False
    seat = get(g, t, Frame.SEAT)
    first, second = get(g, t, Frame.P0), get(g, t, Frame.P1)
    finish(g, 1)
    if num_chosen > 0:
        draw(g, seat, first)
    if num_chosen > 1:
        draw(g, seat, second)
    return True


@jit
def legal_deck(g, t, mask):
    """Mark decks in ascending order; lower ones only if nothing else is left."""
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


# Frame columns of the Caravan: P0 to P3 revealed cards by deck; LEFT to keep; B the last kind kept.


@jit
def reveal_all(g, t):
    """Reveal a card of every deck; two are kept, or all if there are fewer."""
    num_revealed = 0
    for deck in range(N_DECKS):
        g.frames[t, Frame.P0 + deck] = turn_up(g, deck)
        if g.frames[t, Frame.P0 + deck] != NO_KIND:
            num_revealed += 1
    g.frames[t, Frame.LEFT] = min(2, num_revealed)


@jit
def run_caravan(g, t):
    """Discard the other cards after two are kept."""
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
    num_later = 0
    for deck in range(N_DECKS - 1, -1, -1):
        kind = get(g, t, Frame.P0 + deck)
        if kind != NO_KIND and kind > g.frames[t, Frame.B]:
            num_later += 1
            if num_later >= g.frames[t, Frame.LEFT]:
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
    asks=lambda g, seat, a, b, c: reveal_all(g, push(g, FrameOp.CARAVAN, seat, 2, 2, 0, BEFORE_ALL_PILES, 0)),
    worth=130,
    says=lambda a, b, c: "turn up the top card of each of the four decks, keep 2 and discard the others",
)


# Innkeeper: the top cards of two different discard piles. Frame columns: B the last pile picked.


@jit
def n_piles(g):
    """Return the number of non-empty discard piles."""
    total = 0
    for deck in range(N_DECKS):
        if g.n_pile[deck] > 0:
            total += 1
    return total


@jit
def legal_piles(g, t, mask):
    num_later = 0
    for deck in range(N_DECKS - 1, -1, -1):
        if g.n_pile[deck] > 0 and deck > g.frames[t, Frame.B]:
            num_later += 1
            if num_later >= g.frames[t, Frame.LEFT]:
                mask[Move.DECK + deck] = 1


@jit
def apply_piles(g, t, action):
    """Take the top card of a pile, which is public."""
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
