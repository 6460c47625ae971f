"""What drawings are made of: boxes, words, tokens, seats' shapes, and zones that can be chosen."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

# The widths of letters, in sizes of the font, rounded up: those of DejaVu Sans, whose like Verdana is.
WIDTHS = {
    letter: width
    for width, letters in (
        (0.28, "ijl'"), (0.36, " .,:;!/|()[]·fIJ"), (0.42, 'rt-"'), (0.55, "scz?"), (0.6, "kvxyFL"),
        (0.7, "ABCEKPRSTUVXYZ"), (0.84, "wDGHNOQ+<=>#−✕"), (1.0, "mMW%@…"),
    ) for letter in letters
}  # fmt: skip
USUAL, BOLD = 0.64, 1.12  # of other letters; how much wider bold ones are
BEYOND, WIDEST = "\u0530", 1.0  # where alphabets of wide letters begin
LEAST_SIZE = 10.0  # no word and no number on a drawing is smaller
LEADING = 1.14  # from line to line, in sizes of the font


def spoken(name: str) -> str:
    """A name of cards, actions or structures as a person reads it: "harvest_field" is "Harvest field"."""
    return name.replace("_", " ").capitalize()


def corners(n: int, r: float, turn: float) -> list[tuple[float, float]]:
    angles = [turn + 2 * math.pi * k / n for k in range(n)]
    return [(r * math.sin(a), -r * math.cos(a)) for a in angles]


# The outlines of the seats' tokens after the circle and the square: corners, size, turn.
OUTLINES = {
    2: corners(3, 1.3, 0), 3: corners(4, 1.2, 0), 4: corners(6, 1.1, 0), 5: corners(5, 1.15, 0),
}  # fmt: skip


def breadth(words: str, size: float, kind: str = "") -> float:
    """How wide words are. kind: their classes, of which "v-b" is bold."""
    letters = sum(WIDTHS.get(letter, USUAL if letter < BEYOND else WIDEST) for letter in words)
    return letters * size * (BOLD if "v-b" in kind else 1)


def wrapped(words: str, size: float, width: float, kind: str = "") -> list[str]:
    """Words in lines of at most this width, as far as no single one is wider."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and breadth(longer, size, kind) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class Pen:
    """Collects the elements of a drawing.

    legal: the numbers of the actions that are marked, by name. unit: how large a drawing's unit is seen.
    """

    def __init__(self, legal: dict[str, int], unit: float = 1.0) -> None:
        self.legal = legal
        self.parts: list[str] = []
        self.marked: set[str] = set()
        self._open: list[tuple[str, float]] = []  # what ends each open group, and the scale before it
        self._scale = unit

    def add(self, element: str) -> None:
        self.parts.append(element)

    def move(self, x: float, y: float, scale: float = 1) -> None:
        """Draw what follows at another place, until `end`."""
        self.parts.append(f'<g transform="translate({x:g} {y:g}) scale({scale:g})">')
        self._begin("</g>")
        self._scale *= scale

    def end(self) -> None:
        """Close the group that was opened last."""
        last, self._scale = self._open.pop()
        self.parts.append(last)

    def _begin(self, last: str) -> None:
        self._open.append((last, self._scale))

    @property
    def least(self) -> float:
        """The smallest size of letters here, as everything may be drawn smaller or larger."""
        return LEAST_SIZE / self._scale

    def box(self, x: float, y: float, w: float, h: float, kind: str, r: float = 3) -> None:
        self.parts.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{r:g}"/>')

    def text(
        self, x: float, y: float, words: str, size: float = 11, kind: str = "v-ink", width: float | None = None
    ) -> None:
        """Words, made smaller and then cut to fit into `width`."""
        size = max(size, self.least)
        if width is not None and (needed := breadth(words, size, kind)) > width:
            size = max(self.least, size * width / needed)
            if breadth(words, size, kind) > width + 0.1:
                while len(words) > 1 and breadth(words + "…", size, kind) > width:
                    words = words[:-1]
                words += "…"
        self.parts.append(
            f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:.3g}">{escape(words, quote=False)}</text>'
        )

    def lines(self, x: float, y: float, words: str, size: float, kind: str, width: float, most: int) -> float:
        """Words in at most so many lines, the first with its foot at y, in smaller letters if they need more room.

        Returns the foot of the last.
        """
        while len(rows := wrapped(words, size, width, kind)) > most and size > self.least:
            size = max(self.least, size - 0.5)
        if len(rows) > most:
            rows[most - 1 :] = [" ".join(rows[most - 1 :])]
        for k, line in enumerate(rows):
            self.text(x, y + LEADING * size * k, line, size, kind, width)
        return y + LEADING * size * (len(rows) - 1)

    def zone(
        self, names: Iterable[str], x: float, y: float, w: float, h: float, title: str = "", facts: str = ""
    ) -> None:
        """Open a group, until `end`; the box is marked if one of these actions is legal. facts: its data attributes."""
        offered = [name for name in names if name in self.legal]
        self.marked.update(offered)
        heading = f"<title>{escape(title, quote=False)}</title>" if title else ""
        if not offered:
            self.parts.append(f"<g{facts}>{heading}")
            self._begin("</g>")
            return
        numbers = " ".join(str(self.legal[name]) for name in offered)
        self.parts.append(f'<g class="v-offer" data-actions="{numbers}"{facts}>{heading}')
        self._begin(
            f'<rect class="v-zone" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{min(4, w / 4):g}"/></g>'
        )

    def token(self, what: str, title: str, **facts: object) -> None:
        """Open the group of a token, until `end`. facts: its data attributes, such as seat and place."""
        told = "".join(f' data-{name}="{escape(str(value))}"' for name, value in facts.items())
        self.parts.append(f'<g data-token="{what}"{told}><title>{escape(title, quote=False)}</title>')
        self._begin("</g>")

    def outline(self, x: float, y: float, r: float, corners: list[tuple[float, float]], kind: str) -> None:
        points = " ".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in corners)
        self.parts.append(f'<polygon class="{kind}" points="{points}"/>')

    def dot(self, x: float, y: float, r: float, kind: str) -> None:
        self.parts.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>')

    def seat_shape(self, x: float, y: float, r: float, seat: int, kind: str = "v-edge") -> None:
        """The shape of a seat with its number, from one."""
        classes = f"v-s{seat} {kind}"
        if seat == 0:
            self.dot(x, y, r, classes)
        elif seat == 1:
            self.box(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, classes, 1)
        else:
            self.outline(x, y + (0.2 * r if seat == 2 else 0), r, OUTLINES[seat], classes)
        if r >= self.least / 2:  # no number on what is smaller: its colour and its outline remain
            size = max(self.least, 1.15 * r)
            self.text(x, y + 0.365 * size + (0.2 * r if seat == 2 else 0), str(seat + 1), size, f"v-b v-m v-n{seat}")
