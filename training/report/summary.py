"""How often something was done in games, and how often those won who did it: for all bots together and for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vitienv.training.intervals import means, shares
from vitienv.training.report.facts import Facts

if TYPE_CHECKING:
    import pandas as pd

ALL_BOTS = "all bots"


def selected(facts: Facts, bots: Sequence[str]) -> list[tuple[str, pd.DataFrame]]:
    """The seats of all bots together, then of each bot."""
    seats = facts.seats.assign(expected=facts.seats.groupby("bot")["win"].transform("mean"))
    return [(ALL_BOTS, seats), *((bot, seats[seats["bot"] == bot]) for bot in bots)]


def summary(
    facts: Facts,
    rows: pd.DataFrame,
    by: list[str],
    bots: Sequence[str],
    value: str | None = None,
    each_time: bool = False,
) -> pd.DataFrame:
    """How often something was done, or how much it brought, and how often those won who did it.

    rows: one for each time, with `unit` and the columns `by`. value: the column that is added up, by default each row
    counts 1. each_time: a seat counts for the wins as often as it did it, not once.
    """
    import pandas as pd

    counted = value or "count"
    rows = rows if value else rows.assign(count=1)
    parts = []
    for bot, seats in selected(facts, bots):
        chosen = rows[rows["unit"].isin(seats.index)]
        if chosen.empty:
            continue
        chosen = chosen.join(seats[["seed_number", "win", "expected"]], on="unit")
        total = chosen.groupby(by)[counted].sum().rename("total")
        mean = means(chosen, by, counted, seats.groupby("seed_number").size())
        seen = chosen if each_time else chosen.drop_duplicates(["unit", *by])
        wins = shares(seen, by, "win").rename(columns={"share": "win_share", "low": "win_low", "high": "win_high"})
        expected = seen.groupby(by)["expected"].mean()
        mean.columns = ["per_seat", "per_seat_low", "per_seat_high"]
        part = pd.concat([total, mean, wins, expected], axis=1).reset_index()
        part.insert(0, "bot", bot)
        parts.append(part)
    if not parts:
        columns = ["total", "per_seat", "per_seat_low", "per_seat_high", "n", "seeds", "win_share", "win_low",
                   "win_high", "expected"]  # fmt: skip
        return pd.DataFrame(columns=["bot", *by, *columns])
    return pd.concat(parts, ignore_index=True)


def bots_table(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """One row for each bot: its wins and its points."""
    import pandas as pd

    parts = []
    for bot, seats in selected(facts, bots)[1:]:
        rows = seats.assign(bot=bot)
        wins = shares(rows, ["bot"], "win").rename(columns={"share": "win_share", "low": "win_low", "high": "win_high"})
        points = means(rows, ["bot"], "points", rows.groupby("seed_number").size())
        points.columns = ["points", "points_low", "points_high"]
        parts.append(pd.concat([wins, points], axis=1).reset_index())
    return pd.concat(parts, ignore_index=True)
