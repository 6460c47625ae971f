"""Dtypes of numbers and records."""

from __future__ import annotations

import struct
from typing import Any

CODES = {"bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q",
         "uint64": "Q", "float32": "f", "float64": "d"}  # fmt: skip


class generic:
    """Base of the scalar types. Scalars are Python numbers, so these classes have no instances."""

    dtype: dtype

    def __new__(cls, value: Any = 0) -> Any:
        """Return the converted Python number."""
        return cls.dtype.convert(value)


class number(generic):
    pass


class integer(number):
    pass


class floating(number):
    pass


class dtype:
    """Dtype of numbers or records. unit: bytes of an index into the memory."""

    def __init__(self, name: Any = "float64", align: bool = False) -> None:
        self.__dict__.update(dtype_of(name).__dict__)

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
        self.kind, self.code, self.unit, self.fields, offset = "V", "B", 1, {}, 0
        for name, kind, *shape in parts:
            field = dtype_of(kind)
            lengths = tuple(shape[0]) if shape else ()
            self.fields[name] = field, offset, lengths
            if offset % field.itemsize:
                raise ValueError(f"field {name!r} must be aligned to {field.itemsize} bytes, got offset {offset}")
            size = field.itemsize
            for length in lengths:
                size *= length
            offset += size
        self.itemsize, self.names = offset, tuple(self.fields)
        self.name = self.str = f"|V{offset}"
        return self

    def convert(self, value: Any) -> Any:
        """Return a number in the range and precision of the dtype; integers wrap around."""
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


_BY_NAME: dict[Any, dtype] = {}


def _scalar_type(name: str) -> Any:
    base = floating if name[0] == "f" else generic if name == "bool" else integer
    kind = dtype._plain(name)
    scalar = type(name, (base,), {"dtype": kind})
    _BY_NAME.update({scalar: kind, name: kind, kind.str: kind, kind.str[1:]: kind})
    return scalar


bool_ = _scalar_type("bool")
int8 = _scalar_type("int8")
uint8 = _scalar_type("uint8")
int16 = _scalar_type("int16")
uint16 = _scalar_type("uint16")
int32 = _scalar_type("int32")
uint32 = _scalar_type("uint32")
int64 = _scalar_type("int64")
uint64 = _scalar_type("uint64")
float32 = _scalar_type("float32")
float64 = _scalar_type("float64")
_BY_NAME.update({int: int64.dtype, float: float64.dtype, bool: bool_.dtype})


def dtype_of(name: Any) -> dtype:
    """Return the dtype of a name or type of NumPy or Python. TypeError for an unknown one."""
    if isinstance(name, dtype):
        return name
    if isinstance(name, tuple):  # (np.record, parts)
        return dtype._record(name[1])
    try:
        return _BY_NAME[name]
    except (KeyError, TypeError):
        raise TypeError(f"unknown dtype {name!r}") from None


def common(first: dtype, second: dtype) -> dtype:
    """Return the dtype of results of both, see `numpy.promote_types`."""
    if first is second:
        return first
    kinds = {first.kind, second.kind}
    if "f" in kinds:
        pair = first, second
        is_single = all(kind.name == "float32" if kind.kind == "f" else kind.itemsize <= 2 for kind in pair)
        return float32.dtype if is_single else float64.dtype
    if kinds == {"i", "u"}:
        signed, unsigned = (first, second) if first.kind == "i" else (second, first)
        size = signed.itemsize if signed.itemsize > unsigned.itemsize else 2 * unsigned.itemsize
        return float64.dtype if size > 8 else _BY_NAME[f"int{8 * size}"]
    if "b" in kinds:
        return second if first.kind == "b" else first
    return first if first.itemsize >= second.itemsize else second


def kind_of(value: Any) -> dtype:
    """Return the dtype of a Python number."""
    return bool_.dtype if isinstance(value, bool) else float64.dtype if isinstance(value, float) else int64.dtype
