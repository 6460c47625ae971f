"""Events of games as data frames with one row per event.

`unit` numbers the seats of all games; other columns of a seat are in `seats`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from vitienv.core.batch import TRUNCATED
from vitienv.training.ratings import win_shares
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
    def concat(cls, parts: Sequence[Facts]) -> Facts:
        """Concatenate the facts of several traces; units become consecutive."""
        starts = np.cumsum([0, *(len(part.seats) for part in parts)])
        frames = {}
        for name in parts[0].frames:
            rows = [part.frames[name] for part in parts]
            rows = [frame.assign(unit=frame["unit"] + start) for frame, start in zip(rows, starts)]
            frames[name] = pd.concat(rows, ignore_index=True)
        return cls(pd.concat([part.seats for part in parts], ignore_index=True).rename_axis("unit"), frames)

    def select(self, bots: Sequence[str], void_games: Collection[int] = ()) -> Facts:
        """Select the seats of some bots, without void games."""
        seats = self.seats[self.seats["bot"].isin(bots) & ~self.seats["game"].isin(void_games)]
        return Facts(seats, {name: frame[frame["unit"].isin(seats.index)] for name, frame in self.frames.items()})


def seats_of(trace: Trace) -> pd.DataFrame:
    """Return the frame `seats` of a trace."""
    n, seats = trace.points.shape
    game, seat = np.divmod(np.arange(n * seats), seats)
    is_truncated, is_of_team = trace.games["status"] == TRUNCATED, trace.options.game_spec.is_of_team
    return pd.DataFrame(
        {
            "game": trace.numbers[game],
            "seat": seat,
            "seed_number": trace.seed_numbers[game],
            "bot": trace.agents.reshape(-1),
            "points": trace.points.reshape(-1),
            "win": win_shares(trace.ranks, is_truncated, is_of_team).reshape(-1),
        },
        index=pd.RangeIndex(n * seats, name="unit"),
    )


def by_unit(rows: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by unit, so that results, including rounding, do not depend on the batches of the replay."""
    return rows.sort_values("unit", kind="stable", ignore_index=True)
