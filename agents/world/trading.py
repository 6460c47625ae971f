"""Scores of trades: the change in value for both seats (W43 to W48)."""

from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.value import position_value
from vitienv.agents.world.features import PARTNER, read_hand_of, read_seat
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.enums import MAX_SEATS, N_VALUES, Deck
from vitienv.viticulture.observation import At, Pending
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import place_grape
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import Metric
from vitienv.world.observation import WorldAt
from vitienv.world.ops.terms import NO_TOKEN, is_token, n_tokens
from vitienv.world.ops.tokens import gain_wine
from vitienv.world.ops.trade import Question, token_action
from vitienv.world.vocabulary import MAX_AMOUNT, N_KIND_WORDS, Choice, WorldMove

SEAT_AFTER, PARTNER_AFTER = 1, PARTNER + 1  # positions after a trade
CARD_VALUE = 60  # lost with a vine or order


@jit
def is_simulated(o):
    """Return whether the trade partner is the simulated one."""
    return o[At.RULES + Rule.NUM_PLAYERS] == 1


@jit
def read_partner(p, o, k):
    """Read the seat k places clockwise into position PARTNER."""
    read_seat(o, k, p[PARTNER])
    read_hand_of(o, k, p[PARTNER])
    if is_simulated(o):
        p[PARTNER].lira[ME] = o[WorldAt.PARTNER_LIRA]


@jit
def marked_seat(o, start):
    """Return the seat that a one-hot feature marks, counted clockwise from the viewer; 1 if none."""
    for k in range(1, MAX_SEATS):
        if o[start + k] == 1:
            return k
    return 1


@jit
def give_goods(me, kind, n):
    if kind == Choice.LIRA:
        me.lira[ME] -= n
    elif kind == Choice.GRAPE:
        me.crush[ME, n // N_VALUES, n % N_VALUES] = 0
    elif kind == Choice.WINE:
        me.cellar[ME, n // N_VALUES, n % N_VALUES] = 0
    elif kind == Choice.VINE or kind == Choice.ORDER:
        me.n_hand[ME, Deck.VINE if kind == Choice.VINE else Deck.ORDER] -= n
        me.extra -= CARD_VALUE * n


@jit
def receive(me, kind, n, w):
    if kind == Choice.LIRA:
        me.lira[ME] += n
    elif kind == Choice.GRAPE:
        place_grape(me, ME, n // N_VALUES, n % N_VALUES + 1)
    elif kind == Choice.WINE:
        gain_wine(me, ME, n // N_VALUES, n % N_VALUES + 1)
    elif kind == Choice.VINE or kind == Choice.ORDER:
        for _ in range(n):
            draw_card(me, Deck.VINE if kind == Choice.VINE else Deck.ORDER, w)


@jit
def trade_gain(p, flat, w, o, gives, given_token, takes, taken_token):
    """Return the change in value of a trade for both seats, including its deed; call `read_partner` first."""
    before = position_value(p, flat, 0, w)
    copy_position(flat, 0, SEAT_AFTER)
    give_goods(p[SEAT_AFTER], gives, given_token)
    receive(p[SEAT_AFTER], takes, taken_token, w)
    p[SEAT_AFTER].deeds[ME, Metric.TRADES] += 1
    gained = position_value(p, flat, SEAT_AFTER, w) - before
    if is_simulated(o) or w.partner == 0:
        return gained
    before = position_value(p, flat, PARTNER, w)
    copy_position(flat, PARTNER, PARTNER_AFTER)
    give_goods(p[PARTNER_AFTER], takes, taken_token)
    receive(p[PARTNER_AFTER], gives, given_token, w)
    return gained + (position_value(p, flat, PARTNER_AFTER, w) - before) * w.partner // 100


@jit
def has_token(me, kind, token):
    if kind == Choice.GRAPE:
        return me.crush[ME, token // N_VALUES, token % N_VALUES] == 1
    return me.cellar[ME, token // N_VALUES, token % N_VALUES] == 1


@jit
def amount_of(me, kind):
    if kind == Choice.LIRA:
        return me.lira[ME]
    return me.n_hand[ME, Deck.VINE if kind == Choice.VINE else Deck.ORDER]


@jit
def best_of_kind(p, flat, w, o, is_gift, gives, given_token, kind):
    """Return the value of the best gift of a kind for nothing, or of the best goods of a kind to take for a gift."""
    owner = 0 if is_gift else PARTNER
    best = FAR_BELOW
    if is_token(kind):
        for token in range(n_tokens(kind)):
            if has_token(p[owner], kind, token):
                best = max(best, value_of(p, flat, w, o, is_gift, gives, given_token, kind, token))
    elif kind == Choice.LIRA or kind == Choice.VINE or kind == Choice.ORDER:
        for n in range(1, min(MAX_AMOUNT, amount_of(p[owner], kind)) + 1):
            best = max(best, value_of(p, flat, w, o, is_gift, gives, given_token, kind, n))
    return best


@jit
def value_of(p, flat, w, o, is_gift, gives, given_token, kind, n):
    if is_gift:
        return trade_gain(p, flat, w, o, kind, n, Choice.NOTHING, NO_TOKEN)
    return trade_gain(p, flat, w, o, gives, given_token, kind, n)


@jit
def best_part(p, flat, w, o, is_gift):
    """Return the value of the best gift, or of the best goods to take for nothing."""
    best = FAR_BELOW
    for kind in range(N_KIND_WORDS):
        best = max(best, best_of_kind(p, flat, w, o, is_gift, Choice.NOTHING, NO_TOKEN, kind))
    return best


@jit
def best_trade(p, flat, w, o, k):
    """Return the value of the best one-sided trade with a seat."""
    read_partner(p, o, k)
    return max(best_part(p, flat, w, o, True), best_part(p, flat, w, o, False))


@jit
def has_worker_at(o, place, k):
    for kind in range(3):
        if o[WorldAt.STANDING + (place * MAX_SEATS + k) * 3 + kind] > 0:
            return True
    return False


@jit
def score_start(p, flat, w, o, scores):
    """Score opening a trade by the best trade with any seat at the place."""
    scores[Move.NO] = 0
    best = FAR_BELOW
    if is_simulated(o):
        best = best_trade(p, flat, w, o, 1)
    else:
        for k in range(1, o[At.RULES + Rule.NUM_PLAYERS]):
            if has_worker_at(o, o[Pending.A], k):
                best = max(best, best_trade(p, flat, w, o, k))
    scores[Move.YES] = best


@jit
def score_partner(p, flat, w, o, mask, scores):
    for k in range(1, MAX_SEATS):
        if mask[Move.SEAT + k - 1]:
            scores[Move.SEAT + k - 1] = best_trade(p, flat, w, o, k)


@jit
def score_part(p, flat, w, o, is_gift, gives, given_token, kind, so_far, mask, scores):
    """Score the kind, then the amount or token, of one side of a trade."""
    question = int(o[Pending.C])
    if question == Question.KIND:
        for choice in range(N_KIND_WORDS):
            if mask[WorldMove.KIND + choice]:
                scores[WorldMove.KIND + choice] = best_of_kind(p, flat, w, o, is_gift, gives, given_token, choice)
        return
    if question == Question.TOKEN:
        for token in range(n_tokens(kind)):
            if mask[token_action(kind, token)]:
                scores[token_action(kind, token)] = value_of(p, flat, w, o, is_gift, gives, given_token, kind, token)
        return
    scores[Move.DONE] = value_of(p, flat, w, o, is_gift, gives, given_token, kind, so_far)
    for n in range(1, MAX_AMOUNT + 1):
        if mask[WorldMove.AMOUNT + n - 1]:
            scores[WorldMove.AMOUNT + n - 1] = value_of(p, flat, w, o, is_gift, gives, given_token, kind, so_far + n)


@jit
def score_give(p, flat, w, o, mask, scores):
    read_partner(p, o, marked_seat(o, WorldAt.TRADE_PARTNER))
    kind, so_far = int(o[Pending.PICK0]), int(o[Pending.PICK1])
    score_part(p, flat, w, o, True, Choice.NOTHING, NO_TOKEN, kind, so_far, mask, scores)
    if mask[WorldMove.KIND + Choice.NOTHING]:
        scores[WorldMove.KIND + Choice.NOTHING] = best_part(p, flat, w, o, False)


@jit
def score_take(p, flat, w, o, mask, scores):
    read_partner(p, o, marked_seat(o, WorldAt.TRADE_PARTNER))
    gives, given_token = int(o[Pending.PICK0]), int(o[Pending.PICK1])
    kind, so_far = int(o[Pending.PICK2]), int(o[Pending.PICK3])
    score_part(p, flat, w, o, False, gives, given_token, kind, so_far, mask, scores)
    if mask[WorldMove.KIND + Choice.NOTHING]:
        nothing = trade_gain(p, flat, w, o, gives, given_token, Choice.NOTHING, NO_TOKEN)
        scores[WorldMove.KIND + Choice.NOTHING] = nothing


@jit
def score_answer(p, flat, w, o, scores):
    """Score the answer: accepting receives the gift and loses the goods taken."""
    read_partner(p, o, marked_seat(o, At.TURN_SEAT))
    gives, given_token = int(o[Pending.PICK0]), int(o[Pending.PICK1])
    takes, taken_token = int(o[Pending.PICK2]), int(o[Pending.PICK3])
    scores[Move.YES] = trade_gain(p, flat, w, o, takes, taken_token, gives, given_token)
    scores[Move.NO] = 0
