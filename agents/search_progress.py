"""Progress of a search: simulations done of the budget, or time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class SearchProgress:
    """Progress of the current search, readable from other threads.

    on_update: called at every report in the thread of the search.
    """

    def __init__(self) -> None:
        self.on_update: Callable[[], None] | None = None
        self._limits: Any = None
        self._start, self._done = 0.0, 0

    @contextmanager
    def track(self, agent: Any) -> Iterator[None]:
        """Track the searches of a bot in the context; other bots report nothing."""
        from vitienv.agents.search.agent import IsmctsAgent

        bot = getattr(agent, "agent", agent)  # unwrap `CandidateRecorder`
        if isinstance(bot, IsmctsAgent):
            self._start, self._done, self._limits = time.monotonic(), 0, bot.limits
            bot.on_progress = self._update
        try:
            yield
        finally:
            self._limits = None

    def _update(self, done: int, total: int) -> None:
        self._done = done
        if self.on_update is not None:
            self.on_update()

    def describe(self) -> str:
        """Return text such as "600 of 2,000 simulations" or "340 simulations, 0.6 of 1 s"; "" without a search."""
        limits, done = self._limits, self._done
        if limits is None:
            return ""
        if limits.milliseconds is None:
            return f"{done:,} of {limits.simulations:,} simulations"
        spent, limit = time.monotonic() - self._start, limits.milliseconds / 1000
        return f"{done:,} simulations, {min(spent, limit):.1f} of {limit:g} s"
