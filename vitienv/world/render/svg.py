"""Drawing of World: Viticulture's, with World's board, hats, event, tiles and influence."""

from __future__ import annotations

from functools import partial
from typing import Any

from vitienv.render.pen import measure_text
from vitienv.viticulture.enums import N_ROWS
from vitienv.viticulture.render.board import CHART_HEIGHT, TITLE, WIDTH, panel, rooster, tracks
from vitienv.viticulture.render.pen import Pen, humanize
from vitienv.viticulture.render.scene import Scene
from vitienv.viticulture.render.svg import draw_scene
from vitienv.viticulture.render.text.phrases import plain
from vitienv.world.enums import FIRST_WINTER, LETTERS, OVALS, PLACES, Place
from vitienv.world.positions.keys import PARTNER
from vitienv.world.render.component_names import Components, components_of, tiles_on_show
from vitienv.world.render.events import VineyardGame

ROW = 41.0
SEASON_HEIGHT = TITLE + FIRST_WINTER * ROW
RING_ROW = 13.2
MIN_WORKER_WIDTH = 14.0
ROOM, OVAL, OVAL_WIDTH = 234.0, 172.0, 68.0  # width of an action's text; x and width of its oval


def draw(game: Any, viewer: int | None, names: list[str] | None, columns: int, theme: str) -> str:
    """Draw a game of World as SVG; see `vitienv.Game.svg`."""
    scene, components = Scene(game, viewer, names, VineyardGame(game)), components_of(game.options)
    for seat in scene.seats:  # a key that Viticulture's mats require
        seat["trained_this_year"] = 0
    rule = components.rule(game.options.continent)
    scene.headline = f"{rule.title} · {scene.headline}" if game.year else rule.title
    if not game.is_over:
        scene.question = f"Influence {game.influence} of {game.influence_goal}. {scene.question}"
    scene.rival = PARTNER.capitalize()
    scene.season_height, seasons = SEASON_HEIGHT, partial(_season, components=components)
    year = partial(_year, game=game, components=components)
    scene.panels = (partial(seasons, first=0), partial(seasons, first=FIRST_WINTER), year, tracks)
    return draw_scene(scene, columns, theme)


def _season(pen: Pen, scene: Scene, components: Components, first: int) -> None:
    name = "winter" if first else "summer"
    panel(pen, WIDTH, SEASON_HEIGHT, humanize(name))
    if scene.position["season"] == name:
        pen.box(0, 0, WIDTH, SEASON_HEIGHT, "v-ring", 6)
    letters = sorted(range(first, first + FIRST_WINTER), key=components.letter)
    for i, place in enumerate(letters):
        _action(pen, scene, components, place, TITLE + i * ROW)


def _action(pen: Pen, scene: Scene, components: Components, place: int, y: float) -> None:
    """Draw an action with its tiles and workers; the whole row selects the placements."""
    letter, word = components.letter(place), PLACES[place]
    tiles = scene.position["tiles"]
    has_tile, oval = letter in tiles["placed"], tiles["ovals"].get(letter)
    names = [name for name in scene.legal if name.startswith(f"place:{word}:") or name == f"letter:{letter}"]
    title = f"{components.name(place)}: {components.does(place, has_tile)}"
    with pen.zone(names, 4, y, WIDTH - 8, ROW - 2, title, space=word):
        pen.box(4, y, WIDTH - 8, ROW - 2, "v-slot", 4)
        if has_tile:
            with pen.token("rectangle", f"Rectangle {letter}", at=letter):
                pen.box(7.5, y + 2, 12, 13, "v-card", 1)
        pen.text(10, y + 12.5, components.name(place), 12, "v-ink v-b", OVAL - 14 if oval else ROOM)
        text = components.does(place, has_tile)
        pen.lines(10, y + (28 if measure_text(text, 10.5) <= ROOM else 24), text, 10.5, "v-faint", ROOM, 2)
        if oval:
            with pen.token(
                "oval", f"Oval {plain(oval)} on {letter}: {components.oval(OVALS.index(oval))}", at=letter, tile=oval
            ):
                pen.box(OVAL, y + 2, OVAL_WIDTH, 13, "v-card", 6)
                pen.text(OVAL + OVAL_WIDTH / 2, y + 12, plain(oval), 10, "v-ink v-b v-m", OVAL_WIDTH)
        _workers(pen, scene, word, 246, y + ROW / 2 - 1, WIDTH - 252)


def _workers(pen: Pen, scene: Scene, word: str, x: float, y: float, room: float) -> None:
    workers = scene.position["board"].get(word, [])
    rows = 2 if len(workers) * MIN_WORKER_WIDTH > room else 1
    across = -(-len(workers) // rows)
    step = min(22.0, room / max(1, across))
    for k, worker in enumerate(workers):
        row, column = divmod(k, max(1, across))
        at, down = x + step * (column + 0.5), y + (row - (rows - 1) / 2) * 13
        seat = None if worker["seat"] == PARTNER else worker["seat"]
        kind = "regular" if seat is None else worker["worker"]
        pen.worker(at, down, min(10 if rows == 1 else 6.5, step / 2), seat, kind, f"{word}:{worker['space']}")


def _year(pen: Pen, scene: Scene, game: Any, components: Components) -> None:
    """Draw the ring, this year's event, the tiles on show and the year-round places."""
    panel(pen, WIDTH, CHART_HEIGHT, "Ring")
    order = " ".join(str(seat + 1) for seat in scene.position["turn_order"])
    partner = scene.position.get(PARTNER)
    purse = f" · the {PARTNER} has {partner['lira']} lira" if partner else ""
    pen.text(WIDTH - 8, 17, f"order {order}{purse}", 11, "v-faint v-e")
    for row in range(1, N_ROWS + 1):
        y = TITLE - 2 + (row - 1) * RING_ROW
        with pen.zone([f"wake_up:{row}"], 4, y, WIDTH - 8, RING_ROW - 1, f"Position {row}: {components.ring(row)}"):
            pen.text(10, y + 10, f"{row}: {components.ring(row)}", 11, "v-ink", 172)
        rooster(pen, scene, row, 190, y + 6.6, 6)
    y = TITLE + N_ROWS * RING_ROW + 2
    number = scene.position["events"]["now"]
    if number is not None:
        event = components.event(game.options.continent, number)
        pen.lines(8, y + 8, f"Event: {event.title}. {event.text}", 10.5, "v-ink", WIDTH - 16, 3)
    _on_show(pen, game, components, y + 33)
    half = (WIDTH - 12) / 2
    for k, place in enumerate((Place.GAIN_LIRA, Place.EVENT)):
        word = PLACES[place]
        names = [name for name in scene.legal if name.startswith(f"place:{word}:")]
        with pen.zone(names, 4 + k * (half + 4), y + 54, half, 20, components.name(place), space=word):
            pen.box(4 + k * (half + 4), y + 54, half, 20, "v-slot", 4)
            name = "Gain lira" if place == Place.GAIN_LIRA else "Event"
            pen.text(10 + k * (half + 4), y + 68, name, 11.5, "v-ink v-b", 60)
            _workers(pen, scene, word, 70 + k * (half + 4), y + 64, half - 68)


def _on_show(pen: Pen, game: Any, components: Components, y: float) -> None:
    words = tiles_on_show(game)
    step = (WIDTH - 8) / max(4, len(words))
    for k, word in enumerate(words):
        tile = components.tile(word)
        with pen.zone([tile.word], 4 + k * step, y, step - 4, 18, f"{tile.title}: {tile.text}"):
            pen.box(4 + k * step, y, step - 4, 18, "v-card", 2 if word in LETTERS else 9)
            name = f"rectangle {word}" if word in LETTERS else plain(word)
            pen.text(4 + (k + 0.5) * step - 2, y + 12.5, name, 10.5, "v-ink v-m", step - 4)
