"""Events of games as data frames with one row per event.

`unit` numbers the seats of all games; other columns of a seat are in `seats`.
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
    """Data frames of a report.

    seats (indexed by unit): game, seat, seed_number, bot, points, win (win share). frames: other data frames by name,
    with the column `unit` and those of the game's report.
    """

    seats: pd.DataFrame
    frames: dict[str, pd.DataFrame]

    @classmethod
    def joined(cls, parts: Sequence[Facts]) -> Facts:
        """Concatenate the facts of several traces with consecutive units."""
        import pandas as pd

        frames = {name: pd.concat([part.frames[name] for part in parts], ignore_index=True) for name in parts[0].frames}
        return cls(pd.concat([part.seats for part in parts]), frames)

    def of(self, bots: Sequence[str]) -> Facts:
        """Select the seats of some bots."""
        seats = self.seats[self.seats["bot"].isin(bots)]
        return Facts(seats, {name: frame[frame["unit"].isin(seats.index)] for name, frame in self.frames.items()})


def seats_of(trace: Trace, first_unit: int) -> pd.DataFrame:
    """Return the frame `seats` of a trace, whose units start at first_unit."""
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
    """Sort rows by unit, so that results, including rounding, do not depend on the batches of the replay."""
    return rows.sort_values("unit", kind="stable", ignore_index=True)
