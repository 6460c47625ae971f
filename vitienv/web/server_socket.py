"""Listens for clients: prints its address when it answers, limits connections and their times, and ends at once."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import signal
import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from vitienv.core.text_utils import in_one_line

MOST_OF_A_MESSAGE = 1000  # bytes on a socket; a page has nothing to say there
MOST_CONNECTIONS = 400  # sockets included, of which there are 256 at most; fewer where few files can be open
FREE_FILES = 128  # for tables, sources and connections that are about to be closed
AT_ONCE, QUEUE = 16, 512  # connections that are taken at once, before one that is too many is closed; that may wait
HEADER_SECONDS = 10.0  # for the headers of a request, and for a client to take what it was sent
END_SECONDS, LAST_SECONDS = 0.5, 1.0  # after Ctrl-C: until work is cancelled, until the process ends whatever it does
MOST_LINES, MINUTE = 20, 60.0  # lines on stderr a minute


def listening(host: str, port: int) -> socket.socket:
    """A socket at which others can already ask; they are answered once `run` is called. port: 0 for any free one.

    OSError if the port is taken.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(QUEUE)
    except OSError:
        made.close()
        raise
    return made


def most_connections() -> int:
    """How many connections there may be at once."""
    try:
        import resource
    except ImportError:  # Windows, which counts otherwise
        return MOST_CONNECTIONS
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if files < 0 else max(8, min(MOST_CONNECTIONS, files - FREE_FILES))


class Connection(H11Protocol):
    """A connection that ends if its client is silent for long, or if it waits longest when there are too many."""

    most = MOST_CONNECTIONS
    open_: dict[Connection, None]  # of this server, those that were answered last at the end
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._look_again()
        if len(self.connections) > self.most:
            longest = next((own for own in self.open_ if own.is_waiting), self)
            del self.open_[longest]  # it is lost a little later
            longest.transport.abort()

    @property
    def is_waiting(self) -> bool:
        """Whether it is the client's turn: to ask, to send the rest, to take the answer."""
        if self.flow.write_paused:  # the next answer waits until this one is taken
            return True
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _look_again(self) -> None:
        self.open_.pop(self, None)
        self.open_[self] = None
        if self._timer is not None:
            self._timer.cancel()
        self._unsent = self.transport.get_write_buffer_size()
        self._timer = self.loop.call_later(HEADER_SECONDS, self._look, self.cycle)

    def _look(self, then: Any) -> None:
        """End a connection that has asked nothing since, unless it still takes what it was sent."""
        if self not in self.open_ or (self.cycle is not then and not self.flow.write_paused):
            return  # it was closed, or has become a socket; or has asked again, and takes what it is answered
        unsent = self.transport.get_write_buffer_size()
        if 0 < unsent < self._unsent:
            self._look_again()
        elif self.is_waiting:
            self.transport.abort()

    def on_response_complete(self) -> None:
        self._look_again()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self.open_.pop(self, None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_.pop(self, None)
        super().connection_lost(exc)


class Lines(logging.Handler):
    """Lines on stderr from a thread of their own, so many a minute: nobody waits where nobody reads them."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: queue.Queue[str] = queue.Queue(MOST_LINES)
        self._since, self._written, self._left_out = time.monotonic(), 0, 0
        threading.Thread(target=self._write, daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        if time.monotonic() - self._since > MINUTE:
            self._since, self._written = time.monotonic(), 0
        if self._written >= MOST_LINES or self._lines.full():
            self._left_out += 1
            return
        more = f" (and {self._left_out} lines before)" if self._left_out else ""
        self._written, self._left_out = self._written + 1, 0
        with suppress(queue.Full):
            self._lines.put_nowait(f"vitienv: {line_of(record)}{more}\n")

    def _write(self) -> None:
        while True:
            line = self._lines.get()
            if sys.stderr is not None:
                with suppress(OSError, ValueError):
                    sys.stderr.write(line)
                    sys.stderr.flush()


def line_of(record: logging.LogRecord) -> str:
    """A record in one printable line; an exception by its type, text and place instead of its traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return in_one_line(record.getMessage())
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" ({frame.filename}:{frame.lineno})" for frame in place)
    return in_one_line(f"{record.getMessage()}: {type(error).__name__}: {error}{where}")


class _Server(uvicorn.Server):
    """Ends soon after a signal, also while a bot thinks, a kernel is compiled or a client waits."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for own in sockets or ():
            own.listen(QUEUE)  # the loop has made it as short as what it takes at once

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        logging.getLogger("uvicorn.error").disabled = logging.getLogger("asyncio").disabled = True
        # An answered move is in its file, which is written whole or not at all.
        last = threading.Timer(LAST_SECONDS, os._exit, [0 if sig == signal.SIGINT else 128 + sig])
        last.daemon = True
        last.start()
        super().handle_exit(sig, frame)


def run(app: Any, at: socket.socket) -> None:
    """Answer until interrupted, which ends the process: to put away all that was loaded may take Python seconds."""
    kind = type("Connection", (Connection,), {"most": most_connections(), "open_": {}})
    config = uvicorn.Config(
        app,
        http=kind,
        loop="asyncio",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws_max_size=MOST_OF_A_MESSAGE,
        backlog=AT_ONCE,
        timeout_graceful_shutdown=END_SECONDS,  # type: ignore[arg-type]  # it waits for as long as asyncio can
    )
    lines = Lines()
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [lines], False
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # which uvicorn sends again at its end
    with suppress(KeyboardInterrupt, asyncio.CancelledError), at:
        _Server(config).run(sockets=[at])
    os._exit(0)
