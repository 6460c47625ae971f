"""Kinds of numbers: NumPy's names for them, how they lie in memory, and records of them."""

from __future__ import annotations

import struct
from typing import Any

CODES = {"bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q",
         "uint64": "Q", "float32": "f", "float64": "d"}  # fmt: skip


class generic:
    """Any number of NumPy's. Single numbers are Python's own here, so nothing is an instance of these classes."""

    dtype: dtype

    def __new__(cls, value: Any = 0) -> Any:
        """The number as it is after it was kept in so many bytes."""
        return cls.dtype.kept(value)


class number(generic):
    pass


class integer(number):
    pass


class floating(number):
    pass


class dtype:
    """A kind of number, or of a record. unit: the bytes in which places in memory are counted."""

    def __init__(self, asked: Any = "float64", align: bool = False) -> None:
        made = dtype_of(asked)
        self.__dict__.update(made.__dict__)

    @classmethod
    def _plain(cls, name: str) -> dtype:
        self = cls.__new__(cls)
        self.name, self.code, self.itemsize = name, CODES[name], struct.calcsize(CODES[name])
        self.unit, self.names, self.fields = self.itemsize, None, {}
        self.kind = {"b": "b", "i": "i", "u": "u", "f": "f"}[name[0]]
        self.str = f"{'|' if self.itemsize == 1 else '<'}{self.kind}{self.itemsize}"
        self.bits, self.base = 8 * self.itemsize, self
        return self

    @classmethod
    def _record(cls, parts: list[tuple]) -> dtype:
        self = cls.__new__(cls)
        self.kind, self.code, self.unit, self.fields, at = "V", "B", 1, {}, 0
        for name, kind, *shape in parts:
            field = dtype_of(kind)
            lengths = tuple(shape[0]) if shape else ()
            self.fields[name] = field, at, lengths
            if at % field.itemsize:
                raise ValueError(f"field {name!r} does not lie at a multiple of its {field.itemsize} bytes")
            size = field.itemsize
            for length in lengths:
                size *= length
            at += size
        self.itemsize, self.names = at, tuple(self.fields)
        self.name = self.str = f"|V{at}"
        return self

    def kept(self, value: Any) -> Any:
        """A number as it is after it was kept in so many bytes; whole numbers wrap round."""
        if self.kind == "b":
            return bool(value)
        if self.kind == "f":
            return struct.unpack(self.code, struct.pack(self.code, value))[0] if self.code == "f" else float(value)
        value = int(value) & ((1 << self.bits) - 1)
        return value - (1 << self.bits) if self.kind == "i" and value >> (self.bits - 1) else value

    def __eq__(self, other: object) -> bool:
        try:
            other = dtype_of(other)
        except TypeError:
            return False
        return self.name == other.name and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__


_KNOWN: dict[Any, dtype] = {}


def _named(name: str) -> Any:
    base = floating if name[0] == "f" else generic if name == "bool" else integer
    made = type(name, (base,), {"dtype": dtype._plain(name)})
    own = made.dtype
    _KNOWN.update({made: own, name: own, own.str: own, own.str[1:]: own})
    return made


bool_ = _named("bool")
int8 = _named("int8")
uint8 = _named("uint8")
int16 = _named("int16")
uint16 = _named("uint16")
int32 = _named("int32")
uint32 = _named("uint32")
int64 = _named("int64")
uint64 = _named("uint64")
float32 = _named("float32")
float64 = _named("float64")
_KNOWN.update({int: int64.dtype, float: float64.dtype, bool: bool_.dtype})


def dtype_of(asked: Any) -> dtype:
    """The kind that NumPy's and Python's names for one mean. TypeError for what is none."""
    if isinstance(asked, dtype):
        return asked
    if isinstance(asked, tuple):  # (np.record, parts)
        return dtype._record(asked[1])
    try:
        return _KNOWN[asked]
    except (KeyError, TypeError):
        raise TypeError(f"{asked!r} is no kind of number here") from None


def common(one: dtype, other: dtype) -> dtype:
    """The kind that holds the numbers of both, as NumPy says."""
    if one is other:
        return one
    kinds = {one.kind, other.kind}
    if "f" in kinds:
        floats = [own for own in (one, other) if own.kind == "f"]
        rest = [own for own in (one, other) if own.kind != "f"]
        narrow = all(own.name == "float32" for own in floats) and all(own.itemsize <= 2 for own in rest)
        return float32.dtype if narrow else float64.dtype
    if kinds == {"i", "u"}:
        signed, unsigned = (one, other) if one.kind == "i" else (other, one)
        size = signed.itemsize if signed.itemsize > unsigned.itemsize else 2 * unsigned.itemsize
        return float64.dtype if size > 8 else _KNOWN[f"int{8 * size}"]
    if one.kind == "b":
        return other
    if other.kind == "b":
        return one
    return one if one.itemsize >= other.itemsize else other


def kind_of(value: Any) -> dtype:
    """The kind of a Python number."""
    return bool_.dtype if isinstance(value, bool) else float64.dtype if isinstance(value, float) else int64.dtype
