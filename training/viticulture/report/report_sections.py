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
EVER, NEVER, GIFT = "ever", "never", "gift"
MOST_OPENINGS = 20  # openings of each kind on the page; the Parquet file has all

# Heading, description, and text columns with their headings.
SECTIONS: dict[str, tuple[str, str, dict[str, str]]] = {
    "bots": ("The bots", "", {"bot": "bot"}),
    "wake_up_rows": (
        "Wake-up rows",
        "How often seats won that chose a row, counted once for each spring in which they chose it. The file has the "
        "same by year.",
        {"row": "row"},
    ),
    "openings": (
        "Openings",
        "What a seat began with: the mama and the papa it was dealt, with what it took from the papa, and where its "
        f"first three workers of the first year went. Here the {MOST_OPENINGS} most frequent of each kind; the file "
        "has all.",
        {"kind": "kind", "opening": "opening"},
    ),
    "structures": (
        "Structures",
        "By the year in which a structure was built; “gift” came from the papa before the first year, “ever” are "
        "all seats that had it at some time, “never” the others.",
        {"structure": "structure", "when": "when", "year": "year"},
    ),
    "visitors": ("Visitors", "Seats that played a visitor.", {"deck": "deck", "visitor": "visitor"}),
    "orders": (
        "Orders",
        "Seats that filled an order, with the wines that it asks for.",
        {"order": "order", "wines": "wines", "vp": "VP", "residual": "residual"},
    ),
    "points_by_source": (
        "Points by source",
        "Where victory points came from; a loss counts below zero. The kinds add up to all points of a seat. "
        "“another’s visitor” is what a card of another seat brought or cost.",
        {"kind": "source"},
    ),
    "spaces": (
        "Action spaces",
        "Where workers were placed, in the season in which they were placed, planned ones included. “full” is the "
        "grande worker on an action without a free space.",
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
    every = pd.concat([facts.frames["wake_ups"].assign(year=ALL_YEARS), facts.frames["wake_ups"]])
    return summary(facts, every, ["year", "row"], bots, each_time=True)


def _structures(facts: Facts, bots: Sequence[str]) -> pd.DataFrame:
    """Return win rates by the year of a structure, ever, and never."""
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
    every = pd.concat([facts.frames["points"].assign(source=ANY), facts.frames["points"]])
    table = summary(facts, every, ["kind", "source"], bots, value="points")
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


def shown(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows shown on the page."""
    if name == "wake_up_rows":
        return table[table["year"] == ALL_YEARS]
    if name == "points_by_source":
        return table[table["source"] == ANY]
    if name == "openings":
        ordered = table.sort_values(["bot", "kind", "n", "opening"], ascending=[True, True, False, True])
        return ordered.groupby(["bot", "kind"]).head(MOST_OPENINGS)
    return table
