"""The exchange of action G, and buying influence (W53, W56, W75)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import Frame, finish, get, push, set_stage
from vitienv.viticulture.cards.parts import ANY_DECK
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.legality.predicates import can_buy_grape, can_gain_vp
from vitienv.viticulture.ops.cards import ask_to_discard, available
from vitienv.viticulture.ops.draw import hand_size
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD
from vitienv.viticulture.tokens import has_grape
from vitienv.viticulture.vocabulary import Move
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import gain_influence
from vitienv.world.language import WorldPart
from vitienv.world.ops.parts import part
from vitienv.world.ops.tokens import DECLINED, may_stop
from vitienv.world.rows import EXCHANGED
from vitienv.world.state import WorldRule
from vitienv.world.vocabulary import Choice, WorldMove


class Way(IntConstants):
    """Rows of EXCHANGED."""

    LOST = 0
    GAINED = 1


class Kind(IntConstants):
    """Columns of EXCHANGED."""

    CARDS = 0
    LIRA = 1
    GRAPE = 2
    POINTS = 3


@jit
def can_lose(g, seat, kind):
    """Return whether a seat can lose a kind; a point cannot be lost at -5 (O39)."""
    n = EXCHANGED[Way.LOST, kind]
    if n == 0:
        return False
    if kind == Kind.CARDS:
        return hand_size(g, seat) >= n
    if kind == Kind.LIRA:
        return g.lira[seat] >= n
    if kind == Kind.GRAPE:
        return has_grape(g, seat)
    return can_gain_vp(g, seat, -n)


@jit
def can_gain(g, seat, kind):
    """Return whether a seat can gain a kind: cards require a deck, grapes a free slot of value 1 (O39)."""
    if EXCHANGED[Way.GAINED, kind] == 0:
        return False
    if kind == Kind.CARDS:
        return available(g, ANY_DECK) != 0
    return kind != Kind.GRAPE or can_buy_grape(g, seat, 0) or can_buy_grape(g, seat, 1)


@jit
def can_exchange(g, seat):
    for kind in range(Kind.POINTS + 1):
        if can_lose(g, seat, kind):
            return True
    return False


@jit
def word_of(kind):
    """Return the `kind:` action of a column."""
    if kind == Kind.CARDS:
        return WorldMove.KIND + Choice.CARDS
    if kind == Kind.LIRA:
        return WorldMove.KIND + Choice.LIRA
    return WorldMove.KIND + Choice.GRAPE if kind == Kind.GRAPE else WorldMove.KIND + Choice.VP


@jit
def legal_exchange(g, t, mask):
    seat, is_gain = get(g, t, Frame.SEAT), g.frames[t, Frame.STAGE] == Way.GAINED
    for kind in range(Kind.POINTS + 1):
        if can_gain(g, seat, kind) if is_gain else can_lose(g, seat, kind):
            mask[word_of(kind)] = 1
    if not is_gain:
        may_stop(g, t, mask)


@jit
def apply_exchange(g, t, action):
    """Apply the loss, then the gain; both may have the same kind."""
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        finish(g, DECLINED)
    elif g.frames[t, Frame.STAGE] == Way.LOST:
        set_stage(g, t, Way.GAINED)
        lose(g, seat, action)
    else:
        finish(g, 1)
        gain(g, seat, action)


@jit
def lose(g, seat, action):
    if action == word_of(Kind.CARDS):
        ask_to_discard(g, seat, EXCHANGED[Way.LOST, Kind.CARDS], ANY_DECK)
    elif action == word_of(Kind.LIRA):
        gain_lira(g, seat, -EXCHANGED[Way.LOST, Kind.LIRA])
    elif action == word_of(Kind.GRAPE):
        push(g, FrameOp.GRAPE, seat, 1, 1, 0, 0, 0)
    else:
        gain_vp(g, seat, -EXCHANGED[Way.LOST, Kind.POINTS])


@jit
def gain(g, seat, action):
    """Gain a kind; both decks are chosen before a card is drawn."""
    if action == word_of(Kind.CARDS):
        push(g, FrameOp.DECK, seat, EXCHANGED[Way.GAINED, Kind.CARDS], 1, ANY_DECK, 0, 0)
    elif action == word_of(Kind.LIRA):
        gain_lira(g, seat, EXCHANGED[Way.GAINED, Kind.LIRA])
    elif action == word_of(Kind.GRAPE):
        push(g, FrameOp.BUY, seat, 1, 1, 0, 0, 0)
    else:
        gain_vp(g, seat, EXCHANGED[Way.GAINED, Kind.POINTS])


operation(WorldOp.EXCHANGE, "exchange_lose", "exchange_gain", legal=legal_exchange, apply=apply_exchange, shows=())
part(
    WorldPart.EXCHANGE,
    needs=lambda g, seat, a, b, c: can_exchange(g, seat),
    asks=lambda g, seat, a, b, c: push(g, WorldOp.EXCHANGE, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
)


# Influence (W75): A is the maximum number of steps, B the price of each.


@jit
def steps_left(g):
    """Return the number of steps to the end of the track."""
    return int(g.rules[WorldRule.INFLUENCE_END]) - int(g.influence)


part(
    WorldPart.INFLUENCE,
    needs=lambda g, seat, a, b, c: steps_left(g) > 0,
    does=lambda g, seat, a, b, c, result: gain_influence(g, a),
    worth=BY_LOOKAHEAD,
)


@jit
def can_buy_steps(g, seat, price):
    return steps_left(g) > 0 and g.lira[seat] >= price


@jit
def legal_buy_steps(g, t, mask):
    seat, price = get(g, t, Frame.SEAT), get(g, t, Frame.B)
    for n in range(1, min(get(g, t, Frame.A), steps_left(g)) + 1):
        if g.lira[seat] >= n * price:
            mask[WorldMove.AMOUNT + n - 1] = 1


@jit
def apply_buy_steps(g, t, action):
    n = action - WorldMove.AMOUNT + 1
    gain_lira(g, get(g, t, Frame.SEAT), -n * get(g, t, Frame.B))
    gain_influence(g, n)
    finish(g, n)


operation(WorldOp.BUY_STEPS, "buy_influence", legal=legal_buy_steps, apply=apply_buy_steps, shows=(Frame.A, Frame.B))
part(
    WorldPart.BUY_INFLUENCE,
    needs=lambda g, seat, a, b, c: can_buy_steps(g, seat, b),
    asks=lambda g, seat, a, b, c: push(g, WorldOp.BUY_STEPS, seat, 1, 1, a, b, 0),
    worth=BY_LOOKAHEAD,
)
