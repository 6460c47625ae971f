"""Board panels: actions of a season, wake-up chart, tracks, decks."""

from __future__ import annotations

from collections.abc import Sequence

from vitienv.render.text import seat_name, seat_title
from vitienv.viticulture.enums import ACTS, DECKS, N_ROWS, N_SUMMER_ACTIONS, RESIDUAL_MAX, VP_FLOOR, Act, Space
from vitienv.viticulture.positions.keys import AUTOMA_NAME, CROWD
from vitienv.viticulture.render.pen import Pen, humanize
from vitienv.viticulture.render.scene import SEASON_HEIGHT, Scene

WIDTH = 312.0
TITLE, ROWS = 24.0, 7
ROW = (SEASON_HEIGHT - TITLE) / ROWS
CHART_ROW = 24.0
CHART_HEIGHT = TITLE + N_ROWS * CHART_ROW
TRACKS_HEIGHT = CHART_HEIGHT
SPACE_STEP, CROWD_AT = 34.0, 246.0
REWARDS = ("first turn", "1 vine", "1 order", "1 lira", "1 visitor", "1 point", "temporary worker")
RETRIEVE, MANAGE = "retrieve_worker", "manage_action"
TOP_OF_TRACK = 25
GLASS = [(-1, -1), (1, -1), (0.2, 0.2), (0.2, 0.8), (0.6, 1), (-0.6, 1), (-0.2, 0.8), (-0.2, 0.2)]


def panel(pen: Pen, width: float, height: float, title: str) -> None:
    pen.box(0, 0, width, height, "v-panel", 6)
    if title:
        pen.text(8, 17, title, 13, "v-ink v-b")


def season(pen: Pen, scene: Scene, first: int) -> None:
    """Draw six board actions from `first` on, and below them the cart or the aim."""
    name = "summer" if first == 0 else "winter"
    panel(pen, WIDTH, SEASON_HEIGHT, humanize(name))
    if scene.position["season"] == name:
        pen.box(0, 0, WIDTH, SEASON_HEIGHT, "v-ring", 6)
    pen.text(CROWD_AT + 31, 17, "grande", 11, "v-faint v-m")
    for i in range(N_SUMMER_ACTIONS):
        _action(pen, scene, first + i, TITLE + i * ROW)
    y = TITLE + N_SUMMER_ACTIONS * ROW
    if first == 0:
        _cart(pen, scene, y)
    else:
        pen.lines(8, y + 14, scene.aim, 12, "v-faint", WIDTH - 16, 2)


def _action(pen: Pen, scene: Scene, act: int, y: float) -> None:
    name = ACTS[act]
    workers = scene.position["board"].get(name, [])
    worker_at = {_place(worker): worker for worker in workers if worker["space"] != CROWD}
    is_retrieving = scene.decision == RETRIEVE
    # The Manager uses an action without a worker, so spaces are not selectable.
    manager_actions = [f"place:{name}:plain:regular"] if scene.decision == MANAGE else []
    first = CROWD_AT - SPACE_STEP * len(scene.spaces)
    with pen.zone(manager_actions, 4, y + 1, first - 8, ROW - 4):
        pen.text(8, y + 15, humanize(name), 12.5, "v-ink v-b", first - 10)
        if scene.bonus[act] and Space.BONUS in scene.spaces:
            pen.text(8, y + 29, f"bonus: {scene.bonus[act]}", 11, "v-faint", first - 14)
    free = [space for space in scene.spaces if space != Space.BONUS and space not in worker_at]
    mine = [space for space, worker in worker_at.items() if worker["seat"] == scene.actor]
    for k, space in enumerate(scene.spaces):
        x = first + SPACE_STEP * k
        word = "bonus" if space == Space.BONUS else "plain"
        names: list[str] = []
        if is_retrieving and space in mine:
            names = placings(name, word, ["grande" if worker_at[space]["worker"] == "grande" else "regular"])
        elif not (is_retrieving or manager_actions) and (space == Space.BONUS or space in free[:1]):
            names = placings(name, word)
        with pen.zone(names, x, y + 3, 30, 30, f"{humanize(name)}, {word} space", space=f"{name}:{word}"):
            pen.box(x, y + 3, 30, 30, "v-slot", 5)
            if space == Space.BONUS and space not in worker_at:
                pen.text(x + 15, y + 24, "+", 18, "v-faint v-m")
        if space in worker_at:
            worker = worker_at[space]
            seat = None if worker["seat"] == AUTOMA_NAME else worker["seat"]
            pen.worker(x + 15, y + 18, 11, seat, worker["worker"], f"{name}:{word}")
    _crowd(pen, scene, name, y, [] if manager_actions else workers)


def placings(name: str, space: str, kinds: Sequence[str] = ("regular", "grande")) -> list[str]:
    """Return the actions that name a worker on a space of an action."""
    return [f"place:{name}:{space}:{kind}" for kind in kinds]


def _place(worker: dict) -> int:
    if worker["space"] == "bonus":
        return int(Space.BONUS)
    return int(Space.RIGHT if worker.get("right") else Space.LEFT)


def _crowd(pen: Pen, scene: Scene, name: str, y: float, workers: list[dict]) -> None:
    crowd = [worker for worker in workers if worker["space"] == CROWD]
    with pen.zone([f"place:{name}:crowd:grande"], CROWD_AT, y + 3, 62, 30, f"{humanize(name)}, next to the spaces"):
        pen.box(CROWD_AT, y + 3, 62, 30, "v-planned", 5)
    step = 62 / max(2, len(crowd))
    for k, worker in enumerate(crowd):
        pen.worker(CROWD_AT + step * (k + 0.5), y + 18, min(10, step / 2.4), worker["seat"], "grande", f"{name}:crowd")


def _cart(pen: Pen, scene: Scene, y: float) -> None:
    """Draw the year-round action, where any number of workers gain a lira each."""
    name = ACTS[Act.GAIN_LIRA]
    workers = scene.position["board"].get(name, [])
    with pen.zone(placings(name, "plain"), 4, y + 2, WIDTH - 8, ROW - 5, humanize(name)):
        pen.text(8, y + 22, humanize(name), 12.5, "v-ink v-b")
    step = min(26.0, 205 / max(1, len(workers)))
    for k, worker in enumerate(workers):
        pen.worker(100 + step * (k + 0.5), y + 18, min(10, step / 2), worker["seat"], worker["worker"], f"{name}:plain")


def chart(pen: Pen, scene: Scene) -> None:
    """Draw the wake-up chart: rewards, roosters, and glass tokens if any."""
    panel(pen, WIDTH, CHART_HEIGHT, "Wake-up chart")
    order = " ".join(str(seat + 1) for seat in scene.position["turn_order"])
    if len(scene.seats) > 1:
        first = seat_name(scene.position["first_player"])
        pen.text(WIDTH - 8, 17, f"order {order}, {first} begins", 11, "v-faint v-e")
    for row in range(1, N_ROWS + 1):
        y = TITLE + (row - 1) * CHART_ROW
        with pen.zone([f"wake_up:{row}"], 4, y + 1, WIDTH - 8, CHART_ROW - 3, f"Wake-up row {row}: {REWARDS[row - 1]}"):
            pen.dot(18, y + 11, 9, "v-slot")
            pen.text(18, y + 15, str(row), 11, "v-ink v-b v-m")
            pen.text(34, y + 15.5, REWARDS[row - 1], 12, "v-ink")
        rooster(pen, scene, row, 180, y + 11, 9)
        glass = [seat for seat, place in enumerate(scene.seats) if row in place.get("glass_tokens", [])]
        for k, seat in enumerate(glass):
            with pen.token("glass", f"Glass token of {seat_name(seat)} on row {row}", seat=seat, row=row):
                pen.outline(WIDTH - 20 - 22 * k, y + 11, 8, GLASS, "v-slot")


def rooster(pen: Pen, scene: Scene, row: int, x: float, y: float, r: float) -> None:
    """Draw the rooster in a wake-up row, if any."""
    for seat, place in enumerate(scene.seats):
        if place["wake_up"] == row:
            with pen.token("rooster", f"{seat_title(seat)} in wake-up row {row}", seat=seat, row=row):
                pen.seat_shape(x, y, r, seat)
                if place["passed"]:
                    pen.text(x + 14, y + 4, "passed", 10.5, "v-faint")


def tracks(pen: Pen, scene: Scene) -> None:
    """Draw victory points, residual payments, and decks with their discard piles."""
    panel(pen, WIDTH, TRACKS_HEIGHT, "Victory points")
    points: dict[int, list[int | None]] = {}
    for seat, place in enumerate(scene.seats):
        if seat != scene.blocker:
            points.setdefault(place["victory_points"], []).append(seat)
    if scene.marker is not None:
        points.setdefault(scene.marker, []).append(None)
    for value in range(VP_FLOOR, TOP_OF_TRACK + 1):
        k = value - VP_FLOOR
        x, y = 5 + (k % 16) * 19.0, 24 + (k // 16) * 32.0
        w, label = (37, f"{value}+") if value == TOP_OF_TRACK else (18, str(value))
        pen.box(x, y, w, 29, "v-slot", 2)
        pen.text(x + w / 2, y + 9.5, label, 10, "v-faint v-m")
        tokens = [(v, token_seat) for v, seats in points.items() for token_seat in seats
                  if v == value or (value == TOP_OF_TRACK and v > value)]  # fmt: skip
        r, places = _spread(len(tokens), x + w / 2, y + 19, 18)
        for (v, token_seat), (at_x, at_y) in zip(tokens, places, strict=True):
            owner = "The Automa" if token_seat is None else seat_title(token_seat)
            with pen.token(
                "points", f"{owner}: {v} points", seat="automa" if token_seat is None else token_seat, value=v
            ):
                pen.seat_shape(at_x, at_y, r, token_seat)
    _residual(pen, scene, 90)
    _decks(pen, scene, 128)


def _spread(n: int, x: float, y: float, width: float) -> tuple[float, list[tuple[float, float]]]:
    """Return the size and the positions of n tokens around a point, in a square."""
    if n <= 1:
        return 7.5, [(x, y)] * n
    if n == 2:  # larger on a diagonal
        return width * 0.29, [(x - width * 0.21, y - width * 0.21), (x + width * 0.21, y + width * 0.21)]
    across = 2 if n <= 4 else 3
    down = -(-n // across)
    step = width / across
    places = [(x + (k % across - (across - 1) / 2) * step, y + (k // across - (down - 1) / 2) * step) for k in range(n)]
    return step * 0.46, places


def _residual(pen: Pen, scene: Scene, y: float) -> None:
    pen.text(8, y + 19, "Residual", 12, "v-ink v-b", 62)
    for value in range(RESIDUAL_MAX + 1):
        x = 72 + value * 39.0
        pen.box(x, y, 37, 30, "v-slot", 2)
        pen.text(x + 3, y + 11, str(value), 11, "v-faint")
        seats = [i for i, player in enumerate(scene.seats) if player["residual"] == value and i != scene.blocker]
        r, places = _spread(len(seats), x + 24, y + 16, 26)
        for seat, (at_x, at_y) in zip(seats, places, strict=True):
            with pen.token("residual", f"{seat_title(seat)}: residual payment {value}", seat=seat, value=value):
                pen.seat_shape(at_x, at_y, r * 0.9, seat)


def _decks(pen: Pen, scene: Scene, y: float) -> None:
    for k, deck in enumerate(DECKS):
        x, pile = 6 + 75.5 * k, scene.position["discards"].get(deck, [])
        title = f"{humanize(deck)} deck: {scene.decks[deck]} cards left"
        with pen.zone([f"deck:{deck}"], x, y, 72, 62, title, deck=deck):
            pen.box(x, y, 72, 62, "v-card", 4)
            pen.box(x, y, 72, 16, f"v-deck-{deck}", 4)
            pen.text(x + 36, y + 12, humanize(deck), 11.5, "v-b v-m v-white-ink")
            pen.text(x + 36, y + 29, f"{scene.decks[deck]} left", 11.5, "v-ink v-m")
            pile_title = "Discarded: " + (", ".join(map(humanize, pile)) if pile else "none")
            with pen.token("pile", pile_title, deck=deck, cards=len(pile)):
                pen.text(x + 36, y + 39, f"{len(pile)} discarded", 10.5, "v-faint v-m", 71)
                if pile:
                    pen.lines(x + 36, y + 49, humanize(pile[-1]), 10, "v-ink v-m", 72, 2)
