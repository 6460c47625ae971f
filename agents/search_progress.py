"""How far a bot is with a choice that takes its time: simulations done of those asked for, or the time spent."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


class SearchProgress:
    """Listens to whichever bot thinks; what it has heard may be read from other threads.

    hear: called at every report, in the thread that thinks.
    """

    def __init__(self, hear: Callable[[], None] | None = None) -> None:
        self.hear = hear
        self._limits: Any = None
        self._began, self._done = 0.0, 0

    def of(self, agent: Any) -> SearchProgress:
        """Listen to a bot, until `end`; one that does not search says nothing."""
        from vitienv.agents.search.agent import IsmctsAgent

        own = getattr(agent, "agent", agent)  # the bot in a wrapper that says what it considered
        if isinstance(own, IsmctsAgent):
            self._began, self._done, self._limits = time.monotonic(), 0, own.limits
            own.on_progress = self._tell
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._limits = None

    def _tell(self, done: int, of: int) -> None:
        self._done = done
        if self.hear is not None:
            self.hear()

    def told(self) -> str:
        """How far it is, such as "600 of 2,000 simulations" or "340 simulations, 0.6 of 1 s"; "" if nobody says."""
        limits, done = self._limits, self._done
        if limits is None:
            return ""
        if limits.milliseconds is None:
            return f"{done:,} of {limits.simulations:,} simulations"
        spent, most = time.monotonic() - self._began, limits.milliseconds / 1000
        return f"{done:,} simulations, {min(spent, most):.1f} of {most:g} s"
