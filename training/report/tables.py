"""The tables of a report, each for all bots together and for every bot alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vitienv.training.report.facts import GIFT_YEAR, SPACE_KINDS, Facts
from vitienv.training.report.intervals import means, shares
from vitienv.training.report.sources import SOURCES
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, ORDERS
from vitienv.viticulture.names import ACTS, SEASONS, STRUCTURES, WINES

if TYPE_CHECKING:
    import pandas as pd

ALL_BOTS = "all bots"
ALL_YEARS = 0
ALL_SEASONS = -1
ANY = "any"
EVER, NEVER, GIFT = "ever", "never", "gift"
TABLES = ("bots", "wake_up_rows", "openings", "structures", "visitors", "orders", "points_by_source", "spaces")


def tables_of(facts: Facts, bots: Sequence[str], num_players: int) -> dict[str, pd.DataFrame]:
    """All tables by name; their columns are explained in docs/report.md."""
    made = {
        "bots": _bots(facts, bots),
        "wake_up_rows": _wake_up_rows(facts, bots),
        "openings": _summary(facts, facts.openings, ["kind", "opening"], bots),
        "structures": _structures(facts, bots),
        "visitors": _visitors(facts, bots),
        "orders": _orders(facts, bots),
        "points_by_source": _points(facts, bots),
        "spaces": _spaces(facts, bots),
    }
    for table in made.values():
        table.insert(1, "players", num_players)
    return made


def _selected(facts: Facts, bots: Sequence[str]) -> list[tuple[str, pd.DataFrame]]:
    """The seats of all bots together, then of each bot."""
    seats = facts.seats.assign(expected=facts.seats.groupby("bot")["win"].transform("mean"))
    return [(ALL_BOTS, seats), *((bot, seats[seats["bot"] == bot]) for bot in bots)]


def _summary(
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
    for bot, seats in _selected(facts, bots):
        own = rows[rows["unit"].isin(seats.index)]
        if own.empty:
            continue
        own = own.join(seats[["seed_number", "win", "expected"]], on="unit")
        total = own.groupby(by)[counted].sum().rename("total")
        mean = means(own, by, counted, seats.groupby("seed_number").size())
        seen = own if each_time else own.drop_duplicates(["unit", *by])
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


def _bots(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """One row for each bot: its wins and its points."""
    import pandas as pd

    parts = []
    for bot, seats in _selected(facts, bots)[1:]:
        rows = seats.assign(bot=bot)
        wins = shares(rows, ["bot"], "win").rename(columns={"share": "win_share", "low": "win_low", "high": "win_high"})
        points = means(rows, ["bot"], "points", rows.groupby("seed_number").size())
        points.columns = ["points", "points_low", "points_high"]
        parts.append(pd.concat([wins, points], axis=1).reset_index())
    return pd.concat(parts, ignore_index=True)


def _wake_up_rows(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    every = pd.concat([facts.wake_ups.assign(year=ALL_YEARS), facts.wake_ups])
    return _summary(facts, every, ["year", "row"], bots, each_time=True)


def _structures(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """When a structure came, whether at all, and those who never had it."""
    import pandas as pd

    had = facts.structures[["unit", "structure", "year"]]
    units = pd.MultiIndex.from_product([facts.seats.index, range(len(STRUCTURES))], names=["unit", "structure"])
    without = units.difference(pd.MultiIndex.from_frame(had[["unit", "structure"]])).to_frame(index=False)
    rows = pd.concat([had.assign(when="year"), had.assign(when=EVER, year=-1), without.assign(when=NEVER, year=-1)])
    table = _summary(facts, rows, ["structure", "when", "year"], bots)
    is_year = table["when"] == "year"
    table.loc[is_year & (table["year"] == GIFT_YEAR), "when"] = GIFT
    table["year"] = table["year"].astype("Int64").where(is_year)
    order = table["when"].map({EVER: 0, NEVER: 1, GIFT: 2, "year": 3})
    position = table["bot"].map({bot: i for i, bot in enumerate([ALL_BOTS, *bots])})
    table = table.assign(place=position, order=order).sort_values(["place", "structure", "order", "year"])
    table["structure"] = table["structure"].map(dict(enumerate(STRUCTURES)))
    return table.drop(columns=["place", "order"]).reset_index(drop=True)


def _visitors(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    table = _summary(facts, facts.visitors, ["deck", "card"], bots)
    table["card"] = table["card"].map(dict(enumerate(CARD_IDS)))
    return table.rename(columns={"card": "visitor"})


def _orders(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    table = _summary(facts, facts.orders, ["card"], bots)
    rows = [ORDERS[int(card) - FIRST_ORDER] for card in table["card"]]
    table["card"] = [row.id for row in rows]
    table.insert(2, "wines", [" + ".join(f"{WINES[kind]} {least}" for kind, least in row.wines) for row in rows])
    table.insert(3, "vp", [row.vp for row in rows])
    table.insert(4, "residual", [row.residual for row in rows])
    return table.rename(columns={"card": "order"})


def _points(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """By kind, `source` being "any", and by source; the kinds alone add up to all points."""
    import pandas as pd

    every = pd.concat([facts.points.assign(source=ANY), facts.points])
    table = _summary(facts, every, ["kind", "source"], bots, value="points")
    table["kind"] = table["kind"].map(dict(enumerate(SOURCES)))
    return table


def _spaces(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """By season, action and kind of space; "any" space is the whole action, "any" season the whole year."""
    import pandas as pd

    kinds = dict(enumerate(SPACE_KINDS))
    rows = facts.placements.assign(space=facts.placements["space"].map(kinds))
    rows = pd.concat([rows.assign(season=ALL_SEASONS, space=ANY), rows.assign(space=ANY), rows])
    table = _summary(facts, rows, ["season", "action", "space"], bots)
    table["season"] = table["season"].map({ALL_SEASONS: ANY, **dict(enumerate(SEASONS))})
    table["action"] = table["action"].map(dict(enumerate(ACTS)))
    return table
