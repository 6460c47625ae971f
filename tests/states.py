"""Check of the states of a batch."""

from collections.abc import Iterable

from vitienv.core.batch import Batch
from vitienv.core.positions import check_state


def contradictions(batch: Batch, rows: Iterable[int]) -> list[str]:
    """Return the contradictions of games of a batch, one line each. rows: their indices."""
    lines = []
    for row in rows:
        try:
            check_state(batch.games[row], batch.options)
        except ValueError as contradiction:
            lines.append(f"game {row}: {contradiction}")
    return lines
