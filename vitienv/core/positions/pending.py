"""Pending decisions of a position: JSON, bounds, order, and consistency with the state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from vitienv.core.checks import check_int, list_of
from vitienv.core.frames import FRAME_WIDTH, Frame
from vitienv.core.operations import Operations
from vitienv.core.options import SHORT
from vitienv.core.positions.schema import Codec, Contradictions, Key

# Operations, check(state, frame (16,), frame below), and the expectation for the error.
FrameRow = tuple[Collection[int], Callable[[Any, np.ndarray, np.ndarray], bool], str]


@dataclass(frozen=True)
class Frames(Codec):
    """The pending frames from the bottom up; each begins with the word of its operation.

    num_seats: function of the state. allowed_below: by operation, the operations allowed directly below it; empty for a
    bottom frame. rows: consistency checks. bounds: see `bounds_of`; by default those of the operation.
    """

    operations: Operations
    num_seats: Callable[[Any], int]
    allowed_below: Mapping[int, Collection[int]] | None = None
    rows: Sequence[FrameRow] = ()
    bounds: Callable[[Sequence[int], int], Sequence[tuple[int, int]]] | None = None

    def dump(self, state: Any, key: Key, seat: int | None) -> list[list[Any]]:
        return [[self.operations.word(frame[Frame.OP]), *frame[1:]] for frame in pending_frames(state).tolist()]

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        frames, max_frames = list_of(value, name), len(state["frames"])
        if len(frames) > max_frames:
            raise ValueError(f"{name} must be at most {max_frames} frames, got {len(frames)}")
        for t, frame in enumerate(frames):
            if not isinstance(frame, list | tuple) or len(frame) != FRAME_WIDTH:
                raise ValueError(f"frame {t} must be a list of {FRAME_WIDTH} entries, got {frame!r}")
            numbers = [check_int(number, -SHORT, SHORT, f"a number of frame {t}") for number in frame[1:]]
            state["frames"][t] = [self.operations.number(frame[0]), *numbers]
        state["depth"] = len(frames)
        for contradiction in self.out_of_bounds(state):  # before other keys use the numbers as indices
            raise ValueError(contradiction)

    def contradictions(self, state: Any) -> Contradictions:
        """Yield the contradictions between pending frames within their bounds, and between them and the rest."""
        yield from self.misplaced_frames(state)
        for ops, fits, expected in self.rows:
            for below, frame in pairwise(pending_frames(state)):
                op = int(frame[Frame.OP])
                if op in ops and not fits(state, frame, below):
                    numbers = {column.name.lower(): int(frame[column]) for column in Frame if column and frame[column]}
                    yield f"{self.operations.word(op)} is pending with {numbers}; expected: {expected}"

    def bounds_of(self, frame: Sequence[int], n: int) -> Sequence[tuple[int, int]]:
        """Return the minimum and maximum of each column of a frame. n: number of seats."""
        return (self.bounds or self.operations.bounds)(frame, n)

    def out_of_bounds(self, state: Any) -> Contradictions:
        """Yield numbers of pending frames that are out of bounds."""
        for frame in pending_frames(state).tolist():
            for column, (low, high) in zip(Frame, self.bounds_of(frame, self.num_seats(state))):
                if not low <= frame[column] <= high:
                    name = f"{column.name.lower()} of the pending {self.operations.word(frame[Frame.OP])}"
                    yield f"{name} must be {low if low == high else f'from {low} to {high}'}, got {frame[column]}"

    def misplaced_frames(self, state: Any) -> Contradictions:
        """Yield pending frames in an order that the rules cannot produce, and those that are pending twice."""
        if self.allowed_below is None:
            return
        pending: set[tuple[int, ...]] = set()
        for below, frame in pairwise([None, *pending_frames(state).tolist()]):
            word, allowed = self.operations.word(frame[Frame.OP]), self.allowed_below.get(frame[Frame.OP])
            if allowed != () if below is None else below[Frame.OP] not in (allowed or ()):
                base = "at the bottom" if below is None else f"on {self.operations.word(below[Frame.OP])}"
                yield f"{word} cannot be {base} among the pending decisions"
            identity = (frame[Frame.OP], frame[Frame.SEAT], frame[Frame.CARD], frame[Frame.A])
            if identity in pending:
                yield f"{word} is pending twice for seat {frame[Frame.SEAT]}"
            pending.add(identity)


def pending_frames(state: Any) -> np.ndarray:
    """Return the pending frames (depth, FRAME_WIDTH), the bottom first."""
    frames: np.ndarray = state["frames"][: int(state["depth"])]
    return frames
