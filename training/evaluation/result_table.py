"""Terminal table and CSV file of result rows, whose columns are defined by headings (path and title)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vitienv.console import console
from vitienv.core import files

Headings = Mapping[str, str]  # "score.median" is row["score"]["median"]; lists map element by element


def print_rows(title: str, headings: Headings, rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a table. Columns that are empty, zero or false in all rows are omitted; "%" headings show percentages."""
    from rich.table import Table

    columns = [name for name in headings if any(_value(row, name) not in (None, False, 0, []) for row in rows)]
    table = Table(title=title)
    for name in columns:
        is_text = all(isinstance(_value(row, name), str | list) for row in rows)
        table.add_column(headings[name], justify="left" if is_text else "right", no_wrap=not is_text)
    for row in rows:
        table.add_row(*(_cell(_value(row, name), headings[name].endswith("%")) for name in columns))
    console().print(table)


def write_csv(path: Path, headings: Headings, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a CSV file atomically, with a column per heading, and `_low` and `_high` of intervals."""
    flat = []
    for row in rows:
        values: dict[str, Any] = {}
        for name in headings:
            value = _value(row, name)
            if isinstance(value, Mapping):
                values |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
            else:
                values[name] = " ".join(map(_cell, value)) if isinstance(value, list) else value
        flat.append(values)
    files.write_csv(path, list(dict.fromkeys(name for row in flat for name in row)), flat)


def _value(row: Any, path: str) -> Any:
    for key in path.split("."):
        row = [element.get(key) for element in row] if isinstance(row, list) else (row or {}).get(key)
    return row


def _cell(value: Any, is_percent: bool = False) -> str:
    if isinstance(value, list):
        return " ".join(
            _cell(element["value"] if isinstance(element, Mapping) else element, is_percent) for element in value
        )
    if isinstance(value, Mapping):
        low, high = (_cell(value[end], is_percent) for end in ("low", "high"))
        return _cell(value["value"], is_percent) + ("" if value["low"] is None else f" ({low} to {high})")
    if value is None or value is False:
        return "-"
    if value is True or not isinstance(value, int | float):
        return "yes" if value is True else str(value)
    return f"{100 * value:.1f}" if is_percent else f"{value:.1f}" if isinstance(value, float) else str(value)
