"""Mat of a seat: workers, fields, structures, crush pad and cellar, and the cards of other seats."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext

from vitienv.render.pen import measure_text
from vitienv.render.text import seat_name, seat_title
from vitienv.viticulture.board import MIN_WINE_VALUE
from vitienv.viticulture.enums import ACTS, COLOURS, DECKS, STRUCTURES, WINES, Act
from vitienv.viticulture.render.board import RETRIEVE, WIDTH, panel, placings
from vitienv.viticulture.render.hands import VINE_ROWS, cards, draw_yield, short, title_of
from vitienv.viticulture.render.pen import Pen, humanize
from vitienv.viticulture.render.scene import Scene
from vitienv.viticulture.vocabulary import FIELD_NAMES

HEIGHT = 244.0
TALL = 368.0
# Decisions about vines on fields.
ON_FIELDS = ("uproot_vine", "swap_vines")
SECTIONS = ((0, None), (3, "medium_cellar"), (6, "large_cellar"))
SLOT = 14.3
STRUCTURE_AT = ((6.0, 56.0), (63.5, 85.0), (150.0, 78.5), (230.0, 76.5))  # left edge and width, by length of the name
YOKE = ACTS[Act.YOKE]
ABBREVIATIONS = {"sauvignon_blanc": "Sauv. blanc", "cabernet_sauvignon": "Cab. sauv."}  # for vines on fields
SHORT_STRUCTURE_NAMES = {"medium_cellar": "Med. cellar"}  # next to the price


def mat(pen: Pen, scene: Scene, seat: int, height: float) -> None:
    """Draw the mat of a seat, `WIDTH` wide."""
    place = scene.seats[seat]
    panel(pen, WIDTH, height, "")
    if seat == scene.actor:
        pen.box(0, 0, WIDTH, height, "v-ring", 6)
    _title(pen, scene, seat)
    _people(pen, scene, seat, place)
    if seat == scene.blocker:
        pen.text(8, 70, "It only blocks: it has no vineyard.", 12, "v-faint")
        return
    _fields(pen, scene, seat, place)
    _structures(pen, scene, seat, place)
    _cellars(pen, scene, seat, place)
    hand = [] if seat == scene.main else scene.hands[seat]
    if height > HEIGHT:
        cards(pen, 8, 252, WIDTH - 16, height - 258, hand, seat)
    else:
        cards(pen, 8, 211, 142, HEIGHT - 215, hand, seat)


def _title(pen: Pen, scene: Scene, seat: int) -> None:
    place = scene.seats[seat]
    # Action names count seats clockwise from the one that decides.
    distance = (seat - (scene.actor or 0)) % len(scene.seats)
    title = f"{seat_title(seat)}: {scene.names[seat]}"
    with pen.zone([f"seat:+{distance}"], 3, 3, WIDTH - 6, 22, title, mat=seat):
        pen.seat_shape(16, 14, 9, seat)
        points, stats = place["victory_points"], ""
        if seat != scene.blocker:
            stats = f"{points} point{'' if points == 1 else 's'} · {place['lira']} lira · +{place['residual']}"
            pen.text(WIDTH - 8, 18.5, stats, 11.5, "v-ink v-e")
        pen.text(30, 18.5, scene.names[seat], 12.5, "v-ink v-b", WIDTH - 42 - measure_text(stats, 11.5))


def _people(pen: Pen, scene: Scene, seat: int, place: dict) -> None:
    x = 16.0
    for kind, n in place["workers"].items():
        for _ in range(n):
            pen.worker(x, 39, 9, seat, kind, "home")
            x += 20
    for _ in range(place["trained_this_year"]):
        with pen.token("trained", f"{seat_title(seat)} has trained a worker for next year", seat=seat):
            pen.dot(x, 39, 8, "v-hint")
            pen.text(x, 43, "+", 11, "v-faint v-b v-m")
        x += 20
    num_cards = Counter(deck for deck, _ in scene.hands[seat])
    status = " · ".join(f"{deck[0].upper()} {num_cards[deck]}" for deck in DECKS)
    if "bonus_tokens" in place:
        tokens = place["bonus_tokens"]
        status = f"{tokens} bonus token{'' if tokens == 1 else 's'} · {status}"
    status = f"passed · {status}" if place["passed"] else status
    pen.text(WIDTH - 8, 43, status, 10.5, "v-faint v-e", WIDTH - x - 4)


def _fields(pen: Pen, scene: Scene, seat: int, place: dict) -> None:
    is_actor = seat == scene.actor
    on_fields = is_actor and scene.decision in ON_FIELDS
    for k, field in enumerate(place["fields"]):
        x, y, w, h = 6 + 101.0 * k, 54.0, 98.0, 58.0
        used = sum(VINE_ROWS[vine].red + VINE_ROWS[vine].white for vine in field["vines"])
        names = [FIELD_NAMES[k]] if is_actor else []
        state = "sold" if field["sold"] else f"{used} of {field['capacity']}"
        with pen.zone(names, x, y, w, h, f"Field {k + 1} of {seat_name(seat)}: {state}", field=f"{seat}:{k}"):
            pen.box(x, y, w, h, "v-planned" if field["sold"] else "v-earth", 4)
            mark = "harvested" if field["harvested"] else ""
            pen.text(x + 4, y + 12, f"{state} {mark}".strip(), 11, "v-ink", w - 6)
            if field["sold"]:
                pen.text(x + w / 2, y + 38, f"sold for {field['capacity']}", 11, "v-faint v-m")
            _vines(pen, x, y + 15, field["vines"], seat, k, on_fields)


def _vines(pen: Pen, x: float, y: float, vines: list[str], seat: int, field: int, is_asked: bool) -> None:
    across = max(1, -(-len(vines) // 3))
    down = max(2, -(-len(vines) // across))
    w, h = 94.0 / across, 42.0 / down
    for k, vine in enumerate(vines):
        at_x, at_y = x + 2 + (k % across) * w, y + (k // across) * h
        with pen.token("vine", title_of("vine", vine), seat=seat, field=field, card=vine):
            names = [f"card:vine:{vine}"] if is_asked else []
            with pen.zone(names, at_x, at_y, w - 2, h - 2):
                pen.box(at_x, at_y, w - 2, h - 2, "v-card", 3)
                row, r = VINE_ROWS[vine], 5.5
                room = w - 5 - 2.2 * r * (bool(row.red) + bool(row.white))
                pen.text(at_x + 2, at_y + h / 2 + 2.5, short(ABBREVIATIONS.get(vine, humanize(vine)), room), 10)
                draw_yield(pen, at_x + w - 3 - r, at_y + h / 2 - 1, r, vine)


def _structures(pen: Pen, scene: Scene, seat: int, place: dict) -> None:
    for k, name in enumerate(STRUCTURES):
        x, w = STRUCTURE_AT[k % 4]
        y, h = 116 + 23.0 * (k // 4), 20.0
        is_built = name in place["structures"]
        names = [f"structure:{name}"] if seat == scene.actor else []
        at_yoke = scene.position["board"].get("yoke", []) if name == "yoke" else []
        workers = [worker for worker in at_yoke if worker["seat"] == seat]
        if name == "yoke" and seat == scene.actor and (scene.decision == RETRIEVE or not workers):
            names += placings(YOKE, "plain")
        used = ", used this year" if name in place["used"] else ""
        state = f"built{used}" if is_built else f"costs {scene.costs[name]}"
        title = f"{humanize(name)} of {seat_name(seat)}: {state}"
        with pen.zone(names, x, y, w, h, title, structure=f"{seat}:{name}", built=int(is_built)):
            pen.box(x, y, w, h, "v-built" if is_built else "v-planned", 3)
            room = w - (20 if workers else 4 if is_built and not used else 14)
            words = humanize(name) if is_built else SHORT_STRUCTURE_NAMES.get(name, humanize(name))
            pen.text(x + 3, y + 14, words, 11, "v-ink" if is_built else "v-faint", room)
            if not workers:
                mark = "•" if name in place["used"] else "" if is_built else str(scene.costs[name])
                pen.text(x + w - 3, y + 14, mark, 11, "v-ink v-e" if is_built else "v-faint v-e")
        for worker in workers:
            pen.worker(x + w - 11, y + 10, 8, seat, worker["worker"], f"{YOKE}:plain")


def _cellars(pen: Pen, scene: Scene, seat: int, place: dict) -> None:
    pen.text(8, 172, "Crush pad", 11, "v-faint")
    pen.text(158, 172, "Cellar", 11, "v-faint")
    for i, kind in enumerate(COLOURS):
        _tokens(pen, 6, 175 + 17.0 * i, kind, "grape", place["crush_pad"][kind], 1, seat, scene, [])
    missing = [start for start, need in SECTIONS if need is not None and need not in place["structures"]]
    for i, kind in enumerate(WINES):
        _tokens(pen, 156, 175 + 17.0 * i, kind, "wine", place["cellar"][kind], MIN_WINE_VALUE[i], seat, scene, missing)


def _tokens(
    pen: Pen, x: float, y: float, kind: str, noun: str, values: list[int], min_value: int, seat: int, scene: Scene,
    missing: list[int],
) -> None:  # fmt: skip
    """Draw a row of nine slots; slots without a cellar are hollow."""
    is_actor = seat == scene.actor
    with pen.zone([f"make:{kind}"] if is_actor and noun == "wine" else [], x, y, 17, 15, f"{humanize(kind)} {noun}"):
        pen.text(x + 8, y + 11.5, kind[0].upper(), 10, "v-ink v-b v-m")
    for value in range(min_value, 10):
        at_x, at_y = x + 24 + (value - 1) * SLOT, y + 7.5
        is_hollow = any(start < value <= start + 3 for start in missing)
        names = [f"{noun}:{kind}:{value}"] if is_actor else []
        is_offered = any(name in pen.legal for name in names)
        title = f"{humanize(kind)} {noun} {value}"
        with pen.zone(names, at_x - 6.5, at_y - 6.5, 13, 13, title) if is_offered else nullcontext():
            if value in values:
                title = f"{humanize(kind)} {noun} of value {value}, {seat_name(seat)}"
                with pen.token(noun, title, seat=seat, kind=kind, value=value):
                    pen.drop(at_x, at_y, 6.6, kind, value)
            else:
                pen.dot(at_x, at_y, 3 if is_hollow else 4.5, "v-empty" if is_hollow else "v-hole")
