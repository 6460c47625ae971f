"""What contradicts itself although every part of a position is well formed: its time, its end, and who stands where."""

from __future__ import annotations

import numpy as np

from vitienv.core.kernel import Status
from vitienv.toscana.names import ABANDONED, COLUMNS, N_TILES, NO_SEAT, REMOVING_SEATS, Action, Good, Phase
from vitienv.toscana.state import Rule


def check_whole(r: np.record, n: int) -> None:
    """ValueError names what contradicts itself in a position that is read but for its pending decision. n: seats."""
    _check_rounds(r, n)
    if r.status == Status.PLAYING:
        _check_rich(r, n)
    else:
        _check_end(r, n)
    _check_start_workers(r, n)
    _check_lost(r, n)
    _check_produced(r, n)


def _last_round(r: np.record) -> int:
    """The round with which the game ends at the latest (T75)."""
    return min(int(r.rules[Rule.LAST_ROUND]), N_TILES)


def _check_rounds(r: np.record, n: int) -> None:
    limit = int(r.rules[Rule.MAX_ROUNDS])
    if 0 < limit < r.round_number:
        raise ValueError(f"round is {r.round_number}; max_rounds cuts the game off after round {limit}")


def _check_rich(r: np.record, n: int) -> None:
    """The money that ends the game is got in this round, by trading or hiring or from one who trades (T75)."""
    most = int(r.rules[Rule.END_MONEY])
    if r.round_number < 2 or (r.rules[Rule.PLAYER_TRADES] and r.used[:n, Action.TRADING].any()):
        return
    for seat in np.flatnonzero(r.money[:n] >= most):
        if not r.used[seat, Action.TRADING] and not r.used[seat, Action.HIRING]:
            told = f"seat {seat} has {r.money[seat]} money and has not traded or hired in round {r.round_number}"
            raise ValueError(f"{told}; with {most} the game was over after round {r.round_number - 1}")


def _check_end(r: np.record, n: int) -> None:
    """A game is over for its reason, after the last sale, or cut off where nothing else has ended it (T75, T76)."""
    has_reason = r.round_number == _last_round(r) or (r.money[:n] >= r.rules[Rule.END_MONEY]).any()
    limit, number = int(r.rules[Rule.MAX_ROUNDS]), int(r.round_number)
    if r.status == Status.OVER:
        if not has_reason:
            ends = f"it ends with round {_last_round(r)}, or when a seat has {r.rules[Rule.END_MONEY]} money"
            raise ValueError(f"status is over in round {number}; {ends}")
        if r.boxes[:n].any():
            seat = int(np.flatnonzero(r.boxes[:n].any(axis=1))[0])
            raise ValueError(f"status is over and seat {seat} has boxes; at the end all are sold")
    elif number != limit:
        raise ValueError(f"status is truncated in round {number}; only max_rounds does that, at the end of its round")
    elif has_reason:
        raise ValueError(f"status is truncated in round {number}, in which the game is over without max_rounds")


def _check_start_workers(r: np.record, n: int) -> None:
    """With start_on_water false each seat's start worker, which stays where it is, stands on dry land (T22)."""
    if r.rules[Rule.START_ON_WATER]:
        return
    for seat in range(n):
        own = (r.square_owner == seat) & (r.square_workers > 0)
        if own.any() and (r.square_kind[own] == Good.WATER).all():
            raise ValueError(f"all workers of seat {seat} stand on water; with start_on_water false one does not")


def _check_lost(r: np.record, n: int) -> None:
    """Winemasters are lost on a full map, which stays full (T36)."""
    empty = int((r.square_owner == NO_SEAT).sum())
    if r.lost.any() and empty:
        seat = int(np.flatnonzero(r.lost)[0])
        raise ValueError(f"seat {seat} has lost a winemaster and {empty} squares are empty; that needs a full map")


def _check_produced(r: np.record, n: int) -> None:
    """A square has produced for its owner, or it is taken over in this round from one for whom it has (T53)."""
    taken = [0] * n  # squares that each seat has taken over after they had produced
    for square in np.flatnonzero(r.square_produced):
        where, owner = f"the square {[int(square) // COLUMNS + 1, int(square) % COLUMNS + 1]}", r.square_owner[square]
        if r.phase == Phase.SETUP:
            raise ValueError(f"{where} has produced in round 0; squares produce from round 1 on")
        is_weak = r.square_kind[square] == ABANDONED and r.square_workers[square] == 1
        if r.used[owner, Action.WINEMAKING] and not is_weak:
            continue
        taken[owner] += 1
        from_others = [seat for seat in range(n) if seat != owner and r.lost[seat] and r.used[seat, Action.WINEMAKING]]
        may_take = n == REMOVING_SEATS and r.used[owner, Action.HIRING] and from_others
        if taken[owner] > 1 or r.square_workers[square] > 1 or not may_take:
            why = "is abandoned and has one worker" if is_weak else f"seat {owner} has not used winemaking"
            raise ValueError(f"{where} has produced and {why}; a square that was taken over may, one of each seat")
