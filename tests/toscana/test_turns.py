"""Rounds, turns and passing: T24 to T28."""

import pytest

from tests.toscana.positions import ALL, at, begun, boxes, offered, play, start


@pytest.mark.parametrize("n", (2, 3, 4, 5))
def test_one_action_each_clockwise_until_all_have_had_three(n):
    """T24."""
    game = begun(num_players=n)
    first, seats = int(game.record.start_seat), []
    while game.decision == "take_action":
        seats.append(game.seat)
        game.step(next(move for move in game.legal_actions() if move.startswith("pass:")))
    assert seats == [(first + i) % n for i in range(3 * n)] and game.decision == "taste"


def test_each_action_once_a_round_in_any_order():
    """T25."""
    for order in (ALL, ALL[::-1], [ALL[1], ALL[2], ALL[0]]):
        game = start(2, {"money": 5})
        for done, turn in enumerate(order):
            left = {move.split(":")[1] for move in game.legal_actions()}
            assert left == set(ALL) - set(order[:done])
            play(game, f"pass:{turn}", f"pass:{turn}")


def test_an_action_may_be_passed_though_it_could_be_done():
    """T26: it is used up and nothing happens."""
    game = start(2)
    for turn in ALL:
        assert f"take:{turn}" in game.legal_actions()
        other = game.copy().step(f"pass:{turn}")
        assert boxes(other) == boxes(game) and other.scores == game.scores and other.seat == 1
        assert offered(play(other, "pass:hiring"), "take") == [name for name in ALL if name != turn]


def test_passed_winemaking_gives_a_red_or_a_water_box_or_nothing():
    """T27."""
    game = start(2)
    ways = ["hiring", "trading", "winemaking", "winemaking:red", "winemaking:water"]
    assert offered(game, "pass") == ways
    gains = {"red": {"red": 3, "water": 2}, "water": {"red": 2, "water": 3}}
    for good, gain in gains.items():
        other = game.copy().step(f"pass:winemaking:{good}")
        assert boxes(other) == gain
        assert other.record.bank.sum() == game.record.bank.sum() - 1
        assert (other.record.stock == game.record.stock).all()
    assert boxes(game.copy().step("pass:winemaking")) == {"red": 2, "water": 2}


def test_no_box_from_an_empty_bank_or_into_a_full_storage():
    """T27, ruling O6."""
    full = start(2, {"boxes": {"red": 5, "water": 5}})
    assert offered(full, "pass") == ["hiring", "trading", "winemaking"]
    seats = [{"boxes": {"red": 4, "water": 4}}, *({"boxes": {"red": 2, "water": 3}} for _ in range(4))]
    seats[1] = {"boxes": {"red": 5, "water": 4}}
    empty = start(5, *seats, stock={"red": 0, "water": 3})
    assert empty.record.bank[[0, 4]].tolist() == [0, 0]
    assert offered(empty, "pass") == ["hiring", "trading", "winemaking"]


def test_an_action_that_can_do_nothing_can_only_be_passed():
    """T28."""
    nothing = start(2, {"money": 0, "boxes": {"white": 0}})
    assert offered(nothing, "take") == []
    assert offered(start(2, {"money": 0, "boxes": {"white": 1}}), "take") == ["trading"]
    assert offered(start(2, {"money": 2, "boxes": {"white": 0}}), "take") == ["trading"]
    assert offered(start(2, {"money": 0, "boxes": {"water": 1}}), "take") == ["winemaking", "trading"]
    for fee in ("red", "rose", "champagne"):
        assert "hiring" in offered(start(2, {"boxes": {fee: 1}}), "take")
    no_market = {"stock": dict.fromkeys(["red", "white", "rose", "champagne", "water"], 0)}
    assert offered(start(2, {"money": 9, "boxes": {"white": 0}}, **no_market), "take") == []
    # A red box pays a worker, and all workers are on the map.
    crew = [at(1, 1, 0, 2), at(1, 2, 0, 2), at(1, 3, 0, 1)]
    assert offered(start(2, {"boxes": {"red": 1}}, squares=crew), "take") == ["trading"]
