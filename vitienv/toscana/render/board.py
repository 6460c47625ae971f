"""The map: squares, pieces, and crossroads with water."""

from __future__ import annotations

from vitienv.render.pen import Pen
from vitienv.render.text import seat_name
from vitienv.toscana.enums import COLUMNS, CROSS_COLUMNS, KINDS, LETTERS, N_CROSSROADS, N_SQUARES, NO_SEAT, ROWS
from vitienv.toscana.render.scene import Scene
from vitienv.toscana.vocabulary import CROSSROAD_NAMES, SQUARE_NAMES

SQUARE = 86.0
MARGIN, TITLE = 8.0, 24.0
MAP_WIDTH, MAP_HEIGHT = COLUMNS * SQUARE + 2 * MARGIN, ROWS * SQUARE + TITLE + MARGIN
CROSSING = 13.0  # half the size of a crossroad


def piece(pen: Pen, x: float, y: float, r: float, seat: int, kind: str, at: str) -> None:
    """Draw a worker, or a winemaster with a ring. at: its square, "home", or "lost"."""
    with pen.token(kind, f"{kind.capitalize()} of {seat_name(seat)}", seat=seat, at=at):
        if kind == "winemaster":
            pen.dot(x, y, r * 1.3, "v-panel")
            pen.dot(x, y, r * 1.3, "v-ring")
        pen.seat_shape(x, y, r * 0.85, seat)


def legend() -> str:
    """Return the legend of the letters of the squares."""
    return ", ".join(f"{letter} {kind}" for letter, kind in zip(LETTERS, KINDS, strict=True))


def board(pen: Pen, scene: Scene, zoom: float = 1) -> None:
    """Draw the map, `MAP_WIDTH` by `MAP_HEIGHT`.

    zoom: scale of letters and tokens; a zoomed map has no legend.
    """
    pen.box(0, 0, MAP_WIDTH, MAP_HEIGHT, "v-panel", 6)
    pen.text(8, 17 if zoom == 1 else 20, "Map", min(13 * zoom, 20), "v-ink v-b")
    if zoom == 1:
        pen.text(MAP_WIDTH - 8, 16, legend(), 11.5, "v-faint v-e", MAP_WIDTH - 60)
    for square in range(N_SQUARES):
        _square(pen, scene, square, zoom)
    for crossroad in range(N_CROSSROADS):
        _crossroad(pen, scene, crossroad, zoom)


def _square(pen: Pen, scene: Scene, square: int, zoom: float) -> None:
    r, name = scene.state, SQUARE_NAMES[square]
    row, column = divmod(square, COLUMNS)
    x, y, kind = MARGIN + column * SQUARE, TITLE + row * SQUARE, KINDS[int(r.square_kind[square])]
    with pen.zone(
        [f"square:{name}"], x + 2, y + 2, SQUARE - 4, SQUARE - 4, f"Square {name}: {kind}", square=name, kind=kind
    ):
        pen.box(x + 1, y + 1, SQUARE - 2, SQUARE - 2, f"t-{kind} v-edge", 4)
        ink = f"v-m t-on-{kind}"
        letter = LETTERS[int(r.square_kind[square])]
        # The name on a small map shares a line with the letter, above the pieces.
        middle, low, line = (SQUARE / 2, SQUARE - 6, 21.0) if zoom == 1 else (SQUARE - 30, 25.0, 25.0)
        pen.text(x + middle, y + low, name, 11, ink)
        pen.text(x + (SQUARE / 2 if zoom == 1 else 16), y + line, letter, 15, f"v-b v-m t-on-{kind}")
        if r.square_produced[square]:
            with pen.token("produced", f"Square {name} has produced in this round", at=name):
                pen.dot(x + SQUARE - 12, y + 12, 5 * min(zoom, 1.4), f"t-on-{kind}")
        owner = int(r.square_owner[square])
        if owner != NO_SEAT:
            down = y + 40 + 10 * zoom
            if r.square_winemaster[square]:
                piece(pen, x + SQUARE / 2, down, min(17 * zoom, 20), owner, "winemaster", name)
            n = int(r.square_workers[square])
            step = min(30 * zoom, 84 / max(1, n))
            for k in range(n):
                piece(pen, x + SQUARE / 2 + (k - (n - 1) / 2) * step, down, min(16 * zoom, 23), owner, "worker", name)


def _crossroad(pen: Pen, scene: Scene, crossroad: int, zoom: float) -> None:
    name = CROSSROAD_NAMES[crossroad]
    row, column = divmod(crossroad, CROSS_COLUMNS)
    x, y = MARGIN + (column + 1) * SQUARE, TITLE + (row + 1) * SQUARE
    half = CROSSING * zoom
    with pen.zone([f"crossroad:{name}"], x - half, y - half, 2 * half, 2 * half, f"Crossroad {name}", crossroad=name):
        pen.dot(x, y, 5, "v-slot")
        if f"crossroad:{name}" in pen.legal:
            pen.text(x, y + 3.5, name, 9.5, "v-ink v-b v-m")
    if scene.state.water[crossroad]:
        with pen.token("water", f"Water on crossroad {name}", at=name):
            half = 10 * zoom
            pen.box(x - half, y - half, 2 * half, 2 * half, "t-water v-edge", 4)
            pen.text(x, y + 4.5 * zoom, "A", 12 * zoom, "v-b v-m t-on-water")
