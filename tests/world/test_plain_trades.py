"""W43 to W48: every trade that a grande may bring, on made-up tables of two seats, against a plain writing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import vitienv

from .cases import at, hand, staff, table
from .plain import CELLAR, SLOTS, more
from .whole import PLACES, change, count, ends, game_of

TOKENS = {"grape": SLOTS, "wine": CELLAR}
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


def parts(state: Counter, giver: str, taker: str) -> Iterator[tuple[str, Counter]]:
    """What one seat may hand to the other: its kind, and what changes."""
    for kind in ("lira", "vine", "order"):
        for number in range(1, state[giver + kind] + 1):
            yield kind, Counter({giver + kind: -number, taker + kind: number})
    top = 9 if state[taker + "large_cellar"] else 6 if state[taker + "medium_cellar"] else 3
    for kind, slots in TOKENS.items():
        for slot in slots:
            if state[giver + slot]:
                same = [other for other in slots if other[:-1] == slot[:-1] and other[-1] <= slot[-1]]
                free = [
                    other for other in same if not state[taker + other] and (kind == "grape" or int(other[-1]) <= top)
                ]
                if free:
                    yield kind, Counter({giver + slot: -1, taker + free[-1]: 1})


def trades(state: Counter) -> Iterator[Counter]:
    given, taken = list(parts(state, "", "1.")), list(parts(state, "1.", ""))
    for _, one in [*given, *taken]:
        yield more(state, one)
    for kind, one in given:
        for other_kind, other in taken:
            if kind != other_kind or kind not in TOKENS:
                yield more(more(state, one), other)


def plain(game: vitienv.Game, move: str) -> set[str]:
    before = Counter({word.removeprefix("0."): number for word, number in count(game).items()})
    gift = GIFTS[move.split(":")[1]]
    after = more(before, gift)
    found = [after, *(more(other, gift) for other in trades(before)), *trades(after)]
    return {change(before, end, -1) for end in found}


def same(seed: int) -> int:
    """Compare one table. Token for token of one kind is left out: the rules do not say which arrives first."""
    game, move = made_up(random.Random(seed))
    if move not in game.legal_actions():
        return 0
    found = ends(game, move)
    assert found is not None
    own = plain(game, move)
    assert {end for end in found if not swap(end)} == {end for end in own if not swap(end)}, PLACES
    return len(own)


def swap(end: str) -> bool:
    """Whether tokens of one kind went both ways: a single one leaves one word with each seat."""
    words = end.split()
    for kind in TOKENS:
        own, other = (sum(word.startswith(start + kind) for word in words) for start in ("", "1."))
        if (own, other) not in ((0, 0), (1, 1)):
            return True
    return False


@pytest.mark.parametrize("seed", range(3))
def test_trades(seed):
    assert same(seed) >= 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_trades(seed):
    assert same(seed) >= 0
