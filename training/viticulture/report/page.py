"""Page sections of the report of Viticulture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vitienv.training.viticulture.report.tables import ALL_YEARS, ANY

if TYPE_CHECKING:
    import pandas as pd

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
