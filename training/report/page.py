"""HTML page of a report, a single self-contained file."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from html import escape
from string import Template
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from vitienv.training.report.summary import ALL_BOTS

CAUTION = (
    "These tables say what went together, not what caused it. A bot that is ahead anyway fills more orders, so seats "
    "that filled an order won more often, whether or not the order made the difference; a game that lasts longer has "
    "room for more of everything; a structure built late belongs to another kind of game than one built early; a "
    "strong bot's habits look good because the bot is strong. The column “expected” helps against the last of these "
    "only: it is what the same bots win on average over all their games. Only what chance deals is compared fairly: "
    "which mama and papa a seat gets has nothing to do with how it plays (unless they are drafted). With dozens of "
    "rows in a table, some 95 % intervals miss by chance alone: about one in twenty."
)
INTERVALS = (
    "Intervals (95 %, in brackets). Seats of one game are not independent, nor are games on one seed, which the same "
    "bots play in all seatings; so all spread is measured between seeds. Win shares: Wilson's interval with the number "
    "of observations divided by the design effect, and Student’s t for few seeds. Means: a cluster-robust "
    "interval over seeds. “Times” counts every time, “seats” the seats of games that did it at least once, “seeds” the "
    "independent seeds behind them. A shared first place counts as a part of a win."
)
PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
.caution { background: #fff6e0; border-left: 4px solid #e69f00; padding: .6rem 1rem; }
.made, .note { color: #555; font-size: .92em; }
img { max-width: 100%; height: auto; display: block; margin: .8rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; margin: .6rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .6rem; text-align: left; white-space: nowrap; }
th { border-bottom: 1px solid #999; } tr:nth-child(even) td { background: #f6f6f6; }
td.n, th.n { text-align: right; }
summary { cursor: pointer; margin: .3rem 0; color: #0050a0; }
</style>
</head>
<body>
<h1>$title</h1>
<p class="caution" id="caution"><strong>Read with care.</strong> $caution</p>
<p class="note">$intervals</p>
<div class="made" id="how"><h2>How it was made</h2>$how</div>
$sections
</body>
</html>
""")


def page_of(
    plugin: Any,
    tables: Mapping[str, pd.DataFrame],
    plots: Mapping[str, Figure],
    bots: Sequence[str],
    provenance: Mapping[str, str],
) -> str:
    """Return the page. plugin: the game's report. provenance: texts by heading."""
    entries = "".join(
        f"<dt><strong>{escape(name)}</strong></dt><dd>{escape(text)}</dd>" for name, text in provenance.items()
    )
    return PAGE.substitute(
        title="What the bots teach",
        caution=escape(CAUTION),
        intervals=escape(INTERVALS),
        how=f"<dl>{entries}</dl>",
        sections="\n".join(_section(plugin, name, tables[name], plots.get(name), bots) for name in plugin.SECTIONS),
    )


def _section(plugin: Any, name: str, table: pd.DataFrame, plot: Figure | None, bots: Sequence[str]) -> str:
    heading, description, words = plugin.SECTIONS[name]
    parts = [f'<section id="{name}"><h2>{escape(heading)}</h2>']
    if description:
        parts.append(f"<p>{escape(description)}</p>")
    if plot is not None:
        data = base64.b64encode(_svg(plot)).decode()
        parts.append(f'<img alt="{escape(heading)}" src="data:image/svg+xml;base64,{data}">')
    if name == "bots":
        parts.append(_html(table, words))
    else:
        visible = plugin.shown(name, table)
        for bot in [ALL_BOTS, *bots] if len(bots) > 1 else bots:
            rows = visible[visible["bot"] == bot]
            label = f"{escape(bot)}: {len(rows)} rows"
            parts.append(f"<details><summary>{label}</summary>{_html(rows, words)}</details>")
    parts.append(f'<p class="note">All rows and columns: {name}.parquet</p></section>')
    return "\n".join(parts)


def _svg(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "vitienv"}):  # equal plots give equal bytes
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def _html(rows: pd.DataFrame, words: Mapping[str, str]) -> str:
    """Return rows as an HTML table of words, counts, and numbers with intervals."""
    if rows.empty:
        return "<p>None in these games.</p>"
    numbers = {"times": "total", "each seat and game": "per_seat", "seats": "n", "seeds": "seeds",
               "wins, %": "win_share", "expected, %": "expected", "points": "points"}  # fmt: skip
    numbers = {heading: column for heading, column in numbers.items() if column in rows.columns}
    head = [f"<th>{escape(heading)}</th>" for heading in words.values()]
    head += [f'<th class="n">{escape(heading)}</th>' for heading in numbers]
    lines = []
    for row in rows.to_dict("records"):
        cells = [f"<td>{escape(_word(row[column]))}</td>" for column in words]
        cells += [f'<td class="n">{_number(row, column)}</td>' for column in numbers.values()]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    body = "\n".join([f"<tr>{''.join(head)}</tr>", *lines])
    return f'<div class="wide"><table>{body}</table></div>'


def _word(value: Any) -> str:
    text = str(value)
    return "" if text in ("<NA>", "nan") else text.replace("_", " ")


def _number(row: Mapping[str, Any], column: str) -> str:
    if column == "win_share":
        return f"{100 * row['win_share']:.1f} ({100 * row['win_low']:.1f} to {100 * row['win_high']:.1f})"
    if column == "expected":
        return f"{100 * row['expected']:.1f}"
    if column in ("per_seat", "points"):
        digits = 2 if column == "per_seat" else 1
        middle, low, high = (row[f"{column}{end}"] for end in ("", "_low", "_high"))
        bounds = "(one seed)" if low != low else f"({low:.{digits}f} to {high:.{digits}f})"
        return f"{middle:.{digits}f} {bounds}"
    return str(int(row[column]))
