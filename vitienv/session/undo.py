"""Undo: moves can be undone if they revealed no hidden information."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from vitienv.core.batch import Batch, make_keys
from vitienv.core.fields import Visibility

if TYPE_CHECKING:
    from vitienv.game import Game

NUM_DEALS = 64
CANNOT_UNDO = "cannot undo: the choice revealed something, or another seat has moved"


def reveals_nothing(before: Game, after: Game, people: Iterable[int]) -> bool:
    """Return whether the moves from `before` to `after` revealed no hidden information to these seats.

    For each seat, the game is determinized several times and the moves are repeated. They revealed nothing if they are
    legal in all deals and the seat then sees the same as in the real game. Bots are not asked between a choice and its
    undo, so only people matter.
    """
    moves = after._moves[len(before._moves) :]
    return all(_follows(before, after, moves, seat) for seat in people)


def _follows(before: Game, after: Game, moves: list[int], viewer: int) -> bool:
    """Return whether a seat's view after the moves follows from its view before them."""
    deals = Batch(NUM_DEALS, before.options)
    deals.bytes_view[:] = before._batch.bytes_view
    deals.determinize(np.full(NUM_DEALS, viewer, np.int8), make_keys(len(before._moves), NUM_DEALS))
    pending = deals.games["frames"].copy()
    deals.refresh(observe=False)
    # Skip deals that contradict the pending decision of another seat.
    rows = np.flatnonzero(deals.masks.any(axis=1) & (deals.games["frames"] == pending).all(axis=(1, 2)))
    for move in moves:
        if not deals.masks[rows, move].all():
            return False
        deals.step_rows(rows, np.full(len(rows), move), observe=False)
    dealt, real = _view(deals, rows, viewer), _view(after._batch, np.zeros(1, np.int64), viewer)
    return len(rows) > 0 and all((array == expected).all() for array, expected in zip(dealt, real, strict=True))


def _view(batch: Batch, rows: np.ndarray, viewer: int) -> Iterable[np.ndarray]:
    """Yield a seat's view of some games: observation, current seat, its legal actions, public fields."""
    yield batch.observe_rows(rows, np.full(len(rows), viewer))
    yield batch.seats[rows]
    yield batch.masks[rows] * (batch.seats[rows] == viewer)[:, None]
    for field in batch.game_spec.fields:
        if field.visibility is Visibility.PUBLIC:
            yield batch.games.view(np.ndarray)[field.name][rows]
