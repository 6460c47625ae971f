"""Listening: an address is told only when it can be asked."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

MOST_OF_A_MESSAGE = 1000  # bytes on a socket; a page has nothing to say there


def listening(host: str, port: int) -> socket.socket:
    """A socket at which others can already ask; they are answered once `run` is called. port: 0 for any free one.

    OSError if the port is taken.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(100)
    except OSError:
        made.close()
        raise
    return made


def run(app: Any, at: socket.socket) -> None:
    """Answer until interrupted."""
    import uvicorn

    config = uvicorn.Config(app, log_level="warning", server_header=False, ws_max_size=MOST_OF_A_MESSAGE)
    with suppress(KeyboardInterrupt), at:
        uvicorn.Server(config).run(sockets=[at])
