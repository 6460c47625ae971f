"""The meeting point of the command and a cluster's learners: an actor on the command's machine.

Nothing large is imported here, as the actor is a process of its own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from vitienv.training.run_folder import KINDS
from vitienv.training.settings import nearest

CHECKPOINT = KINDS["selfplay"]


@dataclass(frozen=True)
class Limits:
    """When a call is over, see `train_selfplay`, and the seconds between two checkpoints."""

    minutes: float | None
    steps: int | None
    updates: int | None
    checkpoint_seconds: float


@dataclass(frozen=True)
class Told:
    """What the first learner tells after an update, of all learners together. seconds: by what was done."""

    updates: int
    decisions: int
    imitated: int
    found: dict[str, float]
    report: dict[str, float]
    standing: dict[str, float]
    seconds: dict[str, float]


class Desk:
    """What each side has for the other."""

    def __init__(self, limits: Limits, checkpoint: bytes, updates: int, decisions: int) -> None:
        """checkpoint: to begin with, after so many updates and decisions."""
        self._limits, self._checkpoint, self._first = limits, checkpoint, updates
        self._began, self._begun = 0.0, 0
        self._is_over = nearest((decisions, limits.steps), (0, limits.minutes), (0, limits.updates)) >= 1
        self._told: list[tuple[Told, float]] = []
        self._lines: list[str] = []
        self._files: dict[str, bytes] = {}
        self._error: Exception | None = None

    def begin(self) -> tuple[bytes, int] | None:
        """The last checkpoint, and how often the learners have begun before; None if there is nothing to do."""
        self._begun += 1
        if self._begun > 1 and not self._is_over:
            self.say("a learner was lost; all go on from the last checkpoint")
        return None if self._is_over else (self._checkpoint, self._begun)

    def tell(self, news: Told) -> float:
        """The first learner reports an update. Returns how much of the call is over, from 0 to 1."""
        self._began = self._began or time.monotonic() - sum(news.seconds.values())
        limits = self._limits
        share = nearest(
            (news.updates - self._first, limits.updates), (news.decisions, limits.steps),
            ((time.monotonic() - self._began) / 60, limits.minutes),
        )  # fmt: skip
        self._told.append((news, 1.0 if self._is_over else min(1.0, share)))
        return self._told[-1][1]

    def keep(self, files: dict[str, bytes], is_last: bool) -> None:
        """The first learner leaves the files of a checkpoint, by name."""
        self._files, self._checkpoint = files, files[CHECKPOINT]
        self._is_over |= is_last

    def say(self, line: str) -> None:
        """A learner leaves a line for the user."""
        self._lines.append(line)

    def fail(self, error: Exception) -> None:
        """A learner reports an error that ends the run."""
        self._error, self._is_over = error, True

    def stop(self) -> None:
        """The command asks the learners to stop, for the user."""
        self._is_over = True

    def take(self) -> tuple[list[str], list[tuple[Told, float]], dict[str, bytes], Exception | None]:
        """All that has come since the command last asked."""
        taken = self._lines, self._told, self._files, self._error
        self._lines, self._told, self._files = [], [], {}
        return taken
