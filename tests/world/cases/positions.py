"""The position that a case's overrides fall on.

Cases were written from the numbered rules alone, each with what the rules say must come of it.
"""

from __future__ import annotations

from typing import Any

from tests.table.case import Case, case
from tests.table.setup_position import fields

__all__ = ["ABLE", "Case", "at", "case", "fields", "hand", "staff", "table"]


def staff(yellow: int = 2, blue: int = 2, regular: int = 0, grande: int = 1, temporary: int = 0) -> dict[str, int]:
    """Workers still to be placed."""
    return {"yellow": yellow, "blue": blue, "regular": regular, "grande": grande, "temporary": temporary}


def hand(vine: Any = (), order: Any = (), summer: Any = (), winter: Any = ()) -> dict[str, list[str]]:
    return {"vine": list(vine), "order": list(order), "summer": list(summer), "winter": list(winter)}


def at(seat: int, worker: str = "yellow", space: str = "plain") -> dict[str, Any]:
    """A worker on the board."""
    return {"seat": seat, "worker": worker, "space": space}


def table(season: str, *seats: dict[str, Any], n: int = 2, **top: Any) -> dict[str, Any]:
    """Seat k woke on position k + 1, owns its empty fields and its workers, and seat 0 is to act.

    The continent is Oceania in its first year, whose event is over when spring is.
    """
    full = []
    for number in range(n):
        seat = {
            "lira": 0,
            "victory_points": 0,
            "residual": 0,
            "wake_up": None if season == "spring" else number + 1,
            "workers": staff(),
        }
        seat.update(seats[number] if number < len(seats) else {})
        full.append(seat)
    head: dict[str, Any] = {
        "game": "world", "continent": "oceania", "num_players": n, "seed": 1, "season": season, "first_player": 0,
        "influence": 0, "events": {"now": 1, "gone": []},
        "tiles": {"shown": [], "placed": [], "gone": [], "ovals": {}},
    }  # fmt: skip
    head.update(top)
    return {**head, "seats": full}


def tiles(*shown: str, placed: str = "", ovals: dict[str, str] | None = None) -> dict[str, Any]:
    """Tiles on show, rectangles that lie on their letters, and ovals by letter."""
    return {"shown": list(shown), "placed": list(placed), "gone": [], "ovals": ovals or {}}


def event(continent: str, number: int) -> dict[str, Any]:
    """A year with this event card of a continent, in card order where there is one."""
    if number <= 6:
        return {"continent": continent, "year": number, "events": {"now": number, "gone": list(range(1, number))}}
    return {"continent": continent, "year": 1, "events": {"now": number, "gone": []}, "options": {"events": "shuffled"}}


# A seat that can do almost everything.
ABLE = {
    "lira": 10,
    "hand": hand(["sangiovese", "malvasia"], ["order_04"], ["banker", "vendor"], ["politician", "caravan"]),
    "fields": fields(["sangiovese"], ["malvasia"]),
    "crush_pad": {"red": [1, 2], "white": [1, 2]},
    "cellar": {"red": [3], "white": [3], "blush": [], "sparkling": []},
}
