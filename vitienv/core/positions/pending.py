"""Pending decisions of a position: JSON, bounds of their numbers, and what they say of each other and of the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.checks import check_int, list_of
from vitienv.core.frames import FRAME_WIDTH, Frame
from vitienv.core.operations import Operations
from vitienv.core.options import SHORT
from vitienv.core.positions.schema import Codec, Faults, Key

if TYPE_CHECKING:
    from vitienv.core.options import Options

Bounds = Sequence[tuple[int, int]]  # least and greatest number of each column


@dataclass(frozen=True)
class Frames(Codec):
    """The pending frames from the bottom up; each begins with the word of its operation.

    is_written: of a state. bounds: of the numbers of a frame, where they are not those of its operation.
    """

    operations: Operations
    is_written: Callable[[Any], bool] = lambda state: True
    bounds: Callable[[list[int], Any], Bounds] | None = None

    def dump(self, state: Any, key: Key, seat: int | None) -> list[list[Any]] | None:
        if not self.is_written(state):
            return None
        frames = state["frames"][: int(state["depth"])].tolist()
        return [[self.operations.word(frame[Frame.OP]), *frame[1:]] for frame in frames]

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        frames, max_frames = list_of(value, name), len(state["frames"])
        if len(frames) > max_frames:
            raise ValueError(f"{name} must be at most {max_frames} frames, got {len(frames)}")
        for t, frame in enumerate(frames):
            if not isinstance(frame, list | tuple) or len(frame) != FRAME_WIDTH:
                raise ValueError(f"frame {t} must be a list of {FRAME_WIDTH} entries, got {frame!r}")
            numbers = [check_int(number, -SHORT, SHORT, f"a number of frame {t}") for number in frame[1:]]
            numbers = [self.operations.number(frame[0]), *numbers]
            if self.bounds and (fault := out_of_bounds(numbers, self.bounds(numbers, state), self.operations)):
                raise ValueError(fault)
            state["frames"][t] = numbers
        state["depth"] = len(frames)


# Whether a frame (16,) fits the state and the frame below it, and if not, what would.
FrameRow = tuple[Collection[int], Callable[[Any, np.ndarray, np.ndarray], bool], str]


def out_of_bounds(frame: list[int], bounds: Bounds, operations: Operations) -> str:
    """Return what is wrong with a number of a frame, "" if nothing is."""
    for column, (low, high) in zip(Frame, bounds):
        if not low <= frame[column] <= high:
            expected = low if low == high else f"from {low} to {high}"
            word = operations.word(frame[Frame.OP])
            return f"{column.name.lower()} of the pending {word} must be {expected}, got {frame[column]}"
    return ""


def stack_faults(r: Any, lies_on: Mapping[int, Collection[int]], operations: Operations) -> Faults:
    """Yield pending frames in an order that the rules cannot produce, and those that are pending twice.

    lies_on: by operation, those that may be directly below it; an empty collection is that of a bottom frame.
    """
    pending, frames = set(), r.frames[: int(r.depth)].tolist()
    for below, frame in pairwise([None, *frames]):
        word, allowed = operations.word(frame[Frame.OP]), lies_on.get(frame[Frame.OP])
        if allowed != () if below is None else below[Frame.OP] not in (allowed or ()):
            base = "at the bottom" if below is None else f"on {operations.word(below[Frame.OP])}"
            yield f"{word} cannot be {base} among the pending decisions"
        key = (frame[Frame.OP], frame[Frame.SEAT], frame[Frame.CARD], frame[Frame.A])
        if key in pending:
            yield f"{word} is pending twice for seat {frame[Frame.SEAT]}"
        pending.add(key)


def frame_faults(
    r: Any, options: Options, lies_on: Mapping[int, Collection[int]] | None = None, rows: Sequence[FrameRow] = (),
    bounds: Callable[[list[int], Any], Bounds] | None = None,
) -> Faults:  # fmt: skip
    """Yield contradictions of the pending frames: their numbers, their order, and what they say of the rest.

    lies_on: as of `stack_faults`. bounds: as of `Frames`.
    """
    operations, n = options.game_spec.operations, int(options.num_players)
    frames = r.frames[: int(r.depth)]
    for frame in frames.tolist():
        if fault := out_of_bounds(frame, bounds(frame, r) if bounds else operations.bounds(frame, n), operations):
            yield fault
    if lies_on is not None:
        yield from stack_faults(r, lies_on, operations)
    for ops, holds, fits in rows:
        for below, frame in pairwise(frames):
            op = int(frame[Frame.OP])
            if op in ops and not holds(r, frame, below):
                numbers = {column.name.lower(): int(frame[column]) for column in Frame if column and frame[column]}
                yield f"{operations.word(op)} is pending with {numbers}; expected: {fits}"
