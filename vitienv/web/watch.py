"""Sockets of the pages that have a table open: they announce each change, and the page then asks for it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket

from vitienv.core.compiling.progress import WATCH
from vitienv.web.middleware import REFUSED

MOST_SOCKETS, MOST_AT_A_TABLE = 256, 16
BETWEEN = 0.5  # seconds between two looks at how far a compilation is, or a bot that thinks
FULL = 1013  # what a socket is closed with, as the registry of RFC 6455 has it


class _Page:
    """The unsent facts for a page: only the newest of each kind, so that a slow reader takes no memory."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts, self._is_new = facts, asyncio.Event()
        self._is_new.set()

    def tell(self, facts: dict[str, Any]) -> None:
        self._facts |= facts
        self._is_new.set()

    async def send(self, socket: WebSocket, thinks: Callable[[], str]) -> None:
        said, thought = "", ""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_new.wait(), BETWEEN)
            told = WATCH.status()
            if told != said:
                said = self._facts["compiling"] = told
            now = thinks()
            if now != thought:
                thought = self._facts["thinking"] = now
            facts, self._facts = self._facts, {}
            self._is_new.clear()
            if facts:
                await socket.send_json(facts)


class Watchers:
    """The pages that watch, by table. All of it happens in the server's own thread."""

    def __init__(self) -> None:
        self._at: defaultdict[str, set[_Page]] = defaultdict(set)

    def tell(self, name: str, **facts: Any) -> None:
        """Tell all pages at a table; those are none or a few."""
        for page in self._at.get(name, ()):
            page.tell(facts)

    def has_room(self, name: str) -> bool:
        """Whether one more page may watch a table."""
        return sum(map(len, self._at.values())) < MOST_SOCKETS and len(self._at.get(name, ())) < MOST_AT_A_TABLE

    async def stay(self, name: str, socket: WebSocket, facts: dict[str, Any], thinks: Callable[[], str]) -> None:
        """Tell a page of a table until it goes. facts: what it is told first. thinks: how far a bot is. A page has
        nothing to say here: whatever it sends ends it."""
        page = _Page(facts)
        self._at[name].add(page)
        tasks: list[asyncio.Task[Any]] = []
        try:
            await socket.accept()
            tasks = [asyncio.create_task(socket.receive()), asyncio.create_task(page.send(socket, thinks))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[0].done() and tasks[0].result()["type"] == "websocket.receive":
                await socket.close(REFUSED)
        finally:
            self._at[name].discard(page)
            if not self._at[name]:
                del self._at[name]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)  # a page that has gone cannot be reached: no error
