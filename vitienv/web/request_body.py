"""What is sent to a server: JSON of so many bytes and values, and not too much of it at once."""

from __future__ import annotations

import asyncio
import json
import math
import re
from typing import Any

from starlette.requests import ClientDisconnect, Request

from vitienv.web.table import BadRequest

MOST_BYTES = 1_000_000
MOST_OF_A_LOG = 16_000_000  # bytes: its moves, each with what a bot considered
MOST_VALUES = 500_000  # of which such a log has 360,000; reading them keeps everybody waiting for tenths of a second
SHORT, MOST_AT_ONCE = 100_000, 64_000_000  # bytes: bodies that never are too many; all others that are not whole
BODY_SECONDS = 60.0  # for all of a body
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")  # half a character, which cannot be written


class Bodies:
    """The bodies that are being read."""

    def __init__(self) -> None:
        self._bytes = 0

    async def read(self, request: Request, most: int = MOST_BYTES) -> dict[str, Any]:
        """The JSON of a request, a mapping of so many bytes at most. BadRequest otherwise."""
        read = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for part in request.stream():
                    read += part
                    self._bytes += len(part)
                    if len(read) > most:
                        raise BadRequest(f"at most {most} bytes can be sent")
                    if len(read) > SHORT and self._bytes > MOST_AT_ONCE:
                        raise BadRequest("too much is sent at once; wait a little")
        except (TimeoutError, ClientDisconnect):
            raise BadRequest(f"the rest of the request did not come within {BODY_SECONDS} s") from None
        finally:
            self._bytes -= len(read)
        return _mapping(read)


def _mapping(read: bytearray) -> dict[str, Any]:
    if read.count(b",") >= MOST_VALUES:
        raise BadRequest(f"at most {MOST_VALUES} values can be sent")
    try:
        asked = json.loads(read.decode(), parse_constant=_no_number, parse_float=_finite)
        if SURROGATE.search(read):
            json.dumps(asked, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadRequest("what was sent is not JSON") from None
    if not isinstance(asked, dict):
        raise BadRequest("what was sent is not a mapping")
    return asked


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)
