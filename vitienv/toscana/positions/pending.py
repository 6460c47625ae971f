"""What pending decisions of a position must be like: the operations that may lie on each other, and their numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from vitienv.core.frames import Frame
from vitienv.toscana.frames import OPERATIONS, FrameOp
from vitienv.toscana.names import (
    MAX_SEATS,
    N_CROSSROADS,
    N_GOODS,
    N_TURNS,
    NO_SEAT,
    ROOM,
    TURNS,
    Action,
    Phase,
)
from vitienv.toscana.ops.offers import MOST_OFFERS
from vitienv.toscana.ops.services import CHANGES
from vitienv.toscana.state import Rule
from vitienv.toscana.vocabulary import HIGHEST_OFFER

FLAG, STAGES = (0, 1), (0, 1)
# By operation: on which one it lies, the action to which it belongs, and the bounds of its numbers, none others being
# but 0.
ALLOWED: dict[int, tuple[FrameOp, Action, dict[Frame, tuple[int, int]]]] = {
    FrameOp.HIRE: (FrameOp.ROUND, Action.HIRING, {Frame.LEFT: (2, 2), Frame.MIN: (1, 1), Frame.A: FLAG, Frame.B: FLAG}),
    FrameOp.LOBBY: (FrameOp.HIRE, Action.HIRING, {
        Frame.LEFT: (1, 2), Frame.MIN: (2, 2), Frame.DONE: FLAG, Frame.STAGE: STAGES, Frame.A: (-1, 1), Frame.C: FLAG,
    }),
    FrameOp.MR_ROSE: (FrameOp.HIRE, Action.HIRING, {
        Frame.LEFT: (0, CHANGES), Frame.MIN: (2, 2), Frame.DONE: (0, CHANGES), Frame.STAGE: STAGES,
        Frame.A: (0, N_GOODS - 1), Frame.B: FLAG, Frame.C: FLAG,
    }),
    FrameOp.PLACE_WATER: (FrameOp.ROUND, Action.WINEMAKING, {
        Frame.LEFT: (0, ROOM), Frame.MIN: (1, 1), Frame.DONE: (0, ROOM), Frame.A: (0, N_CROSSROADS),
    }),
    FrameOp.MAKE: (FrameOp.ROUND, Action.WINEMAKING, {
        Frame.LEFT: (0, N_GOODS * ROOM), Frame.DONE: (0, N_GOODS * ROOM), Frame.A: (0, N_GOODS - 1),
    }),
    FrameOp.TRADE: (FrameOp.ROUND, Action.TRADING, {
        Frame.MIN: (1, 1), Frame.DONE: (0, MOST_OFFERS), Frame.STAGE: STAGES, Frame.A: (0, N_GOODS),
    }),
    FrameOp.OFFER: (FrameOp.TRADE, Action.TRADING, {
        Frame.LEFT: (1, 1), Frame.MIN: (1, 1), Frame.DONE: (1, MOST_OFFERS), Frame.STAGE: STAGES,
        Frame.A: (1, MAX_SEATS - 1), Frame.B: (-ROOM, ROOM), Frame.C: (0, N_GOODS - 1),
    }),
    FrameOp.ANSWER: (FrameOp.TRADE, Action.TRADING, {
        Frame.LEFT: (1, 1), Frame.MIN: (1, 1), Frame.DONE: (1, MOST_OFFERS), Frame.A: (1, MAX_SEATS - 1),
        Frame.B: (-ROOM, ROOM), Frame.C: (0, N_GOODS - 1), Frame.P0: (0, HIGHEST_OFFER),
    }),
}  # fmt: skip
ANY = (Frame.OP, Frame.SEAT, Frame.CARD, Frame.RESULT)


def check_pending(r: np.record, n: int) -> None:
    """ValueError unless the frames are such as a game can have. n: seats."""
    frames = r.frames[: int(r.depth)]
    turns = int(r.used[:n].sum())
    if len(frames) < 2 or frames[0][Frame.OP] != FrameOp.ROUND or frames[0][Frame.SEAT] != NO_SEAT:
        raise ValueError("the first of the pending frames is the round's, and the action under way lies on it")
    if r.phase != Phase.ACTIONS and turns != N_TURNS * n:
        raise ValueError("an action is pending in the set-up, which has none")
    r.phase = Phase.ACTIONS  # the last action of the round counts as used and goes on
    seat = (int(r.start_seat) + turns - 1) % n
    if frames[0][Frame.DONE] != turns or turns == 0:
        raise ValueError(f"the pending round has asked {frames[0][Frame.DONE]} turns and {turns} actions are used")
    for below, frame in pairwise(frames):
        _check_frame(r, frame, int(below[Frame.OP]), seat, n)
    _check_water(r, frames[-1])


def _check_frame(r: np.record, frame: np.ndarray, below: int, seat: int, n: int) -> None:
    op = int(frame[Frame.OP])
    word = OPERATIONS.word(op)
    if op not in ALLOWED or ALLOWED[op][0] != below:
        raise ValueError(f"{word} cannot lie on {OPERATIONS.word(below)} among the pending frames")
    _, action, bounds = ALLOWED[op]
    if not r.used[seat, action]:
        raise ValueError(f"{word} is pending and seat {seat} has not used {TURNS[action]}; an action begun is used")
    right = (seat + int(frame[Frame.A])) % n if op == FrameOp.ANSWER else seat
    if frame[Frame.SEAT] != right:
        raise ValueError(f"{word} is pending for seat {frame[Frame.SEAT]}; it would be asked of seat {right}")
    for column in Frame:
        low, high = bounds.get(column, (0, 0))
        if column not in ANY and not low <= frame[column] <= high:
            told = f"{column.name.lower()} {frame[column]}"
            raise ValueError(f"{word} is pending with {told}; that is a number from {low} to {high}")
    if op in (FrameOp.OFFER, FrameOp.ANSWER):
        if not r.rules[Rule.PLAYER_TRADES] or frame[Frame.A] >= n:
            raise ValueError(f"{word} is pending; it needs the option player_trades and a partner among {n} seats")
        if op == FrameOp.ANSWER or frame[Frame.STAGE]:
            _check_offer(r, frame, seat, n)


def _check_offer(r: np.record, frame: np.ndarray, seat: int, n: int) -> None:
    """The boxes and the money of an offer are there, and room for the boxes."""
    other, boxes, good = (seat + int(frame[Frame.A])) % n, int(frame[Frame.B]), int(frame[Frame.C])
    giver, taker = (other, seat) if boxes > 0 else (seat, other)
    is_there = 0 < abs(boxes) <= r.boxes[giver, good] and r.boxes[taker, good] + abs(boxes) <= ROOM
    if not is_there or r.money[taker] < abs(boxes) * int(frame[Frame.P0]):
        raise ValueError(f"an offer is pending that seats {giver} and {taker} cannot carry out")


def _check_water(r: np.record, top: np.ndarray) -> None:
    """Water lies on crossroads while winemaking is pending, as many boxes as were placed."""
    placed = int(r.water.sum())
    if top[Frame.OP] == FrameOp.PLACE_WATER:
        seat, first = int(top[Frame.SEAT]), int(top[Frame.A])
        if placed != top[Frame.DONE] or r.water[first:].any() or (placed == 0) != (first == 0):
            raise ValueError("the water on crossroads is not what the pending winemaking has placed")
        if top[Frame.LEFT] > r.boxes[seat, -1]:
            raise ValueError(f"the pending winemaking has {top[Frame.LEFT]} boxes left; seat {seat} has fewer")
    elif (top[Frame.OP] == FrameOp.MAKE) != (placed > 0):
        raise ValueError("there is water on crossroads exactly while winemaking is pending")
