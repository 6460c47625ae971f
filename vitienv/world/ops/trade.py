"""Trades of a grande that is placed beside another seat's worker (W43 to W48, O17 to O22)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import Numbers
from vitienv.core.frames import Frame, get, pop, push, set_stage
from vitienv.viticulture.enums import N_VALUES, Deck
from vitienv.viticulture.ops.cards import ask_to_discard
from vitienv.viticulture.ops.cellar import wine_action, wine_of_action
from vitienv.viticulture.ops.draw import draw
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.opponents import give_cards
from vitienv.viticulture.tokens import place_grape
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import Metric
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import deed
from vitienv.world.ops.terms import (
    NO_TOKEN,
    can_trade_with,
    has_some,
    is_simulated,
    is_token,
    may_give,
    may_give_token,
    may_take,
    may_take_token,
    n_at_table,
    n_tokens,
)
from vitienv.world.ops.tokens import gain_wine
from vitienv.world.vocabulary import MOST_AMOUNT, N_KIND_WORDS, Choice, WorldMove


class Stage(Numbers):
    """What of a trade is said next."""

    START = 0
    PARTNER = 1
    GIVE = 2
    TAKE = 3


class Asked(Numbers):
    """What of a part is asked next."""

    KIND = 0
    NUMBER = 1
    TOKEN = 2


# Trade: A the place, B the partner, C what of a part is asked, MIN whether the action is not possible without one;
# P0, P1 what is given and how much, P2, P3 what is taken.


@jit
def legal_amount(have, so_far, mask):
    """Each number in one way: tens as often as they fit, then a number below ten, or `done` (O18)."""
    left = have - so_far
    for n in range(1, min(left, MOST_AMOUNT) + 1):
        mask[WorldMove.AMOUNT + n - 1] = 1
    if so_far > 0:
        mask[Move.DONE] = 1


@jit
def token_action(kind, token):
    """The action that names a token."""
    if kind == Choice.GRAPE:
        return Move.GRAPE + token
    return wine_action(token // N_VALUES, token % N_VALUES + 1)


@jit
def token_of_action(kind, action):
    """The token that an action names."""
    if kind == Choice.GRAPE:
        return action - Move.GRAPE
    wine, value = wine_of_action(action)
    return wine * N_VALUES + value - 1


@jit
def legal_trade(g, t, mask):
    seat, stage, partner = get(g, t, Frame.SEAT), get(g, t, Frame.STAGE), get(g, t, Frame.B)
    if stage == Stage.START:
        mask[Move.YES] = 1
        if g.frames[t, Frame.MIN] == 0:
            mask[Move.NO] = 1
    elif stage == Stage.PARTNER:
        for k in range(1, n_at_table(g)):
            if can_trade_with(g, seat, (seat + k) % n_at_table(g), get(g, t, Frame.A)):
                mask[Move.SEAT + k - 1] = 1
    else:
        legal_part(g, t, seat, partner, stage, mask)


@jit
def legal_part(g, t, seat, partner, stage, mask):
    """The gift or the taking of a trade: its kind, then its number or the token."""
    gives, given, asked = get(g, t, Frame.P0), get(g, t, Frame.P1), get(g, t, Frame.C)
    if asked == Asked.KIND:
        for kind in range(N_KIND_WORDS):
            if (
                may_give(g, seat, partner, kind)
                if stage == Stage.GIVE
                else may_take(g, seat, partner, gives, given, kind)
            ):
                mask[WorldMove.KIND + kind] = 1
        return
    kind = gives if stage == Stage.GIVE else get(g, t, Frame.P2)
    if asked == Asked.NUMBER:
        so_far = given if stage == Stage.GIVE else get(g, t, Frame.P3)
        legal_amount(has_some(g, seat if stage == Stage.GIVE else partner, kind), so_far, mask)
        return
    for token in range(n_tokens(kind)):
        if stage == Stage.GIVE:
            if may_give_token(g, seat, partner, kind, token):
                mask[token_action(kind, token)] = 1
        elif may_take_token(g, seat, partner, gives, given, kind, token):
            mask[token_action(kind, token)] = 1


@jit
def apply_trade(g, t, action):
    stage, seat = get(g, t, Frame.STAGE), get(g, t, Frame.SEAT)
    if stage == Stage.START:
        if action == Move.NO:
            pop(g)
        else:
            set_stage(g, t, Stage.PARTNER)
    elif stage == Stage.PARTNER:
        g.frames[t, Frame.B] = (seat + action - Move.SEAT + 1) % n_at_table(g)
        set_stage(g, t, Stage.GIVE)
    elif say_part(g, t, Frame.P0 if stage == Stage.GIVE else Frame.P2, action):
        g.frames[t, Frame.C] = Asked.KIND
        if stage == Stage.GIVE:
            set_stage(g, t, Stage.TAKE)
        elif is_simulated(g, get(g, t, Frame.B)):
            settle(g, t, get(g, t, Frame.B))
        else:
            ask_partner(g, t)


@jit
def say_part(g, t, column, action):
    """Note a kind in this column and a number or a token in the next one; whether the part is complete."""
    asked, kind = get(g, t, Frame.C), get(g, t, column)
    if asked == Asked.KIND:
        kind = action - WorldMove.KIND
        g.frames[t, column] = kind
        g.frames[t, column + 1] = NO_TOKEN if kind == Choice.NOTHING else 0
        g.frames[t, Frame.C] = Asked.TOKEN if is_token(kind) else Asked.NUMBER
        return kind == Choice.NOTHING
    if asked == Asked.TOKEN:
        g.frames[t, column + 1] = token_of_action(kind, action)
        return True
    if action == Move.DONE:
        return True
    n = action - WorldMove.AMOUNT + 1
    g.frames[t, column + 1] += n
    owner = get(g, t, Frame.SEAT) if column == Frame.P0 else get(g, t, Frame.B)
    return n < MOST_AMOUNT or g.frames[t, column + 1] == has_some(g, owner, kind)


operation(
    WorldOp.TRADE,
    "trade_start",
    "trade_partner",
    "trade_give",
    "trade_take",
    legal=legal_trade,
    apply=apply_trade,
    shows=(Frame.A, Frame.C, Frame.P0, Frame.P1, Frame.P2, Frame.P3),
)


# The partner's answer, and what then changes hands.


@jit
def ask_partner(g, t):
    """The partner sees what it would get and give."""
    top = push(g, WorldOp.ANSWER, get(g, t, Frame.B), 1, 0, get(g, t, Frame.A), 0, 0)
    for column in range(Frame.P0, Frame.P0 + 4):
        g.frames[top, column] = g.frames[t, column]


@jit
def legal_answer(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_answer(g, t, action):
    """Nothing moves before the answer; a refusal ends this chance (W46, O17)."""
    partner = get(g, t, Frame.SEAT)
    pop(g)
    if action == Move.NO:
        pop(g)
    else:
        settle(g, t - 1, partner)


@jit
def settle(g, t, partner):
    """Carry out the trade of frame t, which is on top."""
    seat = get(g, t, Frame.SEAT)
    gives, given = get(g, t, Frame.P0), get(g, t, Frame.P1)
    takes, taken = get(g, t, Frame.P2), get(g, t, Frame.P3)
    pop(g)
    g.frames[t - 1, Frame.P1] = 1  # the taking that it belongs to has had its trade
    part_with(g, seat, gives, given)
    part_with(g, partner, takes, taken)
    receive(g, seat, takes, taken)
    receive(g, partner, gives, given)
    hand_cards(g, partner, seat, takes, taken)
    hand_cards(g, seat, partner, gives, given)
    deed(g, seat, Metric.TRADES, 1)


operation(
    WorldOp.ANSWER,
    "trade_answer",
    legal=legal_answer,
    apply=apply_answer,
    shows=(Frame.A, Frame.P0, Frame.P1, Frame.P2, Frame.P3),
)


@jit
def part_with(g, seat, kind, n):
    """Lira and tokens leave."""
    if is_simulated(g, seat):
        g.partner_lira -= n if kind == Choice.LIRA else 0
        return
    if kind == Choice.LIRA:
        gain_lira(g, seat, -n)
    elif kind == Choice.GRAPE:
        g.crush[seat, n // N_VALUES, n % N_VALUES] = 0
    elif kind == Choice.WINE:
        g.cellar[seat, n // N_VALUES, n % N_VALUES] = 0


@jit
def receive(g, seat, kind, n):
    """Lira and tokens arrive (W47); those that the simulated partner gets go back to the supply."""
    if is_simulated(g, seat):
        g.partner_lira += n if kind == Choice.LIRA else 0
        return
    if kind == Choice.LIRA:
        gain_lira(g, seat, n)
    elif kind == Choice.GRAPE:
        place_grape(g, seat, n // N_VALUES, n % N_VALUES + 1)
    elif kind == Choice.WINE:
        gain_wine(g, seat, n // N_VALUES, n % N_VALUES + 1)


@jit
def hand_cards(g, seat, receiver, kind, n):
    """The owner of cards picks them, one by one in ascending order; those for the simulated partner are discarded, and
    its own come from the deck."""
    if kind != Choice.VINE and kind != Choice.ORDER:
        return
    deck = Deck.VINE if kind == Choice.VINE else Deck.ORDER
    if is_simulated(g, seat):
        for _ in range(n):
            draw(g, receiver, deck)
    elif is_simulated(g, receiver):
        ask_to_discard(g, seat, n, 1 << deck)
    else:
        give_cards(g, seat, receiver, n, 1 << deck)
