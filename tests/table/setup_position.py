"""Positions of Viticulture in a short notation, for every ruleset.

    table("summer", {"lira": 3, "vine": ["malvasia"]}, {"structures": ["yoke"]}, year=4)

Seat 0 is to act. By default a seat has no money, cards or structures, three empty fields, wake-up row n + 1, two
regular workers and a grande. `ruleset="solo"` has one seat, or two with an Automa replacement; a blocker only has
workers.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from tests.table.fixtures import AUTOMA, workers
from vitienv.viticulture.options import Options

DECKS = ("vine", "order", "summer", "winter")
WINES = ("red", "white", "blush", "sparkling")
CAPACITIES = (5, 6, 7)
WORKERS = ("regular", "grande", "temporary")
# Short keys of a seat, and the keys of a position; other keys are those of a position.
KEYS = {"vp": "victory_points", "row": "wake_up", "trained": "trained_this_year", "above": "wine_above_cellar",
        "tokens": "bonus_tokens", "glass": "glass_tokens"}  # fmt: skip
OPTIONS = {field.name for field in dataclasses.fields(Options)} - {"ruleset", "num_players"}
MARKS = ("sold", "harvested", "over_limit")
# A seat that can take each of the twelve board actions with its bonus.
ABLE = {
    "lira": 10, "vine": ["sangiovese", "malvasia"], "order": ["order_04"], "summer": ["banker", "vendor"],
    "winter": ["politician", "caravan"], "fields": {5: ["sangiovese"], 6: ["malvasia"]},
    "grapes": {"red": [1, 2], "white": [1, 2]}, "wines": {"red": [3], "white": [3]},
}  # fmt: skip


def table(
    season: str, *seats: dict[str, Any], n: int = 0, blocked: str = "", automa: str = "", **top: Any
) -> dict[str, Any]:
    """Return a position.

    Keys of a seat: lira, vp, residual, row, passed, regular, grande, temporary, trained, structures, fields (vines by
    capacity), sold, harvested, over_limit (capacities), grapes, wines (values by colour), vine, order, summer, winter
    (cards), used, above (a wine above its cellar), tokens, glass (rows), or keys of a position.
    n: minimum number of seats. blocked: actions with an Automa worker. automa: numbers of the next Automa cards. top:
    options of the game or keys of the position. The game started with the bonus tokens in hand.
    """
    options = {name: top.pop(name) for name in OPTIONS & set(top)}
    if top.get("ruleset") == "solo":
        n = n or (2 if "automa_replacement" in options else 1)
        if initial_tokens := max(seat.get("tokens", 0) for seat in (*seats, {})):
            options = {"bonus_tokens": initial_tokens} | options
    n = max(n or 2, len(seats))
    full = [_seat(k, season, seats[k] if k < len(seats) else {}) for k in range(n)]
    if options.get("automa_replacement") == "blocker":
        full[1] = {"wake_up": full[1]["wake_up"]} | (seats[1] if len(seats) > 1 else {})
    laid = {
        "options": options,
        "board": {action: [AUTOMA] for action in blocked.split()} | top.pop("board", {}),
        "next_draws": ({"automa": [f"automa_{card}" for card in automa.split()]} if automa else {})
        | top.pop("next_draws", {}),
    }
    head = {"ruleset": "essential", "num_players": n, "seed": 11, "year": 2, "season": season, "first_player": 0}
    if season != "spring":
        head["to_act"] = 0
    return {**head, "seats": full, **{key: value for key, value in laid.items() if value}, **top}


def fields(five: Any = (), six: Any = (), seven: Any = (), **marked: Any) -> list[dict[str, Any]]:
    """Return three fields with their vines; `sold`, `harvested` and `over_limit` list capacities."""
    marked = {"sold": (), "harvested": ()} | marked
    return [
        {"capacity": capacity, "vines": list(vines), **{mark: capacity in marked[mark] for mark in marked}}
        for capacity, vines in zip(CAPACITIES, (five, six, seven), strict=True)
    ]


def _seat(number: int, season: str, words: dict[str, Any]) -> dict[str, Any]:
    seat = {"lira": 0, "vp": 0, "residual": 0, "row": None if season == "spring" else number + 1} | words
    counts = {"regular": 2, "grande": 1, "temporary": 0} | {name: seat.pop(name) for name in WORKERS if name in seat}
    vines = dict(seat.pop("fields", ()))
    return {
        "workers": workers(**counts),
        "fields": fields(*(vines.get(capacity, ()) for capacity in CAPACITIES),
                         **{mark: seat.pop(mark) for mark in MARKS if mark in seat}),
        "crush_pad": {"red": [], "white": []} | seat.pop("grapes", {}),
        "cellar": {wine: [] for wine in WINES} | seat.pop("wines", {}),
        "hand": {deck: list(seat.pop(deck, ())) for deck in DECKS},
        **{KEYS.get(word, word): value for word, value in seat.items()},
    }  # fmt: skip
