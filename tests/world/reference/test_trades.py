"""W43 to W48: every trade that a grande may bring, on made-up tables of two seats, against a plain writing."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import vitienv
from tests.world.cases.positions import at, hand, staff, table
from tests.world.cases.turns import change, count, ends, game_of

from .states import more
from .trades import trades

GIFTS = {"give_tour": {"lira": 2}, "draw_vine": {"vine": 1}, "draw_order": {"order": 1}, "gain_lira": {"lira": 1}}


def made_up(chance: random.Random) -> tuple[vitienv.Game, str]:
    season = chance.choice(("summer", "winter"))
    place = chance.choice(
        ("give_tour", "draw_vine", "gain_lira") if season == "summer" else ("draw_order", "gain_lira")
    )
    orders = ["order_01", "order_02", "order_03"]
    chance.shuffle(orders)
    seats = []
    for _ in range(2):
        vines = [chance.choice(("merlot", "pinot")) for _ in range(chance.choice((0, 0, 1, 2)))]
        big = chance.random() < 0.5
        few = lambda low, high: chance.sample(range(low, high + 1), chance.choice((0, 0, 1, 2)))  # noqa: E731
        top = 6 if big else 3
        wines = {"red": few(1, top), "white": [], "blush": few(4, 6)[:1] if big else [], "sparkling": []}
        seats.append({
            "lira": chance.choice((0, 1, 2)), "hand": hand(vines, [orders.pop()] if chance.random() < 0.4 else []),
            "crush_pad": {"red": few(1, 3), "white": few(7, 9)[:1]}, "cellar": wines,
            "structures": ["medium_cellar"] if big else [], "workers": staff(1, 1, 1),
        })  # fmt: skip
    there = at(1, "yellow" if season == "summer" else "blue")
    space = "plain" if place == "gain_lira" else "crowd"
    return game_of(table(season, *seats, board={place: [there]})), f"place:{place}:{space}:grande"


def plain(game: vitienv.Game, move: str) -> set[str]:
    before = Counter({word.removeprefix("0."): number for word, number in count(game).items()})
    gift = GIFTS[move.split(":")[1]]
    after = more(before, gift)
    found = [after, *(more(other, gift) for other in trades(before, [1])), *trades(after, [1])]
    return {change(before, end, -1) for end in found}


def same(seed: int) -> int:
    """Compare one table."""
    game, move = made_up(random.Random(seed))
    if move not in game.legal_actions():
        return 0
    found, own = ends(game, move), plain(game, move)
    assert found == own
    return len(own)


@pytest.mark.parametrize("seed", range(3))
def test_trades(seed):
    assert same(seed) >= 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_trades(seed):
    assert same(seed) >= 0
