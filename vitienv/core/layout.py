"""A flat vector with named parts: the layout of an observation, and back from numbers to words."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from vitienv.core.options import did_you_mean, is_whole


class Axis(NamedTuple):
    """What the places of an axis stand for: seats, cards, fields. labels: a name for each, none if they are counted."""

    name: str
    labels: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A named part of a vector.

    low, high: the least and the greatest of its numbers. axes: what its places stand for, one for each axis, or none.
    words: what its numbers mean, from `low` on, where they are not amounts; "" for one that says nothing.
    log, unit: how a network takes it in: by sign(x) * log(1 + |x|) where it may grow large, else divided by `unit`, by
    default its upper bound, by 3 at most. ignored: labels of numbers that say how a game is run and not how it stands:
    nothing that a network may lean on, since it differs between uses.
    """

    name: str
    shape: tuple[int, ...]
    text: str
    low: int
    high: int
    axes: tuple[Axis, ...] = ()
    words: tuple[str, ...] = ()
    log: bool = False
    unit: float | None = None
    ignored: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return int(np.prod(self.shape))


class VectorLayout:
    """Entries laid end to end.

    >>> seats = Axis("seat", ("self", "seat:+1"))
    >>> layout = VectorLayout([Entry("lira", (2,), "lira", 0, 99, (seats,)), Entry("year", (1,), "the year", 1, 9)])
    >>> layout.slice("year"), layout.n, layout.name(1)
    (slice(2, 3, None), 3, 'lira:seat:+1')
    """

    def __init__(self, entries: Iterable[Entry], present: str | None = None) -> None:
        """present: the entry that says which seats are taken; those that are not are left out by `describe`.

        ValueError for an entry that contradicts itself, or stands twice.
        """
        self.entries = list(entries)
        self.present = present
        self._slices: dict[str, slice] = {}
        start = 0
        for entry in self.entries:
            if not entry.low <= entry.high:
                raise ValueError(f"entry {entry.name!r} has no numbers between {entry.low} and {entry.high}")
            if entry.name in self._slices:
                raise ValueError(f"entry {entry.name!r} stands twice in the layout")
            _check(entry)
            self._slices[entry.name] = slice(start, start + entry.size)
            start += entry.size
        self.n = start

    def __len__(self) -> int:
        return self.n

    def has(self, name: str) -> bool:
        """Whether there is an entry of this name."""
        return name in self._slices

    def slice(self, name: str) -> slice:
        """Where an entry stands. ValueError if there is none of this name."""
        if name not in self._slices:
            raise ValueError(f"the observation has no entry {name!r}; it has {', '.join(self._slices)}")
        return self._slices[name]

    def start(self, name: str) -> int:
        """The first place of an entry."""
        return self.slice(name).start

    @cached_property
    def names(self) -> list[str]:
        """A name for each number: its entry, and the label of its place on each axis, or its number if it has none."""
        return [":".join((entry.name, *place)) for entry in self.entries for place in _places(entry)]

    def name(self, number: int) -> str:
        """The name of one number. ValueError if there is no such number."""
        if not is_whole(number) or not 0 <= number < self.n:
            raise ValueError(f"no observed number is {number!r}; they go from 0 to {self.n - 1}")
        return self.names[number]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """The number that has a name. ValueError names close ones if there is none."""
        if name not in self._numbers:
            raise ValueError(f"no observed number is called {name!r}{did_you_mean(name, self.names)}")
        return self._numbers[name]

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the greatest value of each number, two read-only arrays (n,) int16."""
        low, high = np.empty(self.n, np.int16), np.empty(self.n, np.int16)
        for entry in self.entries:
            low[self.slice(entry.name)], high[self.slice(entry.name)] = entry.low, entry.high
        low.flags.writeable = high.flags.writeable = False
        return low, high

    @cached_property
    def logs(self) -> np.ndarray:
        """The places of the numbers that a network takes in by their logarithm, (k,) int64."""
        spans = [self.slice(entry.name) for entry in self.entries if entry.log]
        return np.concatenate([np.arange(span.start, span.stop) for span in spans] or [np.zeros(0, np.int64)])

    @cached_property
    def scales(self) -> np.ndarray:
        """What a network multiplies each number by, after the logarithm, (n,) float32; 0 for what it ignores."""
        factors = np.ones(self.n, np.float32)
        for entry in self.entries:
            largest = max(abs(entry.low), abs(entry.high))
            unit = entry.unit or min(max(largest, 1), 3)
            factors[self.slice(entry.name)] = 1.0 if entry.log else 1.0 / unit
            for label in entry.ignored:
                factors[self.start(entry.name) + entry.axes[-1].labels.index(label)] = 0.0
        return factors

    def get(self, observation: np.ndarray, name: str) -> np.ndarray:
        """An entry of one observation (n,) or of several (..., n), in its own shape."""
        place = self.slice(name)
        entry = next(entry for entry in self.entries if entry.name == name)
        return np.asarray(observation)[..., place].reshape(*np.shape(observation)[:-1], *entry.shape)

    def describe(self, observation: np.ndarray) -> dict[str, Any]:
        """One observation in words: entries with the labels of their places and the words of their numbers.

        Left out is what says nothing: numbers that are 0 (or whose word is ""), and seats that are not taken.
        """
        if np.shape(observation) != (self.n,):
            raise ValueError(f"an observation has shape ({self.n},), not {np.shape(observation)}")
        seats, taken = None, ()
        if self.present is not None:
            seats = next(entry for entry in self.entries if entry.name == self.present).axes[0]
            taken = tuple(self.get(observation, self.present) != 0)
        said = {entry.name: _said(self.get(observation, entry.name), entry, seats, taken) for entry in self.entries}
        return {name: words for name, words in said.items() if words is not None}

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = ["| entry | places | shape | by | bounds | meaning |", "| --- | --- | --- | --- | --- | --- |"]
        for entry in self.entries:
            place = self._slices[entry.name]
            by = ", ".join(axis.name for axis in entry.axes)
            cells = (f"`{entry.name}`", f"{place.start}..{place.stop - 1}", str(entry.shape), by,
                     f"{entry.low}..{entry.high}", entry.text)  # fmt: skip
            rows.append(f"| {' | '.join(cells)} |")
        return "\n".join(rows)

    def axes_table(self) -> str:
        """What the places of each axis stand for, and the numbers that are words, as a Markdown table."""
        rows = ["| axis or entry | from | names |", "| --- | --- | --- |"]
        axes = dict.fromkeys(axis for entry in self.entries for axis in entry.axes if axis.labels)
        rows += [f"| {axis.name} | 0 | {_listed(axis.labels)} |" for axis in axes]
        rows += [f"| `{entry.name}` | {entry.low} | {_listed(entry.words)} |" for entry in self.entries if entry.words]
        return "\n".join(rows)


def _check(entry: Entry) -> None:
    """ValueError unless the axes and words of an entry fit its shape and bounds."""
    if entry.axes and len(entry.axes) != len(entry.shape):
        raise ValueError(f"entry {entry.name!r} has {len(entry.axes)} axes for the shape {entry.shape}")
    for axis, size in zip(entry.axes, entry.shape):
        if axis.labels and len(axis.labels) != size:
            raise ValueError(f"entry {entry.name!r} has {len(axis.labels)} labels for {size} places")
    if entry.words and len(entry.words) != entry.high - entry.low + 1:
        told = f"{len(entry.words)} words for the numbers from {entry.low} to {entry.high}"
        raise ValueError(f"entry {entry.name!r} has {told}")


def _places(entry: Entry) -> Iterator[tuple[str, ...]]:
    """The places of an entry in order, by the labels of its axes."""
    if entry.shape == (1,) and not entry.axes:
        yield ()
        return
    axes = entry.axes or (Axis(""),) * len(entry.shape)
    for place in np.ndindex(*entry.shape):
        yield tuple(axis.labels[at] if axis.labels else str(at) for axis, at in zip(axes, place))


def _said(values: np.ndarray, entry: Entry, seats: Axis | None, taken: tuple[bool, ...]) -> Any:
    """What the numbers of an entry say, nested as its axes are; None if nothing."""
    if entry.shape == (1,) and not entry.axes:
        return _word(values.item(), entry)
    axes = entry.axes or (Axis(""),) * len(entry.shape)
    said: dict[str, Any] = {}
    for place, value in np.ndenumerate(values):
        if (word := _word(int(value), entry)) is None:
            continue
        if any(axis is seats and not taken[at] for axis, at in zip(axes, place)):
            continue
        *outer, last = [axis.labels[at] if axis.labels else str(at) for axis, at in zip(axes, place)]
        inner = said
        for label in outer:
            inner = inner.setdefault(label, {})
        inner[last] = word
    return said or None


def _word(value: int, entry: Entry) -> str | int | None:
    """The word of a number, or the number; None if it says nothing."""
    if not entry.words:
        return value or None
    return (entry.words[value - entry.low] if entry.low <= value <= entry.high else str(value)) or None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" if name else "–" for name in names)
