"""What a whole turn leads to: every sequence of decisions to its end, told as changes.

A change is a word such as `lira-3`, `vp+1`, `windmill+1`, `grape:red:4-1`; those of a seat other than the one that acts
begin with its number, `1.lira+3`. An end is all its words in order, in one string.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import vitienv
from vitienv.core.batch import Batch

STOPS = ("place_worker", "wake_up")  # decisions with which another turn begins
AT_ONCE = 64  # records whose ways on are looked at together


def records_of(game: vitienv.Game) -> np.ndarray:
    """The record of a game as an array of one."""
    return np.frombuffer(game.state.tobytes(), game.options.game_spec.dtype)


def each_end(
    game: vitienv.Game,
    moves: tuple[str, ...],
    tell: Callable[[np.ndarray, np.ndarray], None],
    most: int = 20_000,
    stops: tuple[str, ...] = STOPS,
) -> bool:
    """Tell the records that a turn can lead to, and whose turn it is in them; False when it has too many decisions."""
    one, game_spec = game.copy(), game.options.game_spec
    for move in moves:
        one.step(move)
    final = [game_spec.decisions.index(name) for name in stops]
    size, steps = game_spec.dtype.itemsize, 0
    open_ones, known = {records_of(one).tobytes()}, set[bytes]()
    while open_ones:
        batch = Batch(min(len(open_ones), AT_ONCE), game.options)
        records = b"".join(open_ones.pop() for _ in range(len(batch)))
        batch.bytes_view[:] = np.frombuffer(records, np.int8).reshape(-1, size)
        batch.refresh(observe=False)
        is_end = (batch.seats < 0) | np.isin(batch.decisions, final)
        if is_end.any():
            tell(batch.records.view(np.ndarray)[is_end], batch.seats[is_end])
        batch.masks[is_end] = 0
        rows, actions = np.nonzero(batch.masks)
        steps += int((~is_end).sum())
        if steps > most:
            return False
        if len(rows):
            after = Batch(len(rows), game.options)
            after.bytes_view[:], after.actions[:] = batch.bytes_view[rows], actions
            after.refresh(observe=False)
            after.step(observe=False)
            new = {bytes_view.tobytes() for bytes_view in after.bytes_view} - known
            known |= new
            open_ones |= new
    return True
