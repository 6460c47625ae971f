"""Listening socket and uvicorn server with limits on connections and times, which stops at once."""

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

MAX_MESSAGE_BYTES = 1000  # bytes; pages send nothing on their WebSocket
MAX_CONNECTIONS = 400  # including at most 256 WebSockets; fewer if the limit of open files is low
FREE_FILES = 128  # file descriptors reserved for tables, sources and closing connections
AT_ONCE, QUEUE = 16, 512  # connections accepted per loop iteration; length of the accept queue
HEADER_SECONDS = 10.0  # for the headers of a request, and for a client to read a response
END_SECONDS, LAST_SECONDS = 0.5, 1.0  # after Ctrl-C: until requests are cancelled, until the process exits
MAX_LINES, MINUTE = 20, 60.0  # log lines per minute


def listen(host: str, port: int) -> socket.socket:
    """Return a listen socket; requests are answered once `run` is called.

    port: 0 for any free port. OSError if the port is taken.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(QUEUE)
    except OSError:
        listener.close()
        raise
    return listener


def max_connections() -> int:
    """Return the maximal number of connections."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MAX_CONNECTIONS
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MAX_CONNECTIONS if files < 0 else max(8, min(MAX_CONNECTIONS, files - FREE_FILES))


class Connection(H11Protocol):
    """Connection with a timeout; if there are too many, the one that has been idle longest is closed."""

    limit = MAX_CONNECTIONS
    open_: dict[Connection, None]  # connections of this server, by the time of their last response
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._look_again()
        if len(self.connections) > self.limit:
            longest = next((connection for connection in self.open_ if connection.is_waiting), self)
            del self.open_[longest]  # connection_lost is called later
            longest.transport.abort()

    @property
    def is_waiting(self) -> bool:
        """Return whether the server waits for the client to send a request or to read a response."""
        if self.flow.write_paused:  # the client does not read
            return True
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _look_again(self) -> None:
        self.open_.pop(self, None)
        self.open_[self] = None
        if self._timer is not None:
            self._timer.cancel()
        self._unsent = self.transport.get_write_buffer_size()
        self._timer = self.loop.call_later(HEADER_SECONDS, self._look, self.cycle)

    def _look(self, cycle: Any) -> None:
        """Close a connection without a new request since, unless it is still reading a response."""
        if self not in self.open_ or (self.cycle is not cycle and not self.flow.write_paused):
            return  # closed, upgraded to a WebSocket, or busy with another request
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
    """Log handler with a rate limit; a thread writes the lines, so a blocked stderr blocks nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: queue.Queue[str] = queue.Queue(MAX_LINES)
        self._since, self._written, self._left_out = time.monotonic(), 0, 0
        threading.Thread(target=self._write, daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        if time.monotonic() - self._since > MINUTE:
            self._since, self._written = time.monotonic(), 0
        if self._written >= MAX_LINES or self._lines.full():
            self._left_out += 1
            return
        omitted = f" (and {self._left_out} lines before)" if self._left_out else ""
        self._written, self._left_out = self._written + 1, 0
        with suppress(queue.Full):
            self._lines.put_nowait(f"vitienv: {line_of(record)}{omitted}\n")

    def _write(self) -> None:
        while True:
            line = self._lines.get()
            if sys.stderr is not None:
                with suppress(OSError, ValueError):
                    sys.stderr.write(line)
                    sys.stderr.flush()


def line_of(record: logging.LogRecord) -> str:
    """Return a log record in one printable line, with type, text and line of its exception."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return in_one_line(record.getMessage())
    place = traceback.extract_tb(error.__traceback__)[-1:]
    location = "".join(f" ({frame.filename}:{frame.lineno})" for frame in place)
    return in_one_line(f"{record.getMessage()}: {type(error).__name__}: {error}{location}")


class _Server(uvicorn.Server):
    """Server that stops soon after a signal, even while a bot searches or a kernel is compiled."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)  # asyncio has set it to its backlog

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        logging.getLogger("uvicorn.error").disabled = logging.getLogger("asyncio").disabled = True
        # Files are written atomically before a move is acknowledged, so exiting loses nothing.
        last = threading.Timer(LAST_SECONDS, os._exit, [0 if sig == signal.SIGINT else 128 + sig])
        last.daemon = True
        last.start()
        super().handle_exit(sig, frame)


def run(app: Any, at: socket.socket) -> None:
    """Serve until interrupted, then exit the process: an orderly shutdown of Python may take seconds."""
    kind = type("Connection", (Connection,), {"limit": max_connections(), "open_": {}})
    config = uvicorn.Config(
        app,
        http=kind,
        loop="asyncio",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws_max_size=MAX_MESSAGE_BYTES,
        backlog=AT_ONCE,
        timeout_graceful_shutdown=END_SECONDS,  # type: ignore[arg-type]  # asyncio accepts fractions
    )
    lines = Lines()
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [lines], False
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # uvicorn raises it again when it stops
    with suppress(KeyboardInterrupt, asyncio.CancelledError), at:
        _Server(config).run(sockets=[at])
    os._exit(0)
