"""What contradicts itself although every part of a position is well formed: squares that have produced."""

from __future__ import annotations

import numpy as np

from vitienv.toscana.names import ABANDONED, COLUMNS, NO_SEAT, REMOVING_SEATS, Action, Phase


def check_whole(r: np.record, n: int) -> None:
    """ValueError names what contradicts itself in a position that is read but for its pending decision. n: seats."""
    _check_produced(r, n)


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
        may_take = n == REMOVING_SEATS and (r.square_owner != NO_SEAT).all() and r.used[owner, Action.HIRING]
        if taken[owner] > 1 or r.square_workers[square] > 1 or not may_take or not from_others:
            why = "is abandoned and has one worker" if is_weak else f"seat {owner} has not used winemaking"
            raise ValueError(f"{where} has produced and {why}; a square that was taken over may, one of each seat")
