"""Effects of actions, tiles, events and cards: handlers and conditions of their parts."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, push
from vitienv.core.rng import below
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import MAX_SEATS, N_DECKS
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.legality.visitors import part_possible, visitor_possible
from vitienv.viticulture.ops.cards import available
from vitienv.viticulture.ops.draw import random_word
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, ROWS
from vitienv.viticulture.ops.visitors import ask, carry_out
from vitienv.viticulture.ops.workers import take_temporary
from vitienv.viticulture.state import Chance, Rule
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import N_AIMS, NO_AIM, Hat
from vitienv.world.frames import WorldOp, operation
from vitienv.world.language import MAX_EFFECT_PARTS, Role, WorldPart, marks
from vitienv.world.ops import exchange, tiles  # noqa: F401 - registers their parts
from vitienv.world.ops.parts import ADDED, part
from vitienv.world.ops.tokens import DECLINED, may_stop
from vitienv.world.ops.workers import NO_WORKER, hatted_worker, take_hat
from vitienv.world.rows import PARTS
from vitienv.world.vocabulary import WorldMove

# Settings of an effect. FOR_EACH: all seats have it and the team's influence was granted; WITHOUT_LIRA: lira was paid.
FOR_EACH, WITHOUT_LIRA = 1, 2
LAST_OF_CARDS = max(PartOp)
IS_REWARD = marks(lambda row: row.kind in (Role.AT_ONCE, Role.GIFT))
IS_LOSS = marks(lambda row: row.kind is Role.LOSS)
IS_OPTIONAL = marks(lambda row: row.is_optional)


# Removing a hat (W73).


@jit
def has_hat(g, seat):
    return hatted_worker(g, seat, Hat.YELLOW) != NO_WORKER or hatted_worker(g, seat, Hat.BLUE) != NO_WORKER


@jit
def legal_hat(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    if hatted_worker(g, seat, Hat.YELLOW) != NO_WORKER:
        mask[WorldMove.HAT] = 1
    if hatted_worker(g, seat, Hat.BLUE) != NO_WORKER:
        mask[WorldMove.HAT + 1] = 1
    may_stop(g, t, mask)


@jit
def apply_hat(g, t, action):
    if action == Move.DONE:
        finish(g, DECLINED)
        return
    take_hat(g, get(g, t, Frame.SEAT), Hat.YELLOW if action == WorldMove.HAT else Hat.BLUE)
    finish(g, 1)


operation(WorldOp.HAT, "take_hat", legal=legal_hat, apply=apply_hat, shows=())


part(
    WorldPart.REMOVE_HAT,
    needs=lambda g, seat, a, b, c: has_hat(g, seat),
    asks=lambda g, seat, a, b, c: push(g, WorldOp.HAT, seat, 1, 1, 0, 0, 0),
    worth=BY_LOOKAHEAD,
)


# Parts.


@jit
def aim_is_dealt(g, aim):
    for seat in range(MAX_SEATS):
        for i in range(2):
            if g.aims[seat, i] == aim:
                return True
    return False


@jit
def deal_aims(g, seat, n):
    """Deal random aims face up; a seat has at most two (W93)."""
    for i in range(n):
        if g.aims[seat, i] != NO_AIM:
            continue
        num_aims = 0
        for aim in range(N_AIMS):
            if not aim_is_dealt(g, aim):
                num_aims += 1
        index = below(random_word(g, Chance.SETUP), num_aims)
        aim = 0
        while index > 0 or aim_is_dealt(g, aim):
            if not aim_is_dealt(g, aim):
                index -= 1
            aim += 1
        g.aims[seat, i] = aim


part(WorldPart.DEAL_AIMS, needs=NOTHING, does=lambda g, seat, a, b, c, result: deal_aims(g, seat, a), worth=0)
part(
    WorldPart.DRAW_OF,
    needs=lambda g, seat, a, b, c: available(g, a) != 0,
    asks=lambda g, seat, a, b, c: push(g, FrameOp.DECK, seat, b, 1, a, 0, 0),
    worth=BY_LOOKAHEAD,
)
part(
    WorldPart.PLAY,
    needs=lambda g, seat, a, b, c: visitor_possible(g, seat, b),
    asks=lambda g, seat, a, b, c: push(g, FrameOp.PLAY, seat, a, 1, b, 0, 0),
    worth=BY_LOOKAHEAD,
)
part(WorldPart.TOUR, needs=NOTHING, does=lambda g, seat, a, b, c, result: gain_lira(g, seat, a), worth=BY_LOOKAHEAD)
part(
    WorldPart.TEMPORARY,
    needs=NOTHING,
    does=lambda g, seat, a, b, c, result: take_temporary(g, seat),
    worth=BY_LOOKAHEAD,
)


@jit
def points_if_all(g, seat, vp, metric, count, start_count):
    """Gain points if a deed was done `count` times since the effect started at `start_count`."""
    if g.deeds[seat, metric] - start_count >= count:
        gain_vp(g, seat, vp)


part(
    WorldPart.POINTS_IF_ALL,
    needs=NOTHING,
    does=lambda g, seat, a, b, c, result: points_if_all(g, seat, a, b, c, result),
    worth=BY_LOOKAHEAD,
)
ADDED.check()
added_needs = ADDED.dispatch("needs", otherwise="True")
added_does = ADDED.dispatch("does", ", result")
added_asks = ADDED.dispatch("asks")
ASKS_NOTHING = ADDED.table(lambda row: row.does is not None)
ASKS_NOTHING[: LAST_OF_CARDS + 1] = ROWS.table(lambda row: row.does is not None)


@jit
def has_card(g, counts):
    """Return whether any deck of counts (three bits each) has a card."""
    decks = 0
    for deck in range(N_DECKS):
        if (counts >> (3 * deck)) & 7 != 0:
            decks |= 1 << deck
    return available(g, decks) != 0


@jit
def part_needs(op, g, seat, a, b, c):
    """Return whether a part is possible now; a draw requires a card in its decks."""
    if op > LAST_OF_CARDS:
        return added_needs(op, g, seat, a, b, c)
    return has_card(g, a) if op == PartOp.DRAW else part_possible(op, g, seat, a, b, c)


@jit
def start_part(op, g, seat, a, b, c, result):
    """Apply a part, or push its decision."""
    if op > LAST_OF_CARDS:
        if ASKS_NOTHING[op] == 1:
            added_does(op, g, seat, a, b, c, result)
        else:
            added_asks(op, g, seat, a, b, c)
    elif ASKS_NOTHING[op] == 1:
        carry_out(op, g, seat, a, b, c, 0)
    else:
        ask(op, g, seat, a, b, c)


# Effects: one possible part makes an action legal (ruling 1.6, W51, W57).


@jit
def effect_possible(g, seat, row, discount):
    """Return whether an effect is possible: one part is enough (W57), and the empty effect always is.

    Gains after other parts do not count; a loss that comes first is mandatory. discount: on structures.
    """
    for i in range(MAX_EFFECT_PARTS):
        op, a = PARTS[row, i, 0], PARTS[row, i, 1]
        if op == 0:
            return i == 0
        if i > 0 and IS_REWARD[op] == 1:
            continue
        if part_needs(op, g, seat, a + discount if op == PartOp.BUILD else a, PARTS[row, i, 2], PARTS[row, i, 3]):
            return True
        if i == 0 and (IS_LOSS[op] == 1 or (IS_REWARD[op] == 1 and a < 0)):
            return False
    return False


@jit
def all_possible(g, seat, row):
    """Return whether every part of a payment is possible."""
    for i in range(MAX_EFFECT_PARTS):
        op = PARTS[row, i, 0]
        if op != 0 and not part_needs(op, g, seat, PARTS[row, i, 1], PARTS[row, i, 2], PARTS[row, i, 3]):
            return False
    return True


@jit
def start_effect(g, seat, row, settings, discount):
    """Push an effect: A row, B next part, C settings, P0 initial count of a deed, P1 repetitions, P2 discount."""
    if row == 0:
        return
    t = push(g, WorldOp.EFFECTS, seat, 1, 1, row, 0, settings)
    g.frames[t, Frame.P2] = discount
    for i in range(MAX_EFFECT_PARTS):
        if PARTS[row, i, 0] == WorldPart.POINTS_IF_ALL:
            g.frames[t, Frame.P0] = g.deeds[seat, PARTS[row, i, 2]]


@jit
def sum_of(row, op):
    """Sum the amounts of one kind of part in an effect."""
    total = 0
    for i in range(MAX_EFFECT_PARTS):
        if PARTS[row, i, 0] == op:
            total += PARTS[row, i, 1]
    return total


@jit
def lira_of(row):
    return sum_of(row, PartOp.LIRA)


@jit
def is_lira_alone(row):
    for i in range(MAX_EFFECT_PARTS):
        if PARTS[row, i, 0] != PartOp.LIRA and PARTS[row, i, 0] != 0:
            return False
    return True


@jit
def is_ageing(row):
    """Return whether an effect ages a grape or a wine, which may be useful after an action too (O23)."""
    return PARTS[row, 0, 0] == WorldPart.AGE_GRAPE or PARTS[row, 0, 0] == PartOp.AGE_ONE


@jit
def for_each_seat(g, row, settings):
    """Start an effect for every seat, clockwise from the first player (O15)."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for i in range(n - 1, -1, -1):
        start_effect(g, (int(g.first_player) + i) % n, row, settings, 0)


@jit
def run_effects(g, t):
    """Run the parts in order until a decision is pending or the effect ends."""
    while g.depth == t + 1:
        do_next_part(g, t)
    return True


@jit
def do_next_part(g, t):
    """Start the next part or repetition; impossible ones are skipped."""
    row, i, seat = get(g, t, Frame.A), get(g, t, Frame.B), get(g, t, Frame.SEAT)
    if i == MAX_EFFECT_PARTS or PARTS[row, i, 0] == 0:
        finish(g, 1)
        return
    op, a, b, c = PARTS[row, i, 0], PARTS[row, i, 1], PARTS[row, i, 2], PARTS[row, i, 3]
    num_done = get(g, t, Frame.P1)
    if op == PartOp.BUILD:
        a += get(g, t, Frame.P2)
    is_declined = num_done > 0 and IS_OPTIONAL[op] == 1 and get(g, t, Frame.RESULT) == DECLINED
    if num_done == PARTS[row, i, 4] or is_declined or not part_needs(op, g, seat, a, b, c):
        g.frames[t, Frame.B] = i + 1
        g.frames[t, Frame.P1] = 0
        g.frames[t, Frame.RESULT] = 0
        return
    g.frames[t, Frame.P1] = num_done + 1
    g.frames[t, Frame.RESULT] = 0
    if op == WorldPart.INFLUENCE and get(g, t, Frame.C) & FOR_EACH:
        return
    if op == PartOp.LIRA and get(g, t, Frame.C) & WITHOUT_LIRA:
        return
    start_part(op, g, seat, a, b, c, get(g, t, Frame.P0))
    if num_done > 0 and IS_OPTIONAL[op] == 1:
        g.frames[int(g.depth) - 1, Frame.MIN] = 0
    if g.frames[t, Frame.GOALS] != 0:
        g.frames[int(g.depth) - 1, Frame.GOALS] = g.frames[t, Frame.GOALS]


operation(WorldOp.EFFECTS, run=run_effects)
