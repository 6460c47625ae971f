"""Many drawings in little room: each is cut at its panels, and a piece that comes again is kept once."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

CUT = re.compile(r'(<g transform="[^"]*">)')


class Frames:
    """Drawings as lists of numbers of pieces."""

    def __init__(self) -> None:
        self.pieces: dict[str, int] = {}

    def add(self, svg: str) -> list[int]:
        """The numbers of the pieces that make a drawing when they are put together again."""
        return [self.pieces.setdefault(piece, len(self.pieces)) for piece in CUT.split(svg) if piece]


def packed(value: Any) -> str:
    """A value as JSON, deflated, in base64: what the page's own script unpacks."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), 9)).decode("ascii")


def unpacked(text: str) -> Any:
    """The data that `packed` has packed."""
    return json.loads(zlib.decompress(base64.b64decode(text)))
