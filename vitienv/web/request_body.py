"""Request bodies: JSON with limits on size, number of values, time, and total pending bytes."""

from __future__ import annotations

import asyncio
import json
import math
import re
from typing import Any

from starlette.requests import ClientDisconnect, Request

MAX_BYTES = 1_000_000
MAX_LOG_BYTES = 16_000_000  # bytes; a log holds the candidates of the bots for each move
MAX_VALUES = 500_000  # the longest log has 360,000; parsing blocks the event loop for tenths of a second
SHORT = 100_000  # bytes; shorter bodies are always accepted
MAX_PENDING_BYTES = 64_000_000  # bytes of longer bodies that are incomplete
BODY_SECONDS = 60.0
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")  # lone surrogates cannot be encoded


class Bodies:
    """Reader of request bodies that limits the total size of incomplete ones."""

    def __init__(self) -> None:
        self._bytes = 0

    async def read(self, request: Request, limit: int = MAX_BYTES) -> dict[str, Any]:
        """Return the JSON object of a request; ValueError if it is invalid or has more than `limit` bytes."""
        read = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for part in request.stream():
                    read += part
                    self._bytes += len(part)
                    if len(read) > limit:
                        raise ValueError(f"the request must have at most {limit} bytes")
                    if len(read) > SHORT and self._bytes > MAX_PENDING_BYTES:
                        raise ValueError("too many bytes are pending; try again soon")
        except (TimeoutError, ClientDisconnect):
            raise ValueError(f"the request was not complete within {BODY_SECONDS} s") from None
        finally:
            self._bytes -= len(read)
        return _mapping(read)


def _mapping(read: bytearray) -> dict[str, Any]:
    if read.count(b",") >= MAX_VALUES:
        raise ValueError(f"the request must have at most {MAX_VALUES} values")
    try:
        body = json.loads(read.decode(), parse_constant=_no_number, parse_float=_finite)
        if SURROGATE.search(read):
            json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise ValueError("the request is not JSON") from None
    if not isinstance(body, dict):
        raise ValueError("the request must be a JSON object")
    return body


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)
