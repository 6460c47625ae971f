"""One list of fields describes a game's state: its record type, bounds, visibility and documentation.

A game declares `Field`s once; the record dtype, the bounds check, the hidden-information test, the hash of a
state and the documentation tables are made from that list.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np


class Sees(Enum):
    """Who may know a field."""

    ALL = "everybody"
    OWNER = "the owning seat"
    NOBODY = "nobody"
    ENGINE = "bookkeeping of the engine"


@dataclass(frozen=True)
class Field:
    """One field of a game record.

    shape: of the nested array, () for a scalar. low, high: inclusive bounds of each number.
    sees: who may know it. text: unit, meaning and sentinel, for the docs.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    low: int
    high: int
    sees: Sees
    text: str


def record_dtype(fields: Iterable[Field]) -> np.dtype:
    """The packed record type of `fields`, widest numbers first so that nothing needs padding.

    Fields of one width stay in their declared order. The tail is filled up to a multiple of 8 bytes by the
    field `pad`, so `dtype.itemsize` is the sum of its parts and a byte copy of a record is a full copy.
    """
    ordered = sorted(fields, key=lambda field: -np.dtype(field.dtype).itemsize)
    parts: list[tuple] = [(field.name, field.dtype, field.shape) for field in ordered]
    size = sum(np.dtype(kind).itemsize * int(np.prod(shape)) for _, kind, shape in parts)
    parts.append(("pad", "i1", (8 - size % 8,)))
    return np.dtype((np.record, parts), align=False)


def digest(record: np.record, fields: Iterable[Field]) -> str:
    """A hash of the state, field by field, the same on every platform."""
    sha = hashlib.sha256()
    for field in fields:
        sha.update(field.name.encode())
        sha.update(np.ascontiguousarray(record[field.name]).astype("<i8").tobytes())
    return sha.hexdigest()


def table(fields: Iterable[Field]) -> str:
    """The fields as a Markdown table."""
    rows = ["| field | shape | type | bounds | known to | meaning |", "| --- | --- | --- | --- | --- | --- |"]
    for f in fields:
        rows.append(f"| `{f.name}` | {f.shape} | {f.dtype} | {f.low}..{f.high} | {f.sees.value} | {f.text} |")
    return "\n".join(rows)
