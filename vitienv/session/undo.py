"""What may be taken back: moves by which nobody saw anything that he did not know before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from vitienv.core.batch import Batch, keys_of
from vitienv.core.fields import Visibility

if TYPE_CHECKING:
    from vitienv.game import Game

DEALS = 64
STANDS = "this choice stands: something was shown by it, or another seat has moved"


def shows_nothing(before: Game, after: Game, people: Iterable[int]) -> bool:
    """Whether the moves from `before` to `after` told none of these seats what it did not know.

    All that a seat cannot see is dealt anew, and the same moves are made there: only if they are possible in every such
    deal, and the seat is then shown the same as in truth, has it learned nothing. A bot asks nothing between a choice
    and its being taken back, and remembers nothing, so people alone matter.
    """
    moves = after._moves[len(before._moves) :]
    return all(_is_known(before, after, moves, seat) for seat in people)


def _is_known(before: Game, after: Game, moves: list[int], viewer: int) -> bool:
    """Whether what a seat is shown after the moves follows from what it knew."""
    deals = Batch(DEALS, before.options)
    deals.bytes_view[:] = before._batch.bytes_view
    deals.determinize(np.full(DEALS, viewer, np.int8), keys_of(len(before._moves), DEALS))
    pending = deals.games["frames"].copy()
    deals.refresh(observe=False)
    # Under some deals another seat could not decide what it decides.
    rows = np.flatnonzero(deals.masks.any(axis=1) & (deals.games["frames"] == pending).all(axis=(1, 2)))
    for move in moves:
        if not deals.masks[rows, move].all():
            return False
        deals.step_rows(rows, np.full(len(rows), move), observe=False)
    shown, real = _shown(deals, rows, viewer), _shown(after._batch, np.zeros(1, np.int64), viewer)
    return len(rows) > 0 and all((one == own).all() for one, own in zip(shown, real, strict=True))


def _shown(batch: Batch, rows: np.ndarray, viewer: int) -> Iterable[np.ndarray]:
    """What a seat is shown of some games: its observation, who decides and among what, all that everybody sees."""
    yield batch.observe_rows(rows, np.full(len(rows), viewer))
    yield batch.seats[rows]
    yield batch.masks[rows] * (batch.seats[rows] == viewer)[:, None]
    for field in batch.game_spec.fields:
        if field.sees is Visibility.PUBLIC:
            yield batch.games.view(np.ndarray)[field.name][rows]
