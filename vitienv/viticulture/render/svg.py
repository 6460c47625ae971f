"""A position as SVG, in shapes and words of our own: the one drawing that all the pages, films and notebooks show.

Every token is a group with `data-token` and a title; what can be chosen is a group of class `v-offer` whose
`data-actions` holds the numbers of the actions it stands for. Panels are laid in four columns (1,280 x 800), in two,
or in one for narrow screens.
"""

from __future__ import annotations

from typing import Any

from vitienv.core.drawing.page import check, page
from vitienv.core.drawing.pen import WIDE_LETTER
from vitienv.core.words import seat_name
from vitienv.viticulture.names import N_SUMMER_ACTIONS
from vitienv.viticulture.render.board import (
    CHART_HEIGHT,
    SEASON_HEIGHT,
    WIDTH,
    chart,
    panel,
    season,
    tracks,
)
from vitienv.viticulture.render.hands import cards, flow
from vitienv.viticulture.render.mat import HEIGHT, TALL, mat
from vitienv.viticulture.render.pen import Pen, spoken
from vitienv.viticulture.render.scene import Scene, put_in_words, scene_of
from vitienv.viticulture.render.style import STYLE

GAP = 8.0
HEADER, BUTTON = 38.0, 28.0
ASKED = 520.0  # of the header's width, on wide pages: what is before the buttons
LETTER = 8.2  # of a button
PAIR = 2 * WIDTH + GAP
WIDE, WIDE_HEIGHT = 1280.0, 800.0
HAND_ROW, HAND_ROWS = 95.0, 6  # of cards, on narrow pages


def draw(
    game: Any, viewer: int | None = None, names: list[str] | None = None, columns: int = 4, theme: str = "auto"
) -> str:
    """A game as SVG.

    viewer: the seat that looks; other hands show their backs, unless the game is played with open hands, and the
    choices of other seats are not marked. None sees everything. names: of the seats. columns: 4 is 1,280 x 800; 2 and
    1 are for narrower pages. theme: "light", "dark", or "auto", which follows the reader's own setting.
    Raises ValueError for what there is not.
    """
    scene = scene_of(game, viewer, names)
    put_in_words(scene, game)
    return drawn(scene, columns, theme)


def drawn(scene: Scene, columns: int, theme: str) -> str:
    """The same of what is to be drawn."""
    check(columns, theme, STYLE)
    pen = Pen(scene.legal, scene.rival)
    if columns == 4:
        width, height = _wide(pen, scene)
    else:
        width, height = _stacked(pen, scene, columns)
    return page("".join(pen.parts), width, height, f"{scene.headline}. {scene.question}", STYLE, theme)


def _wide(pen: Pen, scene: Scene) -> tuple[float, float]:
    """Board and hand on the left, mats on the right, both as large as they can be."""
    n, top = _places(scene), HEADER + GAP
    room = WIDE_HEIGHT - top - GAP
    if n <= 2:  # mats one above the other
        scale = (room - GAP) / 2 / HEIGHT
        right, tall = WIDTH * scale, HEIGHT
    else:
        scale, right, tall = 1.0, PAIR, TALL if n <= 4 else HEIGHT
    left = WIDE - right - 3 * GAP
    size = left / PAIR
    pen.move(GAP, top, size)
    _board(pen, scene)
    pen.end()
    board = size * (SEASON_HEIGHT + CHART_HEIGHT + GAP)
    pen.move(GAP, top + board + GAP)
    _hand(pen, scene, left, room - board - GAP)
    pen.end()
    for k in range(n):
        column, row = (0, k) if n <= 2 else (k % 2, k // 2)
        x = left + 2 * GAP + column * (WIDTH + GAP)
        pen.move(x, top + row * (tall * scale + GAP), scale)
        _mat(pen, scene, k, tall)
        pen.end()
    pen.move(GAP, 0)
    _header(pen, scene, WIDE - 2 * GAP, 1)
    pen.end()
    return WIDE, WIDE_HEIGHT


def _board(pen: Pen, scene: Scene) -> None:
    """The board's four panels, two and two."""
    below = SEASON_HEIGHT + GAP
    for k, (x, y) in enumerate(((0.0, 0.0), (WIDTH + GAP, 0.0), (0.0, below), (WIDTH + GAP, below))):
        pen.move(x, y)
        _panels(pen, scene, k)
        pen.end()


def _panels(pen: Pen, scene: Scene, k: int) -> None:
    if scene.panels:
        scene.panels[k](pen, scene)
    elif k < 2:
        season(pen, scene, k * N_SUMMER_ACTIONS)
    else:
        (chart if k == 2 else tracks)(pen, scene)


def _stacked(pen: Pen, scene: Scene, columns: int) -> tuple[float, float]:
    """Everything below each other: what is asked, the hand, the mat of the one who looks, the board, other mats."""
    width = WIDTH if columns == 1 else PAIR
    # Buttons are what nothing else on the drawing stands for, so they are drawn last, above the rest.
    body = Pen(scene.legal, scene.rival)
    y = 0.0
    across = flow(1, width - 16, HAND_ROW)[0]
    rows = -(-(len(scene.in_play) + len(scene.hands[scene.main])) // across)
    hand = 36 + HAND_ROW * min(HAND_ROWS, max(1, rows))
    body.move(0, y)
    _hand(body, scene, width, hand)
    body.end()
    y += hand + GAP
    mats = [scene.main, *(k for k in range(_places(scene)) if k != scene.main)]
    if columns == 1:
        y = _mats(body, scene, mats[:1], 1, y)
        for k in range(4):
            body.move(0, y)
            _panels(body, scene, k)
            body.end()
            y += (SEASON_HEIGHT if k < 2 else CHART_HEIGHT) + GAP
        y = _mats(body, scene, mats[1:], 1, y)
    else:
        body.move(0, y)
        _board(body, scene)
        body.end()
        y = _mats(body, scene, mats, 2, y + SEASON_HEIGHT + CHART_HEIGHT + 2 * GAP)
    pen.marked = body.marked
    pen.move(GAP, 0)
    top = _header(pen, scene, width, 2) + GAP
    pen.end()
    pen.move(GAP, top)
    pen.parts += body.parts
    pen.end()
    return width + 2 * GAP, top + y


def _mats(pen: Pen, scene: Scene, mats: list[int], columns: int, y: float) -> float:
    for i, k in enumerate(mats):
        pen.move((i % columns) * (WIDTH + GAP), y + (i // columns) * (HEIGHT + GAP))
        _mat(pen, scene, k, HEIGHT)
        pen.end()
    return y + -(-len(mats) // columns) * (HEIGHT + GAP)


def _places(scene: Scene) -> int:
    """How many places for mats: one for each seat, and one for what a single player plays against."""
    return len(scene.seats) + (1 if scene.automa and scene.blocker is None else 0)


def _mat(pen: Pen, scene: Scene, k: int, tall: float) -> None:
    if k < len(scene.seats) and k != scene.blocker:
        mat(pen, scene, k, tall)
        return
    if k == scene.blocker:
        mat(pen, scene, k, tall)
    else:
        panel(pen, WIDTH, tall, "")
        pen.seat_shape(16, 14, 9, None)
        pen.text(30, 18.5, "The Automa", 12.5, "v-ink v-b")
    for i, line in enumerate(scene.automa):
        pen.text(8, 90 + 18 * i if k == scene.blocker else 46 + 18 * i, line, 11.5, "v-ink", WIDTH - 16)


def _hand(pen: Pen, scene: Scene, width: float, height: float) -> None:
    """The cards of the seat that looks, and before them what is in play."""
    panel(pen, width, height, f"{'Hand' if scene.viewer is None else 'Your hand'}, {seat_name(scene.main)}")
    held = [*scene.in_play, *scene.hands[scene.main]]
    if not held:
        pen.text(10, 44, "no cards", 11, "v-faint")
    elif scene.in_play:
        pen.text(width - 8, 17, f"in play: {', '.join(spoken(card) for _, card in scene.in_play)}", 11, "v-faint v-e")
    cards(pen, 8, 26, width - 16, height - 34, held, scene.main, len(scene.in_play), scene.main == scene.actor)


def _header(pen: Pen, scene: Scene, width: float, lines: int) -> float:
    """When it is, what is asked, and buttons for the choices that have no place on the drawing; returns its height."""
    pen.text(2, 25, scene.headline, 17, "v-ink v-b", width if lines == 2 else 210)
    asked_at = (2.0, 46.0) if lines == 2 else (218.0, 25.0)
    choices = [scene.choices[name] for name in scene.legal if name not in pen.marked]
    room = width if lines == 2 else (ASKED if choices else width) - 226
    if lines == 1 and len(scene.question) * 13 * WIDE_LETTER > room:
        pen.lines(asked_at[0], 17, scene.question, 11.5, "v-ink", room, 2)
    else:
        pen.text(*asked_at, scene.question, 13, "v-ink", room)
    widths = [22 + LETTER * len(choice.name) for choice in choices]
    bottom = HEADER if lines == 1 else 54.0
    size = min(1.0, (width - ASKED) / max(1.0, sum(widths) + 6 * len(widths))) if lines == 1 else 1.0
    x, y = (width - size * (sum(widths) + 6 * len(widths)), 6.0) if lines == 1 else (0.0, bottom)
    for choice, wanted in zip(choices, widths, strict=True):
        w = size * min(wanted, width)
        if lines == 2 and x + w > width:
            x, y = 0.0, y + BUTTON + 4
        pen.zone([choice.action], x, y, w, BUTTON - 2, f"{choice.name}: {choice.text}" if choice.text else choice.name)
        if w == wanted:
            pen.text(x + w / 2, y + 17.5, choice.name, 12, "v-ink v-b v-m")
        else:
            pen.lines(x + w / 2, y + 11, choice.name, 9.5, "v-ink v-b v-m", w - 6, 2)
        pen.end()
        x += w + 6 * size
    return y + BUTTON + 2 if lines == 2 and choices else bottom
