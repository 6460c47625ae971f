"""WebSockets of the pages that have a table open: they announce changes, which the page then fetches."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket

from vitienv.core.compiling.progress import PROGRESS
from vitienv.web.middleware import REFUSED

MAX_SOCKETS, MAX_SOCKETS_PER_TABLE = 256, 16
BETWEEN = 0.5  # seconds between two reports on a compilation or a search
FULL = 1013  # WebSocket close code "try again later" (registry of RFC 6455)


class _Page:
    """Unsent messages for a page: only the newest of each kind, so a slow reader takes no memory."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts, self._is_new = facts, asyncio.Event()
        self._is_new.set()

    def notify(self, facts: dict[str, Any]) -> None:
        self._facts |= facts
        self._is_new.set()

    async def send(self, socket: WebSocket, search_progress: Callable[[], str]) -> None:
        last_compilation, last_progress = "", ""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_new.wait(), BETWEEN)
            compilation = PROGRESS.status()
            if compilation != last_compilation:
                last_compilation = self._facts["compiling"] = compilation
            progress = search_progress()
            if progress != last_progress:
                last_progress = self._facts["thinking"] = progress
            facts, self._facts = self._facts, {}
            self._is_new.clear()
            if facts:
                await socket.send_json(facts)


class Watchers:
    """Pages that watch a table, by table. Only the event loop's thread calls it."""

    def __init__(self) -> None:
        self._at: defaultdict[str, set[_Page]] = defaultdict(set)

    def notify(self, name: str, **facts: Any) -> None:
        """Send facts to all pages at a table."""
        for page in self._at.get(name, ()):
            page.notify(facts)

    def has_room(self, name: str) -> bool:
        """Return whether another page may watch a table."""
        num_sockets = sum(map(len, self._at.values()))
        return num_sockets < MAX_SOCKETS and len(self._at.get(name, ())) < MAX_SOCKETS_PER_TABLE

    async def serve(
        self, name: str, socket: WebSocket, facts: dict[str, Any], search_progress: Callable[[], str]
    ) -> None:
        """Serve the WebSocket of a page until it closes or sends anything.

        facts: the first message. search_progress: returns the progress of a searching bot.
        """
        page = _Page(facts)
        self._at[name].add(page)
        tasks: list[asyncio.Task[Any]] = []
        try:
            await socket.accept()
            tasks = [asyncio.create_task(socket.receive()), asyncio.create_task(page.send(socket, search_progress))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[0].done() and tasks[0].result()["type"] == "websocket.receive":
                await socket.close(REFUSED)
        finally:
            self._at[name].discard(page)
            if not self._at[name]:
                del self._at[name]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)  # a closed page is not an error
