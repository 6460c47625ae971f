"""Every number of every pending frame, put out of its bounds: a position with it is refused."""

import numpy as np
import pytest

import vitienv
from vitienv.core.frames import Frame

FAR = 30_000  # no register needs it
STEPS = 30  # of a game that is read


class Registers:
    """Tries the frames of games one after the other. frames_of: those of a position. bounds_of: of the numbers of a
    frame, at a game. problems: broken invariants of records, masks and seats; what is read in spite of another number
    must have none."""

    def __init__(self, frames_of, bounds_of, most=4, problems=None):
        self.frames_of, self.bounds_of, self.most, self.problems = frames_of, bounds_of, most, problems
        self.met: dict[tuple[int, int], int] = {}  # by operation and stage
        self.refused = 0

    def try_all(self, game):
        """Mutate the frames of a game that were not met often enough, one number after the other."""
        position = game.to_dict()
        frames = self.frames_of(position)
        operations = game.game_spec.operations
        for t, frame in enumerate(game.state.frames[: int(game.state.depth)].tolist() if frames else ()):
            key = frame[Frame.OP], frame[Frame.STAGE]
            self.met[key] = self.met.get(key, 0) + 1
            if self.met[key] > self.most:
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
        was = frames[t][column]
        frames[t][column] = bad
        try:
            with pytest.raises(ValueError) as caught:
                vitienv.Game.from_dict(position)
            assert "\n" not in str(caught.value)
            self.refused += 1
        finally:
            frames[t][column] = was

    def _refuse_or_play(self, position, frames, t, column, other):
        """Within its bounds a number may contradict the rest; if not, the game goes on as games do."""
        was = frames[t][column]
        frames[t][column] = other
        try:
            game = vitienv.Game.from_dict(position)
        except ValueError:
            return
        finally:
            frames[t][column] = was
        batch = game._batch
        for _ in range(STEPS):
            found = self.problems(batch.records.view(np.ndarray), batch.seats, batch.masks)
            assert not found, (frames[t], column.name, other, found)
            batch.step_random(restart=False)
