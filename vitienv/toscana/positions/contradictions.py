"""Contradictions of a state of Toscana whose fields are within their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.frames import NO_CARD, Frame
from vitienv.core.kernel import Status
from vitienv.core.positions.pending import FrameRow, Frames, pending_frames
from vitienv.core.positions.schema import Contradictions
from vitienv.toscana.enums import (
    ABANDONED,
    CAPACITY,
    COLUMNS,
    FULL_SQUARE,
    N_PIECES,
    N_SQUARES,
    N_TILES,
    N_TURNS,
    NO_SEAT,
    NO_TILE,
    PIECE,
    REMOVING_SEATS,
    ROWS,
    WINEMASTERS,
    WORKERS,
    Action,
    Good,
    Phase,
    around,
)
from vitienv.toscana.frames import OPERATIONS, FrameOp
from vitienv.toscana.ops.services import CHANGES
from vitienv.toscana.state import Rule

if TYPE_CHECKING:
    from vitienv.toscana.options import Options

DECISION_OPS = {Phase.SETUP: FrameOp.START_WORKER, Phase.ACTIONS: FrameOp.TURN, Phase.TASTING: FrameOp.TASTE}
# Operations of the frame directly below a frame, by operation.
ALLOWED_BELOW: dict[int, tuple[int, ...]] = {
    FrameOp.ROUND: (),
    **dict.fromkeys(
        (*DECISION_OPS.values(), FrameOp.HIRE, FrameOp.PLACE_WATER, FrameOp.MAKE, FrameOp.TRADE), (FrameOp.ROUND,)
    ),
    **dict.fromkeys((FrameOp.LOBBY, FrameOp.MR_ROSE), (FrameOp.HIRE,)),
    **dict.fromkeys((FrameOp.OFFER, FrameOp.ANSWER), (FrameOp.TRADE,)),
}
ACTION_OF = {
    **dict.fromkeys((FrameOp.HIRE, FrameOp.LOBBY, FrameOp.MR_ROSE), Action.HIRING),
    **dict.fromkeys((FrameOp.PLACE_WATER, FrameOp.MAKE), Action.WINEMAKING),
    **dict.fromkeys((FrameOp.TRADE, FrameOp.OFFER, FrameOp.ANSWER), Action.TRADING),
}


def seats_of(state: Any) -> int:
    return int(state["rules"][Rule.NUM_PLAYERS])


def contradictions(r: np.record, options: Options) -> Contradictions:
    """Yield contradictions of a state; later ones may follow from the first."""
    n = options.num_players
    yield from FRAMES.contradictions(r)
    yield from _market(r)
    for seat in range(n):
        yield from _pieces(r, seat, n)
        yield from _tiles(r, seat)
    yield from _time(r, n)
    yield from _production(r, n)
    if r.status != Status.PLAYING:
        yield from _end(r, n)
    else:
        yield from _pending(r, n)


def _smallest_rotation(piece: np.ndarray, is_turned: bool) -> bytes:
    return min(np.rot90(piece, k if is_turned else 0).tobytes() for k in range(4))


def _market(r: np.record) -> Contradictions:
    if sorted(r.sign) != [-1, -1, 0, 1, 1]:
        yield f"signs must be two plus, two minus and a good without, got {r.sign.tolist()}"
    if not r.rules[Rule.MAP_OF_PIECES]:
        if not np.array_equal(r.square_kind, r.rules[Rule.PRINTED_MAP :][:N_SQUARES]):
            yield "map must be the printed one; others come with components or the option map='pieces'"
        return
    is_turned, kinds = bool(r.rules[Rule.ROTATION]), r.square_kind.astype(r.rules.dtype).reshape(ROWS, COLUMNS)
    blocks = kinds.reshape(ROWS // PIECE, PIECE, COLUMNS // PIECE, PIECE).swapaxes(1, 2).reshape(-1, PIECE, PIECE)
    pieces = r.rules[Rule.MAP_PIECES :][:N_SQUARES].reshape(N_PIECES, PIECE, PIECE)
    on_map, in_box = (sorted(_smallest_rotation(piece, is_turned) for piece in group) for group in (blocks, pieces))
    if on_map != in_box:
        yield f"map must consist of the {N_PIECES} pieces, got {r.square_kind.tolist()}"


def _pieces(r: np.record, seat: int, n: int) -> Contradictions:
    """Check the workers (T31: all leave the storage before the first winemaster) and the winemasters of a seat."""
    owned = r.square_owner == seat
    workers, low, high = int(r.square_workers[owned].sum()), *((1, WORKERS) if r.round_number else (0, 1))
    if not low <= workers <= high:
        yield f"workers of seat {seat} on the map must be from {low} to {high} in round {r.round_number}, got {workers}"
    if r.lost[seat] and (n != REMOVING_SEATS or (r.square_owner == NO_SEAT).any()):
        yield f"lost of seat {seat} must be 0 but with {REMOVING_SEATS} seats and a full map (T36, T38)"
    if r.winemasters[seat] < WINEMASTERS and r.workers[seat] > 0:
        yield f"seat {seat} must hire all workers before a winemaster"
    if (
        not r.rules[Rule.START_ON_WATER]
        and workers
        and (r.square_kind[owned & (r.square_workers > 0)] == Good.WATER).all()
    ):
        yield f"a worker of seat {seat} must be on dry land with start_on_water false (T22)"


def _tiles(r: np.record, seat: int) -> Contradictions:
    is_over = r.status != Status.PLAYING
    played = max(int(r.round_number) - (not is_over), 0)
    hand = min(int(r.rules[Rule.HAND_SIZE]), N_TILES - played)
    for name, tiles, expected in (("played", r.played[seat], played), ("hand", r.hand[seat], hand)):
        if tiles.sum() != expected:
            yield f"{name} of seat {seat} must have {expected} tiles in round {r.round_number}, got {int(tiles.sum())}"
    used = r.hand[seat] + r.played[seat]
    if used.max() > 1 or used[r.forced[seat, : r.n_forced[seat]] - 1].any():
        yield f"hand, played and next_draws of seat {seat} must have different tiles"
    if r.chosen[seat] != NO_TILE:
        if r.phase != Phase.TASTING or is_over:
            yield f"chosen of seat {seat} must be left out while actions are left"
        if not r.hand[seat, r.chosen[seat] - 1]:
            yield f"chosen of seat {seat} must be in its hand, got {r.chosen[seat]}"


def phase_of(state: Any, seat: int | None) -> int:
    """Return the phase; the last action of a round counts as used while it is pending."""
    if state["round_number"] == 0:
        return Phase.SETUP
    n, ops = seats_of(state), pending_frames(state)[:, Frame.OP]
    is_acting = state["used"].sum() < N_TURNS * n or np.isin(ops, list(ACTION_OF)).any()
    return Phase.ACTIONS if state["status"] == Status.PLAYING and is_acting else Phase.TASTING


def _time(r: np.record, n: int) -> Contradictions:
    """Check that actions are used clockwise from the start seat, and that the game has not ended before (T75)."""
    number, limit, end = int(r.round_number), int(r.rules[Rule.MAX_ROUNDS]), int(r.rules[Rule.END_MONEY])
    used = [int(r.used[(r.start_seat + i) % n].sum()) for i in range(n)]
    total = int(r.used[:n].sum())
    if used != [total // n + (i < total % n) for i in range(n)]:
        yield f"used must be one action a turn from start_seat {r.start_seat} on, got {used} actions from there"
    if number == 0 and (total or r.status != Status.PLAYING):
        yield "round 0 is the set-up: used must be empty and status playing"
    if r.status != Status.PLAYING and total < N_TURNS * n:
        yield f"status must be playing while actions are left, got {r.status}"
    if 0 < limit < number:
        yield f"round must be at most {limit} with this max_rounds, got {number}"
    is_paid = r.rules[Rule.PLAYER_TRADES] and r.used[:n, Action.TRADING].any()
    if r.status == Status.PLAYING and number > 1 and not is_paid:
        for seat in np.flatnonzero(r.money[:n] >= end):
            if not r.used[seat, Action.TRADING] and not r.used[seat, Action.HIRING]:
                yield f"money of seat {seat} must be below {end}, which ended the game in an earlier round"


def _end(r: np.record, n: int) -> Contradictions:
    """Check that a finished game has an end condition and its last sale, or is truncated without either (T75, T76)."""
    last = min(int(r.rules[Rule.LAST_ROUND]), N_TILES)
    has_reason = r.round_number == last or (r.money[:n] >= r.rules[Rule.END_MONEY]).any()
    if r.status == Status.OVER and not has_reason:
        yield f"status must be playing before round {last} while no seat has {r.rules[Rule.END_MONEY]} money"
    if r.status == Status.OVER and r.boxes[:n].any():
        yield "boxes must be sold when the game is over"
    if r.status == Status.TRUNCATED and (has_reason or r.round_number != r.rules[Rule.MAX_ROUNDS]):
        yield "status must be truncated only after round max_rounds, in a game that is not over"


def _production(r: np.record, n: int) -> Contradictions:
    """Check that a square has produced for its owner, or was taken over in this round (T53)."""
    num_taken = [0] * n  # productive squares that each seat has taken over
    for square in np.flatnonzero(r.square_produced):
        owner = r.square_owner[square]
        is_weak = r.square_kind[square] == ABANDONED and r.square_workers[square] == 1
        if r.phase != Phase.SETUP and r.used[owner, Action.WINEMAKING] and not is_weak:
            continue
        num_taken[owner] += 1
        from_others = [seat for seat in range(n) if seat != owner and r.lost[seat] and r.used[seat, Action.WINEMAKING]]
        may_take = n == REMOVING_SEATS and r.used[owner, Action.HIRING] and from_others
        if r.phase == Phase.SETUP or num_taken[owner] > 1 or r.square_workers[square] > 1 or not may_take:
            yield f"the square {[int(square) // COLUMNS + 1, int(square) % COLUMNS + 1]} cannot have produced"


def next_decision(r: np.record, n: int) -> list[list[int]]:
    """Return the frames of the implied decision. Raises ValueError if there is none."""
    clockwise = [(int(r.start_seat) + i) % n for i in range(n)]
    order, is_done = clockwise, [bool(r.chosen[seat]) for seat in clockwise]
    if r.phase == Phase.ACTIONS:
        is_done, order = [i < r.used.sum() for i in range(n * N_TURNS)], clockwise * N_TURNS
    elif r.phase == Phase.SETUP:
        order = [(int(r.start_seat) - 1 - i) % n for i in range(n)]
        is_done = [seat in r.square_owner for seat in order]
    num_done = sum(is_done)
    if num_done == len(order) or is_done != [i < num_done for i in range(len(order))]:
        steps = "start workers, counter-clockwise before start_seat" if r.phase == Phase.SETUP else "chosen, clockwise"
        raise ValueError(f"{steps}: some seats must have done so in their order, and not all; got {is_done}")
    question = [DECISION_OPS[Phase(int(r.phase))], order[num_done], NO_CARD, 0, 1, 1, *[0] * 10]
    return [[FrameOp.ROUND, NO_SEAT, NO_CARD, 0, 0, 0, num_done + 1, *[0] * 9], question]


def _pending(r: np.record, n: int) -> Contradictions:
    frames = pending_frames(r)
    if len(frames) < 2 or frames[0][Frame.SEAT] != NO_SEAT:
        yield "pending must start with round, of seat -1, followed by an action"
    top, turns = int(frames[-1][Frame.OP]), int(r.used[:n].sum())
    if top in DECISION_OPS.values():
        if r.water.any():
            yield "water must be empty while no winemaking is pending"
        return
    if turns == 0 or frames[0][Frame.DONE] != turns:
        yield f"done of the pending round must be the number of used actions, {turns}, got {frames[0][Frame.DONE]}"
    if top != FrameOp.PLACE_WATER and (top == FrameOp.MAKE) != r.water.any():
        yield "water must be on crossroads exactly while winemaking is pending"


def _active(r: np.record) -> int:
    n = seats_of(r)
    return (int(r.start_seat) + int(r.used[:n].sum()) - 1) % n


def _is_of_seat(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    answers = int(f[Frame.A]) if f[Frame.OP] == FrameOp.ANSWER else 0
    return bool(f[Frame.SEAT] == (_active(r) + answers) % seats_of(r))


def _is_hiring(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    is_top = (f == r.frames[int(r.depth) - 1]).all()
    return bool(f[Frame.B] == 1) if not is_top else not (f[Frame.A] and f[Frame.B])


def _is_rose(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Check that price changes made and left add up, and that the good is possible."""
    num_changes, good = int(f[Frame.DONE]), int(f[Frame.A])
    is_order = good == 0 if num_changes == 0 else good >= num_changes - 1
    is_stage = f[Frame.LEFT] == CHANGES - num_changes and (num_changes == 1) == bool(f[Frame.STAGE])
    return bool(is_order and is_stage and (num_changes < CHANGES or not f[Frame.B]))


def _is_water(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Check that the placed boxes are on crossroads, in ascending order, and the others in the storage."""
    places = np.flatnonzero(r.water)
    first = int(places[-1]) + 1 if len(places) else 0
    is_placed = (len(places), first) == (f[Frame.DONE], f[Frame.A])
    return bool(is_placed and f[Frame.LEFT] == r.boxes[f[Frame.SEAT], Good.WATER])


def _is_making(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Check the boxes left to choose on abandoned squares.

    All watered squares have produced, and chosen and remaining boxes match the abandoned ones among them (T56); one of
    those may have been taken over after it produced (T53).
    """
    seat, remaining, num_chosen = f[Frame.SEAT], int(f[Frame.LEFT]), int(f[Frame.DONE])
    wet = np.isin(
        np.arange(N_SQUARES), [square for crossroad in np.flatnonzero(r.water) for square in around(int(crossroad))]
    )
    abandoned = r.square_kind == ABANDONED
    strong = r.square_workers + FULL_SQUARE * r.square_winemaster >= FULL_SQUARE
    making = wet & (r.square_owner == seat) & (strong | ~abandoned)
    room = int(np.minimum(CAPACITY - r.boxes[seat].astype(int), r.bank).sum()) + num_chosen
    num_abandoned = int((making & abandoned).sum())
    is_full = r.rules[Rule.NUM_PLAYERS] == REMOVING_SEATS and (r.square_owner != NO_SEAT).all()
    min_abandoned = num_abandoned - 1 if is_full and r.used[seat, Action.HIRING] else num_abandoned
    is_started = num_chosen > 0 or f[Frame.A] == 0
    return bool(
        r.square_produced[making].all()
        and remaining + num_chosen in (min(num_abandoned, room), min(min_abandoned, room))
        and is_started
    )


def _is_offer(r: np.record, f: np.ndarray, below: np.ndarray) -> bool:
    """Check that both seats can keep the offer."""
    n, seat, boxes, good = seats_of(r), _active(r), int(f[Frame.B]), int(f[Frame.C])
    if not r.rules[Rule.PLAYER_TRADES] or f[Frame.A] >= n:
        return False
    if f[Frame.OP] == FrameOp.OFFER and not f[Frame.STAGE]:
        return True
    partner = (seat + int(f[Frame.A])) % n
    giver, taker = (partner, seat) if boxes > 0 else (seat, partner)
    is_room = 0 < abs(boxes) <= r.boxes[giver, good] and r.boxes[taker, good] + abs(boxes) <= CAPACITY
    return bool(is_room and r.money[taker] >= abs(boxes) * int(f[Frame.P0]))


SERVICES, OFFERS = (FrameOp.LOBBY, FrameOp.MR_ROSE), (FrameOp.OFFER, FrameOp.ANSWER)
CHECKS: tuple[FrameRow, ...] = (
    (tuple(ACTION_OF), lambda r, f, below: r.used[_active(r), ACTION_OF[int(f[Frame.OP])]], "its action is used"),
    (tuple(ACTION_OF), _is_of_seat, "the seat of the turn, or that of the offer"),
    ((FrameOp.LOBBY,), lambda r, f, below: bool(f[Frame.A]) == bool(f[Frame.STAGE]), "a is the sign of the tile moved"),
    ((FrameOp.HIRE,), _is_hiring, "one half is left, or its service is pending"),
    (SERVICES, lambda r, f, below: f[Frame.C] == below[Frame.A], "c is whether the hiring below has its piece"),
    ((FrameOp.MR_ROSE,), _is_rose, f"{CHANGES} price changes in all, of goods in order"),
    ((FrameOp.PLACE_WATER,), _is_water, "its boxes are on crossroads and in the storage"),
    ((FrameOp.MAKE,), _is_making, "watered squares have produced, and their boxes are left"),
    ((FrameOp.TRADE,), lambda r, f, below: r.rules[Rule.PLAYER_TRADES] or not f[Frame.DONE], "option player_trades"),
    (OFFERS, lambda r, f, below: f[Frame.DONE] == below[Frame.DONE] and not below[Frame.STAGE],
     "it is the last offer of the trading below, before its first sale"),
    (OFFERS, _is_offer, "option player_trades, and an offer that both seats can keep"),
)  # fmt: skip
FRAMES = Frames(OPERATIONS, seats_of, ALLOWED_BELOW, CHECKS)
