"""A position as SVG, with original shapes and words: in 1,280 x 800 with the whole table, or one to three columns."""

from __future__ import annotations

from functools import partial
from typing import Any

from vitienv.render.pen import measure_text
from vitienv.render.scene import GAP, QUESTION_X, WIDE, WIDE_BODY_HEIGHT, button_width, draw_page
from vitienv.render.style import check
from vitienv.render.text import seat_name
from vitienv.viticulture.enums import N_SUMMER_ACTIONS
from vitienv.viticulture.render.board import CHART_HEIGHT, WIDTH, chart, panel, season, tracks
from vitienv.viticulture.render.hands import cards, flow
from vitienv.viticulture.render.mat import HEIGHT, TALL, mat
from vitienv.viticulture.render.pen import Pen
from vitienv.viticulture.render.scene import Scene
from vitienv.viticulture.render.style import STYLE

PAIR = 2 * WIDTH + GAP
HAND_ROWS, MAX_HAND_ROWS = (110.0, 95.0), 6  # maximum heights and number of card rows in column layouts
SINGLE_HAND_ROW = 104.0  # height of a row in one column: the texts of visitors fit
MIN_HAND_HEIGHT = 150.0
MATS_PER_COLUMN = 3  # next to board and hand, in three columns


def draw(game: Any, viewer: int | None, names: list[str] | None, columns: int, theme: str) -> str:
    """Draw a game as SVG; see `vitienv.Game.svg`."""
    scene = Scene(game, viewer, names)
    scene.panels = (partial(season, first=0), partial(season, first=N_SUMMER_ACTIONS), chart, tracks)
    return draw_scene(scene, columns, theme)


def draw_scene(scene: Scene, columns: int, theme: str) -> str:
    """Draw a scene as SVG."""
    check(columns, theme)
    pen, lines = Pen(scene.legal, scene.rival), 2
    width = WIDE - 2 * GAP if columns == 4 else columns * (WIDTH + GAP) - GAP
    if columns == 4:
        height, lines = _draw_wide(pen, scene, width), 1
    elif columns == 3:
        height = _draw_three(pen, scene)
        lines = 1 if _is_brief(pen, scene, width) else 2
    else:
        height = _draw_stacked(pen, scene, columns, width)
    return draw_page(pen, scene, width, height, lines, STYLE, theme)


def _draw_wide(pen: Pen, scene: Scene, width: float) -> float:
    """Draw board and hand on the left, mats on the right, as large as possible."""
    n, height = _places(scene), WIDE_BODY_HEIGHT - GAP
    if n <= 2:  # mats one above the other
        scale = (height - GAP) / 2 / HEIGHT
        right_width, tall = WIDTH * scale, HEIGHT
    else:
        scale, right_width, tall = 1.0, PAIR, TALL if n <= 4 else HEIGHT
    left_width = width - right_width - GAP
    size = min(left_width / PAIR, (height - GAP - MIN_HAND_HEIGHT) / _board_height(scene))
    with pen.move(0, 0, size):
        _board(pen, scene)
    board = size * _board_height(scene)
    with pen.move(0, board + GAP):
        _hand(pen, scene, left_width, height - board - GAP)
    for k in range(n):
        column, row = (0, k) if n <= 2 else (k % 2, k // 2)
        with pen.move(left_width + GAP + column * (WIDTH + GAP), row * (tall * scale + GAP), scale):
            _mat(pen, scene, k, tall)
    return WIDE_BODY_HEIGHT


def _board(pen: Pen, scene: Scene, gap: float = GAP) -> None:
    below = scene.season_height + gap
    for k, (x, y) in enumerate(((0.0, 0.0), (WIDTH + GAP, 0.0), (0.0, below), (WIDTH + GAP, below))):
        with pen.move(x, y):
            scene.panels[k](pen, scene)


def _board_height(scene: Scene) -> float:
    return scene.season_height + CHART_HEIGHT + GAP


def _draw_three(pen: Pen, scene: Scene) -> float:
    """Draw the hand between the seasons and the wake-up chart, to be seen without scrolling; mats to the right."""
    mats, hand, y = _mats_in_order(scene), _hand_height(scene, PAIR), scene.season_height + GAP
    _board(pen, scene, hand + 2 * GAP)
    with pen.move(0, y):
        _hand(pen, scene, PAIR, hand)
    with pen.move(PAIR + GAP, 0):
        bottom = _mats(pen, scene, mats[:MATS_PER_COLUMN], 1, 0)
    return _mats(pen, scene, mats[MATS_PER_COLUMN:], 3, max(bottom, y + hand + CHART_HEIGHT + 2 * GAP))


def _draw_stacked(pen: Pen, scene: Scene, columns: int, width: float) -> float:
    """Draw everything in one or two columns: hand, main mat, board, other mats."""
    hand, mats = _hand_height(scene, width), _mats_in_order(scene)
    _hand(pen, scene, width, hand)
    y = hand + GAP
    if columns == 1:
        y = _mats(pen, scene, mats[:1], 1, y)
        for k in range(4):
            with pen.move(0, y):
                scene.panels[k](pen, scene)
            y += (scene.season_height if k < 2 else CHART_HEIGHT) + GAP
        return _mats(pen, scene, mats[1:], 1, y)
    with pen.move(0, y):
        _board(pen, scene)
    return _mats(pen, scene, mats, 2, y + _board_height(scene) + GAP)


def _hand_height(scene: Scene, width: float) -> float:
    """Return the height at which the cards of a hand can show the texts of visitors."""
    n = len(scene.in_play) + len(scene.hands[scene.main])
    rows = HAND_ROWS if width >= PAIR else (SINGLE_HAND_ROW,)
    return 36 + min(row * min(MAX_HAND_ROWS, max(1, -(-n // flow(1, width - 16, row)[0]))) for row in rows)


def _mats_in_order(scene: Scene) -> list[int]:
    """Return the seats with the viewer first, or in their order for a viewer who sees everything."""
    first = 0 if scene.viewer is None else scene.main
    return [first, *(k for k in range(_places(scene)) if k != first)]


def _mats(pen: Pen, scene: Scene, mats: list[int], columns: int, y: float) -> float:
    for i, k in enumerate(mats):
        with pen.move((i % columns) * (WIDTH + GAP), y + (i // columns) * (HEIGHT + GAP)):
            _mat(pen, scene, k, HEIGHT)
    return y + -(-len(mats) // columns) * (HEIGHT + GAP)


def _places(scene: Scene) -> int:
    """Return the number of mats: the seats, and the opponent of a single player."""
    return len(scene.seats) + (1 if scene.automa and scene.blocker is None else 0)


def _mat(pen: Pen, scene: Scene, k: int, tall: float) -> None:
    is_automa = k >= len(scene.seats)
    if is_automa:
        panel(pen, WIDTH, tall, "")
        pen.seat_shape(16, 14, 9, None)
        pen.text(30, 18.5, "The Automa", 12.5, "v-ink v-b")
    else:
        mat(pen, scene, k, tall)
    for i, line in enumerate(scene.automa if is_automa or k == scene.blocker else []):
        pen.text(8, (46 if is_automa else 90) + 18 * i, line, 11.5, "v-ink", WIDTH - 16)


def _hand(pen: Pen, scene: Scene, width: float, height: float) -> None:
    panel(pen, width, height, f"{'Hand' if scene.viewer is None else 'Your hand'}, {seat_name(scene.main)}")
    hand = [*scene.in_play, *scene.hands[scene.main]]
    if not hand:
        pen.text(10, 44, "no cards", 11, "v-faint")
    elif scene.in_play:
        n = len(scene.in_play)
        pen.text(width - 8, 17, "first card in play" if n == 1 else f"first {n} cards in play", 11, "v-faint v-e")
    cards(pen, 8, 26, width - 16, height - 34, hand, scene.main, len(scene.in_play), scene.main == scene.actor)


def _is_brief(pen: Pen, scene: Scene, width: float) -> bool:
    """Return whether question and buttons fit in one line at full size."""
    choices = [scene.choices[name] for name in scene.legal if name not in pen.marked]
    buttons = sum(button_width(pen, choice) + 6 for choice in choices)
    return measure_text(scene.question, 13) + buttons < width - QUESTION_X - 8
