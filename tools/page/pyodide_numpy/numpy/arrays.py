"""Arrays over plain bytes: views, records, and what is done number by number."""

from __future__ import annotations

from array import array as packed
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import prod
from typing import Any

from numpy.kinds import dtype, dtype_of, float64, int64, kind_of, uint64


class Memory:
    """Bytes, and the same read as numbers of some kind."""

    __slots__ = ("raw", "views")

    def __init__(self, raw: Any) -> None:
        self.raw, self.views = memoryview(raw).cast("B"), {}  # type: ignore[var-annotated]

    def read_as(self, code: str) -> memoryview:
        found = self.views.get(code)
        if found is None:
            found = self.views[code] = self.raw.cast(code)
        return found


def _bytes_of(values: Sequence[Any], kind: dtype) -> Any:
    """Numbers as they lie in memory; what does not fit wraps round."""
    if kind.code == "?":
        return bytearray(map(bool, values))
    try:
        return packed(kind.code, values)
    except (OverflowError, TypeError):
        return packed(kind.code, [kind.kept(value) for value in values])


def _steps(shape: Sequence[int], last: int = 1) -> tuple[int, ...]:
    """How far it is from one to the next along each axis, where they lie one after the other."""
    steps = []
    for length in reversed(shape):
        steps.append(last)
        last *= length
    return tuple(reversed(steps))


class ndarray:
    """Numbers of one kind, or records, in a memory that others may share.

    _at, _steps: where they lie, counted in the unit of their kind.
    """

    def __init__(self, memory: Memory, kind: dtype, at: int, shape: tuple[int, ...], steps: tuple[int, ...]) -> None:
        self._memory, self.dtype, self._at, self.shape, self._steps = memory, kind, at, shape, steps
        self._read = memory.read_as(kind.code)

    @staticmethod
    def of(values: Sequence[Any], shape: tuple[int, ...], kind: dtype) -> ndarray:
        """A new one."""
        return ndarray(Memory(_bytes_of(values, kind)), kind, 0, shape, _steps(shape))

    @staticmethod
    def of_bytes(raw: Any, shape: tuple[int, ...], kind: dtype) -> ndarray:
        return ndarray(Memory(raw), kind, 0, shape, _steps(shape, kind.itemsize // kind.unit))

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: prod(self.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.itemsize)
    flags = property(lambda self: Flags())
    data = property(lambda self: self._piece())
    T = property(lambda self: self._like(self._at, self.shape[::-1], self._steps[::-1]))

    def _like(self, at: int, shape: tuple[int, ...], steps: tuple[int, ...]) -> Any:
        return type(self)(self._memory, self.dtype, at, shape, steps)

    # Reading and writing whole.

    def _runs(self) -> tuple[Sequence[int], int]:
        """The starts of the stretches of memory that lie in one piece, in order, and the length of each."""
        run, axes = self.dtype.itemsize // self.dtype.unit, len(self.shape)
        while axes and (self._steps[axes - 1] == run or self.shape[axes - 1] == 1):
            run *= self.shape[axes - 1]
            axes -= 1
        starts: Sequence[int] = [self._at] if self.size else []
        for length, step in zip(self.shape[:axes], self._steps[:axes], strict=True):
            starts = [start + i * step for start in starts for i in range(length)]
        return starts, run

    def _values(self) -> list[Any]:
        starts, run = self._runs()
        if run == 1:
            return [self._read[start] for start in starts]
        if len(starts) == 1:
            return self._read[starts[0] : starts[0] + run].tolist()
        return list(chain.from_iterable(self._read[start : start + run].tolist() for start in starts))

    def _piece(self) -> memoryview:
        starts, run = self._runs()
        if not starts:
            return self._read[:0]
        if len(starts) != 1:
            raise ValueError("this array does not lie in one piece")
        return self._read[starts[0] : starts[0] + run]

    def tobytes(self) -> bytes:
        starts, run = self._runs()
        return b"".join([self._read[start : start + run] for start in starts])

    def _write(self, starts: Sequence[int], run: int, raw: Any) -> None:
        unit = self.dtype.unit
        into, took, raw = self._memory.raw, run * unit, memoryview(raw).cast("B")
        for i, start in enumerate(starts):
            into[start * unit : start * unit + took] = raw[i * took : (i + 1) * took]

    def _set(self, shape: tuple[int, ...], starts: Sequence[int], run: int, value: Any) -> None:
        """Write the values, broadcast to a shape, into these stretches."""
        if isinstance(value, record):
            self._write(starts, run, value.tobytes() * prod(shape))
        elif isinstance(value, int | float) and self.dtype.names is None:
            self._write(starts, run, bytes(memoryview(_bytes_of([value], self.dtype)).cast("B")) * prod(shape))
        else:
            given = asarray(value)
            while given.ndim > len(shape) and given.shape[0] == 1:
                given = given[0]
            given = broadcast_to(given, shape)
            same = given.dtype is self.dtype or given.dtype == self.dtype
            self._write(starts, run, given.tobytes() if same else _bytes_of(given._values(), self.dtype))

    # One or some of them.

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and self.shape:
            length = self.shape[0]
            if not -length <= key < length:
                raise IndexError(f"there is no place {key}; there are {length}")
            place = self._at + (key + length if key < 0 else key) * self._steps[0]
            if len(self.shape) > 1:
                return self._like(place, self.shape[1:], self._steps[1:])
            return self._read[place] if self.dtype.names is None else record(self._memory, self.dtype, place)
        if isinstance(key, str):
            kind, at, shape = self.dtype.fields[key]
            steps = tuple(step // kind.unit for step in self._steps)
            at = (self._at + at) // kind.unit
            return ndarray(self._memory, kind, at, self.shape + shape, steps + _steps(shape))
        at, shape, steps, far = self._selected(key)
        if far is None:
            if shape or (isinstance(key, tuple) and Ellipsis in [one for one in key if one is Ellipsis]):
                return self._like(at, shape, steps)
            return self._read[at] if self.dtype.names is None else record(self._memory, self.dtype, at)
        raw = b"".join([self._read[start : start + far[1]] for start in far[0]])
        return type(self)(Memory(bytearray(raw)), self.dtype, 0, shape, _steps(shape, self.itemsize // self.dtype.unit))

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            self[key][...] = value
            return
        at, shape, steps, far = self._selected(key)
        if far is None and not shape and self.dtype.names is None and not isinstance(value, ndarray | list):
            try:
                self._read[at] = value
            except (ValueError, TypeError, OverflowError):
                self._read[at] = self.dtype.kept(value)
            return
        starts, run = ndarray(self._memory, self.dtype, at, shape, steps)._runs() if far is None else far
        self._set(shape, starts, run, value)

    def _selected(self, key: Any) -> tuple[int, tuple[int, ...], tuple[int, ...], tuple[Sequence[int], int] | None]:
        """What a key selects: where it begins, shape and steps; or, by lists of places, its stretches."""
        keys = list(key) if isinstance(key, tuple) else [key]
        keys = [asarray(one) if isinstance(one, list | range) else one for one in keys]
        keys = [part for one in keys for part in (_places_of(one) if _is_mask(one) else [one])]
        axes = sum(one is not None and one is not Ellipsis for one in keys)
        fill = [slice(None)] * (self.ndim - axes)
        if any(one is Ellipsis for one in keys):
            i = next(i for i, one in enumerate(keys) if one is Ellipsis)
            keys[i : i + 1] = fill
        else:
            keys += fill
        is_far = any(isinstance(one, ndarray) for one in keys)
        at, axis, shape, steps = self._at, 0, [], []  # type: ignore[var-annotated]
        lists: list[tuple[ndarray, int]] = []
        first, is_apart, ended = 0, False, False
        for one in keys:
            if one is None:
                shape.append(1)
                steps.append(0)
                ended = bool(lists)
                continue
            length, step = self.shape[axis], self._steps[axis]
            axis += 1
            if isinstance(one, slice):
                begin, stop, by = one.indices(length)
                at += begin * step
                shape.append(max(0, -(-(stop - begin) // by)))
                steps.append(step * by)
                ended = bool(lists)
            elif isinstance(one, ndarray) or is_far:
                places = one if isinstance(one, ndarray) else asarray(int(one))
                if not lists:
                    first = len(shape)
                is_apart = is_apart or ended
                lists.append((_checked(places, length), step))
            else:
                place = int(one)
                if not -length <= place < length:
                    raise IndexError(f"there is no place {place}; there are {length}")
                at += (place + length if place < 0 else place) * step
        if not lists:
            return at, tuple(shape), tuple(steps), None
        first = 0 if is_apart else first
        together = _together([places for places, _ in lists])
        far = [at] * prod(together)
        for places, step in lists:
            own = broadcast_to(places, together)._values()
            far = [place + i * step for place, i in zip(far, own, strict=True)]
        whole = (*shape[:first], *together, *shape[first:])
        outer = [0]
        for length, step in zip(shape[:first], steps[:first], strict=True):
            outer = [place + i * step for place in outer for i in range(length)]
        inner, run = ndarray(self._memory, self.dtype, 0, tuple(shape[first:]), tuple(steps[first:]))._runs()
        starts = [one + place + last for one in outer for place in far for last in inner]
        return at, whole, (), (starts, run)

    # Other forms.

    def view(self, asked: Any = None) -> Any:
        """The same memory as another kind of number, or of array."""
        if asked in (ndarray, recarray):
            return asked(self._memory, self.dtype, self._at, self.shape, self._steps)
        kind = dtype_of(asked)
        width, at = self.shape[-1] * self.itemsize, self._at * self.dtype.unit
        steps = tuple(step * self.dtype.unit // kind.unit for step in self._steps[:-1])
        shape = (*self.shape[:-1], width // kind.itemsize)
        return type(self)(self._memory, kind, at // kind.unit, shape, (*steps, kind.itemsize // kind.unit))

    def reshape(self, *shape: Any) -> Any:
        lengths = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
        if -1 in lengths:
            lengths[lengths.index(-1)] = self.size // max(1, -prod(lengths))
        if prod(lengths) != self.size:
            raise ValueError(f"{self.size} numbers have no shape {tuple(lengths)}")
        own = self if len(self._runs()[0]) <= 1 else self.copy()
        return own._like(own._at, tuple(lengths), _steps(lengths, self.itemsize // self.dtype.unit))

    def ravel(self) -> Any:
        return self.reshape(-1)

    def copy(self) -> Any:
        steps = _steps(self.shape, self.itemsize // self.dtype.unit)
        return type(self)(Memory(bytearray(self.tobytes())), self.dtype, 0, self.shape, steps)

    def astype(self, asked: Any, copy: bool = True) -> ndarray:
        kind = dtype_of(asked)
        if kind == self.dtype:
            return self.copy() if copy else self
        return ndarray.of(self._values(), self.shape, kind)

    def tolist(self) -> Any:
        return self.item() if not self.shape else [one.tolist() if self.ndim > 1 else one for one in self]

    def item(self, *place: int) -> Any:
        return self._values()[place[0] if place else 0] if self.ndim != 1 or not place else self[place[0]]

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
            raise ValueError("an array of several numbers is neither true nor false")
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
        """What NumPy's functions do is there as methods too."""
        import numpy

        if name in ("any", "all", "sum", "min", "max", "argmax", "argmin", "cumsum", "argsort", "nonzero", "prod"):
            return lambda *given, **more: getattr(numpy, name)(self, *given, **more)
        raise AttributeError(f"arrays have no {name!r} here")


class Flags:
    """An array's flags, which have no effect here."""

    writeable = True


class recarray(ndarray):
    """Records whose fields are attributes too."""

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__["dtype"].fields:
            return self[name]
        return super().__getattr__(name)


class record:
    """One record; its fields are attributes and entries."""

    def __init__(self, memory: Memory, kind: dtype, at: int) -> None:
        self.__dict__.update(_memory=memory, dtype=kind, _at=at)

    def __getitem__(self, name: str) -> Any:
        kind, at, shape = self.dtype.fields[name]
        at = (self._at + at) // kind.unit
        if not shape:
            return self._memory.read_as(kind.code)[at]
        return ndarray(self._memory, kind, at, shape, _steps(shape))

    def __setitem__(self, name: str, value: Any) -> None:
        kind, at, shape = self.dtype.fields[name]
        ndarray(self._memory, kind, (self._at + at) // kind.unit, shape, _steps(shape))[...] = value

    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__["dtype"].fields:
            raise AttributeError(f"the record has no field {name!r}")
        return self[name]

    __setattr__ = __setitem__

    def tobytes(self) -> bytes:
        return bytes(self._memory.raw[self._at : self._at + self.dtype.itemsize])

    def copy(self) -> record:
        return record(Memory(bytearray(self.tobytes())), self.dtype, 0)

    def __eq__(self, other: object) -> Any:
        return isinstance(other, record) and self.dtype == other.dtype and self.tobytes() == other.tobytes()

    __hash__ = None  # type: ignore[assignment]


def _is_mask(key: Any) -> bool:
    return isinstance(key, ndarray) and key.dtype.kind == "b"


def _places_of(mask: ndarray) -> list[ndarray]:
    from numpy import nonzero

    return list(nonzero(mask))


def _checked(places: ndarray, length: int) -> ndarray:
    """Places counted from the start. IndexError for one that is not there."""
    values = places._values()
    if values and not (-length <= min(values) and max(values) < length):
        raise IndexError(f"there is no place {max(values)}; there are {length}")
    if values and min(values) < 0:
        return ndarray.of([place + length if place < 0 else place for place in values], places.shape, int64.dtype)
    return places


def _together(given: Iterable[ndarray]) -> tuple[int, ...]:
    """The shape that arrays have when they are stretched to each other's."""
    shape: list[int] = []
    for one in given:
        own = list(one.shape)
        wide = max(len(shape), len(own))
        shape, own = [1] * (wide - len(shape)) + shape, [1] * (wide - len(own)) + own
        for i, length in enumerate(own):
            if shape[i] != length and 1 not in (shape[i], length):
                raise ValueError(f"arrays of {shape} and {own} numbers do not fit together")
            shape[i] = length if shape[i] == 1 else shape[i]
    return tuple(shape)


def broadcast_to(given: ndarray, shape: tuple[int, ...]) -> ndarray:
    """A view of an array, repeated along new axes and along those of length 1."""
    if given.shape == shape:
        return given
    more = len(shape) - given.ndim
    if more < 0 or any(own not in (1, asked) for own, asked in zip(given.shape, shape[more:], strict=True)):
        raise ValueError(f"{given.shape} cannot be stretched to {shape}")
    steps = [0 if own != asked else step
             for own, asked, step in zip(given.shape, shape[more:], given._steps, strict=True)]  # fmt: skip
    return given._like(given._at, shape, (*[0] * more, *steps))


def asarray(given: Any, kind: Any = None) -> ndarray:
    """An array as it is, or an array of a number or of nested lists of numbers."""
    asked = None if kind is None else dtype_of(kind)
    if isinstance(given, ndarray):
        return given if asked is None else given.astype(asked, copy=False)
    if isinstance(given, record):
        return recarray(given._memory, given.dtype, given._at, (), ())
    shape, values = _flat(given)
    if asked is None:
        kinds = {type(value) for value in values} or {float}
        if kinds - {bool, int, float} and not all(issubclass(one, int) for one in kinds):
            raise TypeError(f"{given!r} is no array of numbers")
        asked = kind_of(values[0]) if kinds == {bool} else (float64 if float in kinds else int64).dtype
        if asked is int64.dtype and values and max(values) >= 2**63:
            asked = uint64.dtype
    return ndarray.of(values, shape, asked)


def _flat(given: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The shape of nested lists, and what is in them."""
    if isinstance(given, ndarray):
        return given.shape, given._values()
    if not hasattr(given, "__len__") or isinstance(given, str):
        return (), [given]
    parts = [_flat(one) for one in given]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1:
        raise ValueError("the rows are not of one length")
    return (len(parts), *(shapes.pop() if parts else ())), [value for _, own in parts for value in own]
