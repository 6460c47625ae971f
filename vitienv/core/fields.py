"""One list of fields describes a game's state: its record type, bounds, visibility and documentation.

A game declares `Field`s once; the record dtype, the bounds check, the hidden-information test, the hash of a
state and the documentation tables are made from that list.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

import numpy as np


class Visibility(Enum):
    """Who may know a field."""

    PUBLIC = "everybody"
    PRIVATE = "the owning seat"
    HIDDEN = "nobody"
    ENGINE = "bookkeeping of the engine"


@dataclass(frozen=True)
class Field:
    """One field of a game record. ValueError if an empty one would be out of bounds.

    shape: of the nested array, () for a scalar. low, high: inclusive bounds of each number.
    sees: who may know it. text: unit, meaning and sentinel, for the docs. empty: what it holds before the set-up of a
    game, one number for all or one for each place of the first axis.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    low: int
    high: int
    sees: Visibility
    text: str
    empty: int | tuple[int, ...] = field(kw_only=True)

    def __post_init__(self) -> None:
        empty = np.asarray(self.empty)
        if (empty < self.low).any() or (empty > self.high).any():
            raise ValueError(f"field {self.name} is empty at {self.empty}, which is not from {self.low} to {self.high}")


def record_dtype(fields: Iterable[Field]) -> np.dtype:
    """The packed record type of `fields`, widest numbers first so that nothing needs padding.

    Fields of one width stay in their declared order. The tail is filled up to a multiple of 8 bytes by the
    field `pad`, so `dtype.itemsize` is the sum of its parts and a byte copy of a record is a full copy.
    ValueError for a field named like something that NumPy's records do, such as `round`: interpreted rules would get
    that instead.
    """
    fields = list(fields)
    taken = [own.name for own in fields if hasattr(np.record, own.name)]
    if taken:
        raise ValueError(f"a field cannot be named {taken[0]!r}: NumPy's records have something of that name")
    ordered = sorted(fields, key=lambda own: -np.dtype(own.dtype).itemsize)
    parts: list[tuple] = [(own.name, own.dtype, own.shape) for own in ordered]
    size = sum(np.dtype(kind).itemsize * int(np.prod(shape)) for _, kind, shape in parts)
    parts.append(("pad", "i1", (8 - size % 8,)))
    return np.dtype((np.record, parts), align=False)


def empty_record(fields: Iterable[Field]) -> np.ndarray:
    """A record in which nothing has happened yet, as an array (1,) to be read only; a new game begins as a copy of its
    bytes."""
    return _empty_record(tuple(fields))


@cache
def _empty_record(fields: tuple[Field, ...]) -> np.ndarray:
    made = np.zeros(1, record_dtype(fields))
    for own in fields:
        empty = np.asarray(own.empty)
        made[own.name][0] = empty.reshape(empty.shape + (1,) * (len(own.shape) - empty.ndim)) if empty.ndim else empty
    made.flags.writeable = False
    return made


def digest(record: np.record, fields: Iterable[Field]) -> str:
    """A hash of the state, field by field, the same on every platform."""
    sha = hashlib.sha256()
    for own in fields:
        sha.update(own.name.encode())
        sha.update(np.ascontiguousarray(record[own.name]).astype("<i8").tobytes())
    return sha.hexdigest()


def table(fields: Iterable[Field]) -> str:
    """The fields as a Markdown table."""
    rows = ["| field | shape | type | bounds | known to | meaning |", "| --- | --- | --- | --- | --- | --- |"]
    for f in fields:
        rows.append(f"| `{f.name}` | {f.shape} | {f.dtype} | {f.low}..{f.high} | {f.sees.value} | {f.text} |")
    return "\n".join(rows)
