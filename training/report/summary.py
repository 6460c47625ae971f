"""Frequencies of events and win rates of the seats with an event, for all bots together and for each bot."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from vitienv.training.intervals import means, shares
from vitienv.training.report.facts import Facts

ALL_BOTS = "all bots"


def select_bots(facts: Facts, bots: Sequence[str]) -> list[tuple[str, pd.DataFrame]]:
    """Return the seats of all bots together, then of each bot."""
    seats = facts.seats.assign(expected=facts.seats.groupby("bot")["win"].transform("mean"))
    return [(ALL_BOTS, seats), *((bot, seats[seats["bot"] == bot]) for bot in bots)]


def summary(
    facts: Facts,
    rows: pd.DataFrame,
    keys: list[str],
    bots: Sequence[str],
    value: str | None = None,
    per_event: bool = False,
) -> pd.DataFrame:
    """Return frequency, or sum of a value, and win rate of events.

    rows: one per event, with `unit` and the columns `keys`. value: column to sum, by default 1 per row. per_event:
    whether a seat counts for the win rate once per event instead of once.
    """
    value_column = value or "count"
    rows = rows if value else rows.assign(count=1)
    parts = []
    for bot, seats in select_bots(facts, bots):
        selection = rows[rows["unit"].isin(seats.index)]
        if selection.empty:
            continue
        selection = selection.join(seats[["seed_number", "win", "expected"]], on="unit")
        total = selection.groupby(keys)[value_column].sum().rename("total")
        mean = means(selection, keys, value_column, seats.groupby("seed_number").size())
        seat_rows = selection if per_event else selection.drop_duplicates(["unit", *keys])
        wins = shares(seat_rows, keys, "win").rename(
            columns={"share": "win_share", "low": "win_low", "high": "win_high"}
        )
        expected = seat_rows.groupby(keys)["expected"].mean()
        mean.columns = ["per_seat", "per_seat_low", "per_seat_high"]
        part = pd.concat([total, mean, wins, expected], axis=1).reset_index()
        part.insert(0, "bot", bot)
        parts.append(part)
    if not parts:
        columns = ["total", "per_seat", "per_seat_low", "per_seat_high", "n", "seeds", "win_share", "win_low",
                   "win_high", "expected"]  # fmt: skip
        return pd.DataFrame(columns=["bot", *keys, *columns])
    return pd.concat(parts, ignore_index=True)


def bots_table(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """Return the win rate and the points of each bot."""
    parts = []
    for bot, seats in select_bots(facts, bots)[1:]:
        rows = seats.assign(bot=bot)
        wins = shares(rows, ["bot"], "win").rename(columns={"share": "win_share", "low": "win_low", "high": "win_high"})
        points = means(rows, ["bot"], "points", rows.groupby("seed_number").size())
        points.columns = ["points", "points_low", "points_high"]
        parts.append(pd.concat([wins, points], axis=1).reset_index())
    return pd.concat(parts, ignore_index=True)
