"""Trades: what a gift in either direction brings to both seats, and to what the team is after (W43 to W48)."""

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
from vitienv.world.ops.trade import Asked, token_action
from vitienv.world.vocabulary import MOST_AMOUNT, N_KIND_WORDS, Choice, WorldMove

OWN, THEIRS = 1, PARTNER + 1  # where both positions after a trade are imagined
A_CARD = 60  # what a vine or order is kept for


@jit
def is_simulated(o):
    """Whether the other seat is the simulated partner."""
    return o[At.RULES + Rule.NUM_PLAYERS] == 1


@jit
def meet(p, o, k):
    """Read the position of the seat k places clockwise."""
    read_seat(o, k, p[PARTNER])
    read_hand_of(o, k, p[PARTNER])
    if is_simulated(o):
        p[PARTNER].lira[ME] = o[WorldAt.PARTNER_LIRA]


@jit
def other_of(o, start):
    """The seat that a run of the observation marks, counted clockwise; 1 if none is."""
    for k in range(1, MAX_SEATS):
        if o[start + k] == 1:
            return k
    return 1


@jit
def part_with(me, kind, n):
    if kind == Choice.LIRA:
        me.lira[ME] -= n
    elif kind == Choice.GRAPE:
        me.crush[ME, n // N_VALUES, n % N_VALUES] = 0
    elif kind == Choice.WINE:
        me.cellar[ME, n // N_VALUES, n % N_VALUES] = 0
    elif kind == Choice.VINE or kind == Choice.ORDER:
        me.n_hand[ME, Deck.VINE if kind == Choice.VINE else Deck.ORDER] -= n
        me.extra -= A_CARD * n


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
def trade_gain(p, flat, w, o, gives, given, takes, taken):
    """What a trade brings to both, the deed included; `meet` first."""
    before = position_value(p, flat, 0, w)
    copy_position(flat, 0, OWN)
    part_with(p[OWN], gives, given)
    receive(p[OWN], takes, taken, w)
    p[OWN].deeds[ME, Metric.TRADES] += 1
    gained = position_value(p, flat, OWN, w) - before
    if is_simulated(o) or w.partner == 0:
        return gained
    before = position_value(p, flat, PARTNER, w)
    copy_position(flat, PARTNER, THEIRS)
    part_with(p[THEIRS], takes, taken)
    receive(p[THEIRS], gives, given, w)
    return gained + (position_value(p, flat, THEIRS, w) - before) * w.partner // 100


@jit
def has_token(me, kind, token):
    if kind == Choice.GRAPE:
        return me.crush[ME, token // N_VALUES, token % N_VALUES] == 1
    return me.cellar[ME, token // N_VALUES, token % N_VALUES] == 1


@jit
def how_many(me, kind):
    """How much of a kind that is counted a seat has."""
    if kind == Choice.LIRA:
        return me.lira[ME]
    return me.n_hand[ME, Deck.VINE if kind == Choice.VINE else Deck.ORDER]


@jit
def best_of_kind(p, flat, w, o, is_gift, gives, given, kind):
    """The best gift of a kind for nothing; or the best thing to take for the gift."""
    owner = 0 if is_gift else PARTNER
    best = FAR_BELOW
    if is_token(kind):
        for token in range(n_tokens(kind)):
            if has_token(p[owner], kind, token):
                best = max(best, value_of(p, flat, w, o, is_gift, gives, given, kind, token))
    elif kind == Choice.LIRA or kind == Choice.VINE or kind == Choice.ORDER:
        for n in range(1, min(MOST_AMOUNT, how_many(p[owner], kind)) + 1):
            best = max(best, value_of(p, flat, w, o, is_gift, gives, given, kind, n))
    return best


@jit
def value_of(p, flat, w, o, is_gift, gives, given, kind, n):
    if is_gift:
        return trade_gain(p, flat, w, o, kind, n, Choice.NOTHING, NO_TOKEN)
    return trade_gain(p, flat, w, o, gives, given, kind, n)


@jit
def best_part(p, flat, w, o, is_gift):
    """The best gift, or the best that may be taken for nothing."""
    best = FAR_BELOW
    for kind in range(N_KIND_WORDS):
        best = max(best, best_of_kind(p, flat, w, o, is_gift, Choice.NOTHING, NO_TOKEN, kind))
    return best


@jit
def best_trade(p, flat, w, o, k):
    """What a trade with a seat would bring."""
    meet(p, o, k)
    return max(best_part(p, flat, w, o, True), best_part(p, flat, w, o, False))


@jit
def stands_at(o, place, k):
    """Whether a seat has a worker on a place."""
    for kind in range(3):
        if o[WorldAt.STANDING + (place * MAX_SEATS + k) * 3 + kind] > 0:
            return True
    return False


@jit
def score_start(p, flat, w, o, now, scores):
    """A trade is spoken of if anybody there could have one that brings something."""
    scores[Move.NO] = 0
    best = FAR_BELOW
    if is_simulated(o):
        best = best_trade(p, flat, w, o, 1)
    else:
        for k in range(1, o[At.RULES + Rule.NUM_PLAYERS]):
            if stands_at(o, o[Pending.A], k):
                best = max(best, best_trade(p, flat, w, o, k))
    scores[Move.YES] = best


@jit
def score_partner(p, flat, w, o, mask, now, scores):
    for k in range(1, MAX_SEATS):
        if mask[Move.SEAT + k - 1]:
            scores[Move.SEAT + k - 1] = best_trade(p, flat, w, o, k)


@jit
def score_part(p, flat, w, o, is_gift, gives, given, kind, so_far, mask, scores):
    """Kinds, then numbers or tokens, of one part of a trade."""
    asked = int(o[Pending.C])
    if asked == Asked.KIND:
        for other in range(N_KIND_WORDS):
            if mask[WorldMove.KIND + other]:
                scores[WorldMove.KIND + other] = best_of_kind(p, flat, w, o, is_gift, gives, given, other)
        return
    if asked == Asked.TOKEN:
        for token in range(n_tokens(kind)):
            if mask[token_action(kind, token)]:
                scores[token_action(kind, token)] = value_of(p, flat, w, o, is_gift, gives, given, kind, token)
        return
    scores[Move.DONE] = value_of(p, flat, w, o, is_gift, gives, given, kind, so_far)
    for n in range(1, MOST_AMOUNT + 1):
        if mask[WorldMove.AMOUNT + n - 1]:
            scores[WorldMove.AMOUNT + n - 1] = value_of(p, flat, w, o, is_gift, gives, given, kind, so_far + n)


@jit
def score_give(p, flat, w, o, mask, now, scores):
    meet(p, o, other_of(o, WorldAt.TRADE_PARTNER))
    kind, so_far = int(o[Pending.PICK0]), int(o[Pending.PICK1])
    score_part(p, flat, w, o, True, Choice.NOTHING, NO_TOKEN, kind, so_far, mask, scores)
    if mask[WorldMove.KIND + Choice.NOTHING]:
        scores[WorldMove.KIND + Choice.NOTHING] = best_part(p, flat, w, o, False)


@jit
def score_take(p, flat, w, o, mask, now, scores):
    meet(p, o, other_of(o, WorldAt.TRADE_PARTNER))
    gives, given = int(o[Pending.PICK0]), int(o[Pending.PICK1])
    kind, so_far = int(o[Pending.PICK2]), int(o[Pending.PICK3])
    score_part(p, flat, w, o, False, gives, given, kind, so_far, mask, scores)
    if mask[WorldMove.KIND + Choice.NOTHING]:
        nothing = trade_gain(p, flat, w, o, gives, given, Choice.NOTHING, NO_TOKEN)
        scores[WorldMove.KIND + Choice.NOTHING] = nothing


@jit
def score_answer(p, flat, w, o, now, scores):
    """Score the partner's answer: it gets the gift, and loses the taking."""
    meet(p, o, other_of(o, At.TURN_SEAT))
    gives, given = int(o[Pending.PICK0]), int(o[Pending.PICK1])
    takes, taken = int(o[Pending.PICK2]), int(o[Pending.PICK3])
    scores[Move.YES] = trade_gain(p, flat, w, o, takes, taken, gives, given)
    scores[Move.NO] = 0
