"""Trades of a grande at a place with another seat's worker (W43 to W48, O17 to O22)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import Frame, get, pop, push, set_stage
from vitienv.viticulture.enums import N_VALUES, Deck
from vitienv.viticulture.ops.cards import ask_to_discard
from vitienv.viticulture.ops.cellar import wine_action, wine_of_action
from vitienv.viticulture.ops.draw import draw
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.offers import give_cards
from vitienv.viticulture.tokens import place_grape
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import Metric
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import deed
from vitienv.world.ops.terms import (
    NO_TOKEN,
    amount_of,
    can_trade_with,
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
from vitienv.world.vocabulary import MAX_AMOUNT, N_KIND_WORDS, Choice, WorldMove


class Stage(IntConstants):
    """Next decision of a trade."""

    START = 0
    PARTNER = 1
    GIVE = 2
    TAKE = 3


class Question(IntConstants):
    """Next choice on one side of a trade."""

    KIND = 0
    NUMBER = 1
    TOKEN = 2


# Trade: A is the place, B the partner, C a `Question`, MIN is set if the action is impossible without a trade; P0 is
# the kind given and P1 its amount or token, P2 and P3 those taken.


@jit
def legal_amount(have, so_far, mask):
    """Mark amounts so that each total has one sequence: tens first, then less than ten, or `done` (O18)."""
    remaining = have - so_far
    for n in range(1, min(remaining, MAX_AMOUNT) + 1):
        mask[WorldMove.AMOUNT + n - 1] = 1
    if so_far > 0:
        mask[Move.DONE] = 1


@jit
def token_action(kind, token):
    if kind == Choice.GRAPE:
        return Move.GRAPE + token
    return wine_action(token // N_VALUES, token % N_VALUES + 1)


@jit
def token_of_action(kind, action):
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
    """Mark the choices for one side of a trade: its kind, then its amount or token."""
    gives, given_token, question = get(g, t, Frame.P0), get(g, t, Frame.P1), get(g, t, Frame.C)
    if question == Question.KIND:
        for kind in range(N_KIND_WORDS):
            if (
                may_give(g, seat, partner, kind)
                if stage == Stage.GIVE
                else may_take(g, seat, partner, gives, given_token, kind)
            ):
                mask[WorldMove.KIND + kind] = 1
        return
    kind = gives if stage == Stage.GIVE else get(g, t, Frame.P2)
    if question == Question.NUMBER:
        so_far = given_token if stage == Stage.GIVE else get(g, t, Frame.P3)
        legal_amount(amount_of(g, seat if stage == Stage.GIVE else partner, kind), so_far, mask)
        return
    for token in range(n_tokens(kind)):
        if stage == Stage.GIVE:
            if may_give_token(g, seat, partner, kind, token):
                mask[token_action(kind, token)] = 1
        elif may_take_token(g, seat, partner, gives, given_token, kind, token):
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
    elif set_part(g, t, Frame.P0 if stage == Stage.GIVE else Frame.P2, action):
        g.frames[t, Frame.C] = Question.KIND
        if stage == Stage.GIVE:
            set_stage(g, t, Stage.TAKE)
        elif is_simulated(g, get(g, t, Frame.B)):
            settle(g, t, get(g, t, Frame.B))
        else:
            ask_partner(g, t)


@jit
def set_part(g, t, column, action):
    """Store a kind in `column`, or an amount or token in the next one; return whether the side is complete."""
    question, kind = get(g, t, Frame.C), get(g, t, column)
    if question == Question.KIND:
        kind = action - WorldMove.KIND
        g.frames[t, column] = kind
        g.frames[t, column + 1] = NO_TOKEN if kind == Choice.NOTHING else 0
        g.frames[t, Frame.C] = Question.TOKEN if is_token(kind) else Question.NUMBER
        return kind == Choice.NOTHING
    if question == Question.TOKEN:
        g.frames[t, column + 1] = token_of_action(kind, action)
        return True
    if action == Move.DONE:
        return True
    n = action - WorldMove.AMOUNT + 1
    g.frames[t, column + 1] += n
    owner = get(g, t, Frame.SEAT) if column == Frame.P0 else get(g, t, Frame.B)
    return n < MAX_AMOUNT or g.frames[t, column + 1] == amount_of(g, owner, kind)


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


# The partner's answer, and the exchange of goods.


@jit
def ask_partner(g, t):
    """Push the partner's answer with the goods of both sides."""
    top = push(g, WorldOp.ANSWER, get(g, t, Frame.B), 1, 0, get(g, t, Frame.A), 0, 0)
    for column in range(Frame.P0, Frame.P0 + 4):
        g.frames[top, column] = g.frames[t, column]


@jit
def legal_answer(g, t, mask):
    mask[Move.YES] = 1
    mask[Move.NO] = 1


@jit
def apply_answer(g, t, action):
    """Settle the trade, or cancel it (W46, O17)."""
    partner = get(g, t, Frame.SEAT)
    pop(g)
    if action == Move.NO:
        pop(g)
    else:
        settle(g, t - 1, partner)


@jit
def settle(g, t, partner):
    """Exchange the goods of the trade in frame t, the top one."""
    seat = get(g, t, Frame.SEAT)
    gives, given_token = get(g, t, Frame.P0), get(g, t, Frame.P1)
    takes, taken_token = get(g, t, Frame.P2), get(g, t, Frame.P3)
    pop(g)
    g.frames[t - 1, Frame.P1] = 1  # one trade per action
    give_goods(g, seat, gives, given_token)
    give_goods(g, partner, takes, taken_token)
    receive(g, seat, takes, taken_token)
    receive(g, partner, gives, given_token)
    hand_cards(g, partner, seat, takes, taken_token)
    hand_cards(g, seat, partner, gives, given_token)
    deed(g, seat, Metric.TRADES, 1)


operation(
    WorldOp.ANSWER,
    "trade_answer",
    legal=legal_answer,
    apply=apply_answer,
    shows=(Frame.A, Frame.P0, Frame.P1, Frame.P2, Frame.P3),
)


@jit
def give_goods(g, seat, kind, n):
    """Remove lira or a token."""
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
    """Add lira or a token (W47); the simulated partner returns tokens to the supply."""
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
    """Let the owner choose cards in ascending order; the simulated partner discards them and gives from the deck."""
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
