"""Tables of the report of Viticulture, for all bots together and for each bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vitienv.training.report.facts import Facts
from vitienv.training.report.summary import ALL_BOTS, bots_table, summary
from vitienv.training.viticulture.report.facts import GIFT_YEAR, SPACE_KINDS
from vitienv.training.viticulture.report.sources import SOURCES
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, ORDERS
from vitienv.viticulture.enums import ACTS, SEASONS, STRUCTURES, WINES

if TYPE_CHECKING:
    import pandas as pd

ALL_YEARS = 0
ALL_SEASONS = -1
ANY = "any"
EVER, NEVER, GIFT = "ever", "never", "gift"
TABLES = ("bots", "wake_up_rows", "openings", "structures", "visitors", "orders", "points_by_source", "spaces")


def tables_of(facts: Facts, bots: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return all tables by name; docs/report.md documents their columns."""
    return {
        "bots": bots_table(facts, bots),
        "wake_up_rows": _wake_up_rows(facts, bots),
        "openings": summary(facts, facts.frames["openings"], ["kind", "opening"], bots),
        "structures": _structures(facts, bots),
        "visitors": _visitors(facts, bots),
        "orders": _orders(facts, bots),
        "points_by_source": _points(facts, bots),
        "spaces": _spaces(facts, bots),
    }


def _wake_up_rows(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    every = pd.concat([facts.frames["wake_ups"].assign(year=ALL_YEARS), facts.frames["wake_ups"]])
    return summary(facts, every, ["year", "row"], bots, each_time=True)


def _structures(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """Return win rates by the year of a structure, ever, and never."""
    import pandas as pd

    had = facts.frames["structures"][["unit", "structure", "year"]]
    units = pd.MultiIndex.from_product([facts.seats.index, range(len(STRUCTURES))], names=["unit", "structure"])
    without = units.difference(pd.MultiIndex.from_frame(had[["unit", "structure"]])).to_frame(index=False)
    rows = pd.concat([had.assign(when="year"), had.assign(when=EVER, year=-1), without.assign(when=NEVER, year=-1)])
    table = summary(facts, rows, ["structure", "when", "year"], bots)
    is_year = table["when"] == "year"
    table.loc[is_year & (table["year"] == GIFT_YEAR), "when"] = GIFT
    table["year"] = table["year"].astype("Int64").where(is_year)
    order = table["when"].map({EVER: 0, NEVER: 1, GIFT: 2, "year": 3})
    position = table["bot"].map({bot: i for i, bot in enumerate([ALL_BOTS, *bots])})
    table = table.assign(place=position, order=order).sort_values(["place", "structure", "order", "year"])
    table["structure"] = table["structure"].map(dict(enumerate(STRUCTURES)))
    return table.drop(columns=["place", "order"]).reset_index(drop=True)


def _visitors(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    table = summary(facts, facts.frames["visitors"], ["deck", "card"], bots)
    table["card"] = table["card"].map(dict(enumerate(CARD_IDS)))
    return table.rename(columns={"card": "visitor"})


def _orders(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    table = summary(facts, facts.frames["orders"], ["card"], bots)
    rows = [ORDERS[int(card) - FIRST_ORDER] for card in table["card"]]
    table["card"] = [row.id for row in rows]
    table.insert(2, "wines", [" + ".join(f"{WINES[kind]} {minimum}" for kind, minimum in row.wines) for row in rows])
    table.insert(3, "vp", [row.vp for row in rows])
    table.insert(4, "residual", [row.residual for row in rows])
    return table.rename(columns={"card": "order"})


def _points(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """Return points by kind (`source` is "any") and by source; the kinds sum to all points."""
    import pandas as pd

    every = pd.concat([facts.frames["points"].assign(source=ANY), facts.frames["points"]])
    table = summary(facts, every, ["kind", "source"], bots, value="points")
    table["kind"] = table["kind"].map(dict(enumerate(SOURCES)))
    return table


def _spaces(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """Return placements by season, action and kind of space, with sums "any" over spaces and seasons."""
    import pandas as pd

    kinds = dict(enumerate(SPACE_KINDS))
    rows = facts.frames["placements"].assign(space=facts.frames["placements"]["space"].map(kinds))
    rows = pd.concat([rows.assign(season=ALL_SEASONS, space=ANY), rows.assign(space=ANY), rows])
    table = summary(facts, rows, ["season", "action", "space"], bots)
    table["season"] = table["season"].map({ALL_SEASONS: ANY, **dict(enumerate(SEASONS))})
    table["action"] = table["action"].map(dict(enumerate(ACTS)))
    return table
