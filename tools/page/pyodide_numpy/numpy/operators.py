"""Python's operators on arrays, number by number."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import repeat
from typing import Any

from numpy.arrays import _together, asarray, broadcast_to, ndarray
from numpy.kinds import bool_, common, dtype, float32, float64, int64, kind_of


def _kind_of_result(one: ndarray, other: Any, is_quotient: bool) -> dtype:
    if isinstance(other, ndarray):
        kind = common(one.dtype, other.dtype)
    elif isinstance(other, float):
        kind = one.dtype if one.dtype.kind == "f" else float64.dtype
    else:
        kind = int64.dtype if one.dtype.kind == "b" and not isinstance(other, bool) else one.dtype
    return float64.dtype if is_quotient and kind is not float32.dtype else kind


def by_number(name: str, one: Any, other: Any, kind: dtype | None = None) -> ndarray:
    """What Python's operator of a name gives, number by number. kind: of the result, if not that of the numbers."""
    apply: Callable = getattr(operator, name)
    if not isinstance(one, ndarray):
        one = ndarray.of([one], (), kind_of(one)) if isinstance(one, int | float) else asarray(one)
        kind = kind or _kind_of_result(asarray(other), one.item(), name == "truediv") if not one.shape else kind
    if not isinstance(other, ndarray | int | float):
        other = asarray(other)
    kind = kind or _kind_of_result(one, other, name == "truediv")
    if not isinstance(other, ndarray):
        return ndarray.of(list(map(apply, one._values(), repeat(other))), one.shape, kind)
    shape = _together([one, other])
    one, other = broadcast_to(one, shape), broadcast_to(other, shape)
    if name == "eq" and one.dtype == other.dtype and one.dtype.kind != "f":
        return _equal(one, other)
    return ndarray.of(list(map(apply, one._values(), other._values())), shape, kind)


def _equal(one: ndarray, other: ndarray) -> ndarray:
    """Whether the numbers of two arrays of one shape and kind are equal: stretch by stretch first, since most are."""
    (ours, run), (theirs, others_run) = one._runs(), other._runs()
    if one.dtype.names is not None or run != others_run:
        found = bytes(map(operator.eq, one._values(), other._values()))
    else:
        parts = [(one._read[at : at + run], other._read[to : to + run]) for at, to in zip(ours, theirs, strict=True)]
        found = b"".join([b"\1" * run if a == b else bytes(map(operator.eq, a, b)) for a, b in parts])
    return ndarray.of_bytes(bytearray(found), one.shape, bool_.dtype)


def _operators() -> None:
    arithmetic = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift")
    for name in arithmetic:
        plain = name.rstrip("_")

        def forward(self: ndarray, other: Any, name: str = name) -> ndarray:
            return by_number(name, self, other)

        def backward(self: ndarray, other: Any, name: str = name) -> ndarray:
            return by_number(name, other, self)

        def inside(self: ndarray, other: Any, name: str = name) -> ndarray:
            self[...] = by_number(name, self, other)
            return self

        setattr(ndarray, f"__{plain}__", forward)
        setattr(ndarray, f"__r{plain}__", backward)
        setattr(ndarray, f"__i{plain}__", inside)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):

        def compare(self: ndarray, other: Any, name: str = name) -> ndarray:
            return by_number(name, self, other, bool_.dtype)

        setattr(ndarray, f"__{name}__", compare)
    for name in ("neg", "abs", "invert"):

        def single(self: ndarray, name: str = name) -> ndarray:
            apply = operator.not_ if name == "invert" and self.dtype.kind == "b" else getattr(operator, name)
            return ndarray.of(list(map(apply, self._values())), self.shape, self.dtype)

        setattr(ndarray, f"__{name}__", single)
    ndarray.__hash__ = None  # type: ignore[assignment, method-assign]


_operators()
