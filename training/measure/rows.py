"""Measured rows in a CSV file: read into a dataclass, written anew whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

from vitienv.core.files import atomic

KINDS = {"str": str, "int": int, "float": float}
Row = TypeVar("Row")


def read_rows(file: Path, kind: type[Row]) -> list[Row]:
    """The rows in a file, none if there is none. ValueError, in one line, if it is damaged."""
    if not file.exists():
        return []
    kinds = {field.name: KINDS[str(field.type)] for field in fields(kind)}  # type: ignore[arg-type]
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            rows = csv.DictReader(stream)
            if list(rows.fieldnames or ()) != list(kinds):
                raise ValueError("its columns are others")
            found = list(rows)
        return [kind(**{name: kinds[name](value) for name, value in row.items()}) for row in found]
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        told = f"{type(error).__name__}: {error}"
        raise ValueError(f"{str(file)!r} does not hold what was measured ({told})") from None


def add_row(file: Path, row: Any, key: Callable[[Any], tuple[Any, ...]]) -> None:
    """Add a row to a file; the row of before with its key is replaced."""
    rows = sorted([*(old for old in read_rows(file, type(row)) if key(old) != key(row)), row], key=key)
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(row)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(each) for each in rows)
    with atomic(file) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8", newline="")
