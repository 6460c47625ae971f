"""HTML page of a report, a single self-contained file."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from vitienv.core.text_utils import count
from vitienv.training.evaluation.result_table import cell_text
from vitienv.training.report.html_page import html_note, html_page, html_provenance, html_section, html_table
from vitienv.training.report.summary import ALL_BOTS

CAUTION = (
    "These tables show correlation, not causation. A leading bot fills more orders, so seats that filled an order won "
    "more often, whether or not the order mattered; longer games have more of everything; structures built late and "
    "early occur in different games; the habits of a strong bot look good because the bot is strong. The column "
    "“expected”, the mean win rate of the same bots over all their games, corrects only for the last of these. Only "
    "random events are compared fairly, such as the mama and papa dealt to a seat (unless they are drafted). About one "
    "in twenty of the 95 % intervals misses the true value by chance."
)
INTERVALS = (
    "Intervals (95 %, in brackets). The seats of a game are not independent, nor are the games on one seed, which the "
    "same bots play in all seatings, so the variance is estimated between seeds. Win shares: Wilson's interval with "
    "the number of observations divided by the design effect, and Student’s t for few seeds. Means: a cluster-robust "
    "interval over seeds. “Times” counts events, “seats” the seats with at least one event, “seeds” their independent "
    "seeds. A shared first place counts as a fraction of a win."
)


def page_of(
    plugin: Any,
    tables: Mapping[str, pd.DataFrame],
    plots: Mapping[str, Figure],
    bots: Sequence[str],
    provenance: Mapping[str, str],
) -> str:
    """Return the page. plugin: the game's report. provenance: texts by heading."""
    return html_page(
        "Tournament report",
        f'<p class="caution" id="caution"><strong>Read with care.</strong> {escape(CAUTION)}</p>',
        html_note(INTERVALS),
        html_provenance(provenance),
        *(_section(plugin, name, tables[name], plots.get(name), bots) for name in plugin.SECTIONS),
    )


def _section(plugin: Any, name: str, table: pd.DataFrame, plot: Figure | None, bots: Sequence[str]) -> str:
    heading, description, headings = plugin.SECTIONS[name]
    parts = [f"<p>{escape(description)}</p>"] if description else []
    if plot is not None:
        data = base64.b64encode(_svg(plot)).decode()
        parts.append(f'<img alt="{escape(heading)}" src="data:image/svg+xml;base64,{data}">')
    if name == "bots":
        parts.append(_html(table, headings))
    else:
        visible = plugin.visible_rows(name, table)
        for bot in [ALL_BOTS, *bots] if len(bots) > 1 else bots:
            rows = visible[visible["bot"] == bot]
            label = f"{escape(bot)}: {count(len(rows), 'row')}"
            parts.append(f"<details><summary>{label}</summary>{_html(rows, headings)}</details>")
    return html_section(name, heading, *parts, html_note(f"All rows and columns: {name}.parquet"))


def _svg(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "vitienv"}):  # equal plots give equal bytes
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def _html(rows: pd.DataFrame, headings: Mapping[str, str]) -> str:
    numbers = {"times": "total", "each seat and game": "per_seat", "seats": "n", "seeds": "seeds",
               "wins, %": "win_share", "expected, %": "expected", "points": "points"}  # fmt: skip
    cells = [
        {heading: _cell_text(row[column]) for column, heading in headings.items()}
        | {heading: cell_text(_interval(row, column), heading) for heading, column in numbers.items() if column in row}
        for row in rows.to_dict("records")
    ]
    return html_table(cells, headings.values())


def _interval(row: Mapping[str, Any], column: str) -> Any:
    name = column.replace("win_share", "win")
    if f"{name}_low" not in row:
        return float(row[column]) if column == "expected" else int(row[column])
    low, high = (None if row[end] != row[end] else row[end] for end in (f"{name}_low", f"{name}_high"))
    return {"value": row[column], "low": low, "high": high}


def _cell_text(value: Any) -> str:
    text = str(value)
    return "" if text in ("<NA>", "nan") else text.replace("_", " ")
