"""A flat vector with named parts: the layout of an observation, and back from numbers to words."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from vitienv.core.options import did_you_mean, is_int


class Axis(NamedTuple):
    """What the places of an axis stand for: seats, cards, fields. labels: a name for each, none if they are counted."""

    name: str
    labels: tuple[str, ...] = ()


class Feature(NamedTuple):
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


class ObservationSpec:
    """Entries laid end to end.

    >>> seats = Axis("seat", ("self", "seat:+1"))
    >>> layout = ObservationSpec([Entry("lira", (2,), "lira", 0, 99, (seats,)), Entry("year", (1,), "the year", 1, 9)])
    >>> layout.slice("year"), layout.n, layout.name(1)
    (slice(2, 3, None), 3, 'lira:seat:+1')
    """

    def __init__(self, entries: Iterable[Feature], present: str | None = None) -> None:
        """present: the entry that says which seats are taken; those that are not are left out by `describe`.

        ValueError for an entry that contradicts itself, or stands twice.
        """
        self.features = list(entries)
        self.present = present
        self._slices: dict[str, slice] = {}
        start = 0
        for feature in self.features:
            if not feature.low <= feature.high:
                raise ValueError(f"entry {feature.name!r} has no numbers between {feature.low} and {feature.high}")
            if feature.name in self._slices:
                raise ValueError(f"entry {feature.name!r} stands twice in the layout")
            _check(feature)
            self._slices[feature.name] = slice(start, start + feature.size)
            start += feature.size
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
        return [":".join((feature.name, *place)) for feature in self.features for place in _places(feature)]

    def name(self, number: int) -> str:
        """The name of one number. ValueError if there is no such number."""
        if not is_int(number) or not 0 <= number < self.n:
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
        for feature in self.features:
            low[self.slice(feature.name)], high[self.slice(feature.name)] = feature.low, feature.high
        low.flags.writeable = high.flags.writeable = False
        return low, high

    @cached_property
    def logs(self) -> np.ndarray:
        """The places of the numbers that a network takes in by their logarithm, (k,) int64."""
        spans = [self.slice(feature.name) for feature in self.features if feature.log]
        return np.concatenate([np.arange(span.start, span.stop) for span in spans] or [np.zeros(0, np.int64)])

    @cached_property
    def scales(self) -> np.ndarray:
        """What a network multiplies each number by, after the logarithm, (n,) float32; 0 for what it ignores."""
        factors = np.ones(self.n, np.float32)
        for feature in self.features:
            largest = max(abs(feature.low), abs(feature.high))
            unit = feature.unit or min(max(largest, 1), 3)
            factors[self.slice(feature.name)] = 1.0 if feature.log else 1.0 / unit
            for label in feature.ignored:
                factors[self.start(feature.name) + feature.axes[-1].labels.index(label)] = 0.0
        return factors

    def get(self, observation: np.ndarray, name: str) -> np.ndarray:
        """An entry of one observation (n,) or of several (..., n), in its own shape."""
        place = self.slice(name)
        feature = next(feature for feature in self.features if feature.name == name)
        return np.asarray(observation)[..., place].reshape(*np.shape(observation)[:-1], *feature.shape)

    def describe(self, observation: np.ndarray) -> dict[str, Any]:
        """One observation in words: entries with the labels of their places and the words of their numbers.

        Left out is what says nothing: numbers that are 0 (or whose word is ""), and seats that are not taken.
        """
        if np.shape(observation) != (self.n,):
            raise ValueError(f"an observation has shape ({self.n},), not {np.shape(observation)}")
        seats, taken = None, ()
        if self.present is not None:
            seats = next(feature for feature in self.features if feature.name == self.present).axes[0]
            taken = tuple(self.get(observation, self.present) != 0)
        said = {
            feature.name: _said(self.get(observation, feature.name), feature, seats, taken) for feature in self.features
        }
        return {name: words for name, words in said.items() if words is not None}

    def table(self) -> str:
        """The layout as a Markdown table."""
        rows = ["| entry | places | shape | by | bounds | meaning |", "| --- | --- | --- | --- | --- | --- |"]
        for feature in self.features:
            place = self._slices[feature.name]
            by = ", ".join(axis.name for axis in feature.axes)
            cells = (f"`{feature.name}`", f"{place.start}..{place.stop - 1}", str(feature.shape), by,
                     f"{feature.low}..{feature.high}", feature.text)  # fmt: skip
            rows.append(f"| {' | '.join(cells)} |")
        return "\n".join(rows)

    def axes_table(self) -> str:
        """What the places of each axis stand for, and the numbers that are words, as a Markdown table."""
        rows = ["| axis or entry | from | names |", "| --- | --- | --- |"]
        axes = dict.fromkeys(axis for feature in self.features for axis in feature.axes if axis.labels)
        rows += [f"| {axis.name} | 0 | {_listed(axis.labels)} |" for axis in axes]
        rows += [
            f"| `{feature.name}` | {feature.low} | {_listed(feature.words)} |"
            for feature in self.features
            if feature.words
        ]
        return "\n".join(rows)


def _check(feature: Feature) -> None:
    """ValueError unless the axes and words of an entry fit its shape and bounds."""
    if feature.axes and len(feature.axes) != len(feature.shape):
        raise ValueError(f"entry {feature.name!r} has {len(feature.axes)} axes for the shape {feature.shape}")
    for axis, size in zip(feature.axes, feature.shape):
        if axis.labels and len(axis.labels) != size:
            raise ValueError(f"entry {feature.name!r} has {len(axis.labels)} labels for {size} places")
    if feature.words and len(feature.words) != feature.high - feature.low + 1:
        told = f"{len(feature.words)} words for the numbers from {feature.low} to {feature.high}"
        raise ValueError(f"entry {feature.name!r} has {told}")


def _places(feature: Feature) -> Iterator[tuple[str, ...]]:
    """The places of an entry in order, by the labels of its axes."""
    if feature.shape == (1,) and not feature.axes:
        yield ()
        return
    axes = feature.axes or (Axis(""),) * len(feature.shape)
    for place in np.ndindex(*feature.shape):
        yield tuple(axis.labels[at] if axis.labels else str(at) for axis, at in zip(axes, place))


def _said(values: np.ndarray, feature: Feature, seats: Axis | None, taken: tuple[bool, ...]) -> Any:
    """What the numbers of an entry say, nested as its axes are; None if nothing."""
    if feature.shape == (1,) and not feature.axes:
        return _word(values.item(), feature)
    axes = feature.axes or (Axis(""),) * len(feature.shape)
    said: dict[str, Any] = {}
    for place, value in np.ndenumerate(values):
        if (word := _word(int(value), feature)) is None:
            continue
        if any(axis is seats and not taken[at] for axis, at in zip(axes, place)):
            continue
        *outer, last = [axis.labels[at] if axis.labels else str(at) for axis, at in zip(axes, place)]
        inner = said
        for label in outer:
            inner = inner.setdefault(label, {})
        inner[last] = word
    return said or None


def _word(value: int, feature: Feature) -> str | int | None:
    """The word of a number, or the number; None if it says nothing."""
    if not feature.words:
        return value or None
    return (feature.words[value - feature.low] if feature.low <= value <= feature.high else str(value)) or None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" if name else "–" for name in names)
