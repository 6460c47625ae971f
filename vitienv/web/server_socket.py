"""Listening socket, and uvicorn server that stops at once."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
import traceback
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn

from vitienv.core.text_utils import in_one_line

MAX_MESSAGE_BYTES = 1000  # bytes; pages send nothing on their WebSocket
MAX_CONNECTIONS = 400  # including WebSockets; a further request is refused with status 503
END_SECONDS, LAST_SECONDS = 0.5, 1.0  # after Ctrl-C: until requests are cancelled, until the process exits


def listen(host: str, port: int) -> socket.socket:
    """Return a listen socket; requests are answered once `run` is called.

    port: 0 for any free port. OSError if the port is taken.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


class OneLine(logging.Formatter):
    """Log records in one printable line each, with type, text and line of their exception."""

    def format(self, record: logging.LogRecord) -> str:
        error, text = record.exc_info[1] if record.exc_info else None, record.getMessage()
        if error is not None:
            place = traceback.extract_tb(error.__traceback__)[-1:]
            location = "".join(f" ({frame.filename}:{frame.lineno})" for frame in place)
            text = f"{text}: {type(error).__name__}: {error}{location}"
        return f"vitienv: {in_one_line(text)}"


class _Server(uvicorn.Server):
    """Server that stops soon after a signal, even while a bot searches or a kernel is compiled."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        logging.getLogger("uvicorn.error").disabled = logging.getLogger("asyncio").disabled = True
        # Files are written atomically before a move is acknowledged, so exiting loses nothing.
        last = threading.Timer(LAST_SECONDS, os._exit, [0 if sig == signal.SIGINT else 128 + sig])
        last.daemon = True
        last.start()
        super().handle_exit(sig, frame)


def run(app: Any, at: socket.socket) -> None:
    """Serve until interrupted, then exit the process: an orderly shutdown of Python may take seconds."""
    config = uvicorn.Config(
        app,
        http="h11",
        loop="asyncio",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws_max_size=MAX_MESSAGE_BYTES,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=END_SECONDS,  # type: ignore[arg-type]  # asyncio accepts fractions
    )
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # uvicorn raises it again when it stops
    with suppress(KeyboardInterrupt, asyncio.CancelledError), at:
        _Server(config).run(sockets=[at])
    os._exit(0)
