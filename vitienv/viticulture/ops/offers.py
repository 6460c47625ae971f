"""Decisions of several players, in turn order (Essential, glossary, Wake-up chart)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, count_one, finish, get, has_enough, pop, push, set_stage
from vitienv.core.text_utils import count
from vitienv.viticulture.board import WINES_PER_ACTION
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, ANY_DECK, NO_PRICE, Offer, PartOp, Reward
from vitienv.viticulture.enums import NO_SEAT, Deck
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.legality.predicates import (
    can_build_any,
    can_gain_vp,
    can_make,
    can_plant,
    can_train,
    could_plant,
)
from vitienv.viticulture.ops.cards import GIVE_CARD
from vitienv.viticulture.ops.draw import draw, hand_size
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, part
from vitienv.viticulture.ops.workers import grande_placed, has_opponents, is_blocker, retrieve_grande, train
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move

BANKER_LIRA = 3
HANDYMAN_DISCOUNT = 2
VOLUNTEER_LIRA = 2
GUEST_SPEAKER_PRICE = 1
SWINDLER_LIRA = 2
QUEEN_LIRA, QUEEN_CARDS = 3, 2
WEDDING_LIRA = 2
MAX_CHOSEN = 3


@jit
def seat_in_row(g, row):
    """Return the seat of the rooster in a wake-up row, or NO_SEAT."""
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        if g.row[seat] == row:
            return seat
    return NO_SEAT


@jit
def next_in_order(g, t):
    """Return the next seat in turn order, or NO_SEAT after the last; P0 of the frame counts them."""
    i = get(g, t, Frame.P0)
    if i >= g.rules[Rule.NUM_PLAYERS]:
        return NO_SEAT
    g.frames[t, Frame.P0] = i + 1
    return int(g.order[i])


# Frame columns of offers: A the offer, SEAT the player of the card, P0 the number of seats passed.


@jit
def includes_self(offer):
    return Offer.HANDYMAN <= offer <= Offer.MOTIVATOR


@jit
def could_use(g, offer, seat, active):
    """Return whether a seat might use an offer, judged by public information."""
    if is_blocker(g, seat):
        return False
    if offer == Offer.BANKER:
        return can_gain_vp(g, seat, -1)
    if offer == Offer.HANDYMAN:
        return can_build_any(g, seat, HANDYMAN_DISCOUNT, NO_PRICE, ALL_STRUCTURES, 0)
    if offer == Offer.VOLUNTEER_CREW:
        return could_plant(g, seat, 0)
    if offer == Offer.MENTOR:
        return can_make(g, seat, 0)
    if offer == Offer.GUEST_SPEAKER:
        return can_train(g, seat, GUEST_SPEAKER_PRICE, 0)
    if offer == Offer.MOTIVATOR:
        return grande_placed(g, seat) and (seat == active or g.passed[seat] == 0)
    if offer == Offer.SWINDLER:
        return g.lira[seat] >= SWINDLER_LIRA
    return g.n_deck[Deck.SUMMER] > 0


@jit
def can_offer(g, seat, offer):
    """Return whether the card can be played: some seat might use it, or it has another effect."""
    if offer == Offer.SWINDLER:
        return has_opponents(g)
    if not includes_self(offer):
        return True
    if offer == Offer.VOLUNTEER_CREW and can_plant(g, seat, 0):
        return True
    for responder in range(int(g.rules[Rule.NUM_PLAYERS])):
        if (responder != seat or offer != Offer.VOLUNTEER_CREW) and could_use(g, offer, responder, seat):
            return True
    return False


@jit
def run_offers(g, t):
    """Ask the next seat, or end."""
    offer, active = get(g, t, Frame.A), get(g, t, Frame.SEAT)
    while True:
        seat = next_in_order(g, t)
        if seat == NO_SEAT:
            finish(g, 1)
            return True
        if seat == active and not includes_self(offer):
            continue
        if could_use(g, offer, seat, active):
            push(g, FrameOp.ASK, seat, 1, 0, offer, active, 0)
            return True
        if offer == Offer.SWINDLER and not is_blocker(g, seat):
            gain_vp(g, active, 1)


operation(FrameOp.OFFERS, run=run_offers)


@jit
def legal_ask(g, t, mask):
    mask[Move.NO] = 1
    if get(g, t, Frame.A) != Offer.VOLUNTEER_CREW or can_plant(g, get(g, t, Frame.SEAT), 0):
        mask[Move.YES] = 1


@jit
def apply_ask(g, t, action):
    """Resolve the answer; the active seat is rewarded only for opponents."""
    seat, offer, active = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.B)
    pop(g)
    if action == Move.NO:
        if offer == Offer.SWINDLER:
            gain_vp(g, active, 1)
        return
    opponent = seat != active
    if offer == Offer.BANKER:
        gain_vp(g, seat, -1)
        gain_lira(g, seat, BANKER_LIRA)
    elif offer == Offer.SWINDLER:
        gain_lira(g, seat, -SWINDLER_LIRA)
        gain_lira(g, active, SWINDLER_LIRA)
    elif offer == Offer.VENDOR:
        draw(g, seat, Deck.SUMMER)
    elif offer == Offer.VOLUNTEER_CREW:
        if opponent:
            gain_lira(g, active, VOLUNTEER_LIRA)
        push(g, FrameOp.PLANT, seat, 1, 1, 0, 0, 0)
    elif offer == Offer.MENTOR:
        if opponent:
            push(g, FrameOp.DECK, active, 1, 1, (1 << Deck.VINE) | (1 << Deck.SUMMER), 0, 0)
        push(g, FrameOp.MAKE, seat, WINES_PER_ACTION, 1, 0, 0, 0)
    else:
        if opponent:
            gain_vp(g, active, 1)
        if offer == Offer.HANDYMAN:
            push(g, FrameOp.BUILD, seat, 1, 1, HANDYMAN_DISCOUNT, NO_PRICE, ALL_STRUCTURES)
        elif offer == Offer.GUEST_SPEAKER:
            train(g, seat, GUEST_SPEAKER_PRICE, 0)
        else:
            retrieve_grande(g, seat)


operation(FrameOp.ASK, "offer", legal=legal_ask, apply=apply_ask, shows=())


OFFERS = {
    Offer.BANKER: f"each opponent may lose 1 point to receive {BANKER_LIRA} lira",
    Offer.HANDYMAN: f"everybody may build a structure for {HANDYMAN_DISCOUNT} lira less; "
    "you score 1 point for each opponent who does",
    Offer.VOLUNTEER_CREW: f"everybody may plant a vine; you receive {VOLUNTEER_LIRA} lira for each opponent who does",
    Offer.MENTOR: "everybody may make up to 2 wines; "
    "you draw a vine card or a summer visitor for each opponent who does",
    Offer.GUEST_SPEAKER: f"everybody may train a worker for {GUEST_SPEAKER_PRICE} lira; "
    "you score 1 point for each opponent who does",
    Offer.MOTIVATOR: "everybody may retrieve the grande worker to place it again; "
    "you score 1 point for each opponent who does",
    Offer.SWINDLER: f"each opponent may pay you {SWINDLER_LIRA} lira; you score 1 point for each who does not",
    Offer.VENDOR: "each opponent may draw a summer visitor",
}
part(
    PartOp.EACH_MAY,
    needs=lambda g, seat, a, b, c: can_offer(g, seat, a),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.OFFERS, seat, 0, 0, a, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda offer, b, c: OFFERS[Offer(offer)],
)


# Frame columns of the Queen: SEAT the right-hand neighbour, who chooses; B the player of the card.


@jit
def right_neighbour(g, seat):
    """Return the seat before this one in seating order (rulings, Queen)."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    return (seat + n - 1) % n


@jit
def queen_option(g, seat, option):
    if option == 0:
        return can_gain_vp(g, seat, -1)
    if option == 1:
        return hand_size(g, seat) >= QUEEN_CARDS
    return g.lira[seat] >= QUEEN_LIRA


@jit
def can_queen(g, seat):
    """Return whether the Queen is playable: the right-hand neighbour has at least one option."""
    if not has_opponents(g):
        return False
    neighbour = right_neighbour(g, seat)
    return queen_option(g, neighbour, 0) or queen_option(g, neighbour, 1) or queen_option(g, neighbour, 2)


@jit
def legal_queen(g, t, mask):
    for option in range(3):
        if queen_option(g, get(g, t, Frame.SEAT), option):
            mask[Move.OPTION + option] = 1


@jit
def apply_queen(g, t, action):
    seat, active = get(g, t, Frame.SEAT), get(g, t, Frame.B)
    finish(g, 1)
    if action == Move.OPTION:
        gain_vp(g, seat, -1)
    elif action == Move.OPTION + 1:
        give_cards(g, seat, active, QUEEN_CARDS, ANY_DECK)
    else:
        gain_lira(g, seat, -QUEEN_LIRA)
        gain_lira(g, active, QUEEN_LIRA)


operation(FrameOp.QUEEN, "queen", legal=legal_queen, apply=apply_queen, shows=())


part(
    PartOp.QUEEN,
    needs=lambda g, seat, a, b, c: can_queen(g, seat),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.QUEEN, right_neighbour(g, seat), 1, 1, 0, seat, 0),
    worth=90,
    says=lambda a, b, c: (
        "the player to your right must choose: lose 1 point, give you "
        f"{count(QUEEN_CARDS, 'card')}, or pay you {QUEEN_LIRA} lira"
    ),
)


@jit
def give_cards(g, seat, receiver, n, decks):
    """Ask a seat for cards of its choice, which the receiver gets immediately."""
    set_stage(g, push(g, FrameOp.CARDS, seat, n, n, decks, 0, receiver), GIVE_CARD)


# Up to three opponents are chosen in ascending order (Wedding Party, Governor). Frame columns: A the reward, P0 the
# chosen ones as a bit mask, B the last.


@jit
def seat_after(g, seat, k):
    """Return the k-th seat clockwise."""
    return (seat + k) % int(g.rules[Rule.NUM_PLAYERS])


@jit
def may_choose_opponent(g, t, k):
    if k <= g.frames[t, Frame.B] or k >= g.rules[Rule.NUM_PLAYERS]:
        return False
    return get(g, t, Frame.A) != Reward.PAY_TWO_LIRA or g.lira[get(g, t, Frame.SEAT)] >= WEDDING_LIRA


@jit
def run_opponents(g, t):
    """End when no further opponent can be chosen; the Governor then collects cards."""
    if g.frames[t, Frame.LEFT] > 0 and may_choose_opponent(g, t, int(g.rules[Rule.NUM_PLAYERS]) - 1):
        return False
    end_opponents(g, t)
    return True


@jit
def end_opponents(g, t):
    seat, reward, opponents = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.P0)
    finish(g, 1)
    if reward == Reward.GIVE_SUMMER_VISITOR:
        push(g, FrameOp.GOVERN, seat, 0, 0, opponents, 0, 0)


@jit
def legal_opponents(g, t, mask):
    for k in range(1, int(g.rules[Rule.NUM_PLAYERS])):
        if may_choose_opponent(g, t, k):
            mask[Move.SEAT + k - 1] = 1
    if has_enough(g, t):
        mask[Move.DONE] = 1


@jit
def apply_opponents(g, t, action):
    if action == Move.DONE:
        end_opponents(g, t)
        return
    seat, k = get(g, t, Frame.SEAT), action - Move.SEAT + 1
    opponent = seat_after(g, seat, k)
    if get(g, t, Frame.A) == Reward.PAY_TWO_LIRA:
        gain_lira(g, seat, -WEDDING_LIRA)
        gain_lira(g, opponent, WEDDING_LIRA)
        gain_vp(g, seat, 1)
    g.frames[t, Frame.P0] |= 1 << opponent
    g.frames[t, Frame.B] = k
    count_one(g, t)


operation(
    FrameOp.OPPONENTS,
    "choose_opponent",
    run=run_opponents,
    legal=legal_opponents,
    apply=apply_opponents,
    shows=(Frame.A, Frame.B),
)


@jit
def run_govern(g, t):
    """Let each chosen opponent (A, bit mask) give a summer visitor, or gain a point for those without one."""
    while True:
        opponent = next_in_order(g, t)
        if opponent == NO_SEAT:
            finish(g, 1)
            return True
        if (get(g, t, Frame.A) >> opponent) & 1 == 1:
            if g.n_hand[opponent, Deck.SUMMER] > 0:
                give_cards(g, opponent, get(g, t, Frame.SEAT), 1, 1 << Deck.SUMMER)
                return True
            gain_vp(g, get(g, t, Frame.SEAT), 1)


operation(FrameOp.GOVERN, run=run_govern)


REWARDS = {
    Reward.PAY_TWO_LIRA: f"pay {WEDDING_LIRA} lira to each of up to {MAX_CHOSEN} opponents and score 1 point for each",
    Reward.GIVE_SUMMER_VISITOR: f"choose up to {MAX_CHOSEN} opponents: each gives you a summer visitor, "
    "and you score 1 point for each who has none",
}
part(
    PartOp.CHOOSE_OPPONENTS,
    needs=lambda g, seat, a, b, c: has_opponents(g) and (a != Reward.PAY_TWO_LIRA or g.lira[seat] >= WEDDING_LIRA),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.OPPONENTS, seat, MAX_CHOSEN, 1, a, 0, 0),
    worth=BY_LOOKAHEAD,
    says=lambda reward, b, c: REWARDS[Reward(reward)],
)
