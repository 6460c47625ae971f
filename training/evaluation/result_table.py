"""Terminal table and CSV file of result rows, whose columns are defined by headings (path and title)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vitienv.console import console
from vitienv.core import files

FORMATS_BY_HEADING = {"rating": "+.0f", "rank": ".2f", "each seat and game": ".2f"}
Headings = Mapping[str, str]  # "score.median" is row["score"]["median"]; lists map element by element


def print_rows(title: str, headings: Headings, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a table of `text_rows`."""
    from rich.table import Table

    texts, table = text_rows(headings, rows), Table(title=title)
    for name in (name for name in headings if texts and headings[name] in texts[0]):
        is_text = all(isinstance(_value(row, name), str | list) for row in rows)
        table.add_column(headings[name], justify="left" if is_text else "right", no_wrap=not is_text)
    for text_row in texts:
        table.add_row(*text_row.values())
    console().print(table)


def text_rows(headings: Headings, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the cells by heading. Columns that are empty, zero or false in all rows are omitted."""
    columns = [name for name in headings if any(_value(row, name) not in (None, False, 0, []) for row in rows)]
    return [{headings[name]: cell_text(_value(row, name), headings[name]) for name in columns} for row in rows]


def cross_table(headings: Headings, rows: Sequence[Mapping[str, Any]]) -> tuple[Headings, list[dict[str, Any]]]:
    """Return the win rates of cross-play as a matrix, and its headings: a column for each partner.

    headings: of the columns that identify a row of the matrix, a bot and a table.
    """
    columns = {bot: f"with {i + 1}" for i, bot in enumerate(dict.fromkeys(row["partner"] for row in rows))}
    matrix: dict[Any, dict[str, Any]] = {}
    for row in rows:
        key = {name: row[name] for name in headings}
        matrix.setdefault(tuple(key.values()), key)[columns[row["partner"]]] = row["win_rate"]
    return {**headings, **{column: f"with {bot} %" for bot, column in columns.items()}}, list(matrix.values())


def write_csv(path: Path, headings: Headings, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a CSV file atomically, with a column per heading, and `_low` and `_high` of intervals."""
    flat = []
    for row in rows:
        values: dict[str, Any] = {}
        for name in headings:
            value = row[name] if name in row else _value(row, name)
            if isinstance(value, Mapping):
                values |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
            else:
                values[name] = " ".join(map(cell_text, value)) if isinstance(value, list) else value
        flat.append(values)
    files.write_csv(path, list(dict.fromkeys(name for row in flat for name in row)), flat)


def _value(row: Any, path: str) -> Any:
    for key in path.split("."):
        row = [element.get(key) for element in row] if isinstance(row, list) else (row or {}).get(key)
    return row


def cell_text(value: Any, heading: str = "") -> str:
    """Return a value or an interval as text, under headings that end with "%" as a percentage; "-" for None."""
    if isinstance(value, list):
        return " ".join(cell_text(item["value"] if isinstance(item, Mapping) else item, heading) for item in value)
    if isinstance(value, Mapping):
        low, high = (cell_text(value[end], heading) for end in ("low", "high"))
        has_bounds = value["value"] is not None and value["low"] is not None
        return cell_text(value["value"], heading) + (f" ({low} to {high})" if has_bounds else "")
    if value is None or value is False:
        return "-"
    if value is True or not isinstance(value, int | float):
        return "yes" if value is True else str(value)
    if heading.endswith("%"):
        return f"{100 * value:.1f}"
    return f"{value:{FORMATS_BY_HEADING.get(heading, '.1f')}}" if isinstance(value, float) else str(value)
