"""Fields of a game's state: record type, bounds, visibility and documentation from one list."""

import dataclasses
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache

import numpy as np


class Visibility(Enum):
    """Visibility of a field to the seats."""

    PUBLIC = "everybody"
    PRIVATE = "the owning seat"
    HIDDEN = "nobody"
    ENGINE = "bookkeeping of the engine"


@dataclass(frozen=True)
class Field:
    """Field of a game record.

    shape: shape of the nested array, () for a scalar. low, high: inclusive bounds of each number. sees: visibility.
    text: unit, meaning and sentinel, for the docs. empty: value before the set-up, one number or one per index of the
    first axis; ValueError if it is out of bounds.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    low: int
    high: int
    visibility: Visibility
    text: str
    empty: int | tuple[int, ...] = dataclasses.field(kw_only=True)

    def __post_init__(self) -> None:
        empty = np.asarray(self.empty)
        if (empty < self.low).any() or (empty > self.high).any():
            raise ValueError(f"empty of field {self.name} must be from {self.low} to {self.high}, got {self.empty}")


def record_dtype(fields: Iterable[Field]) -> np.dtype:
    """Return the packed record type of `fields`, widest numbers first to avoid padding.

    Fields of one width keep their order. A field `pad` extends the record to a multiple of 8 bytes, so that a byte copy
    is a full copy. ValueError for a field with the name of an attribute of NumPy records, such as `round`, which would
    shadow it in interpreted rules.
    """
    fields = list(fields)
    reserved = [field.name for field in fields if hasattr(np.record, field.name)]
    if reserved:
        raise ValueError(f"field name {reserved[0]!r} is an attribute of NumPy records")
    ordered = sorted(fields, key=lambda field: -np.dtype(field.dtype).itemsize)
    parts: list[tuple] = [(field.name, field.dtype, field.shape) for field in ordered]
    size = sum(np.dtype(kind).itemsize * int(np.prod(shape)) for _, kind, shape in parts)
    parts.append(("pad", "i1", (8 - size % 8,)))
    return np.dtype((np.record, parts), align=False)


def empty_record(fields: Iterable[Field]) -> np.ndarray:
    """Return the record before the set-up, a read-only array (1,); new games start as a copy of its bytes."""
    return _empty_record(tuple(fields))


@cache
def _empty_record(fields: tuple[Field, ...]) -> np.ndarray:
    record = np.zeros(1, record_dtype(fields))
    for field in fields:
        empty = np.asarray(field.empty)
        record[field.name][0] = (
            empty.reshape(empty.shape + (1,) * (len(field.shape) - empty.ndim)) if empty.ndim else empty
        )
    record.flags.writeable = False
    return record


def digest(record: np.record, fields: Iterable[Field]) -> str:
    """Return a hash of the state, the same on every platform."""
    sha = hashlib.sha256()
    for field in fields:
        sha.update(field.name.encode())
        sha.update(np.ascontiguousarray(record[field.name]).astype("<i8").tobytes())
    return sha.hexdigest()
