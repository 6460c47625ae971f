"""Elementwise operators of arrays."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import repeat
from typing import Any

from numpy.arrays import _broadcast_shape, asarray, broadcast_to, ndarray
from numpy.kinds import bool_, common, dtype, float32, float64, int64, kind_of


def _kind_of_result(first: ndarray, second: Any, is_quotient: bool) -> dtype:
    if isinstance(second, ndarray):
        kind = common(first.dtype, second.dtype)
    elif isinstance(second, float):
        kind = first.dtype if first.dtype.kind == "f" else float64.dtype
    else:
        kind = int64.dtype if first.dtype.kind == "b" and not isinstance(second, bool) else first.dtype
    return float64.dtype if is_quotient and kind is not float32.dtype else kind


def elementwise(name: str, first: Any, second: Any, kind: dtype | None = None) -> ndarray:
    """Apply an operator of the module `operator` elementwise. kind: dtype of the result, by default promoted."""
    apply: Callable = getattr(operator, name)
    if not isinstance(first, ndarray):
        first = ndarray.of([first], (), kind_of(first)) if isinstance(first, int | float) else asarray(first)
        kind = kind or _kind_of_result(asarray(second), first.item(), name == "truediv") if not first.shape else kind
    if not isinstance(second, ndarray | int | float):
        second = asarray(second)
    kind = kind or _kind_of_result(first, second, name == "truediv")
    if not isinstance(second, ndarray):
        return ndarray.of(list(map(apply, first._values(), repeat(second))), first.shape, kind)
    shape = _broadcast_shape([first, second])
    first, second = broadcast_to(first, shape), broadcast_to(second, shape)
    if name == "eq" and first.dtype == second.dtype and first.dtype.kind != "f":
        return _equal(first, second)
    return ndarray.of(list(map(apply, first._values(), second._values())), shape, kind)


def _equal(first: ndarray, second: ndarray) -> ndarray:
    """Compare arrays of first shape and dtype, whole runs first, as most are equal."""
    (starts, run), (other_starts, other_run) = first._runs(), second._runs()
    if first.dtype.names is not None or run != other_run:
        equal = bytes(map(operator.eq, first._values(), second._values()))
    else:
        pairs = zip(starts, other_starts, strict=True)
        parts = [(first._numbers[i : i + run], second._numbers[j : j + run]) for i, j in pairs]
        equal = b"".join([b"\1" * run if a == b else bytes(map(operator.eq, a, b)) for a, b in parts])
    return ndarray.of_bytes(bytearray(equal), first.shape, bool_.dtype)


def _operators() -> None:
    arithmetic = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift")
    for name in arithmetic:
        plain = name.rstrip("_")

        def forward(self: ndarray, other: Any, name: str = name) -> ndarray:
            return elementwise(name, self, other)

        def backward(self: ndarray, other: Any, name: str = name) -> ndarray:
            return elementwise(name, other, self)

        def in_place(self: ndarray, other: Any, name: str = name) -> ndarray:
            self[...] = elementwise(name, self, other)
            return self

        setattr(ndarray, f"__{plain}__", forward)
        setattr(ndarray, f"__r{plain}__", backward)
        setattr(ndarray, f"__i{plain}__", in_place)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):

        def compare(self: ndarray, other: Any, name: str = name) -> ndarray:
            return elementwise(name, self, other, bool_.dtype)

        setattr(ndarray, f"__{name}__", compare)
    for name in ("neg", "abs", "invert"):

        def single(self: ndarray, name: str = name) -> ndarray:
            apply = operator.not_ if name == "invert" and self.dtype.kind == "b" else getattr(operator, name)
            return ndarray.of(list(map(apply, self._values())), self.shape, self.dtype)

        setattr(ndarray, f"__{name}__", single)
    ndarray.__hash__ = None  # type: ignore[assignment, method-assign]


_operators()
