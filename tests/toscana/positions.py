"""Builders of positions for the rules tests.

In a position made here seat 0 begins the first round and acts; each seat has its start worker in the last row, on its
own square, and what the set-up gives. A test overrides what it is about.
"""

from __future__ import annotations

from typing import Any

import vitienv

ALL = ["hiring", "winemaking", "trading"]
GOODS = ["red", "white", "rose", "champagne", "water"]
SQUARES = [f"{row}:{column}" for row in range(1, 5) for column in range(1, 9)]
HOMES = [(4, 1), (4, 2), (4, 3), (4, 4), (4, 5)]


def has(money: int = 3, **boxes: int) -> dict[str, Any]:
    """A seat with so much money and these boxes alone."""
    return {"money": money, "boxes": {"red": 0, **boxes}}


def every(number: int, **others: int) -> dict[str, int]:
    """One number for all goods, except for those in `others`."""
    return {**dict.fromkeys(GOODS, number), **others}


def at(row, column, seat=0, workers=1):
    """Workers on a square."""
    return {"at": [row, column], "seat": seat, "workers": workers}


def master(row, column, seat=0):
    """A winemaster on a square."""
    return {"at": [row, column], "seat": seat, "winemaster": True}


def crew(seat, *squares):
    """All five workers of a seat: two on each of two squares, one on the third."""
    return [at(*square, seat, workers) for square, workers in zip(squares, (2, 2, 1))]


def table(*seats, n=2, squares=(), **top):
    """A position. seats: overrides by seat; top: of the keys of the position."""
    there = {square["seat"] for square in squares if not square.get("winemaster")}
    n = max(n, len(seats))
    homes = [at(*HOMES[seat], seat) for seat in range(n) if seat not in there]
    head = {"game": "toscana", "num_players": n, "seed": 1, "round": 1, "start_seat": 0}
    return {**head, "squares": [*squares, *homes], "seats": list(seats), **top}


def start(num_players=2, *seats, **top):
    """The game that goes on from such a position."""
    return vitienv.Game.from_dict(table(*seats, n=num_players, **top))


def all_squares():
    return [(row, column) for row in range(1, 5) for column in range(1, 9)]


def full_table(mine, *seats, **top):
    """Five seats and no empty square. mine: what seat 0 holds; of the others all workers stand on squares of their own,
    and their winemasters on the rest, first those of seat 1."""
    places = [place for place in all_squares() if list(place) not in [square["at"] for square in mine]]
    squares = [at(*places.pop(0), seat) for seat in range(1, 5) for _ in range(5)]
    masters = [seat for seat in (1, 2, 3, 4) for _ in range(3)]
    squares += [master(*place, seat) for place, seat in zip(places, masters)]
    return table(*seats, n=5, squares=[*mine, *squares], **top)


def full_map(mine, *seats, **top):
    """The game that goes on from there."""
    return vitienv.Game.from_dict(full_table(mine, *seats, **top))


def new(seed=1, **options):
    """A game from its set-up on."""
    return vitienv.Game.new(game="toscana", seed=seed, **options)


def play(game, *moves):
    for move in moves:
        game.step(move)
    return game


def begun(seed=1, **options):
    """A new game with its start workers on the first legal squares."""
    game = new(seed, **options)
    while game.decision == "start_worker":
        game.step(game.legal_actions()[0])
    return game


def tail(num_players=2, *seats, **top):
    """The last turn of a round: only the last seat has its trading left."""
    used = [{"used": ALL}] * (num_players - 1) + [{"used": ALL[:2]}]
    merged = [{**own, **(seats[seat] if seat < len(seats) else {})} for seat, own in enumerate(used)]
    return start(num_players, *merged, **top)


def to_tasting(game):
    """Pass the rest of the round."""
    while game.decision == "take_action":
        game.step(next(move for move in game.legal_actions() if move.startswith("pass:")))
    return game


def prices(game):
    """The printed fields by good, 1 for 0/1."""
    return {good: int(level) + 1 for good, level in zip(GOODS, game.state.price)}


def by_good(numbers):
    """What is not 0, by good."""
    return {good: int(number) for good, number in zip(GOODS, numbers) if number}


def boxes(game, seat=0):
    return by_good(game.state.boxes[seat])


def money(game, seat=0):
    return int(game.state.money[seat])


def offered(game, block):
    """The legal actions that begin with a word, without it."""
    return [move.removeprefix(f"{block}:") for move in game.legal_actions() if move.startswith(f"{block}:")]
