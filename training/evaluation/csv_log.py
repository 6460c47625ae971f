"""Files of measurements: rows of a CSV file, and parts of a long measurement, from which it resumes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from vitienv.core.files import append_line, atomic, from_json, read_text, write_csv
from vitienv.training.json_dataclasses import checked
from vitienv.training.run_dir import lock_run_dir

KINDS: Mapping[Any, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "int | None": lambda text: int(text) if text else None,
    "float | None": lambda text: float(text) if text else None,
}
Row = TypeVar("Row")


def read_rows(file: Path, kind: type[Row]) -> list[Row]:
    """Read the rows of a CSV file; empty if it does not exist. ValueError if it is damaged."""
    if not file.exists():
        return []
    kinds = {field.name: KINDS[field.type] for field in fields(kind)}  # type: ignore[arg-type]
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


def write_rows(file: Path, rows: Sequence[Any]) -> None:
    """Write rows of one class to a CSV file, atomically."""
    write_csv(file, [field.name for field in fields(rows[0])], map(asdict, rows))


def add_row(file: Path, row: Any, key: Callable[[Any], tuple[Any, ...]]) -> None:
    """Add a row to a CSV file, which is rewritten atomically; a row with the same key is replaced."""
    write_rows(file, sorted([*(old for old in read_rows(file, type(row)) if key(old) != key(row)), row], key=key))


class PartsFile:
    """JSON lines file of a measurement: a description, then one value per finished part."""

    def __init__(self, path: Path, parts: list[Any]) -> None:
        self.path, self.parts = path, parts

    def add(self, part: Any) -> None:
        """Append a part and flush. OSError if it cannot be written."""
        self.parts.append(part)
        append_line(self.path, json.dumps(part))

    def delete(self) -> None:
        """Delete the file, once the result of the measurement is saved."""
        self.path.unlink()


@contextmanager
def open_parts(path: Path, description: Mapping[str, Any], kind: Any = list[Any]) -> Iterator[PartsFile]:
    """Open a file of parts, created if missing and locked meanwhile.

    kind: type of a part, see `schema.checked`. A truncated last line is dropped. ValueError for a file that is damaged,
    locked, or of another measurement; OSError if it cannot be written.
    """
    head = json.dumps({"measured": description})
    heading = from_json(head)  # normalised by JSON, for comparison
    with lock_run_dir(path.parent, f".{path.name}.lock"):
        parts = _read_parts(path, heading, kind) if path.exists() else []
        with atomic(path) as temporary:
            temporary.write_text("".join(line + "\n" for line in (head, *map(json.dumps, parts))), encoding="utf-8")
        yield PartsFile(path, parts)


def _read_parts(path: Path, heading: dict[str, Any], kind: Any) -> list[Any]:
    try:
        lines = read_text(path).splitlines(keepends=True)
        first = from_json(lines[0]) if lines else None
        parts = [from_json(line) for line in lines[1:] if line.endswith("\n")]
        parts = checked(list[kind], parts, "parts")  # type: ignore[valid-type]
    except (UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}") from None
    if not isinstance(first, dict) or not isinstance(first.get("measured"), dict):
        raise ValueError(f"{str(path)!r} does not contain parts of a measurement; use a new file")
    if first != heading:
        old, new = first["measured"], heading["measured"]
        differences = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
        raise ValueError(f"{str(path)!r} was started with other values of {', '.join(differences)}; use a new file")
    return parts
