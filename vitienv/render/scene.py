"""Scene: a game as one viewer sees it, ready for drawing, and the header of a drawing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vitienv.render.pen import Pen, measure_text
from vitienv.render.style import Style, page
from vitienv.render.text import Choice, choices, result, seat_title

GAP, HEADER, BUTTON = 8.0, 38.0, 28.0
WIDE, WIDE_HEIGHT = 1280.0, 800.0  # page of four columns
WIDE_BODY_HEIGHT = WIDE_HEIGHT - HEADER - GAP
QUESTION_X, MIN_QUESTION_WIDTH = 218.0, 520.0  # header of one line


class Scene:
    """Game as one viewer sees it. viewer: a seat, or None for all information.

    main: the seat with a large hand. legal: numbers of the selectable actions by name, the legal ones or all elements
    of a set. choices: their texts.
    """

    headline: str

    def __init__(self, game: Any, viewer: int | None, names: list[str] | None) -> None:
        actor, text_module = game.current_seat, game.game_spec.text_module
        self.viewer, self.actor, self.main = viewer, actor, viewer if viewer is not None else (actor or 0)
        self.names = names or [seat_title(seat) for seat in range(game.num_players)]
        selectable: Iterable[Choice] = ()
        if actor is None:
            self.question = result(game)
        elif viewer not in (None, actor):
            self.question = f"{seat_title(actor)} decides"
        else:
            picks = text_module.picks(game, self.names)
            selectable = picks.choices if picks else choices(game, self.names)
            self.question = f"{seat_title(actor)}: {text_module.question(game, self.names)}"
        self.choices = {choice.action: choice for choice in selectable}
        self.legal = {name: game.game_spec.actions.number(name) for name in self.choices}


def draw_page(body: Pen, scene: Scene, width: float, height: float, lines: int, style: Style, theme: str) -> str:
    """Return the SVG of a body, width by height, below its header, which has buttons for the other actions.

    lines: 1 or 2, see `draw_header`.
    """
    pen = Pen(scene.legal, body.scale)
    pen.marked = body.marked
    with pen.move(GAP, 0):
        top = draw_header(pen, scene, width, lines) + GAP
    with pen.move(GAP, top):
        pen.parts += body.parts
    return page("".join(pen.parts), width + 2 * GAP, top + height, f"{scene.headline}. {scene.question}", style, theme)


def draw_header(pen: Pen, scene: Scene, width: float, lines: int) -> float:
    """Draw time, question, and buttons for actions without an area. Returns the height."""
    pen.text(2, 25, scene.headline, 17, "v-ink v-b", width if lines == 2 else QUESTION_X - 8)
    question_at = (2.0, 46.0) if lines == 2 else (QUESTION_X, 25.0)
    choices = [scene.choices[name] for name in scene.legal if name not in pen.marked]
    widths = [button_width(pen, choice) for choice in choices]
    buttons = sum(widths) + 6 * len(widths)
    room = width if lines == 2 else max(MIN_QUESTION_WIDTH, width - buttons) - QUESTION_X - 8
    bottom = HEADER if lines == 1 else 54.0
    if measure_text(scene.question, max(13, pen.least)) <= room:
        pen.text(*question_at, scene.question, 13)
    elif lines == 1:
        pen.lines(question_at[0], 17, scene.question, 11.5, "v-ink", room, 2)
    else:
        bottom = pen.lines(*question_at, scene.question, 12, "v-ink", room, 3) + 8
    size = min(1.0, (width - MIN_QUESTION_WIDTH) / max(1.0, buttons)) if lines == 1 else 1.0
    x, y = (width - size * buttons, 6.0) if lines == 1 else (0.0, bottom)
    for choice, full_width in zip(choices, widths, strict=True):
        w = size * min(full_width, width)
        if lines == 2 and x + w > width:
            x, y = 0.0, y + BUTTON + 4
        with pen.zone([choice.action], x, y, w, BUTTON - 2, choice.line):
            if w == full_width:
                pen.text(x + w / 2, y + 17.5, choice.name, 12, "v-ink v-b v-m")
            else:
                pen.lines(x + w / 2, y + 10.5, choice.name, 10, "v-ink v-b v-m", w - 6, 2)
        x += w + 6 * size
    return y + BUTTON + 2 if lines == 2 else bottom  # the same without buttons


def button_width(pen: Pen, choice: Choice) -> float:
    """Return the width of the button of an action."""
    return 22 + measure_text(choice.name, max(12, pen.least), "v-b")
