"""What was done in the games, as frames with one row for each time.

`unit` is the number of a seat of a game, counted through all games; everything else about the seat stands in `seats`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vitienv.core.batch import TRUNCATED
from vitienv.training.ratings import win_shares

if TYPE_CHECKING:
    import pandas as pd

    from vitienv.training.report.traces import Trace


@dataclass(frozen=True)
class Facts:
    """seats (the index is the unit): game, seat, seed_number, bot, points, win (1, or a part of a shared one).

    frames: the others by name; each has the column `unit`, and its own, which the game's report knows.
    """

    seats: pd.DataFrame
    frames: dict[str, pd.DataFrame]

    @classmethod
    def joined(cls, parts: Sequence[Facts]) -> Facts:
        """Those of several traces whose units follow each other."""
        import pandas as pd

        frames = {name: pd.concat([part.frames[name] for part in parts], ignore_index=True) for name in parts[0].frames}
        return cls(pd.concat([part.seats for part in parts]), frames)

    def of(self, bots: Sequence[str]) -> Facts:
        """Only what these bots did."""
        seats = self.seats[self.seats["bot"].isin(bots)]
        return Facts(seats, {name: frame[frame["unit"].isin(seats.index)] for name, frame in self.frames.items()})


def seats_of(trace: Trace, first_unit: int) -> pd.DataFrame:
    """The frame `seats` of some games, whose seats are numbered from first_unit on."""
    import pandas as pd

    n, seats = trace.points.shape
    game, seat = np.divmod(np.arange(n * seats), seats)
    return pd.DataFrame(
        {
            "game": trace.numbers[game],
            "seat": seat,
            "seed_number": trace.seed_numbers[game],
            "bot": trace.agents.reshape(-1),
            "points": trace.points.reshape(-1),
            "win": _wins(trace).reshape(-1),
        },
        index=pd.RangeIndex(first_unit, first_unit + n * seats, name="unit"),
    )


def _wins(trace: Trace) -> np.ndarray:
    return win_shares(trace.ranks, trace.games["status"] == TRUNCATED, trace.options.game_spec.is_of_team)


def by_unit(rows: pd.DataFrame) -> pd.DataFrame:
    """Seat by seat, so that nothing depends on which games were replayed together, not even the rounding of sums."""
    return rows.sort_values("unit", kind="stable", ignore_index=True)
