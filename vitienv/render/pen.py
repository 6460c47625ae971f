"""Elements of drawings: boxes, text, tokens, seat shapes, and zones of legal actions.

Each token is a group with `data-token` and a title. Selectable areas are groups of class `v-offer`; `data-actions` has
the numbers of their actions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from html import escape

# Widths of DejaVu Sans (similar to Verdana) in units of the font size, rounded up.
WIDTHS = {
    letter: width
    for width, letters in (
        (0.28, "ijl'"), (0.36, " .,:;!/|()[]·fIJ"), (0.42, 'rt-"'), (0.55, "scz?"), (0.6, "kvxyFL"),
        (0.7, "ABCEKPRSTUVXYZ"), (0.84, "wDGHNOQ+<=>#−✕"), (1.0, "mMW%@…"),
    ) for letter in letters
}  # fmt: skip
DEFAULT_WIDTH, BOLD_FACTOR = 0.64, 1.12
FIRST_WIDE, WIDE_WIDTH = "\u0530", 1.0  # first character of the wide alphabets, and their width
MIN_FONT_SIZE = 10.0  # screen units
LEADING = 1.14  # line height in units of the font size


def humanize(name: str) -> str:
    """Return a name for people: "harvest_field" becomes "Harvest field"."""
    return name.replace("_", " ").capitalize()


def corners(n: int, r: float, turn: float) -> list[tuple[float, float]]:
    angles = [turn + 2 * math.pi * k / n for k in range(n)]
    return [(r * math.sin(angle), -r * math.cos(angle)) for angle in angles]


# Polygons of the tokens of seats 2 to 5: number of corners, size, rotation.
OUTLINES = {
    2: corners(3, 1.3, 0), 3: corners(4, 1.2, 0), 4: corners(6, 1.1, 0), 5: corners(5, 1.15, 0),
}  # fmt: skip


def measure_text(words: str, size: float, kind: str = "") -> float:
    """Return the width of a text. kind: CSS classes; "v-b" is bold."""
    letters = sum(WIDTHS.get(letter, DEFAULT_WIDTH if letter < FIRST_WIDE else WIDE_WIDTH) for letter in words)
    return letters * size * (BOLD_FACTOR if "v-b" in kind else 1)


def wrap(words: str, size: float, width: float, kind: str = "") -> list[str]:
    """Wrap a text to a width; longer words are not split."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure_text(longer, size, kind) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def attributes(facts: Mapping[str, object]) -> str:
    """Return facts as data attributes."""
    return "".join(f' data-{name}="{escape(str(value))}"' for name, value in facts.items())


class Pen:
    """Collector of the elements of a drawing.

    legal: indices of the legal actions by name; their zones are marked. scale: screen size of a unit of the drawing.
    """

    def __init__(self, legal: dict[str, int], scale: float = 1.0) -> None:
        self.legal = legal
        self.parts: list[str] = []
        self.marked: set[str] = set()
        self.scale = scale

    @contextmanager
    def _group(self, start: str, end: str = "</g>", scale: float = 1) -> Iterator[None]:
        outer_scale = self.scale
        self.parts.append(start)
        self.scale *= scale
        yield
        self.scale = outer_scale
        self.parts.append(end)

    def move(self, x: float, y: float, scale: float = 1) -> AbstractContextManager[None]:
        """Draw the elements of the context in a translated and scaled group."""
        return self._group(f'<g transform="translate({x:g} {y:g}) scale({scale:g})">', scale=scale)

    @property
    def least(self) -> float:
        """Minimum font size at the current scale."""
        return MIN_FONT_SIZE / self.scale

    def box(self, x: float, y: float, w: float, h: float, kind: str, r: float = 3) -> None:
        self.parts.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{r:g}"/>')

    def text(
        self, x: float, y: float, words: str, size: float = 11, kind: str = "v-ink", width: float | None = None
    ) -> None:
        """Draw a text, shrunk and then truncated to `width`."""
        size = max(size, self.least)
        if width is not None and (text_width := measure_text(words, size, kind)) > width:
            size = max(self.least, size * width / text_width)
            if measure_text(words, size, kind) > width + 0.1:
                while len(words) > 1 and measure_text(words + "…", size, kind) > width:
                    words = words[:-1]
                words += "…"
        self.parts.append(
            f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:.3g}">{escape(words, quote=False)}</text>'
        )

    def lines(self, x: float, y: float, words: str, size: float, kind: str, width: float, max_lines: float) -> float:
        """Draw a text in the height of max_lines lines, the first with its baseline at y, shrunk if necessary.

        Returns the baseline of the last line.
        """
        height = max_lines * size
        while len(rows := wrap(words, size, width, kind)) * size > height and size > self.least:
            size = max(self.least, size - 0.5)
        if (n := int(height / size)) < len(rows):
            rows[n - 1 :] = [" ".join(rows[n - 1 :])]
        for k, line in enumerate(rows):
            self.text(x, y + LEADING * size * k, line, size, kind, width)
        return y + LEADING * size * (len(rows) - 1)

    def zone(
        self, names: Iterable[str], x: float, y: float, w: float, h: float, title: str = "", **facts: object
    ) -> AbstractContextManager[None]:
        """Group the elements of the context; the box is marked if an action is legal. facts: data attributes."""
        offered = [name for name in names if name in self.legal]
        self.marked.update(offered)
        head = f"{attributes(facts)}>" + (f"<title>{escape(title, quote=False)}</title>" if title else "")
        if not offered:
            return self._group(f"<g{head}")
        numbers = " ".join(str(self.legal[name]) for name in offered)
        return self._group(
            f'<g class="v-offer" data-actions="{numbers}"{head}',
            f'<rect class="v-zone" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{min(4, w / 4):g}"/></g>',
        )

    def token(self, token_type: str, title: str, **facts: object) -> AbstractContextManager[None]:
        """Group the elements of the context as a token. facts: data attributes, such as seat and place."""
        heading = f"<title>{escape(title, quote=False)}</title>"
        return self._group(f'<g data-token="{token_type}"{attributes(facts)}>{heading}')

    def outline(self, x: float, y: float, r: float, corners: list[tuple[float, float]], kind: str) -> None:
        points = " ".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in corners)
        self.parts.append(f'<polygon class="{kind}" points="{points}"/>')

    def dot(self, x: float, y: float, r: float, kind: str) -> None:
        self.parts.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>')

    def seat_shape(self, x: float, y: float, r: float, seat: int, kind: str = "v-edge") -> None:
        """Draw the shape of a seat with its number, from one."""
        classes = f"v-s{seat} {kind}"
        if seat == 0:
            self.dot(x, y, r, classes)
        elif seat == 1:
            self.box(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, classes, 1)
        else:
            self.outline(x, y + (0.2 * r if seat == 2 else 0), r, OUTLINES[seat], classes)
        if r >= self.least / 2:  # smaller shapes have no number
            size = max(self.least, 1.15 * r)
            self.text(x, y + 0.365 * size + (0.2 * r if seat == 2 else 0), str(seat + 1), size, f"v-b v-m v-n{seat}")
