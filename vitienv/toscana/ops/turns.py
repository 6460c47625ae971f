"""A turn: one of the three actions, taken or passed (T25 to T28)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push
from vitienv.toscana.enums import Action, Good
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.ops.hiring import can_hire
from vitienv.toscana.ops.trading import can_trade
from vitienv.toscana.storage import can_get, take_from_bank
from vitienv.toscana.vocabulary import Move


@jit
def can_act(g, seat, turn):
    """Return whether an action has an effect (T28)."""
    if turn == Action.HIRING:
        return can_hire(g, seat)
    if turn == Action.WINEMAKING:
        return g.boxes[seat, Good.WATER] > 0
    return can_trade(g, seat)


@jit
def legal_turn(g, t, mask):
    """Mark the unused actions (T25): those with an effect as taken, all as passed (T26, T28).

    Passing winemaking can bring a red or a water box if the bank and the storage allow it (T27).
    """
    seat = get(g, t, Frame.SEAT)
    for turn in range(3):
        if g.used[seat, turn] == 0 and can_act(g, seat, turn):
            mask[Move.TAKE + turn] = 1
    mask[Move.PASS_HIRING] = 1 - g.used[seat, Action.HIRING]
    mask[Move.PASS_TRADING] = 1 - g.used[seat, Action.TRADING]
    if g.used[seat, Action.WINEMAKING] == 0:
        mask[Move.PASS_WINEMAKING] = 1
        mask[Move.PASS_FOR_RED] = 1 if can_get(g, seat, Good.RED) > 0 else 0
        mask[Move.PASS_FOR_WATER] = 1 if can_get(g, seat, Good.WATER) > 0 else 0


@jit
def apply_turn(g, t, action):
    """Mark the action as used, then start it or take the box for passing (T26, T27)."""
    seat = get(g, t, Frame.SEAT)
    pop(g)
    if action == Move.TAKE + Action.HIRING:
        g.used[seat, Action.HIRING] = 1
        push(g, FrameOp.HIRE, seat, 2, 1, 0, 0, 0)
    elif action == Move.TAKE + Action.WINEMAKING:
        g.used[seat, Action.WINEMAKING] = 1
        push(g, FrameOp.PLACE_WATER, seat, int(g.boxes[seat, Good.WATER]), 1, 0, 0, 0)
    elif action == Move.TAKE + Action.TRADING:
        g.used[seat, Action.TRADING] = 1
        push(g, FrameOp.TRADE, seat, 0, 1, 0, 0, 0)
    elif action == Move.PASS_HIRING:
        g.used[seat, Action.HIRING] = 1
    elif action == Move.PASS_TRADING:
        g.used[seat, Action.TRADING] = 1
    else:
        g.used[seat, Action.WINEMAKING] = 1
        if action == Move.PASS_FOR_RED:
            take_from_bank(g, seat, Good.RED, 1)
        elif action == Move.PASS_FOR_WATER:
            take_from_bank(g, seat, Good.WATER, 1)


operation(FrameOp.TURN, "take_action", legal=legal_turn, apply=apply_turn, shows=(), bounds={})
