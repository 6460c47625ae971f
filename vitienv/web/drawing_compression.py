"""Compression of many drawings: each is split at its panels, and equal pieces are stored once."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

CUT = re.compile(r'(<g transform="[^"]*">)')


class Frames:
    """Drawings as lists of indices of pieces."""

    def __init__(self) -> None:
        self.pieces: dict[str, int] = {}

    def add(self, svg: str) -> list[int]:
        """Return the indices of the pieces whose concatenation is the drawing."""
        return [self.pieces.setdefault(piece, len(self.pieces)) for piece in CUT.split(svg) if piece]


def packed(value: Any) -> str:
    """Encode a value as JSON, deflate and base64, for the script of the page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), 9)).decode("ascii")


def unpacked(text: str) -> Any:
    """Decode the output of `packed`."""
    return json.loads(zlib.decompress(base64.b64decode(text)))
