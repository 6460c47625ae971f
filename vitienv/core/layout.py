"""A flat vector with named parts: the layout of an observation, and back from numbers to words."""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np


class Entry(NamedTuple):
    """A named part of a vector.

    low, high: the least and the greatest of its numbers. labels: of the places of its last axis, where they have names.
    log, unit: how a network takes it in: by sign(x) * log(1 + |x|) where it may grow large, else divided by `unit`, by
    default its upper bound, by 3 at most. ignored: labels of numbers that say how a game is run and not how it stands:
    nothing that a network may lean on, since it differs between uses.
    """

    name: str
    shape: tuple[int, ...]
    text: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    log: bool = False
    unit: float | None = None
    ignored: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return int(np.prod(self.shape))


class VectorLayout:
    """Entries laid end to end.

    >>> layout = VectorLayout([Entry("lira", (6,), "lira by seat", 0, 99), Entry("year", (1,), "the year", 1, 9)])
    >>> layout.slice("year"), layout.n, layout.name(2)
    (slice(6, 7, None), 7, 'lira:2')
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        self._slices: dict[str, slice] = {}
        start = 0
        for entry in self.entries:
            if not entry.low <= entry.high:
                raise ValueError(f"entry {entry.name!r} has no numbers between {entry.low} and {entry.high}")
            if entry.labels and len(entry.labels) != entry.shape[-1]:
                raise ValueError(f"entry {entry.name!r} has {len(entry.labels)} labels for {entry.shape[-1]} places")
            self._slices[entry.name] = slice(start, start + entry.size)
            start += entry.size
        self.n = start
        if len(self._slices) != len(self.entries):
            raise ValueError("an entry stands twice in the layout")

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
        """A name for each number: its entry, its place on the axes before the last, and its label or place."""
        return [name for entry in self.entries for name in _names_of(entry.name, entry.shape, entry.labels)]

    def name(self, number: int) -> str:
        """The name of one number. ValueError if there is no such number."""
        if not 0 <= int(number) < self.n:
            raise ValueError(f"no observed number is {number}; they go from 0 to {self.n - 1}")
        return self.names[int(number)]

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
        found = np.ones(self.n, np.float32)
        for entry in self.entries:
            largest = max(abs(entry.low), abs(entry.high))
            unit = entry.unit or min(max(largest, 1), 3)
            found[self.slice(entry.name)] = 1.0 if entry.log else 1.0 / unit
            for label in entry.ignored:
                found[self.start(entry.name) + entry.labels.index(label)] = 0.0
        return found

    def get(self, observation: np.ndarray, name: str) -> np.ndarray:
        """An entry of one observation (n,) or of several (..., n), in its own shape."""
        entry = next(entry for entry in self.entries if entry.name == name)
        return np.asarray(observation)[..., self.slice(name)].reshape(*np.shape(observation)[:-1], *entry.shape)

    def describe(self, observation: np.ndarray) -> dict[str, object]:
        """One observation in words: every entry that is not all zeros, labelled places by their label."""
        if np.shape(observation) != (self.n,):
            raise ValueError(f"an observation has shape ({self.n},), not {np.shape(observation)}")
        said: dict[str, object] = {}
        for entry in self.entries:
            values = self.get(observation, entry.name)
            if not values.any():
                continue
            said[entry.name] = _labelled(values, entry.labels) if entry.labels else values.tolist()
        return said

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = ["| entry | places | shape | bounds | meaning |", "| --- | --- | --- | --- | --- |"]
        for entry in self.entries:
            place = self._slices[entry.name]
            cells = (f"`{entry.name}`", f"{place.start}..{place.stop - 1}", str(entry.shape),
                     f"{entry.low}..{entry.high}", entry.text)  # fmt: skip
            rows.append(f"| {' | '.join(cells)} |")
        return "\n".join(rows)


def _names_of(name: str, shape: tuple[int, ...], labels: tuple[str, ...]) -> list[str]:
    if shape == (1,) and not labels:
        return [name]
    places = [":".join(map(str, place)) for place in np.ndindex(*shape[:-1])]
    last = labels or tuple(map(str, range(shape[-1])))
    return [":".join(filter(None, (name, place, label))) for place in places for label in last]


def _labelled(values: np.ndarray, labels: tuple[str, ...]) -> object:
    """Labels with their values where these are not zero, for each row of a larger array."""
    if values.ndim > 1:
        return [_labelled(row, labels) for row in values]
    return {label: int(value) for label, value in zip(labels, values, strict=True) if value}
