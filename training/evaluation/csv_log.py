"""Files of measurements: rows of a CSV file, and parts of a long measurement, from which it resumes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from math import inf
from pathlib import Path
from typing import Any, TextIO, TypeVar

from vitienv.core.files import atomic, from_json, read_text
from vitienv.training.run_dir import lock_run_dir

KINDS = {"str": str, "int": int, "float": float}
Row = TypeVar("Row")


def read_rows(file: Path, kind: type[Row]) -> list[Row]:
    """Read the rows of a CSV file; empty if it does not exist. ValueError if it is damaged."""
    if not file.exists():
        return []
    kinds = {field.name: KINDS[str(field.type)] for field in fields(kind)}  # type: ignore[arg-type]
    try:
        rows = csv.DictReader(io.StringIO(read_text(file), newline=""))
        if list(rows.fieldnames or ()) != list(kinds):
            raise ValueError(f"its columns must be {', '.join(kinds)}")
        return [kind(**{name: kinds[name](value) for name, value in row.items()}) for row in rows]
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise ValueError(f"{str(file)!r} is damaged: {type(error).__name__}: {error}") from None


def check_at_least(row: Any, **bounds: float) -> None:
    """Raise ValueError if a field of a row is below its bound, NaN or infinite."""
    for name, bound in bounds.items():
        if not bound <= (value := getattr(row, name)) < inf:
            raise ValueError(f"{name} must be at least {bound}, got {value}")


def add_row(file: Path, row: Any, key: Callable[[Any], tuple[Any, ...]]) -> None:
    """Add a row to a CSV file, which is rewritten atomically; a row with the same key is replaced."""
    rows = sorted([*(old for old in read_rows(file, type(row)) if key(old) != key(row)), row], key=key)
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(row)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(record) for record in rows)
    with atomic(file) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8", newline="")


class PartsFile:
    """JSON lines file of a measurement: a description, then one list per finished part."""

    def __init__(self, file: TextIO, parts: list[Any]) -> None:
        self._file = file
        self.parts = parts

    def add(self, part: Any) -> None:
        """Append a part and flush. OSError if it cannot be written."""
        self.parts.append(part)
        self._file.write(json.dumps(part) + "\n")
        self._file.flush()


@contextmanager
def open_parts(path: Path, measured: Mapping[str, Any]) -> Iterator[PartsFile]:
    """Open a file of parts, created if missing and locked meanwhile.

    A truncated last line is dropped. ValueError for a file that is damaged, locked, or of another measurement; OSError
    if it cannot be written.
    """
    head = json.dumps({"measured": measured})
    heading = from_json(head)  # normalised by JSON, for comparison
    with lock_run_dir(path.parent, f".{path.name}.lock"):
        parts = _read(path, heading) if path.exists() else []
        with atomic(path) as temporary:
            temporary.write_text("".join(line + "\n" for line in (head, *map(json.dumps, parts))), encoding="utf-8")
        with path.open("a", encoding="utf-8") as file:
            yield PartsFile(file, parts)


def _read(path: Path, heading: dict[str, Any]) -> list[Any]:
    try:
        lines = read_text(path).splitlines(keepends=True)
        first = from_json(lines[0]) if lines else None
        parts = [from_json(line) for line in lines[1:] if line.endswith("\n")]
    except (UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}") from None
    if not isinstance(first, dict) or "measured" not in first or not all(isinstance(part, list) for part in parts):
        raise ValueError(f"{str(path)!r} does not contain parts of a measurement; use a new file")
    if first != heading:
        old, new = first["measured"], heading["measured"]
        differences = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
        raise ValueError(f"{str(path)!r} was started with another {', '.join(differences)}; use a new file")
    return parts
