"""Positions with any register of a pending frame out of its bounds are refused."""

import numpy as np
import pytest

import vitienv
from vitienv.core.frames import Frame

FAR = 30_000  # out of the range of every register
STEPS = 30  # steps of a playout


class Registers:
    """Mutates the frames of games.

    frames_of: returns the frames of a position. bounds_of: returns the bounds of a frame's registers in a game.
    problems: returns broken invariants of states, masks and seats, to check accepted mutations.
    """

    def __init__(self, frames_of, bounds_of, max_per_kind=4, problems=None):
        self.frames_of, self.bounds_of, self.max_per_kind, self.problems = frames_of, bounds_of, max_per_kind, problems
        self.counts: dict[tuple[int, int], int] = {}  # frames by operation and stage
        self.refused = 0

    def try_all(self, game):
        """Mutate each register of the frames that have occurred at most `max_per_kind` times."""
        position = game.to_dict()
        frames = self.frames_of(position)
        operations = game.game_spec.operations
        for t, frame in enumerate(game.state.frames[: int(game.state.depth)].tolist() if frames else ()):
            key = frame[Frame.OP], frame[Frame.STAGE]
            self.counts[key] = self.counts.get(key, 0) + 1
            if self.counts[key] > self.max_per_kind:
                continue
            bounds = self.bounds_of(frame, game)
            for column in list(Frame)[1:]:
                low, high = bounds[column]
                assert low <= frame[column] <= high, (operations.word(frame[Frame.OP]), column.name, frame)
                assert low > -FAR and high < FAR, f"{operations.word(frame[Frame.OP])} has no bounds of {column.name}"
                for bad in (low - 1, high + 1, -FAR, FAR):
                    self._refuse(position, frames, t, column, bad)
                for other in {low, high, frame[column] - 1, frame[column] + 1} - {frame[column]}:
                    if self.problems and low <= other <= high:
                        self._refuse_or_play(position, frames, t, column, other)

    def _refuse(self, position, frames, t, column, bad):
        value = frames[t][column]
        frames[t][column] = bad
        try:
            with pytest.raises(ValueError) as caught:
                vitienv.Game.from_dict(position)
            assert "\n" not in str(caught.value)
            self.refused += 1
        finally:
            frames[t][column] = value

    def _refuse_or_play(self, position, frames, t, column, other):
        """A value within its bounds can contradict other values; otherwise the game can be played on."""
        value = frames[t][column]
        frames[t][column] = other
        try:
            game = vitienv.Game.from_dict(position)
        except ValueError:
            return
        finally:
            frames[t][column] = value
        batch = game._batch
        for _ in range(STEPS):
            broken = self.problems(batch.records.view(np.ndarray), batch.seats, batch.masks)
            assert not broken, (frames[t], column.name, other, broken)
            batch.step_random(restart=False)
