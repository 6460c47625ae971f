"""Shapes of this game: the Automa, workers, grapes and wines."""

from __future__ import annotations

import math

from vitienv.render.pen import OUTLINES, corners, humanize
from vitienv.render.pen import Pen as PlainPen
from vitienv.render.text import seat_name

__all__ = ["Pen", "humanize"]

HATS = {"yellow": "v-deck-summer", "blue": "v-deck-winter"}  # workers of World, in the colours of their seasons
AUTOMA_OUTLINE = corners(8, 1.08, math.pi / 8)


class Pen(PlainPen):
    """Pen with shapes of this game, see `vitienv.render.pen.Pen`. rival: name for workers without a seat."""

    def __init__(self, legal: dict[str, int], rival: str = "Automa") -> None:
        super().__init__(legal)
        self.rival = rival

    def seat_shape(self, x: float, y: float, r: float, seat: int | None, kind: str = "v-edge") -> None:
        """Draw the shape of a seat with its number; None: of the rival."""
        if seat is not None:
            super().seat_shape(x, y, r, seat, kind)
            return
        self.outline(x, y, r, AUTOMA_OUTLINE, f"v-auto {kind}")
        size = max(self.least, 1.15 * r)
        self.text(x, y + 0.365 * size, self.rival[0], size, "v-b v-m v-white-ink")

    def worker(self, x: float, y: float, r: float, seat: int | None, kind: str, at: str) -> None:
        """Draw a worker. at: its place, for example "give_tour:plain"."""
        whose = self.rival if seat is None else seat_name(seat)
        title = f"{humanize(kind)} worker of {whose}"
        with self.token("worker", title, seat=self.rival.lower() if seat is None else seat, kind=kind, at=at):
            if kind == "grande":
                self.dot(x, y, r + 2.2, "v-ring")
            elif kind == "temporary":
                self.dot(x, y, r + 2.2, "v-hint")
            elif kind in HATS:
                self.dot(x, y, r + 1.4, HATS[kind])
            self.seat_shape(x, y, r * (0.9 if kind == "grande" else 0.8), seat)

    def drop(self, x: float, y: float, r: float, kind: str, value: int) -> None:
        """Draw a grape or wine: red round, white square, blush a lozenge, sparkling a hexagon."""
        classes = f"v-{kind} v-edge"
        if kind == "red":
            self.dot(x, y, r, classes)
        elif kind == "white":
            self.box(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, classes, 1)
        else:
            self.outline(x, y, r, OUTLINES[3 if kind == "blush" else 4], classes)
        size = max(self.least, 1.35 * r)
        self.text(x, y + 0.365 * size, str(value), size, f"v-b v-m v-on-{kind}")
