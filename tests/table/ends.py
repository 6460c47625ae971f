"""All results of a turn as changes.

A change is a word such as `lira-3`, `vp+1`, `windmill+1`, `grape:red:4-1`. Changes of a seat that does not act start
with its number: `1.lira+3`. A result is a string of sorted changes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import vitienv
from vitienv.core.batch import Batch

STOPS = ("place_worker", "wake_up")  # the decisions that start another turn
BATCH_SIZE = 64


def records_of(game: vitienv.Game) -> np.ndarray:
    """Return the state of a game as an array of length 1."""
    return np.frombuffer(game.state.tobytes(), game.options.game_spec.dtype)


def each_end(
    game: vitienv.Game,
    moves: tuple[str, ...],
    report: Callable[[np.ndarray, np.ndarray], None],
    max_steps: int = 20_000,
    stops: tuple[str, ...] = STOPS,
) -> bool:
    """Report all final states of a turn with their seats to act. Returns False above `max_steps` decisions."""
    start, game_spec = game.copy(), game.options.game_spec
    for move in moves:
        start.step(move)
    final = [game_spec.decisions.index(name) for name in stops]
    size, steps = game_spec.dtype.itemsize, 0
    pending, visited = {records_of(start).tobytes()}, set[bytes]()
    while pending:
        batch = Batch(min(len(pending), BATCH_SIZE), game.options)
        records = b"".join(pending.pop() for _ in range(len(batch)))
        batch.bytes_view[:] = np.frombuffer(records, np.int8).reshape(-1, size)
        batch.refresh(observe=False)
        is_end = (batch.seats < 0) | np.isin(batch.decisions, final)
        if is_end.any():
            report(batch.records.view(np.ndarray)[is_end], batch.seats[is_end])
        batch.masks[is_end] = 0
        rows, actions = np.nonzero(batch.masks)
        steps += int((~is_end).sum())
        if steps > max_steps:
            return False
        if len(rows):
            after = Batch(len(rows), game.options)
            after.bytes_view[:], after.actions[:] = batch.bytes_view[rows], actions
            after.refresh(observe=False)
            after.step(observe=False)
            new = {bytes_view.tobytes() for bytes_view in after.bytes_view} - visited
            visited |= new
            pending |= new
    return True
