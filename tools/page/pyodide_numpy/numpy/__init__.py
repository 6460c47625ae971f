"""What this package uses of NumPy, in plain Python: for machines that have none, such as a page's Python.

It holds no more than that; what is missing raises AttributeError or TypeError. Single numbers are Python's own.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, product
from types import SimpleNamespace
from typing import Any

from numpy.arrays import _together as _stretched
from numpy.arrays import asarray, broadcast_to, ndarray, recarray, record
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
from numpy.operators import by_number

__version__ = "0"
inf, nan, pi = math.inf, math.nan, math.pi
newaxis = None
random = SimpleNamespace(SeedSequence=SeedSequence, default_rng=default_rng)

__all__ = ["asarray", "bool_", "broadcast_to", "dtype", "float32", "float64", "floating", "generic", "int8", "int16",
           "int32", "int64", "integer", "ndarray", "number", "recarray", "record", "uint8", "uint16", "uint32",
           "uint64"]  # fmt: skip


def array(given: Any, kind: Any = None, dtype: Any = None, copy: bool = True) -> ndarray:
    found = asarray(given, kind or dtype)
    return found.copy() if isinstance(given, ndarray | record) else found


ascontiguousarray = asarray


def require(given: Any, kind: Any = None, requirements: Any = None) -> ndarray:
    return asarray(given, kind)


def shape(given: Any) -> tuple[int, ...]:
    return asarray(given).shape


def _lengths(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(int(length) for length in shape)


def zeros(shape: Any, dtype: Any = float64) -> ndarray:
    kind, lengths = dtype_of(dtype), _lengths(shape)
    return ndarray.of_bytes(bytearray(math.prod(lengths) * kind.itemsize), lengths, kind)


empty = zeros


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    found = zeros(shape, asarray(value).dtype if dtype is None else dtype)
    found[...] = value
    return found


def ones(shape: Any, dtype: Any = float64) -> ndarray:
    return full(shape, 1, dtype)


def eye(n: int, dtype: Any = float64) -> ndarray:
    return ndarray.of([int(i == j) for i in range(n) for j in range(n)], (n, n), dtype_of(dtype))


def zeros_like(given: Any, dtype: Any = None) -> ndarray:
    return zeros(shape(given), dtype or asarray(given).dtype)


empty_like = zeros_like


def arange(*bounds: int, dtype: Any = int64) -> ndarray:
    found = range(*map(int, bounds))
    return ndarray.of(found, (len(found),), dtype_of(dtype))


def frombuffer(raw: Any, dtype: Any = float64) -> ndarray:
    kind = dtype_of(dtype)
    return ndarray.of_bytes(raw, (len(memoryview(raw).cast("B")) // kind.itemsize,), kind)


def copyto(into: ndarray, given: Any) -> None:
    into[...] = given


# Over axes.


def _over(given: Any, axis: Any, keepdims: bool, apply: Callable[[list[Any]], Any], kind: Any = None) -> Any:
    """What a function of a list gives of all numbers, or along some axes."""
    array = asarray(given)
    kind = kind or array.dtype
    if axis is None:
        results = apply(array._values())
        return dtype_of(kind).kept(results)
    axes = {at % array.ndim for at in (axis if isinstance(axis, tuple) else (axis,))}
    kept, gone = [at for at in range(array.ndim) if at not in axes], sorted(axes)
    order = kept + gone
    turned = ndarray(array._memory, array.dtype, array._at, tuple(array.shape[at] for at in order),
                     tuple(array._steps[at] for at in order))  # fmt: skip
    values, length = turned._values(), math.prod(array.shape[at] for at in gone)
    count = math.prod(array.shape[at] for at in kept)
    results = [apply(values[i * length : (i + 1) * length]) for i in builtins.range(count)]
    lengths = tuple(1 if at in axes else array.shape[at] for at in range(array.ndim)) if keepdims else None
    made = ndarray.of(results, lengths or tuple(array.shape[at] for at in kept), dtype_of(kind))
    return made if made.shape else made.item()


def any(given: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _over(given, axis, keepdims, builtins.any, bool_)


def all(given: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _over(given, axis, keepdims, builtins.all, bool_)


def _sums(given: Any, dtype: Any) -> Any:
    """The kind in which numbers are added up."""
    own = asarray(given).dtype
    return dtype or (own if own.kind == "f" else uint64 if own.kind == "u" else int64)


def sum(given: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    return _over(given, axis, keepdims, builtins.sum, _sums(given, dtype))


def prod(given: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _over(given, axis, keepdims, math.prod, _sums(given, None))


def min(given: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _over(given, axis, keepdims, builtins.min)


def max(given: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _over(given, axis, keepdims, builtins.max)


def argmax(given: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _over(given, axis, keepdims, lambda own: own.index(builtins.max(own)), int64)


def argmin(given: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return _over(given, axis, keepdims, lambda own: own.index(builtins.min(own)), int64)


def _along(given: Any, axis: Any, kind: Any, apply: Callable[[list[Any]], Iterable[Any]]) -> ndarray:
    """What a function makes of each row; the rows must be those of the last axis."""
    own = asarray(given)
    if axis not in (None, -1, own.ndim - 1):
        raise NotImplementedError("only along the last axis")
    values, length = own._values(), own.size if axis is None else own.shape[-1]
    rows = [apply(values[i : i + length]) for i in builtins.range(0, len(values), length or 1)]
    return ndarray.of([one for row in rows for one in row], (own.size,) if axis is None else own.shape, dtype_of(kind))


def cumsum(given: Any, axis: Any = None) -> ndarray:
    return _along(given, axis, _sums(given, None), accumulate)


def argsort(given: Any, axis: int = -1, kind: str = "stable") -> ndarray:
    return _along(given, axis, int64, lambda own: sorted(builtins.range(len(own)), key=own.__getitem__))


def diff(given: Any) -> ndarray:
    own = asarray(given)
    return own[1:] - own[:-1]


# Where something is.


def nonzero(given: Any) -> tuple[ndarray, ...]:
    array = asarray(given)
    flat = [i for i, value in enumerate(array._values()) if value]
    places, after = [], array.size
    for length in array.shape:
        after //= length or 1
        places.append(ndarray.of([i // after % length for i in flat], (len(flat),), int64.dtype))
    return tuple(places)


def flatnonzero(given: Any) -> ndarray:
    found = [i for i, value in enumerate(asarray(given)._values()) if value]
    return ndarray.of(found, (len(found),), int64.dtype)


def argwhere(given: Any) -> ndarray:
    found = nonzero(given)
    return ndarray.of([int(at) for place in zip(*found, strict=True) for at in place], (len(found[0]), len(found)),
                      int64.dtype)  # fmt: skip


def where(is_so: Any, one: Any, other: Any) -> ndarray:
    asked, parts = asarray(is_so), [asarray(one), asarray(other)]
    kind = (by_number("add", one, other) if isinstance(one, ndarray) else by_number("add", other, one)).dtype \
        if isinstance(one, ndarray) or isinstance(other, ndarray) else parts[0].dtype  # fmt: skip
    lengths = _stretched([asked, *parts])
    own, first, second = (broadcast_to(each, lengths)._values() for each in (asked, *parts))
    return ndarray.of([a if is_ else b for is_, a, b in zip(own, first, second, strict=True)], lengths, kind)


def isin(given: Any, among: Any) -> ndarray:
    own, known = asarray(given), set(asarray(among)._values())
    return ndarray.of([value in known for value in own._values()], own.shape, bool_.dtype)


def unique(given: Any) -> ndarray:
    own = asarray(given)
    found = sorted(set(own._values()))
    return ndarray.of(found, (len(found),), own.dtype)


def array_equal(one: Any, other: Any) -> bool:
    first, second = asarray(one), asarray(other)
    return first.shape == second.shape and bool((first == second).all())


def _by_pairs(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], ndarray]:
    def function(one: Any, other: Any) -> ndarray:
        first, second = asarray(one), asarray(other)
        kind = by_number("add", one, other).dtype if isinstance(one, ndarray) else by_number("add", other, one).dtype
        lengths = _stretched([first, second])
        values = map(apply, broadcast_to(first, lengths)._values(), broadcast_to(second, lengths)._values())
        return ndarray.of(list(values), lengths, kind)

    return function


minimum, maximum = _by_pairs(builtins.min), _by_pairs(builtins.max)


def abs(given: Any) -> Any:
    return builtins.abs(given)


def bincount(given: Any, weights: Any = None, minlength: int = 0) -> ndarray:
    own = asarray(given)._values()
    kind = int64 if weights is None else float64
    found = [0] * builtins.max(minlength, builtins.max(own, default=-1) + 1)
    for i, place in enumerate(own):
        found[place] += 1 if weights is None else weights[i]
    return ndarray.of(found, (len(found),), kind.dtype)


# Putting together.


def concatenate(parts: Sequence[Any], axis: int = 0) -> ndarray:
    arrays = [asarray(part) for part in parts]
    kind = arrays[0].dtype
    for part in arrays[1:]:
        kind = by_number("add", zeros(1, kind), zeros(1, part.dtype)).dtype
    total = builtins.sum(part.shape[axis] for part in arrays)
    lengths = tuple(total if at == axis % arrays[0].ndim else length for at, length in enumerate(arrays[0].shape))
    joined, at = zeros(lengths, kind), 0
    for part in arrays:
        place = [slice(None)] * part.ndim
        place[axis % part.ndim] = slice(at, at + part.shape[axis])
        joined[tuple(place)] = part
        at += part.shape[axis]
    return joined


def stack(parts: Sequence[Any]) -> ndarray:
    return concatenate([asarray(part)[None] for part in parts])


def vstack(parts: Sequence[Any]) -> ndarray:
    return concatenate(parts)


def hstack(parts: Sequence[Any]) -> ndarray:
    return concatenate(parts, axis=0 if asarray(parts[0]).ndim == 1 else 1)


def repeat(given: Any, times: Any, axis: int | None = None) -> ndarray:
    array = asarray(given)
    if axis == 0:
        return array[repeat(arange(len(array)), times)]
    counts = broadcast_to(asarray(times), array.shape)._values()
    values = [value for value, n in zip(array._values(), counts, strict=True) for _ in builtins.range(n)]
    return ndarray.of(values, (len(values),), array.dtype)


def tile(given: Any, times: tuple[int, int]) -> ndarray:
    own = asarray(given)
    rows, across = times
    return ndarray.of(own._values() * across * rows, (rows, own.size * across), own.dtype)


def rot90(given: Any, times: int = 1) -> ndarray:
    own = asarray(given)
    for _ in builtins.range(times % 4):
        own = own.T[::-1]
    return own


def ndindex(*lengths: int) -> Iterator[tuple[int, ...]]:
    return product(*map(builtins.range, lengths))


def ndenumerate(given: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    own = asarray(given)
    return zip(ndindex(*own.shape), own._values(), strict=True)


def iinfo(kind: Any) -> SimpleNamespace:
    own = dtype_of(kind)
    low = -(1 << own.bits - 1) if own.kind == "i" else 0
    return SimpleNamespace(min=low, max=low + (1 << own.bits) - 1)


def _by_number(apply: Callable[[Any], Any], into: Any = None) -> Callable[[Any], Any]:
    def function(given: Any) -> Any:
        if isinstance(given, int | float):
            return apply(given)
        own = asarray(given)
        kind = into or (own if own.dtype.kind == "f" else float64).dtype
        return ndarray.of([apply(value) for value in own._values()], own.shape, kind)

    return function


log1p = _by_number(math.log1p)
exp = _by_number(math.exp)
tanh = _by_number(math.tanh)
sqrt = _by_number(math.sqrt)
sign = _by_number(lambda value: float((value > 0) - (value < 0)))
rint = _by_number(lambda value: float(round(value)))
isnan = _by_number(math.isnan, bool_.dtype)
isfinite = _by_number(math.isfinite, bool_.dtype)
