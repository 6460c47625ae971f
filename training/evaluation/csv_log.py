"""What was measured, in files: rows of a CSV file, and parts of a long measurement, kept as they come, so that it goes
on where it was stopped."""

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
    """The rows in a CSV file, none if there is none. ValueError, in one line, if it is damaged."""
    if not file.exists():
        return []
    kinds = {field.name: KINDS[str(field.type)] for field in fields(kind)}  # type: ignore[arg-type]
    try:
        rows = csv.DictReader(io.StringIO(read_text(file), newline=""))
        if list(rows.fieldnames or ()) != list(kinds):
            raise ValueError("its columns are others")
        found = list(rows)
        return [kind(**{name: kinds[name](value) for name, value in row.items()}) for row in found]
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        told = f"{type(error).__name__}: {error}"
        raise ValueError(f"{str(file)!r} does not hold what was measured ({told})") from None


def check_at_least(row: Any, **bounds: float) -> None:
    """Check numbers of a row. ValueError for one below its bound, or NaN, or infinite."""
    for name, bound in bounds.items():
        if not bound <= (value := getattr(row, name)) < inf:
            raise ValueError(f"{name} must be at least {bound}, got {value}")


def add_row(file: Path, row: Any, key: Callable[[Any], tuple[Any, ...]]) -> None:
    """Add a row to a CSV file, written anew whole or not at all; the row of before with its key is replaced."""
    rows = sorted([*(old for old in read_rows(file, type(row)) if key(old) != key(row)), row], key=key)
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(row)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(each) for each in rows)
    with atomic(file) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8", newline="")


class KeptParts:
    """A file of lines in JSON: first what is measured, then a list for each part that was played.

    parts: those of before, and what `add` brings.
    """

    def __init__(self, file: TextIO, parts: list[Any]) -> None:
        self._file = file
        self.parts = parts

    def add(self, part: Any) -> None:
        """Keep a part: it is in the file when this returns. OSError if it cannot be written."""
        self.parts.append(part)
        self._file.write(json.dumps(part) + "\n")
        self._file.flush()


@contextmanager
def kept_parts(path: Path, measured: Mapping[str, Any]) -> Iterator[KeptParts]:
    """The parts in a file, which is begun if there is none; one process at a time has it.

    A last line that was cut short is left out. ValueError, in one line, for a file of another measurement, one that is
    damaged, or one in use; OSError if it cannot be written.
    """
    head = json.dumps({"measured": measured})
    told = from_json(head)  # as it is read again
    with lock_run_dir(path.parent, f".{path.name}.lock"):
        parts = _read(path, told) if path.exists() else []
        with atomic(path) as temporary:
            temporary.write_text("".join(line + "\n" for line in (head, *map(json.dumps, parts))), encoding="utf-8")
        with path.open("a", encoding="utf-8") as file:
            yield KeptParts(file, parts)


def _read(path: Path, heading: dict[str, Any]) -> list[Any]:
    try:
        lines = read_text(path).splitlines(keepends=True)
        first = from_json(lines[0]) if lines else None
        parts = [from_json(line) for line in lines[1:] if line.endswith("\n")]
    except (UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}") from None
    if not isinstance(first, dict) or "measured" not in first or not all(isinstance(part, list) for part in parts):
        raise ValueError(f"{str(path)!r} holds no parts of a measurement; name a file that is not there yet")
    if first != heading:
        was, now = first["measured"], heading["measured"]
        other = sorted(key for key in {*was, *now} if was.get(key) != now.get(key))
        raise ValueError(f"{str(path)!r} was begun with another {', '.join(other)}; name a file that is not there yet")
    return parts
