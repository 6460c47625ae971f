"""Arrays and records as views of bytes."""

from __future__ import annotations

from array import array as packed
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import prod
from typing import Any

from numpy.kinds import dtype, dtype_of, float64, int64, kind_of, uint64


class Memory:
    """Bytes, and views of them as numbers."""

    __slots__ = ("raw", "views")

    def __init__(self, raw: Any) -> None:
        self.raw, self.views = memoryview(raw).cast("B"), {}  # type: ignore[var-annotated]

    def cast(self, code: str) -> memoryview:
        if code not in self.views:
            self.views[code] = self.raw.cast(code)
        return self.views[code]


def _bytes_of(values: Sequence[Any], kind: dtype) -> Any:
    """Return the bytes of numbers; integers out of range wrap around."""
    if kind.code == "?":
        return bytearray(map(bool, values))
    try:
        return packed(kind.code, values)
    except (OverflowError, TypeError):
        return packed(kind.code, [kind.convert(value) for value in values])


def _steps(shape: Sequence[int], last: int = 1) -> tuple[int, ...]:
    """Return the steps of a contiguous array."""
    steps = []
    for length in reversed(shape):
        steps.append(last)
        last *= length
    return tuple(reversed(steps))


class ndarray:
    """Numbers of one dtype, or records, in a memory shared with views.

    _start, _steps: first index and steps in the memory, in units of the dtype.
    """

    def __init__(self, memory: Memory, kind: dtype, start: int, shape: tuple[int, ...], steps: tuple[int, ...]) -> None:
        self._memory, self.dtype, self._start, self.shape, self._steps = memory, kind, start, shape, steps
        self._numbers = memory.cast(kind.code)

    @staticmethod
    def of(values: Sequence[Any], shape: tuple[int, ...], kind: dtype) -> ndarray:
        """Return a new array."""
        return ndarray(Memory(_bytes_of(values, kind)), kind, 0, shape, _steps(shape))

    @staticmethod
    def of_bytes(raw: Any, shape: tuple[int, ...], kind: dtype) -> ndarray:
        return ndarray(Memory(raw), kind, 0, shape, _steps(shape, kind.itemsize // kind.unit))

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: prod(self.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.itemsize)
    flags = property(lambda self: Flags())
    data = property(lambda self: self._contiguous())
    T = property(lambda self: self._like(self._start, self.shape[::-1], self._steps[::-1]))

    def _like(self, start: int, shape: tuple[int, ...], steps: tuple[int, ...]) -> Any:
        return type(self)(self._memory, self.dtype, start, shape, steps)

    # Contents.

    def _runs(self) -> tuple[Sequence[int], int]:
        """Return the starts of the contiguous runs in order, and the length of each."""
        run, axes = self.dtype.itemsize // self.dtype.unit, len(self.shape)
        while axes and (self._steps[axes - 1] == run or self.shape[axes - 1] == 1):
            run *= self.shape[axes - 1]
            axes -= 1
        starts: Sequence[int] = [self._start] if self.size else []
        for length, step in zip(self.shape[:axes], self._steps[:axes], strict=True):
            starts = [start + i * step for start in starts for i in range(length)]
        return starts, run

    def _values(self) -> list[Any]:
        starts, run = self._runs()
        if run == 1:
            return [self._numbers[start] for start in starts]
        if len(starts) == 1:
            return self._numbers[starts[0] : starts[0] + run].tolist()
        return list(chain.from_iterable(self._numbers[start : start + run].tolist() for start in starts))

    def _contiguous(self) -> memoryview:
        starts, run = self._runs()
        if not starts:
            return self._numbers[:0]
        if len(starts) != 1:
            raise ValueError("array must be contiguous")
        return self._numbers[starts[0] : starts[0] + run]

    def tobytes(self) -> bytes:
        starts, run = self._runs()
        return b"".join([self._numbers[start : start + run] for start in starts])

    def _write(self, starts: Sequence[int], run: int, raw: Any) -> None:
        unit = self.dtype.unit
        target, length, raw = self._memory.raw, run * unit, memoryview(raw).cast("B")
        for i, start in enumerate(starts):
            target[start * unit : start * unit + length] = raw[i * length : (i + 1) * length]

    def _set(self, shape: tuple[int, ...], starts: Sequence[int], run: int, value: Any) -> None:
        """Write values, broadcast to a shape, to runs."""
        if isinstance(value, record):
            self._write(starts, run, value.tobytes() * prod(shape))
        elif isinstance(value, int | float) and self.dtype.names is None:
            self._write(starts, run, bytes(memoryview(_bytes_of([value], self.dtype)).cast("B")) * prod(shape))
        else:
            array = asarray(value)
            while array.ndim > len(shape) and array.shape[0] == 1:
                array = array[0]
            array = broadcast_to(array, shape)
            is_same = array.dtype is self.dtype or array.dtype == self.dtype
            self._write(starts, run, array.tobytes() if is_same else _bytes_of(array._values(), self.dtype))

    # Indexing.

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and self.shape:
            length = self.shape[0]
            if not -length <= key < length:
                raise IndexError(f"index must be from {-length} to {length - 1}, got {key}")
            start = self._start + (key + length if key < 0 else key) * self._steps[0]
            if len(self.shape) > 1:
                return self._like(start, self.shape[1:], self._steps[1:])
            return self._numbers[start] if self.dtype.names is None else record(self._memory, self.dtype, start)
        if isinstance(key, str):
            kind, offset, shape = self.dtype.fields[key]
            steps = tuple(step // kind.unit for step in self._steps)
            start = (self._start + offset) // kind.unit
            return ndarray(self._memory, kind, start, self.shape + shape, steps + _steps(shape))
        start, shape, steps, runs = self._selected(key)
        if runs is None:
            if shape or (isinstance(key, tuple) and any(part is Ellipsis for part in key)):
                return self._like(start, shape, steps)
            return self._numbers[start] if self.dtype.names is None else record(self._memory, self.dtype, start)
        raw = b"".join([self._numbers[start : start + runs[1]] for start in runs[0]])
        return type(self)(Memory(bytearray(raw)), self.dtype, 0, shape, _steps(shape, self.itemsize // self.dtype.unit))

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self[key][...] = value
            return
        start, shape, steps, runs = self._selected(key)
        if runs is None and not shape and self.dtype.names is None and not isinstance(value, ndarray | list):
            try:
                self._numbers[start] = value
            except (ValueError, TypeError, OverflowError):
                self._numbers[start] = self.dtype.convert(value)
            return
        starts, run = ndarray(self._memory, self.dtype, start, shape, steps)._runs() if runs is None else runs
        self._set(shape, starts, run, value)

    def _selected(self, key: Any) -> tuple[int, tuple[int, ...], tuple[int, ...], tuple[Sequence[int], int] | None]:
        """Return the start, shape and steps that a key selects; for index arrays, also the runs."""
        keys = list(key) if isinstance(key, tuple) else [key]
        keys = [asarray(part) if isinstance(part, list | range) else part for part in keys]
        keys = [index for part in keys for index in (_indices_of(part) if _is_mask(part) else [part])]
        num_axes = sum(part is not None and part is not Ellipsis for part in keys)
        fill = [slice(None)] * (self.ndim - num_axes)
        if any(part is Ellipsis for part in keys):
            i = next(i for i, part in enumerate(keys) if part is Ellipsis)
            keys[i : i + 1] = fill
        else:
            keys += fill
        has_arrays = any(isinstance(part, ndarray) for part in keys)
        start, axis, shape, steps = self._start, 0, [], []  # type: ignore[var-annotated]
        arrays: list[tuple[ndarray, int]] = []
        first, is_separated, has_ended = 0, False, False  # block of index arrays
        for part in keys:
            if part is None:
                shape.append(1)
                steps.append(0)
                has_ended = bool(arrays)
                continue
            length, step = self.shape[axis], self._steps[axis]
            axis += 1
            if isinstance(part, slice):
                begin, stop, by = part.indices(length)
                start += begin * step
                shape.append(max(0, -(-(stop - begin) // by)))
                steps.append(step * by)
                has_ended = bool(arrays)
            elif isinstance(part, ndarray) or has_arrays:
                indices = part if isinstance(part, ndarray) else asarray(int(part))
                if not arrays:
                    first = len(shape)
                is_separated = is_separated or has_ended
                arrays.append((_checked(indices, length), step))
            else:
                index = int(part)
                if not -length <= index < length:
                    raise IndexError(f"index must be from {-length} to {length - 1}, got {index}")
                start += (index + length if index < 0 else index) * step
        if not arrays:
            return start, tuple(shape), tuple(steps), None
        first = 0 if is_separated else first
        lengths = _broadcast_shape([indices for indices, _ in arrays])
        offsets = [start] * prod(lengths)
        for indices, step in arrays:
            values = broadcast_to(indices, lengths)._values()
            offsets = [offset + i * step for offset, i in zip(offsets, values, strict=True)]
        outer = [0]
        for length, step in zip(shape[:first], steps[:first], strict=True):
            outer = [offset + i * step for offset in outer for i in range(length)]
        inner, run = ndarray(self._memory, self.dtype, 0, tuple(shape[first:]), tuple(steps[first:]))._runs()
        starts = [a + b + c for a in outer for b in offsets for c in inner]
        return start, (*shape[:first], *lengths, *shape[first:]), (), (starts, run)

    # Conversions.

    def view(self, form: Any = None) -> Any:
        """Return a view as another dtype or array type."""
        if form in (ndarray, recarray):
            return form(self._memory, self.dtype, self._start, self.shape, self._steps)
        kind = dtype_of(form)
        width, start = self.shape[-1] * self.itemsize, self._start * self.dtype.unit
        steps = tuple(step * self.dtype.unit // kind.unit for step in self._steps[:-1])
        shape = (*self.shape[:-1], width // kind.itemsize)
        return type(self)(self._memory, kind, start // kind.unit, shape, (*steps, kind.itemsize // kind.unit))

    def reshape(self, *shape: Any) -> Any:
        lengths = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
        if -1 in lengths:
            lengths[lengths.index(-1)] = self.size // max(1, -prod(lengths))
        if prod(lengths) != self.size:
            raise ValueError(f"shape must have {self.size} elements, got {tuple(lengths)}")
        array = self if len(self._runs()[0]) <= 1 else self.copy()
        return array._like(array._start, tuple(lengths), _steps(lengths, self.itemsize // self.dtype.unit))

    def ravel(self) -> Any:
        return self.reshape(-1)

    def copy(self) -> Any:
        steps = _steps(self.shape, self.itemsize // self.dtype.unit)
        return type(self)(Memory(bytearray(self.tobytes())), self.dtype, 0, self.shape, steps)

    def astype(self, dtype: Any, copy: bool = True) -> ndarray:
        kind = dtype_of(dtype)
        if kind == self.dtype:
            return self.copy() if copy else self
        return ndarray.of(self._values(), self.shape, kind)

    def tolist(self) -> Any:
        return self.item() if not self.shape else [row.tolist() if self.ndim > 1 else row for row in self]

    def item(self, *index: int) -> Any:
        return self._values()[index[0] if index else 0] if self.ndim != 1 or not index else self[index[0]]

    def fill(self, value: Any) -> None:
        self[...] = value

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 1 and self.dtype.names is None:
            return iter(self._values())
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(f"array must have one element to be true or false, got {self.size}")
        return bool(self._values()[0])

    __int__ = lambda self: int(self.item())  # noqa: E731
    __index__ = __int__
    __float__ = lambda self: float(self.item())  # noqa: E731
    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, value: Any) -> bool:
        return value in self._values()

    def __repr__(self) -> str:
        return f"array({self.tolist() if self.dtype.names is None else self.tobytes()}, {self.dtype})"

    def __getattr__(self, name: str) -> Any:
        """Return a function of the module as a method."""
        import numpy

        if name in ("any", "all", "sum", "min", "max", "argmax", "argmin", "cumsum", "argsort", "nonzero", "prod"):
            return lambda *args, **kwargs: getattr(numpy, name)(self, *args, **kwargs)
        raise AttributeError(f"arrays have no attribute {name!r}")


class Flags:
    """Flags of an array, without effect."""

    writeable = True


class recarray(ndarray):
    """Array of records with fields as attributes."""

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__["dtype"].fields:
            return self[name]
        return super().__getattr__(name)


class record:
    """Record with fields as attributes and items."""

    def __init__(self, memory: Memory, kind: dtype, start: int) -> None:
        self.__dict__.update(_memory=memory, dtype=kind, _start=start)

    def __getitem__(self, name: str) -> Any:
        kind, offset, shape = self.dtype.fields[name]
        start = (self._start + offset) // kind.unit
        return (
            ndarray(self._memory, kind, start, shape, _steps(shape)) if shape else self._memory.cast(kind.code)[start]
        )

    def __setitem__(self, name: str, value: Any) -> None:
        kind, offset, shape = self.dtype.fields[name]
        ndarray(self._memory, kind, (self._start + offset) // kind.unit, shape, _steps(shape))[...] = value

    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__["dtype"].fields:
            raise AttributeError(f"unknown field {name!r}")
        return self[name]

    __setattr__ = __setitem__

    def tobytes(self) -> bytes:
        return bytes(self._memory.raw[self._start : self._start + self.dtype.itemsize])

    def copy(self) -> record:
        return record(Memory(bytearray(self.tobytes())), self.dtype, 0)

    def __eq__(self, other: object) -> Any:
        return isinstance(other, record) and self.dtype == other.dtype and self.tobytes() == other.tobytes()

    __hash__ = None  # type: ignore[assignment]


def _is_mask(key: Any) -> bool:
    return isinstance(key, ndarray) and key.dtype.kind == "b"


def _indices_of(mask: ndarray) -> list[ndarray]:
    from numpy import nonzero

    return list(nonzero(mask))


def _checked(indices: ndarray, length: int) -> ndarray:
    """Return non-negative indices. IndexError if one is out of range."""
    values = indices._values()
    if values and not (-length <= min(values) and max(values) < length):
        raise IndexError(f"indices must be from {-length} to {length - 1}, got {values}")
    if values and min(values) < 0:
        return ndarray.of([i + length if i < 0 else i for i in values], indices.shape, int64.dtype)
    return indices


def _broadcast_shape(arrays: Iterable[ndarray]) -> tuple[int, ...]:
    """Return the common shape to which arrays are broadcast."""
    shape: list[int] = []
    for array in arrays:
        lengths = list(array.shape)
        ndim = max(len(shape), len(lengths))
        shape, lengths = [1] * (ndim - len(shape)) + shape, [1] * (ndim - len(lengths)) + lengths
        for i, length in enumerate(lengths):
            if shape[i] != length and 1 not in (shape[i], length):
                raise ValueError(f"cannot broadcast shapes {shape} and {lengths}")
            shape[i] = length if shape[i] == 1 else shape[i]
    return tuple(shape)


def broadcast_to(array: ndarray, shape: tuple[int, ...]) -> ndarray:
    """Return a view of an array, repeated along new axes and along those of length 1."""
    if array.shape == shape:
        return array
    new_axes = len(shape) - array.ndim
    if new_axes < 0 or any(old not in (1, new) for old, new in zip(array.shape, shape[new_axes:], strict=True)):
        raise ValueError(f"cannot broadcast shape {array.shape} to {shape}")
    axes = zip(array.shape, shape[new_axes:], array._steps, strict=True)
    steps = [step if old == new else 0 for old, new, step in axes]
    return array._like(array._start, shape, (*[0] * new_axes, *steps))


def asarray(value: Any, dtype: Any = None) -> ndarray:
    """Return an array, or convert a number or nested lists of numbers."""
    kind = None if dtype is None else dtype_of(dtype)
    if isinstance(value, ndarray):
        return value if kind is None else value.astype(kind, copy=False)
    if isinstance(value, record):
        return recarray(value._memory, value.dtype, value._start, (), ())
    shape, values = _flat(value)
    if kind is None:
        types = {type(number) for number in values} or {float}
        if types - {bool, int, float} and not all(issubclass(scalar, int) for scalar in types):
            raise TypeError(f"array must contain numbers, got {value!r}")
        kind = kind_of(values[0]) if types == {bool} else (float64 if float in types else int64).dtype
        if kind is int64.dtype and values and max(values) >= 2**63:
            kind = uint64.dtype
    return ndarray.of(values, shape, kind)


def _flat(value: Any) -> tuple[tuple[int, ...], list[Any]]:
    """Return the shape and the numbers of nested lists."""
    if isinstance(value, ndarray):
        return value.shape, value._values()
    if not hasattr(value, "__len__") or isinstance(value, str):
        return (), [value]
    parts = [_flat(part) for part in value]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1:
        raise ValueError("rows must have the same length")
    return (len(parts), *(shapes.pop() if parts else ())), [number for _, numbers in parts for number in numbers]
