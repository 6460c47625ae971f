"""Tables of the report of Viticulture, for all bots together and for each bot, and the sections of its page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from vitienv.training.report.facts import Facts
from vitienv.training.report.summary import ALL_BOTS, bots_table, summary
from vitienv.training.viticulture.report.facts import GIFT_YEAR, SPACE_KINDS
from vitienv.training.viticulture.report.sources import SOURCES
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, ORDERS
from vitienv.viticulture.enums import ACTS, SEASONS, STRUCTURES, WINES

ALL_YEARS = 0
ALL_SEASONS = -1
ANY = "any"
WITH, WITHOUT, GIFT = "ever", "never", "gift"
MAX_OPENINGS = 20  # openings of each kind on the page

# Heading, description, and text columns with their headings.
SECTIONS: dict[str, tuple[str, str, dict[str, str]]] = {
    "bots": ("The bots", "", {"bot": "bot"}),
    "wake_up_rows": (
        "Wake-up rows",
        "Win rate of the seats that chose a row, counted once per spring. The Parquet file has the rows by year, too.",
        {"row": "row"},
    ),
    "openings": (
        "Openings",
        "The mama and the papa dealt to a seat, with its choice of the papa's gift, and the actions of its first three "
        f"workers. The {MAX_OPENINGS} most frequent of each kind; the Parquet file has all.",
        {"kind": "kind", "opening": "opening"},
    ),
    "structures": (
        "Structures",
        "By the year in which a structure was built; “gift” is the papa's gift before the first year, “ever” all seats "
        "that owned it at any time, “never” the others.",
        {"structure": "structure", "when": "when", "year": "year"},
    ),
    "visitors": ("Visitors", "Seats that played a visitor.", {"deck": "deck", "visitor": "visitor"}),
    "orders": (
        "Orders",
        "Seats that filled an order, with its wines.",
        {"order": "order", "wines": "wines", "vp": "VP", "residual": "residual"},
    ),
    "points_by_source": (
        "Points by source",
        "Sources of victory points; losses are negative. The kinds sum to the points of a seat. "
        "“another’s visitor” is a gain or loss by another seat's card.",
        {"kind": "source"},
    ),
    "spaces": (
        "Action spaces",
        "Worker placements by season, including the Planner's. “full” is the grande worker on an action without a free "
        "space.",
        {"season": "season", "action": "action", "space": "space"},
    ),
}


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
    rows_and_totals = pd.concat([facts.frames["wake_ups"].assign(year=ALL_YEARS), facts.frames["wake_ups"]])
    return summary(facts, rows_and_totals, ["year", "row"], bots, per_event=True)


def _structures(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """Return win rates by the year of a structure, ever, and never."""
    built = facts.frames["structures"][["unit", "structure", "year"]]
    units = pd.MultiIndex.from_product([facts.seats.index, range(len(STRUCTURES))], names=["unit", "structure"])
    without = units.difference(pd.MultiIndex.from_frame(built[["unit", "structure"]])).to_frame(index=False)
    rows = pd.concat(
        [built.assign(when="year"), built.assign(when=WITH, year=-1), without.assign(when=WITHOUT, year=-1)]
    )
    table = summary(facts, rows, ["structure", "when", "year"], bots)
    is_year = table["when"] == "year"
    table.loc[is_year & (table["year"] == GIFT_YEAR), "when"] = GIFT
    table["year"] = table["year"].astype("Int64").where(is_year)
    order = table["when"].map({WITH: 0, WITHOUT: 1, GIFT: 2, "year": 3})
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
    rows_and_totals = pd.concat([facts.frames["points"].assign(source=ANY), facts.frames["points"]])
    table = summary(facts, rows_and_totals, ["kind", "source"], bots, value="points")
    table["kind"] = table["kind"].map(dict(enumerate(SOURCES)))
    return table


def _spaces(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """Return placements by season, action and kind of space, with sums "any" over spaces and seasons."""
    kinds = dict(enumerate(SPACE_KINDS))
    rows = facts.frames["placements"].assign(space=facts.frames["placements"]["space"].map(kinds))
    rows = pd.concat([rows.assign(season=ALL_SEASONS, space=ANY), rows.assign(space=ANY), rows])
    table = summary(facts, rows, ["season", "action", "space"], bots)
    table["season"] = table["season"].map({ALL_SEASONS: ANY, **dict(enumerate(SEASONS))})
    table["action"] = table["action"].map(dict(enumerate(ACTS)))
    return table


def visible_rows(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows shown on the page."""
    if name == "wake_up_rows":
        return table[table["year"] == ALL_YEARS]
    if name == "points_by_source":
        return table[table["source"] == ANY]
    if name == "openings":
        ordered = table.sort_values(["bot", "kind", "n", "opening"], ascending=[True, True, False, True])
        return ordered.groupby(["bot", "kind"]).head(MAX_OPENINGS)
    return table
