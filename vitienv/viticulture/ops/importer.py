"""The Importer: opponents give three visitors in turn order, or three are drawn (ruling R6)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, pop, push
from vitienv.core.text_utils import count
from vitienv.viticulture.cards import DECK_OF_KIND, FIRST_SUMMER, N_KINDS
from vitienv.viticulture.cards.parts import VISITORS, PartOp
from vitienv.viticulture.enums import Deck
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.ops.draw import draw, into_hand
from vitienv.viticulture.ops.offers import next_in_order
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move

IMPORTED = 3

# Frame columns of the Importer: LEFT missing cards, P0 the number of seats passed, P1... cards set aside, with their
# givers.


@jit
def visitors_from(g, seat, i):
    """Return the number of visitors of opponents from index `i` of the turn order on."""
    total = 0
    for position in range(i, int(g.rules[Rule.NUM_PLAYERS])):
        opponent = int(g.order[position])
        if opponent != seat:
            total += int(g.n_hand[opponent, Deck.SUMMER]) + int(g.n_hand[opponent, Deck.WINTER])
    return total


@jit
def run_import(g, t):
    """Ask the next opponent while three cards are possible; otherwise return the cards and draw (ruling 6)."""
    seat, missing = get(g, t, Frame.SEAT), get(g, t, Frame.LEFT)
    if missing == 0:
        for i in range(IMPORTED):
            card = get(g, t, Frame.P1 + i)
            giver, kind = card // N_KINDS, card % N_KINDS
            g.shown[giver, kind] = 0
            into_hand(g, seat, kind, 1 << giver)
        finish(g, 1)
        return True
    if visitors_from(g, seat, get(g, t, Frame.P0)) >= missing:
        giver_seat = next_in_order(g, t)
        if giver_seat != seat and int(g.n_hand[giver_seat, Deck.SUMMER]) + int(g.n_hand[giver_seat, Deck.WINTER]) > 0:
            push(g, FrameOp.OFFER_CARDS, giver_seat, missing, 0, VISITORS, 0, 0)
        return True
    for i in range(get(g, t, Frame.DONE)):
        card = get(g, t, Frame.P1 + i)
        move_aside(g, card // N_KINDS, card % N_KINDS, 1)
    finish(g, 1)
    for _ in range(IMPORTED):
        draw(g, seat, Deck.WINTER)
    return True


operation(FrameOp.IMPORT, run=run_import)


@jit
def move_aside(g, giver, kind, back):
    """Set a card aside, or return it; knowledge about the hand is unchanged."""
    change = 2 * back - 1
    g.hand[giver, kind] += change
    g.n_hand[giver, DECK_OF_KIND[kind]] += change


@jit
def legal_offer_cards(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    mask[Move.DONE] = 1
    for kind in range(max(FIRST_SUMMER, get(g, t, Frame.B)), N_KINDS):
        if g.hand[seat, kind] > 0:
            mask[Move.CARD + kind] = 1


@jit
def apply_offer_cards(g, t, action):
    """Set a card aside in the frame of the Importer below."""
    if action == Move.DONE:
        pop(g)
        return
    seat, kind = get(g, t, Frame.SEAT), action - Move.CARD
    below = t - 1
    g.frames[below, Frame.P1 + get(g, below, Frame.DONE)] = seat * N_KINDS + kind
    count_one(g, below)
    move_aside(g, seat, kind, 0)
    g.frames[t, Frame.B] = kind
    count_one(g, t)
    if g.frames[t, Frame.LEFT] == 0 or visitors_left(g, seat, kind) == 0:
        pop(g)


operation(
    FrameOp.OFFER_CARDS,
    "import_card",
    legal=legal_offer_cards,
    apply=apply_offer_cards,
    shows=(Frame.A, Frame.B),
    private=(Frame.B,),
)


@jit
def visitors_left(g, seat, after):
    """Return the number of visitors of a seat of kinds above `after`."""
    total = 0
    for kind in range(after + 1, N_KINDS):
        total += int(g.hand[seat, kind])
    return total


part(
    PartOp.IMPORT,
    needs=NOTHING,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.IMPORT, seat, IMPORTED, 0, 0, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda a, b, c: (
        f"draw {count(IMPORTED, 'winter visitor')}, unless your opponents together give you "
        f"{count(IMPORTED, 'visitor card')} instead"
    ),
)
