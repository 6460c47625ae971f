"""What pending decisions of a position must be like: the operations that may lie on each other, and what their numbers
say of the rest. The bounds of each number stand in the row of its operation."""

from __future__ import annotations

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.positions import check_stack
from vitienv.toscana.frames import OPERATIONS, FrameOp
from vitienv.toscana.names import (
    ABANDONED,
    FULL_SQUARE,
    N_SQUARES,
    N_TURNS,
    NO_SEAT,
    REMOVING_SEATS,
    ROOM,
    TURNS,
    Action,
    Good,
    Phase,
    around,
)
from vitienv.toscana.ops.services import CHANGES
from vitienv.toscana.state import Rule

# The frames that may be directly below a frame, by operation.
LIES_ON: dict[int, tuple[int, ...]] = {
    FrameOp.ROUND: (),
    **dict.fromkeys((FrameOp.HIRE, FrameOp.PLACE_WATER, FrameOp.MAKE, FrameOp.TRADE), (FrameOp.ROUND,)),
    **dict.fromkeys((FrameOp.LOBBY, FrameOp.MR_ROSE), (FrameOp.HIRE,)),
    **dict.fromkeys((FrameOp.OFFER, FrameOp.ANSWER), (FrameOp.TRADE,)),
}
ACTION_OF = {
    **dict.fromkeys((FrameOp.HIRE, FrameOp.LOBBY, FrameOp.MR_ROSE), Action.HIRING),
    **dict.fromkeys((FrameOp.PLACE_WATER, FrameOp.MAKE), Action.WINEMAKING),
    **dict.fromkeys((FrameOp.TRADE, FrameOp.OFFER, FrameOp.ANSWER), Action.TRADING),
}


def check_pending(r: np.record, n: int) -> None:
    """ValueError unless the frames are such as a game can have. n: seats."""
    frames = r.frames[: int(r.depth)]
    turns = int(r.used[:n].sum())
    if len(frames) < 2 or frames[0][Frame.OP] != FrameOp.ROUND or frames[0][Frame.SEAT] != NO_SEAT:
        raise ValueError("the first of the pending frames is the round's, and the action under way lies on it")
    if r.phase != Phase.ACTIONS and turns != N_TURNS * n:
        raise ValueError("an action is pending in the set-up, which has none")
    if r.chosen.any():
        raise ValueError("an action is pending and a tile is chosen; tiles are chosen when all actions are over")
    r.phase = Phase.ACTIONS  # the last action of the round counts as used and goes on
    seat = (int(r.start_seat) + turns - 1) % n
    if frames[0][Frame.DONE] != turns or turns == 0:
        raise ValueError(f"the pending round has asked {frames[0][Frame.DONE]} turns and {turns} actions are used")
    check_stack(r, LIES_ON, OPERATIONS)
    for frame in frames[1:]:
        _check_frame(r, frame, seat, n)
    _check_halves(frames)
    top = frames[-1][Frame.OP]
    if top != FrameOp.PLACE_WATER and (top == FrameOp.MAKE) != r.water.any():
        raise ValueError("there is water on crossroads exactly while winemaking is pending")


def _check_frame(r: np.record, frame: np.ndarray, seat: int, n: int) -> None:
    """The action and the seat of a frame, and what its numbers say of boxes, squares and water."""
    op = int(frame[Frame.OP])
    word = OPERATIONS.word(op)
    action = ACTION_OF[op]
    if not r.used[seat, action]:
        raise ValueError(f"{word} is pending and seat {seat} has not used {TURNS[action]}; an action begun is used")
    right = (seat + int(frame[Frame.A])) % n if op == FrameOp.ANSWER else seat
    if frame[Frame.SEAT] != right:
        raise ValueError(f"{word} is pending for seat {frame[Frame.SEAT]}; it would be asked of seat {right}")
    if op == FrameOp.LOBBY:
        _need(bool(frame[Frame.A]) == bool(frame[Frame.STAGE]), "the lobbyist has moved a tile of no sign")
    elif op == FrameOp.MR_ROSE:
        _check_rose(frame)
    elif op == FrameOp.PLACE_WATER:
        _check_water(r, frame, seat)
    elif op == FrameOp.MAKE:
        _check_making(r, frame, seat, n)
    elif op == FrameOp.TRADE:
        is_agreed = bool(r.rules[Rule.PLAYER_TRADES])
        _need(is_agreed or not frame[Frame.DONE], "an offer was made; it needs the option player_trades")
    elif op in (FrameOp.OFFER, FrameOp.ANSWER):
        if not r.rules[Rule.PLAYER_TRADES] or frame[Frame.A] >= n:
            raise ValueError(f"{word} is pending; it needs the option player_trades and a partner among {n} seats")
        if op == FrameOp.ANSWER or frame[Frame.STAGE]:
            _check_offer(r, frame, seat, n)


def _need(is_so: bool, told: str) -> None:
    if not is_so:
        raise ValueError(f"a pending decision contradicts itself: {told}")


def _check_halves(frames: np.ndarray) -> None:
    """What a frame says of the one below: the piece and the service of a hiring, the number of an offer."""
    base, top = frames[1], frames[-1]
    if base[Frame.OP] == FrameOp.HIRE:
        if len(frames) == 2:
            _need(not (base[Frame.A] and base[Frame.B]), "both halves of the hiring are done, which ends it")
        else:
            _need(base[Frame.B] == 1, "a service is at work and the hiring below has none")
            _need(top[Frame.C] == base[Frame.A], "a service says otherwise than the hiring below of its piece")
    elif len(frames) > 2:
        is_next = top[Frame.DONE] == base[Frame.DONE] and not base[Frame.STAGE]
        _need(is_next, "the offer is not the last one of the trading below, or comes after its first sale")


def _check_rose(frame: np.ndarray) -> None:
    """The price changes made and left add up, and the last one was of a possible good."""
    done, good = int(frame[Frame.DONE]), int(frame[Frame.A])
    _need(frame[Frame.LEFT] == CHANGES - done, f"Mr Rose changes {CHANGES} prices in all")
    _need((done == 1) == bool(frame[Frame.STAGE]), "the second price is asked for after the first, and only then")
    _need(good == 0 if done == 0 else good >= done - 1, f"Mr Rose has changed {done} prices, the last of good {good}")
    _need(done < CHANGES or not frame[Frame.B], "after both price changes and the deal Mr Rose is done")


def _check_water(r: np.record, frame: np.ndarray, seat: int) -> None:
    """The boxes on crossroads are those that were placed, in ascending order; the others are in the storage."""
    placed = np.flatnonzero(r.water)
    first = int(placed[-1]) + 1 if len(placed) else 0
    if len(placed) != frame[Frame.DONE] or first != frame[Frame.A]:
        raise ValueError("the water on crossroads is not what the pending winemaking has placed")
    left, has = int(frame[Frame.LEFT]), int(r.boxes[seat, Good.WATER])
    _need(left == has, f"the winemaking has {left} boxes left and seat {seat} {has}")


def _check_making(r: np.record, frame: np.ndarray, seat: int, n: int) -> None:
    """All watered squares of the seat have produced, and as many boxes are chosen or left as the abandoned ones among
    them give and can be had (T56); one of them may be taken over and have produced before (T53)."""
    left, done = int(frame[Frame.LEFT]), int(frame[Frame.DONE])
    wet = np.isin(np.arange(N_SQUARES), [square for at in np.flatnonzero(r.water) for square in around(int(at))])
    abandoned = r.square_kind == ABANDONED
    strong = r.square_workers + FULL_SQUARE * r.square_winemaster >= FULL_SQUARE
    own = wet & (r.square_owner == seat) & (strong | ~abandoned)
    _need(r.square_produced[own].all(), f"a square of seat {seat} beside the water has not produced")
    there = int(np.minimum(ROOM - r.boxes[seat].astype(int), r.bank).sum()) + done
    most = int((own & abandoned).sum())
    taken = n == REMOVING_SEATS and r.used[seat, Action.HIRING] and (r.square_owner != NO_SEAT).all()
    right = [min(made, there) for made in (most, most - 1 if taken else most)]
    _need(left + done in right, f"{left + done} boxes of abandoned squares are chosen or left; there are {right[0]}")
    _need(done > 0 or frame[Frame.A] == 0, f"good {frame[Frame.A]} was chosen last and none is chosen")


def _check_offer(r: np.record, frame: np.ndarray, seat: int, n: int) -> None:
    """The boxes and the money of an offer are there, and room for the boxes."""
    other, boxes, good = (seat + int(frame[Frame.A])) % n, int(frame[Frame.B]), int(frame[Frame.C])
    giver, taker = (other, seat) if boxes > 0 else (seat, other)
    is_there = 0 < abs(boxes) <= r.boxes[giver, good] and r.boxes[taker, good] + abs(boxes) <= ROOM
    if not is_there or r.money[taker] < abs(boxes) * int(frame[Frame.P0]):
        raise ValueError(f"an offer is pending that seats {giver} and {taker} cannot carry out")
