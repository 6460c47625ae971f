"""The map: squares, crossroads with their water, and the pieces on them."""

from __future__ import annotations

from vitienv.core.drawing.pen import Pen
from vitienv.toscana.names import COLUMNS, CROSS_COLUMNS, KINDS, LETTERS, N_CROSSROADS, N_SQUARES, NO_SEAT, ROWS
from vitienv.toscana.render.scene import Scene
from vitienv.toscana.vocabulary import CROSSROAD_NAMES, SQUARE_NAMES

SQUARE = 86.0
MARGIN, TITLE = 8.0, 24.0
MAP_WIDTH, MAP_HEIGHT = COLUMNS * SQUARE + 2 * MARGIN, ROWS * SQUARE + TITLE + MARGIN
CROSSING = 13.0  # half the size of a crossroad


def piece(pen: Pen, x: float, y: float, r: float, seat: int, kind: str, at: str) -> None:
    """A worker, or a winemaster with a ring. at: its square, "home", or "lost"."""
    pen.token(kind, f"{kind.capitalize()} of seat {seat}", seat=seat, at=at)
    if kind == "winemaster":
        pen.dot(x, y, r * 1.3, "v-panel")
        pen.dot(x, y, r * 1.3, "v-ring")
    pen.seat_shape(x, y, r * 0.85, seat)
    pen.end()


def board(pen: Pen, scene: Scene) -> None:
    """The map, `MAP_WIDTH` by `MAP_HEIGHT`."""
    pen.box(0, 0, MAP_WIDTH, MAP_HEIGHT, "v-panel", 6)
    pen.text(8, 17, "Map", 13, "v-ink v-b")
    letters = ", ".join(f"{letter} {kind}" for letter, kind in zip(LETTERS, KINDS, strict=True))
    pen.text(MAP_WIDTH - 8, 16, letters, 10, "v-faint v-e", MAP_WIDTH - 60)
    for square in range(N_SQUARES):
        _square(pen, scene, square)
    for crossroad in range(N_CROSSROADS):
        _crossroad(pen, scene, crossroad)


def _square(pen: Pen, scene: Scene, square: int) -> None:
    r, name = scene.record, SQUARE_NAMES[square]
    row, column = divmod(square, COLUMNS)
    x, y, kind = MARGIN + column * SQUARE, TITLE + row * SQUARE, KINDS[int(r.square_kind[square])]
    pen.zone([f"square:{name}"], x + 2, y + 2, SQUARE - 4, SQUARE - 4, f"Square {name}: {kind}",
             f' data-square="{name}" data-kind="{kind}"')  # fmt: skip
    pen.box(x + 1, y + 1, SQUARE - 2, SQUARE - 2, f"t-{kind} v-edge", 4)
    letter = LETTERS[int(r.square_kind[square])]
    pen.text(x + SQUARE / 2, y + 21, letter, 15, f"v-b v-m t-on-{kind}")
    owner = int(r.square_owner[square])
    if owner != NO_SEAT:
        if r.square_winemaster[square]:
            piece(pen, x + SQUARE / 2, y + 50, 17, owner, "winemaster", name)
        n = int(r.square_workers[square])
        for k in range(n):
            piece(pen, x + SQUARE / 2 + (k - (n - 1) / 2) * 30, y + 50, 16, owner, "worker", name)
    pen.end()


def _crossroad(pen: Pen, scene: Scene, crossroad: int) -> None:
    name = CROSSROAD_NAMES[crossroad]
    row, column = divmod(crossroad, CROSS_COLUMNS)
    x, y = MARGIN + (column + 1) * SQUARE, TITLE + (row + 1) * SQUARE
    pen.zone([f"crossroad:{name}"], x - CROSSING, y - CROSSING, 2 * CROSSING, 2 * CROSSING, f"Crossroad {name}",
             f' data-crossroad="{name}"')  # fmt: skip
    pen.dot(x, y, 5, "v-slot")
    pen.end()
    if scene.record.water[crossroad]:
        pen.token("water", f"Water on crossroad {name}", at=name)
        pen.box(x - 10, y - 10, 20, 20, "t-water v-edge", 4)
        pen.text(x, y + 4.5, "A", 12, "v-b v-m t-on-water")
        pen.end()
