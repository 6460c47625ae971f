"""Builders of positions for the rules tests.

By default seat 0 starts the first round and is to act; each seat has its start worker on a square of the last row and
the goods of the setup.
"""

from __future__ import annotations

from typing import Any

import vitienv

ALL = ["hiring", "winemaking", "trading"]
GOODS = ["red", "white", "rose", "champagne", "water"]
SQUARES = [f"{row}:{column}" for row in range(1, 5) for column in range(1, 9)]
HOMES = [(4, 1), (4, 2), (4, 3), (4, 4), (4, 5)]


def has(money: int = 3, **boxes: int) -> dict[str, Any]:
    return {"money": money, "boxes": {"red": 0, **boxes}}


def every(number: int, **others: int) -> dict[str, int]:
    """Return a number for each good, except those in `others`."""
    return {**dict.fromkeys(GOODS, number), **others}


def at(row, column, seat=0, workers=1):
    """Workers on a square."""
    return {"at": [row, column], "seat": seat, "workers": workers}


def master(row, column, seat=0):
    """A winemaster on a square."""
    return {"at": [row, column], "seat": seat, "winemaster": True}


def crew(seat, *squares):
    """Return the five workers of a seat: pairs on two squares, one on the third."""
    return [at(*square, seat, workers) for square, workers in zip(squares, (2, 2, 1))]


def table(*seats, n=2, squares=(), **top):
    """Return a position. seats: keys by seat; top: keys of the position."""
    seats_on_map = {square["seat"] for square in squares if not square.get("winemaster")}
    n = max(n, len(seats))
    homes = [at(*HOMES[seat], seat) for seat in range(n) if seat not in seats_on_map]
    head = {"game": "toscana", "num_players": n, "seed": 1, "round": 1, "start_seat": 0}
    return {**head, "squares": [*squares, *homes], "seats": list(seats), **top}


def start(num_players=2, *seats, **top):
    return vitienv.Game.from_dict(table(*seats, n=num_players, **top))


def all_squares():
    return [(row, column) for row in range(1, 5) for column in range(1, 9)]


def full_table(mine, *seats, **top):
    """Return a full board: squares `mine` of seat 0, single workers of the others, winemasters on the rest."""
    places = [place for place in all_squares() if list(place) not in [square["at"] for square in mine]]
    squares = [at(*places.pop(0), seat) for seat in range(1, 5) for _ in range(5)]
    masters = [seat for seat in (1, 2, 3, 4) for _ in range(3)]
    squares += [master(*place, seat) for place, seat in zip(places, masters)]
    return table(*seats, n=5, squares=[*mine, *squares], **top)


def full_map(mine, *seats, **top):
    """Return the game of a full table."""
    return vitienv.Game.from_dict(full_table(mine, *seats, **top))


def new(seed=1, **options):
    return vitienv.Game.new(game="toscana", seed=seed, **options)


def play(game, *moves):
    for move in moves:
        game.step(move)
    return game


def first_round(seed=1, **options):
    game = new(seed, **options)
    while game.decision == "start_worker":
        game.step(game.legal_actions()[0])
    return game


def tail(num_players=2, *seats, **top):
    """Return the last turn of a round: the last seat can only trade."""
    used = [{"used": ALL}] * (num_players - 1) + [{"used": ALL[:2]}]
    merged = [{**keys, **(seats[seat] if seat < len(seats) else {})} for seat, keys in enumerate(used)]
    return start(num_players, *merged, **top)


def to_tasting(game):
    while game.decision == "take_action":
        game.step(next(move for move in game.legal_actions() if move.startswith("pass:")))
    return game


def prices(game):
    """Return the printed prices by good, 1 for 0/1."""
    return {good: int(level) + 1 for good, level in zip(GOODS, game.state.price)}


def by_good(numbers):
    return {good: int(number) for good, number in zip(GOODS, numbers) if number}


def boxes(game, seat=0):
    return by_good(game.state.boxes[seat])


def money(game, seat=0):
    return int(game.state.money[seat])


def offered(game, block):
    """Return the legal actions with a prefix, without it."""
    return [move.removeprefix(f"{block}:") for move in game.legal_actions() if move.startswith(f"{block}:")]
