"""The observation space: a flat vector of named features, and its description in words."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from vitienv.core.options import did_you_mean, is_int


class Axis(NamedTuple):
    """Axis of a feature, such as seats or cards. labels: names of its indices; () if they are numbered."""

    name: str
    labels: tuple[str, ...] = ()


class Feature(NamedTuple):
    """Named part of an observation.

    low, high: inclusive bounds. axes: one per dimension, or none. words: names of categorical values from `low` on; ""
    for a value that descriptions omit. log, unit: scaling for networks: sign(x) * log(1 + |x|) if log, else divided by
    `unit`, by default the upper bound but at most 3. ignored: labels that networks ignore, as they describe how a game
    is run and not its state.
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
        """Number of values."""
        return int(np.prod(self.shape))


class ObservationSpec:
    """Concatenated features.

    >>> seats = Axis("seat", ("self", "seat:+1"))
    >>> spec = ObservationSpec([Feature("lira", (2,), "lira", 0, 99, (seats,)), Feature("year", (1,), "year", 1, 9)])
    >>> spec.slice("year"), spec.n, spec.name(1)
    (slice(2, 3, None), 3, 'lira:seat:+1')
    """

    def __init__(self, entries: Iterable[Feature], present: str | None = None) -> None:
        """Concatenate features.

        present: feature of the occupied seats; `describe` omits the others. ValueError for an inconsistent or duplicate
        feature.
        """
        self.features = list(entries)
        self.present = present
        self._slices: dict[str, slice] = {}
        start = 0
        for feature in self.features:
            if not feature.low <= feature.high:
                raise ValueError(f"low of feature {feature.name!r} must be at most {feature.high}, got {feature.low}")
            if feature.name in self._slices:
                raise ValueError(f"duplicate feature {feature.name!r}")
            _check(feature)
            self._slices[feature.name] = slice(start, start + feature.size)
            start += feature.size
        self.n = start

    def __len__(self) -> int:
        return self.n

    def has(self, name: str) -> bool:
        """Return whether a feature exists."""
        return name in self._slices

    def slice(self, name: str) -> slice:
        """Return the slice of a feature. ValueError if it is unknown."""
        if name not in self._slices:
            raise ValueError(f"unknown feature {name!r}; expected one of: {', '.join(self._slices)}")
        return self._slices[name]

    def start(self, name: str) -> int:
        """Return the first index of a feature."""
        return self.slice(name).start

    @cached_property
    def names(self) -> list[str]:
        """The name of each value: its feature, and its label or index on each axis."""
        return [":".join((feature.name, *place)) for feature in self.features for place in _places(feature)]

    def name(self, number: int) -> str:
        """Return the name of an index. ValueError if it is out of range."""
        if not is_int(number) or not 0 <= number < self.n:
            raise ValueError(f"observation index must be an integer from 0 to {self.n - 1}, got {number!r}")
        return self.names[number]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """Return the index of a name. ValueError, with similar names, if it is unknown."""
        if name not in self._numbers:
            raise ValueError(f"unknown observation name {name!r}{did_you_mean(name, self.names)}")
        return self._numbers[name]

    @cached_property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Bounds (low, high) of each value, two read-only arrays (n,) int16."""
        low, high = np.empty(self.n, np.int16), np.empty(self.n, np.int16)
        for feature in self.features:
            low[self.slice(feature.name)], high[self.slice(feature.name)] = feature.low, feature.high
        low.flags.writeable = high.flags.writeable = False
        return low, high

    @cached_property
    def logs(self) -> np.ndarray:
        """The indices of the values that networks take the logarithm of, (k,) int64."""
        spans = [self.slice(feature.name) for feature in self.features if feature.log]
        return np.concatenate([np.arange(span.start, span.stop) for span in spans] or [np.zeros(0, np.int64)])

    @cached_property
    def scales(self) -> np.ndarray:
        """The factor of each value for networks, applied after the logarithm, (n,) float32; 0 for ignored values."""
        factors = np.ones(self.n, np.float32)
        for feature in self.features:
            largest = max(abs(feature.low), abs(feature.high))
            unit = feature.unit or min(max(largest, 1), 3)
            factors[self.slice(feature.name)] = 1.0 if feature.log else 1.0 / unit
            for label in feature.ignored:
                factors[self.start(feature.name) + feature.axes[-1].labels.index(label)] = 0.0
        return factors

    def get(self, observation: np.ndarray, name: str) -> np.ndarray:
        """Return a feature of observations (..., n), as (..., *shape)."""
        place = self.slice(name)
        feature = next(feature for feature in self.features if feature.name == name)
        return np.asarray(observation)[..., place].reshape(*np.shape(observation)[:-1], *feature.shape)

    def describe(self, observation: np.ndarray) -> dict[str, Any]:
        """Describe an observation (n,): features with labels and words, nested by axis.

        Zeros, values whose word is "", and empty seats are omitted.
        """
        if np.shape(observation) != (self.n,):
            raise ValueError(f"observation must have shape ({self.n},), got {np.shape(observation)}")
        seats, is_present = None, ()
        if self.present is not None:
            seats = next(feature for feature in self.features if feature.name == self.present).axes[0]
            is_present = tuple(self.get(observation, self.present) != 0)
        description = {
            feature.name: _describe(self.get(observation, feature.name), feature, seats, is_present)
            for feature in self.features
        }
        return {name: words for name, words in description.items() if words is not None}


def _check(feature: Feature) -> None:
    if feature.axes and len(feature.axes) != len(feature.shape):
        raise ValueError(f"feature {feature.name!r} has {len(feature.axes)} axes for the shape {feature.shape}")
    for axis, size in zip(feature.axes, feature.shape):
        if axis.labels and len(axis.labels) != size:
            raise ValueError(f"feature {feature.name!r} has {len(axis.labels)} labels for an axis of {size}")
    if feature.words and len(feature.words) != feature.high - feature.low + 1:
        counts = f"{len(feature.words)} words for the values from {feature.low} to {feature.high}"
        raise ValueError(f"feature {feature.name!r} has {counts}")


def _places(feature: Feature) -> Iterator[tuple[str, ...]]:
    if feature.shape == (1,) and not feature.axes:
        yield ()
        return
    axes = feature.axes or (Axis(""),) * len(feature.shape)
    for place in np.ndindex(*feature.shape):
        yield tuple(axis.labels[index] if axis.labels else str(index) for axis, index in zip(axes, place))


def _describe(values: np.ndarray, feature: Feature, seats: Axis | None, is_present: tuple[bool, ...]) -> Any:
    if feature.shape == (1,) and not feature.axes:
        return _word(values.item(), feature)
    axes = feature.axes or (Axis(""),) * len(feature.shape)
    description: dict[str, Any] = {}
    for place, value in np.ndenumerate(values):
        if (word := _word(int(value), feature)) is None:
            continue
        if any(axis is seats and not is_present[index] for axis, index in zip(axes, place)):
            continue
        *outer, last = [axis.labels[index] if axis.labels else str(index) for axis, index in zip(axes, place)]
        inner = description
        for label in outer:
            inner = inner.setdefault(label, {})
        inner[last] = word
    return description or None


def _word(value: int, feature: Feature) -> str | int | None:
    if not feature.words:
        return value or None
    return (feature.words[value - feature.low] if feature.low <= value <= feature.high else str(value)) or None
