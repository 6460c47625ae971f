"""Perft: numbers of action sequences."""

import pytest

from tests.engine.playthrough import perft
from tests.toscana.positions import crew, master, start

RICH = {"money": 20, "boxes": dict.fromkeys(["red", "white", "rose", "champagne", "water"], 2)}
THIRD = [*crew(0, (2, 1), (2, 2), (2, 3)), master(1, 1), master(1, 2)]


def counts(game, depth):
    return [perft(game, n) for n in range(1, depth + 1)]


@pytest.mark.parametrize(("water", "expected"), ((1, 21), (2, 21 + 210), (3, 21 + 210 + 1330)))
def test_perft_of_water(water, expected):
    """1 to n boxes on 21 crossroads; each set is reached in one way."""
    game = start(2, {"boxes": {"water": water}}).step("take:winemaking")

    def ways(game):
        if game.decision != "place_water" or game.current_seat != 0:
            return 1
        return sum(ways(game.copy().step(action)) for action in game.legal_actions())

    assert ways(game) == expected


def test_perft_of_two_turns():
    """With 3 money: 31 squares, 21 crossroads, 4 purchases, 4 sales, 5 ways to pass to the 8 moves of the next seat."""
    assert counts(start(2), 2) == [8, 31 + 21 + 8 + 5 * 8]


@pytest.mark.parametrize(("top", "expected"), (
    ({"seats": [{}]}, [8, 100, 960]),
    ({"seats": [RICH]}, [8, 115, 925]),
    ({"seats": [RICH], "options": {"player_trades": True}}, [8, 116, 944]),
    ({"seats": [{**RICH, "workers": 0, "winemasters": 1}], "squares": THIRD}, [8, 110, 890]),
), ids=("plain", "rich", "trades", "third winemaster"))  # fmt: skip
def test_perft_of_a_turn(top, expected):
    head = {key: value for key, value in top.items() if key != "seats"}
    assert counts(start(2, *top["seats"], **head), 3) == expected
