"""Effects: what actions, tiles, events and cards do, one part after the other, and what each part needs."""

import numpy as np

from vitienv.core.frames import Frame, finish, get, push
from vitienv.core.jit import jit
from vitienv.core.rng import below
from vitienv.core.rows import dispatch
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.names import MAX_SEATS, N_DECKS
from vitienv.viticulture.ops import parts
from vitienv.viticulture.ops.cards import available
from vitienv.viticulture.ops.draw import random_word
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.visitors import ask, carry_out
from vitienv.viticulture.ops.workers import take_temporary
from vitienv.viticulture.possible.visitors import part_possible, visitor_possible
from vitienv.viticulture.state import Chance, Rule
from vitienv.viticulture.tokens import has_wine
from vitienv.viticulture.vocabulary import Move
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import gain_influence
from vitienv.world.language import MOST_PARTS, WorldPart
from vitienv.world.names import N_AIMS, Hat
from vitienv.world.ops.exchange import can_buy_steps, can_exchange, steps_left
from vitienv.world.ops.tiles import can_take_tile
from vitienv.world.ops.tokens import (
    DECLINED,
    can_age_grape,
    can_gain_grape,
    can_lose_grape,
    can_lose_wine,
    can_sell_so,
    gain_wine,
    may_stop,
    slot_for_wine,
)
from vitienv.world.ops.workers import NO_WORKER, hatted_worker, take_hat
from vitienv.world.rows import AT_ONCE, PARTS
from vitienv.world.vocabulary import WorldMove

AGEING = 1  # stage of the question about one wine
# Settings of an effect. FOR_EACH: every seat has it, so the team's influence is given apart. BUT_LIRA: its lira is had.
FOR_EACH, BUT_LIRA = 1, 2
LAST_OTHER = max(PartOp)
ASKS_NOTHING = parts.table(lambda row: row.does is not None)
IS_REWARD, IS_LOSS = np.zeros((2, max(WorldPart) + 1), np.int64)
IS_REWARD[list((*AT_ONCE, WorldPart.TOUR, WorldPart.TEMPORARY, WorldPart.POINTS_IF_ALL, WorldPart.DEAL_AIMS))] = 1
IS_LOSS[list((PartOp.DISCARD, WorldPart.LOSE_GRAPE, WorldPart.LOSE_WINE))] = 1


# What parts need, one of which is enough to take an action (ruling 1.6, W51, W57).


@jit
def has_card(g, counts):
    """Whether any of these decks (three bits each) has a card."""
    decks = 0
    for deck in range(N_DECKS):
        if (counts >> (3 * deck)) & 7 != 0:
            decks |= 1 << deck
    return available(g, decks) != 0


@jit
def has_hat(g, seat):
    return hatted_worker(g, seat, Hat.YELLOW) != NO_WORKER or hatted_worker(g, seat, Hat.BLUE) != NO_WORKER


_needs = {
    WorldPart.DRAW_OF: lambda g, seat, a, b, c: available(g, a) != 0,
    WorldPart.GRAPE: lambda g, seat, a, b, c: can_gain_grape(g, seat, a, b),
    WorldPart.WINE: lambda g, seat, a, b, c: slot_for_wine(g, seat, a, b) > 0,
    WorldPart.LOSE_GRAPE: lambda g, seat, a, b, c: can_lose_grape(g, seat, a),
    WorldPart.LOSE_WINE: lambda g, seat, a, b, c: can_lose_wine(g, seat, a, b),
    WorldPart.AGE_GRAPE: lambda g, seat, a, b, c: can_age_grape(g, seat),
    WorldPart.PLAY: lambda g, seat, a, b, c: visitor_possible(g, seat, b),
    WorldPart.SELL: lambda g, seat, a, b, c: can_sell_so(g, seat, a),
    WorldPart.SELL_WINE: lambda g, seat, a, b, c: has_wine(g, seat, 1),
    WorldPart.REMOVE_HAT: lambda g, seat, a, b, c: has_hat(g, seat),
    WorldPart.INNOVATE: lambda g, seat, a, b, c: can_take_tile(g, int(g.lira[seat])),
    WorldPart.EXCHANGE: lambda g, seat, a, b, c: can_exchange(g, seat),
    WorldPart.INFLUENCE: lambda g, seat, a, b, c: steps_left(g) > 0,
    WorldPart.BUY_INFLUENCE: lambda g, seat, a, b, c: can_buy_steps(g, seat, b),
}
own_part_needs = dispatch("own_part_needs", _needs, parts.ARGUMENTS, "True")  # type: ignore[arg-type]


@jit
def part_needs(op, g, seat, a, b, c):
    """Whether a part can be carried out now; a draw needs a card here."""
    if op > LAST_OTHER:
        return own_part_needs(op, g, seat, a, b, c)
    return has_card(g, a) if op == PartOp.DRAW else part_possible(op, g, seat, a, b, c)


@jit
def effect_possible(g, seat, row, discount):
    """Whether an effect can be carried out, of which one part is enough (W57); nothing always can. discount: on
    structures.

    What comes free behind other parts is their reward and not enough alone; a loss that comes first must be borne.
    """
    for i in range(MOST_PARTS):
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
    """Whether every part of a payment can be carried out."""
    for i in range(MOST_PARTS):
        op = PARTS[row, i, 0]
        if op != 0 and not part_needs(op, g, seat, PARTS[row, i, 1], PARTS[row, i, 2], PARTS[row, i, 3]):
            return False
    return True


# Carrying parts out.


@jit
def aim_is_dealt(g, aim):
    for seat in range(MAX_SEATS):
        for i in range(2):
            if g.aims[seat, i] == aim:
                return True
    return False


@jit
def deal_aims(g, seat, n):
    """Aims face up, at random among those not dealt (W93)."""
    for i in range(n):
        left = 0
        for aim in range(N_AIMS):
            if not aim_is_dealt(g, aim):
                left += 1
        at = below(random_word(g, Chance.SETUP), left)
        aim = 0
        while at > 0 or aim_is_dealt(g, aim):
            if not aim_is_dealt(g, aim):
                at -= 1
            aim += 1
        g.aims[seat, i] = aim


_does = {
    WorldPart.DEAL_AIMS: lambda g, seat, a, b, c: deal_aims(g, seat, a),
    WorldPart.INFLUENCE: lambda g, seat, a, b, c: gain_influence(g, a),
    WorldPart.DRAW_OF: lambda g, seat, a, b, c: push(g, FrameOp.DECK, seat, b, 1, a, 0, 0),
    WorldPart.GRAPE: lambda g, seat, a, b, c: push(g, WorldOp.GAIN_GRAPE, seat, 1, 1, a, b, 0),
    WorldPart.WINE: lambda g, seat, a, b, c: gain_wine(g, seat, a, b),
    WorldPart.LOSE_GRAPE: lambda g, seat, a, b, c: push(g, FrameOp.GRAPE, seat, 1, 1, a, 0, 0),
    WorldPart.LOSE_WINE: lambda g, seat, a, b, c: push(g, FrameOp.WINE, seat, 1, 1, a, b, 0),
    WorldPart.AGE_GRAPE: lambda g, seat, a, b, c: push(g, WorldOp.AGE_GRAPE, seat, 1, 1, 0, 0, 0),
    WorldPart.PLAY: lambda g, seat, a, b, c: push(g, FrameOp.PLAY, seat, a, 1, b, 0, 0),
    WorldPart.TOUR: lambda g, seat, a, b, c: gain_lira(g, seat, a),
    WorldPart.SELL: lambda g, seat, a, b, c: push(g, FrameOp.SELL, seat, 18, 1, a, 0, 0),
    WorldPart.SELL_WINE: lambda g, seat, a, b, c: push(g, WorldOp.SELL_WINE, seat, 1, 1, 0, 0, 0),
    WorldPart.REMOVE_HAT: lambda g, seat, a, b, c: push(g, WorldOp.HAT, seat, 1, 1, 0, 0, 0),
    WorldPart.INNOVATE: lambda g, seat, a, b, c: push(g, WorldOp.TILE, seat, 1, 1, 0, 0, 0),
    WorldPart.EXCHANGE: lambda g, seat, a, b, c: push(g, WorldOp.EXCHANGE, seat, 1, 1, 0, 0, 0),
    WorldPart.BUY_INFLUENCE: lambda g, seat, a, b, c: push(g, WorldOp.BUY_STEPS, seat, 1, 1, a, b, 0),
    WorldPart.TEMPORARY: lambda g, seat, a, b, c: take_temporary(g, seat),
}
do_part = dispatch("do_part", _does, parts.ARGUMENTS)  # type: ignore[arg-type]


@jit
def may_be_left(op):
    """Repetitions of actions need not be used; gains and payments come as often as they say."""
    return (
        op == PartOp.BUILD or op == PartOp.FILL or op == WorldPart.SELL_WINE or op == WorldPart.REMOVE_HAT
        or op == WorldPart.INNOVATE or op == WorldPart.EXCHANGE
    )  # fmt: skip


@jit
def start_effect(g, seat, row, settings, discount):
    """Put an effect on the stack: A its row, B the next part, C settings, P0 what a deed stood at, P1 how often the
    part was done, P2 the discount on structures."""
    if row == 0:
        return
    t = push(g, WorldOp.EFFECTS, seat, 1, 1, row, 0, settings)
    g.frames[t, Frame.P2] = discount
    for i in range(MOST_PARTS):
        if PARTS[row, i, 0] == WorldPart.POINTS_IF_ALL:
            g.frames[t, Frame.P0] = g.deeds[seat, PARTS[row, i, 2]]


@jit
def sum_of(row, part):
    """How much of a part that is a number an effect gives at once."""
    found = 0
    for i in range(MOST_PARTS):
        if PARTS[row, i, 0] == part:
            found += PARTS[row, i, 1]
    return found


@jit
def lira_of(row):
    """The lira that an effect gives at once."""
    return sum_of(row, PartOp.LIRA)


@jit
def is_lira_alone(row):
    """Whether an effect gives lira and nothing else."""
    for i in range(MOST_PARTS):
        if PARTS[row, i, 0] != PartOp.LIRA and PARTS[row, i, 0] != 0:
            return False
    return True


@jit
def is_ageing(row):
    """Whether an effect ages a grape or a wine, which may be worth as much after an action as before (O23)."""
    return PARTS[row, 0, 0] == WorldPart.AGE_GRAPE or PARTS[row, 0, 0] == PartOp.AGE_ONE


@jit
def for_each_seat(g, row, settings):
    """An effect that every seat has, asked clockwise from the one that chooses first (O15)."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for i in range(n - 1, -1, -1):
        start_effect(g, (int(g.first_player) + i) % n, row, settings, 0)


@jit
def run_effects(g, t):
    """One part after the other, until something lies on top of the effect."""
    while g.depth == t + 1:
        do_next_part(g, t)
    return True


@jit
def do_next_part(g, t):
    """The next part, or the next repetition of one; what cannot be done is passed over."""
    row, i, seat = get(g, t, Frame.A), get(g, t, Frame.B), get(g, t, Frame.SEAT)
    if i == MOST_PARTS or PARTS[row, i, 0] == 0:
        finish(g, 1)
        return
    op, a, b, c = PARTS[row, i, 0], PARTS[row, i, 1], PARTS[row, i, 2], PARTS[row, i, 3]
    done = get(g, t, Frame.P1)
    if op == PartOp.BUILD:
        a += get(g, t, Frame.P2)
    is_left = done > 0 and may_be_left(op) and get(g, t, Frame.RESULT) == DECLINED
    if done == PARTS[row, i, 4] or is_left or not part_needs(op, g, seat, a, b, c):
        g.frames[t, Frame.B] = i + 1
        g.frames[t, Frame.P1] = 0
        g.frames[t, Frame.RESULT] = 0
        return
    g.frames[t, Frame.P1] = done + 1
    g.frames[t, Frame.RESULT] = 0
    if op == WorldPart.POINTS_IF_ALL:
        if g.deeds[seat, b] - g.frames[t, Frame.P0] >= c:
            gain_vp(g, seat, a)
    elif op == WorldPart.INFLUENCE and get(g, t, Frame.C) & FOR_EACH:
        return
    elif op == PartOp.LIRA and get(g, t, Frame.C) & BUT_LIRA:
        return
    elif op > LAST_OTHER:
        do_part(op, g, seat, a, b, c)
    elif ASKS_NOTHING[op] == 1:
        carry_out(op, g, seat, a, b, c, 0)
    else:
        ask(op, g, seat, a, b, c)
    if done > 0 and may_be_left(op):
        g.frames[int(g.depth) - 1, Frame.MIN] = 0
    if g.frames[t, Frame.GOALS] != 0:
        g.frames[int(g.depth) - 1, Frame.GOALS] = g.frames[t, Frame.GOALS]


operation(WorldOp.EFFECTS, run=run_effects)


# A hat taken off (W73): its own question.


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
