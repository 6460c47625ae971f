"""Panel of a seat: money, storage, pieces, actions and tasting tiles."""

from __future__ import annotations

from vitienv.render.pen import Pen, humanize, measure_text
from vitienv.render.text import seat_name, seat_title
from vitienv.toscana.enums import GOODS, LETTERS, N_TILES, NO_TILE, TURNS
from vitienv.toscana.render.board import piece
from vitienv.toscana.render.market import BOX, SIGNS, boxes
from vitienv.toscana.render.scene import Scene

SEAT_WIDTH, SEAT_HEIGHT = 246.0, 362.0
TURN_AT = ((6.0, 57.0), (65.0, 102.0), (169.0, 71.0))  # left edge and width, by length of the name
HIDDEN = "hidden"


def seat_panel(pen: Pen, scene: Scene, seat: int) -> None:
    """Draw the panel of a seat, `SEAT_WIDTH` by `SEAT_HEIGHT`."""
    pen.box(0, 0, SEAT_WIDTH, SEAT_HEIGHT, "v-panel", 6)
    if seat == scene.actor:
        pen.box(0, 0, SEAT_WIDTH, SEAT_HEIGHT, "v-ring", 6)
    _title(pen, scene, seat)
    _storage(pen, scene, seat)
    _pieces(pen, scene, seat)
    _actions(pen, scene, seat)
    _tiles(pen, scene, seat)


def _title(pen: Pen, scene: Scene, seat: int) -> None:
    r = scene.state
    distance = (seat - (scene.actor or 0)) % len(scene.names)  # action names count seats from the one that decides
    title = f"{seat_title(seat)}: {scene.names[seat]}"
    with pen.zone([f"seat:+{distance}"], 3, 3, SEAT_WIDTH - 6, 24, title, seat=seat):
        pen.seat_shape(17, 15, 10, seat)
        money = f"{int(r.money[seat])} money"
        room = SEAT_WIDTH - 46 - measure_text(money, max(13, pen.least), "v-b")
        pen.text(33, 19.5, scene.names[seat], 12.5, "v-ink v-b", room)
        with pen.token("money", f"Money of {seat_name(seat)}", seat=seat, value=int(r.money[seat])):
            pen.text(SEAT_WIDTH - 8, 19.5, money, 13, "v-ink v-b v-e")


def _storage(pen: Pen, scene: Scene, seat: int) -> None:
    for k, good in enumerate(GOODS):
        y = 34 + k * 20.0
        pen.text(8, y + 12.5, humanize(good), 12, "v-ink", 82)
        boxes(pen, 92, y, BOX + 4, int(scene.state.boxes[seat, k]), good, "box", f"of {seat_name(seat)}", seat=seat)


def _pieces(pen: Pen, scene: Scene, seat: int) -> None:
    r, y = scene.state, 152.0
    pen.text(8, y + 4, "pieces left", 11.5, "v-faint")
    x = 82.0
    for kind, n, step in (("worker", int(r.workers[seat]), 9.5), ("winemaster", int(r.winemasters[seat]), 13.0)):
        for _ in range(n):
            x += step
            piece(pen, x, y, 9.5, seat, kind, "home")
            x += step
    if r.lost[seat]:
        with pen.token("lost", f"Winemasters of {seat_name(seat)} out of the game", seat=seat, n=int(r.lost[seat])):
            pen.text(SEAT_WIDTH - 8, y + 16, f"{int(r.lost[seat])} removed", 11, "v-faint v-e")


def _actions(pen: Pen, scene: Scene, seat: int) -> None:
    """Draw the three actions: used ones are crossed out, those of the seat that decides are selectable."""
    for k, turn in enumerate(TURNS):
        (x, w), is_used = TURN_AT[k], bool(scene.state.used[seat, k])
        names = [f"take:{turn}"] if seat == scene.actor else []
        with pen.zone(names, x, 172, w, 24, f"{humanize(turn)} of {seat_name(seat)}"):
            pen.box(x, 172, w, 24, "v-planned" if is_used else "v-built", 4)
            if is_used:
                with pen.token("used", f"{seat_title(seat)} has used {turn}", seat=seat, turn=turn):
                    pen.text(x + w / 2, 188, f"✕ {turn}", 12, "v-m v-faint")
            else:
                pen.text(x + w / 2, 188, turn, 12, "v-m v-b v-ink")


def _tiles(pen: Pen, scene: Scene, seat: int) -> None:
    """Draw large tiles in hand and small played tiles. Hidden tiles show their backs without a number."""
    r, y = scene.state, 206.0
    pen.text(8, y + 9, "tasting tiles in hand", 11.5, "v-faint")
    if seat == int(r.start_seat):
        pen.text(SEAT_WIDTH - 8, y + 9, "begins", 11.5, "v-ink v-e")
    tiles = [tile + 1 for tile in range(N_TILES) if r.hand[seat, tile]]
    choice = int(r.chosen[seat])
    if not scene.shows_hand[seat]:
        tiles.sort(key=lambda tile: tile == choice)  # the order of hidden tiles reveals only whether one is chosen
    for k, tile in enumerate(tiles):
        name = str(tile) if scene.shows_hand[seat] else HIDDEN
        position = "chosen" if tile == choice != NO_TILE else "hand"
        title = f"Tasting tile {name} of {seat_name(seat)}, {position}"
        zone = pen.zone([f"taste:{tile}"] if seat == scene.actor else [], 8 + k * 80, y + 16, 74, 66)
        with pen.token("tile", title, seat=seat, tile=name, at=position), zone:
            if scene.shows_hand[seat]:
                pen.box(8 + k * 80, y + 16, 74, 66, "v-mine" if position == "chosen" else "v-card", 5)
                pen.text(12 + k * 80, y + 30, str(tile), 11, "v-faint v-b")
                _marks(pen, scene, tile, 8 + k * 80 + 37, y + 34, 12.5)
            else:
                pen.box(8 + k * 80, y + 16, 74, 66, "v-slot", 5)
            if position == "chosen":
                pen.text(45 + k * 80, y + 78, "chosen", 11, "v-ink v-m")
    pen.text(8, y + 98, "tasting tiles used", 11.5, "v-faint")
    for k, tile in enumerate(tile + 1 for tile in range(N_TILES) if r.played[seat, tile]):
        with pen.token("tile", f"Tasting tile {tile}, used by {seat_name(seat)}", seat=seat, tile=tile, at="used"):
            x, top = 8 + k * 33.4, y + 104
            pen.box(x, top, 31, 44, "v-planned", 4)
            pen.text(x + 4, top + 11, str(tile), 10, "v-faint")
            _marks(pen, scene, tile, x + 15.5, top + 14, 9.8)


def _marks(pen: Pen, scene: Scene, tile: int, x: float, y: float, size: float) -> None:
    """Draw the marks of a tile below each other, centred at x."""
    marks = [(i, int(mark)) for i, mark in enumerate(scene.marks[tile - 1]) if mark]
    for k, (i, mark) in enumerate(marks):
        times = "" if abs(mark) == 1 else str(abs(mark))
        words = f"{SIGNS[1 if mark > 0 else -1]}{times}{LETTERS[i]}"
        top = y + k * (size + 5)
        w = max(2.5 * size, measure_text(words, max(size, pen.least), "v-b") + 3)
        pen.box(x - w / 2, top, w, size + 4, f"t-{GOODS[i]} v-edge", 3)
        pen.text(x, top + size + 0.5, words, size, f"v-b v-m t-on-{GOODS[i]}")
