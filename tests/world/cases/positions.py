"""Positions of World in the notation of `tests.table.setup_position`, with hats, tiles and events.

    table("summer", {"lira": 3, "vp": -5}, event="asia 2", board={"give_tour": [at(1)]}, display="B", ovals={"C": "vp"})

Seat k has position k + 1 of the ring and seat 0 is to act. Workers that are not on the board are at hand. The event is
by default the first one of Oceania, whose effect is over in spring.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.table.case import Case, case
from tests.table.setup_position import CAPACITIES, DECKS, KEYS, MARKS, WINES, fields
from vitienv.world.enums import FIRST_WINTER, LETTERS, N_LETTERS, PLACES, Place

__all__ = ["ABLE", "BIG", "PASSED", "Case", "at", "both", "case", "place", "staff", "table", "words"]

BIG = ["medium_cellar", "large_cellar"]
PASSED = {"passed": True}
# State fields that a position names.
STATE = ("rule_steps", "rule_year", "rule_done", "goal_met")
ABLE = {
    "lira": 10, "vine": ["sangiovese", "malvasia"], "order": ["order_04"], "summer": ["banker", "vendor"],
    "winter": ["politician", "caravan"], "fields": {5: ["sangiovese"], 6: ["malvasia"]},
    "grapes": {"red": [1, 2], "white": [1, 2]}, "wines": {"red": [3], "white": [3]},
}  # fmt: skip


def staff(yellow: int = 2, blue: int = 2, regular: int = 0, grande: int = 1, temporary: int = 0) -> dict[str, int]:
    """Return workers at hand. Others that are not on the board are on the lira space."""
    return {"yellow": yellow, "blue": blue, "regular": regular, "grande": grande, "temporary": temporary}


def at(seat: int, worker: str = "", space: str = "") -> dict[str, Any]:
    """Return a worker on the board: by default with the hat of the season, on a plain space or on the oval."""
    return {"seat": seat} | ({"worker": worker} if worker else {}) | ({"space": space} if space else {})


def both(*actions: str, kinds: tuple[str, ...] = ("hatted", "grande"), space: str = "plain") -> list[str]:
    """Return the placements of several kinds of workers."""
    return [f"place:{action}:{space}:{kind}" for action in actions for kind in kinds]


def words(*changes: str) -> str:
    """Return a result of a turn."""
    return " ".join(sorted(changes))


def place(action: str, *seats: dict[str, Any], worker: str = "hatted", space: str = "plain", **top: Any) -> tuple:
    """Return a position in the season of an action, by default summer, and the placement."""
    season = top.pop("season", "winter" if _hat(action, "summer") == "blue" else "summer")
    return table(season, *seats, **top), f"place:{action}:{space}:{worker}"


def table(
    season: str, *seats: dict[str, Any], n: int = 2, event: str = "oceania 1", deeds: Any = (), display: str = "",
    placed: str = "", ovals: dict[str, str] | None = None, board: dict[str, Any] | None = None, **top: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return a position.

    event: the continent and the number of this year's card. The year is that of the card, or 1 for a card that only
    comes among shuffled ones. deeds: by seat. display: tiles; placed: rectangles; ovals: by letter. Keys of a seat are
    those of `tests.table.setup_position`.
    """
    continent, number = event.split()
    year, options = (int(number), {}) if int(number) <= 6 else (1, {"events": "shuffled"})
    laid = {
        action: [{"worker": _hat(action, season), "space": "oval" if _letter(action) in (ovals or {}) else "plain"}
                 | worker for worker in workers]
        for action, workers in (board or {}).items()
    }  # fmt: skip
    full = [_seat(k, season, seats[k] if k < len(seats) else {}, laid) for k in range(n)]
    for seat, deeds_of_seat in zip(full, deeds):
        seat["deeds"] = deeds_of_seat
    head = {
        "game": "world", "continent": continent, "num_players": n, "seed": 1, "season": season, "first_player": 0,
        "year": year, "events": {"now": int(number), "gone": list(range(1, year))}, "board": laid,
        "tiles": {"shown": display.split(), "placed": placed.split(), "ovals": ovals or {}}, "seats": full,
        "state": {name: int(top.pop(name)) for name in STATE if name in top},
        "options": options | top.pop("options", {}),
    }  # fmt: skip
    return head | top


def _hat(action: str, season: str) -> str:
    """Return the hat of the workers of an action, or of the season at the places without one."""
    number = PLACES.index(action)
    is_winter = number >= FIRST_WINTER if number < Place.GAIN_LIRA else season == "winter"
    return "blue" if is_winter else "yellow"


def _letter(action: str) -> str:
    number = PLACES.index(action)
    return LETTERS[number] if number < N_LETTERS else ""


def _seat(number: int, season: str, keys: dict[str, Any], board: dict[str, Any]) -> dict[str, Any]:
    seat = {"vp": 0, "row": None if season == "spring" else number + 1} | keys
    vines = dict(seat.pop("fields", ()))
    if "workers" in seat:
        seat["workers"] = _at_hand(number, season, seat["workers"], board)
    return {
        "fields": fields(*(vines.get(capacity, ()) for capacity in CAPACITIES),
                         **{mark: seat.pop(mark) for mark in MARKS if mark in seat}),
        "crush_pad": seat.pop("grapes", {}), "cellar": {wine: [] for wine in WINES} | seat.pop("wines", {}),
        "hand": {deck: list(seat.pop(deck, ())) for deck in DECKS},
        **{KEYS.get(key, key): value for key, value in seat.items()},
    }  # fmt: skip


def _at_hand(number: int, season: str, workers: dict[str, int], board: dict[str, Any]) -> dict[str, int]:
    """Put the workers on the lira space that are neither at hand nor on the board."""
    placed = Counter(
        worker["worker"]
        for workers_of_place in board.values()
        for worker in workers_of_place
        if worker["seat"] == number
    )
    at_hand = workers | {hat: min(workers[hat], 2 - placed[hat]) for hat in ("yellow", "blue")}
    hat = "yellow" if season == "summer" else "blue"
    regulars = placed + Counter({kind: at_hand[kind] for kind in ("yellow", "blue", "regular")})
    away = ["grande"] * (not at_hand["grande"] and not placed["grande"])
    for _ in range(4 - regulars["yellow"] - regulars["blue"] - regulars["regular"]):
        away.append(hat if regulars[hat] < 2 else "regular")
        regulars[away[-1]] += 1
    if away:
        board["gain_lira"] = board.get("gain_lira", []) + [at(number, worker, "plain") for worker in away]
    return at_hand
