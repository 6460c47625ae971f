"""The functions of NumPy that vitienv uses, in plain Python, for interpreters without NumPy such as Pyodide.

Missing functions raise AttributeError or TypeError. Scalars are Python numbers.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, product
from types import SimpleNamespace
from typing import Any

from numpy.arrays import _broadcast_shape, asarray, broadcast_to, ndarray, recarray, record
from numpy.chance import SeedSequence, default_rng
from numpy.kinds import (
    bool_,
    dtype,
    dtype_of,
    float32,
    float64,
    floating,
    generic,
    int8,
    int16,
    int32,
    int64,
    integer,
    number,
    uint8,
    uint16,
    uint32,
    uint64,
)  # fmt: skip
from numpy.operators import elementwise

__version__ = "0"
inf, nan, pi = math.inf, math.nan, math.pi
newaxis = None
random = SimpleNamespace(SeedSequence=SeedSequence, default_rng=default_rng)

__all__ = ["asarray", "bool_", "broadcast_to", "dtype", "float32", "float64", "floating", "generic", "int8", "int16",
           "int32", "int64", "integer", "ndarray", "number", "recarray", "record", "uint8", "uint16", "uint32",
           "uint64"]  # fmt: skip


def array(operand: Any, kind: Any = None, dtype: Any = None, copy: bool = True) -> ndarray:
    result = asarray(operand, kind or dtype)
    return result.copy() if isinstance(operand, ndarray | record) else result


ascontiguousarray = asarray


def require(operand: Any, kind: Any = None, requirements: Any = None) -> ndarray:
    return asarray(operand, kind)


def shape(operand: Any) -> tuple[int, ...]:
    return asarray(operand).shape


def _lengths(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(int(length) for length in shape)


def zeros(shape: Any, dtype: Any = float64) -> ndarray:
    kind, lengths = dtype_of(dtype), _lengths(shape)
    return ndarray.of_bytes(bytearray(math.prod(lengths) * kind.itemsize), lengths, kind)


empty = zeros


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    result = zeros(shape, asarray(value).dtype if dtype is None else dtype)
    result[...] = value
    return result


def ones(shape: Any, dtype: Any = float64) -> ndarray:
    return full(shape, 1, dtype)


def eye(n: int, dtype: Any = float64) -> ndarray:
    return ndarray.of([int(i == j) for i in range(n) for j in range(n)], (n, n), dtype_of(dtype))


def zeros_like(operand: Any, dtype: Any = None) -> ndarray:
    return zeros(shape(operand), dtype or asarray(operand).dtype)


empty_like = zeros_like


def arange(*bounds: int, dtype: Any = int64) -> ndarray:
    result = range(*map(int, bounds))
    return ndarray.of(result, (len(result),), dtype_of(dtype))


def frombuffer(raw: Any, dtype: Any = float64) -> ndarray:
    kind = dtype_of(dtype)
    return ndarray.of_bytes(raw, (len(memoryview(raw).cast("B")) // kind.itemsize,), kind)


def copyto(target: ndarray, values: Any) -> None:
    target[...] = values


# Reductions.


def _reduce(operand: Any, axis: Any, keepdims: bool, apply: Callable[[list[Any]], Any], kind: Any = None) -> Any:
    """Apply a function of a list to all numbers, or along some axes."""
    array = asarray(operand)
    kind = kind or array.dtype
    if axis is None:
        return dtype_of(kind).convert(apply(array._values()))
    axes = {i % array.ndim for i in (axis if isinstance(axis, tuple) else (axis,))}
    outer, inner = [i for i in range(array.ndim) if i not in axes], sorted(axes)
    order = outer + inner
    turned = ndarray(array._memory, array.dtype, array._start, tuple(array.shape[i] for i in order),
                     tuple(array._steps[i] for i in order))  # fmt: skip
    values, length = turned._values(), math.prod(array.shape[i] for i in inner)
    count = math.prod(array.shape[i] for i in outer)
    results = [apply(values[i * length : (i + 1) * length]) for i in builtins.range(count)]
    shape = [1 if i in axes else array.shape[i] for i in range(array.ndim) if keepdims or i not in axes]
    reduced = ndarray.of(results, tuple(shape), dtype_of(kind))
    return reduced if reduced.shape else reduced.item()


def any(operand: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _reduce(operand, axis, keepdims, builtins.any, bool_)


def all(operand: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _reduce(operand, axis, keepdims, builtins.all, bool_)


def _sums(operand: Any, dtype: Any) -> Any:
    """Return the dtype of sums."""
    kind = asarray(operand).dtype
    return dtype or (kind if kind.kind == "f" else uint64 if kind.kind == "u" else int64)


def sum(operand: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    return _reduce(operand, axis, keepdims, builtins.sum, _sums(operand, dtype))


def prod(operand: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _reduce(operand, axis, keepdims, math.prod, _sums(operand, None))


def min(operand: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _reduce(operand, axis, keepdims, builtins.min)


def max(operand: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _reduce(operand, axis, keepdims, builtins.max)


def argmax(operand: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _reduce(operand, axis, keepdims, lambda values: values.index(builtins.max(values)), int64)


def argmin(operand: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _reduce(operand, axis, keepdims, lambda values: values.index(builtins.min(values)), int64)


def _scan(operand: Any, axis: Any, kind: Any, apply: Callable[[list[Any]], Iterable[Any]]) -> ndarray:
    """Apply a function to each row of the last axis."""
    array = asarray(operand)
    if axis not in (None, -1, array.ndim - 1):
        raise NotImplementedError(f"axis must be the last one, got {axis}")
    values, length = array._values(), array.size if axis is None else array.shape[-1]
    rows = [apply(values[i : i + length]) for i in builtins.range(0, len(values), length or 1)]
    shape = (array.size,) if axis is None else array.shape
    return ndarray.of([value for row in rows for value in row], shape, dtype_of(kind))


def cumsum(operand: Any, axis: Any = None) -> ndarray:
    return _scan(operand, axis, _sums(operand, None), accumulate)


def argsort(operand: Any, axis: int = -1, kind: str = "stable") -> ndarray:
    return _scan(operand, axis, int64, lambda values: sorted(builtins.range(len(values)), key=values.__getitem__))


def diff(operand: Any) -> ndarray:
    array = asarray(operand)
    return array[1:] - array[:-1]


# Searching and comparing.


def nonzero(operand: Any) -> tuple[ndarray, ...]:
    array = asarray(operand)
    flat = [i for i, value in enumerate(array._values()) if value]
    indices, stride = [], array.size
    for length in array.shape:
        stride //= length or 1
        indices.append(ndarray.of([i // stride % length for i in flat], (len(flat),), int64.dtype))
    return tuple(indices)


def flatnonzero(operand: Any) -> ndarray:
    return nonzero(asarray(operand).ravel())[0]


def argwhere(operand: Any) -> ndarray:
    columns = nonzero(operand)
    indices = [int(index) for row in zip(*columns, strict=True) for index in row]
    return ndarray.of(indices, (len(columns[0]), len(columns)), int64.dtype)


def where(condition: Any, x: Any, y: Any) -> ndarray:
    arrays = [asarray(condition), asarray(x), asarray(y)]
    kind = _kind_of_sum(x, y) if isinstance(x, ndarray) or isinstance(y, ndarray) else arrays[1].dtype
    lengths = _broadcast_shape(arrays)
    rows = zip(*(broadcast_to(array, lengths)._values() for array in arrays), strict=True)
    return ndarray.of([a if is_true else b for is_true, a, b in rows], lengths, kind)


def isin(operand: Any, elements: Any) -> ndarray:
    array, members = asarray(operand), set(asarray(elements)._values())
    return ndarray.of([value in members for value in array._values()], array.shape, bool_.dtype)


def unique(operand: Any) -> ndarray:
    array = asarray(operand)
    result = sorted(set(array._values()))
    return ndarray.of(result, (len(result),), array.dtype)


def array_equal(x: Any, y: Any) -> bool:
    first, second = asarray(x), asarray(y)
    return first.shape == second.shape and bool((first == second).all())


def _kind_of_sum(x: Any, y: Any) -> Any:
    return (elementwise("add", x, y) if isinstance(x, ndarray) else elementwise("add", y, x)).dtype


def _binary(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], ndarray]:
    def function(x: Any, y: Any) -> ndarray:
        first, second = asarray(x), asarray(y)
        lengths = _broadcast_shape([first, second])
        values = map(apply, broadcast_to(first, lengths)._values(), broadcast_to(second, lengths)._values())
        return ndarray.of(list(values), lengths, _kind_of_sum(x, y))

    return function


minimum, maximum = _binary(builtins.min), _binary(builtins.max)


def abs(operand: Any) -> Any:
    return builtins.abs(operand)


def bincount(operand: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    values = asarray(operand)._values()
    kind = int64 if weights is None else float64
    counts = [0] * builtins.max(minlength, builtins.max(values, default=-1) + 1)
    for i, value in enumerate(values):
        counts[value] += 1 if weights is None else weights[i]
    return ndarray.of(counts, (len(counts),), kind.dtype)


# Joining and repeating.


def concatenate(parts: Sequence[Any], axis: int = 0) -> ndarray:
    arrays = [asarray(part) for part in parts]
    kind = arrays[0].dtype
    for part in arrays[1:]:
        kind = _kind_of_sum(zeros(1, kind), zeros(1, part.dtype))
    total = builtins.sum(part.shape[axis] for part in arrays)
    lengths = tuple(total if i == axis % arrays[0].ndim else length for i, length in enumerate(arrays[0].shape))
    joined, start = zeros(lengths, kind), 0
    for part in arrays:
        key = [slice(None)] * part.ndim
        key[axis % part.ndim] = slice(start, start + part.shape[axis])
        joined[tuple(key)] = part
        start += part.shape[axis]
    return joined


def stack(parts: Sequence[Any]) -> ndarray:
    return concatenate([asarray(part)[None] for part in parts])


def vstack(parts: Sequence[Any]) -> ndarray:
    return concatenate(parts)


def hstack(parts: Sequence[Any]) -> ndarray:
    return concatenate(parts, axis=0 if asarray(parts[0]).ndim == 1 else 1)


def repeat(operand: Any, times: Any, axis: int | None = None) -> ndarray:
    array = asarray(operand)
    if axis == 0:
        return array[repeat(arange(len(array)), times)]
    counts = broadcast_to(asarray(times), array.shape)._values()
    values = [value for value, n in zip(array._values(), counts, strict=True) for _ in builtins.range(n)]
    return ndarray.of(values, (len(values),), array.dtype)


def tile(operand: Any, times: tuple[int, int]) -> ndarray:
    array = asarray(operand)
    rows, across = times
    return ndarray.of(array._values() * across * rows, (rows, array.size * across), array.dtype)


def rot90(operand: Any, times: int = 1) -> ndarray:
    array = asarray(operand)
    for _ in builtins.range(times % 4):
        array = array.T[::-1]
    return array


def ndindex(*lengths: int) -> Iterator[tuple[int, ...]]:
    return product(*map(builtins.range, lengths))


def ndenumerate(operand: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    array = asarray(operand)
    return zip(ndindex(*array.shape), array._values(), strict=True)


def iinfo(kind: Any) -> SimpleNamespace:
    integers = dtype_of(kind)
    low = -(1 << integers.bits - 1) if integers.kind == "i" else 0
    return SimpleNamespace(min=low, max=low + (1 << integers.bits) - 1)


def _unary(apply: Callable[[Any], Any], result: Any = None) -> Callable[[Any], Any]:
    def function(operand: Any) -> Any:
        if isinstance(operand, int | float):
            return apply(operand)
        array = asarray(operand)
        kind = result or (array if array.dtype.kind == "f" else float64).dtype
        return ndarray.of([apply(value) for value in array._values()], array.shape, kind)

    return function


log1p = _unary(math.log1p)
exp = _unary(math.exp)
tanh = _unary(math.tanh)
sqrt = _unary(math.sqrt)
sign = _unary(lambda value: float((value > 0) - (value < 0)))
rint = _unary(lambda value: float(round(value)))
isnan = _unary(math.isnan, bool_.dtype)
isfinite = _unary(math.isfinite, bool_.dtype)
