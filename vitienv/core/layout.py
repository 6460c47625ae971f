"""A flat vector with named parts: the layout of an observation, and back from numbers to words."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np


class Entry(NamedTuple):
    """A named part of a vector. `labels` name the places of its last axis, where they have names."""

    name: str
    shape: tuple[int, ...]
    text: str
    labels: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return int(np.prod(self.shape))


class VectorLayout:
    """Entries laid end to end.

    >>> layout = VectorLayout([Entry("lira", (6,), "lira by seat"), Entry("year", (1,), "the year")])
    >>> layout.slice("year"), layout.n
    (slice(6, 7, None), 7)
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        self._slices: dict[str, slice] = {}
        start = 0
        for entry in self.entries:
            self._slices[entry.name] = slice(start, start + entry.size)
            start += entry.size
        self.n = start
        if len(self._slices) != len(self.entries):
            raise ValueError("an entry stands twice in the layout")

    def __len__(self) -> int:
        return self.n

    def slice(self, name: str) -> slice:
        """Where an entry stands. ValueError if there is none of this name."""
        if name not in self._slices:
            raise ValueError(f"the observation has no entry {name!r}; it has {', '.join(self._slices)}")
        return self._slices[name]

    def start(self, name: str) -> int:
        """The first place of an entry."""
        return self.slice(name).start

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
        rows = ["| entry | places | shape | meaning |", "| --- | --- | --- | --- |"]
        for entry in self.entries:
            place = self._slices[entry.name]
            rows.append(f"| `{entry.name}` | {place.start}..{place.stop - 1} | {entry.shape} | {entry.text} |")
        return "\n".join(rows)


def _labelled(values: np.ndarray, labels: tuple[str, ...]) -> object:
    """Labels with their values where these are not zero, for each row of a larger array."""
    if values.ndim > 1:
        return [_labelled(row, labels) for row in values]
    return {label: int(value) for label, value in zip(labels, values, strict=True) if value}
