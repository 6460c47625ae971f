"""A position as SVG, with original shapes and words: in 1,280 x 800 with the whole table, or one to three columns."""

from __future__ import annotations

from typing import Any

from vitienv.render.pen import Pen
from vitienv.render.scene import GAP, WIDE, WIDE_BODY_HEIGHT, draw_page
from vitienv.render.style import check
from vitienv.toscana.enums import GOODS
from vitienv.toscana.render.board import MAP_HEIGHT, MAP_WIDTH, board, legend
from vitienv.toscana.render.market import MARKET_HEIGHT, market, market_width
from vitienv.toscana.render.scene import Scene
from vitienv.toscana.render.seats import SEAT_HEIGHT, SEAT_WIDTH, seat_panel
from vitienv.toscana.render.style import STYLE
from vitienv.toscana.render.table import RECONSTRUCTED

ZOOM = 1.8  # letters and tokens of the map on narrow pages
UNITS = {3: 0.77, 2: 0.95}  # minimum displayed size of a unit by number of columns, 1 by default
HALF = 3  # market goods per row on narrow pages
WIDTHS = {1: 328.0, 2: MAP_WIDTH + 2 * GAP, 3: WIDE, 4: WIDE}


def draw(game: Any, viewer: int | None, names: list[str] | None, columns: int, theme: str) -> str:
    """Draw a game as SVG; see `vitienv.Game.svg`."""
    check(columns, theme)
    scene, width = Scene(game, viewer, names), WIDTHS[columns] - 2 * GAP
    pen = Pen(scene.legal, UNITS.get(columns, 1))
    height = _draw_wide(pen, scene) if columns > 2 else _draw_stacked(pen, scene, width, columns)
    return draw_page(pen, scene, width, height, 1 if columns == 4 else 2, STYLE, theme)


def _put(pen: Pen, x: float, y: float, scale: float, part: Any, *args: Any) -> None:
    with pen.move(x, y, scale):
        part(pen, *args)


def _draw_wide(pen: Pen, scene: Scene) -> float:
    _put(pen, 0, 0, 1, board, scene)
    _put(pen, MAP_WIDTH + GAP, 0, (WIDE - MAP_WIDTH - 3 * GAP) / market_width(), market, scene)
    below = MAP_HEIGHT + GAP
    for seat in range(len(scene.names)):
        _put(pen, seat * (SEAT_WIDTH + GAP), below, 1, seat_panel, scene, seat)
    return WIDE_BODY_HEIGHT


def _draw_stacked(pen: Pen, scene: Scene, width: float, columns: int) -> float:
    """Draw everything in one or two columns: the main seat, map, market, the other seats."""
    across, y = 1 if columns == 1 else 2, 0.0
    scale = (width - (across - 1) * GAP) / across / SEAT_WIDTH
    seats = [seat for seat in range(len(scene.names)) if seat != scene.main]
    if columns == 1:
        _put(pen, 0, y, scale, seat_panel, scene, scene.main)
        y = _draw_narrow(pen, scene, width, y + SEAT_HEIGHT * scale + GAP)
    else:
        seats = [scene.main, *seats]
        for part, wide, tall in ((board, MAP_WIDTH, MAP_HEIGHT), (market, market_width(), MARKET_HEIGHT)):
            _put(pen, 0, y, width / wide, part, scene)
            y += tall * width / wide + GAP
    for k, seat in enumerate(seats):
        _put(pen, k % across * (SEAT_WIDTH * scale + GAP), y + k // across * (SEAT_HEIGHT * scale + GAP), scale,
             seat_panel, scene, seat)  # fmt: skip
    return y + -(-len(seats) // across) * (SEAT_HEIGHT * scale + GAP)


def _draw_narrow(pen: Pen, scene: Scene, room: float, y: float) -> float:
    """Draw map and market for the width of a phone, the market in two parts. Returns the bottom."""
    _put(pen, 0, y, room / MAP_WIDTH, board, scene, ZOOM)
    y += MAP_HEIGHT * room / MAP_WIDTH + 12
    y = pen.lines(2, y, legend(), 10, "v-faint", room - 4, 2) + GAP
    size = room / market_width(HALF)
    for goods in (range(HALF), range(HALF, len(GOODS))):
        _put(pen, 0, y, size, market, scene, goods)
        y += MARKET_HEIGHT * size + GAP
    if scene.has_reconstructions:
        y = pen.lines(2, y + 8, RECONSTRUCTED, 10, "v-faint", room - 4, 4) + GAP
    return y
