"""Components and set-up: T1 to T6, T11 to T14, T16 to T23."""

from collections import Counter

import numpy as np
import pytest

import vitienv
from tests.toscana.positions import ALL, GOODS, at, boxes, by_good, first_round, money, new, offered, prices, start
from vitienv.toscana.components import facts

SUPPLY = {"red": 15, "white": 15, "rose": 15, "champagne": 15, "water": 20}
PLAYERS = (2, 3, 4, 5)


def letters(game):
    return ["".join("RWOCAY"[kind] for kind in row) for row in game.state.square_kind.reshape(4, 8)]


def test_two_to_five_players():
    """T1."""
    assert [new(num_players=n).num_players for n in PLAYERS] == list(PLAYERS)


def test_five_goods_and_four_wines():
    """T2."""
    assert facts()["market"]["goods"]["order"] == GOODS
    assert facts()["market"]["goods"]["wines"] == GOODS[:4]
    assert [name for name in vitienv.game_spec("toscana").actions.blocks["good"]] == [f"good:{g}" for g in GOODS]


@pytest.mark.parametrize("n", PLAYERS)
def test_other_boxes_are_in_the_bank(n):
    """T3."""
    r = new(num_players=n).state
    everywhere = r.bank.astype(int) + r.stock + r.boxes.sum(axis=0)
    assert by_good(everywhere) == SUPPLY


@pytest.mark.parametrize("n", PLAYERS)
def test_pieces_tiles_and_actions_of_each_seat(n):
    """T4."""
    game = first_round(num_players=n)
    r = game.state
    assert [r.workers[seat] + r.square_workers[r.square_owner == seat].sum() for seat in range(n)] == [5] * n
    assert r.winemasters[:n].tolist() == [3] * n
    assert offered(game, "take") == ["hiring", "winemaking", "trading"]
    for tile in range(1, 8):
        hand = {"used": ALL, "hand": sorted([tile, tile % 7 + 1])}
        assert offered(start(2, hand, hand), "taste") == [str(t) for t in hand["hand"]]


def test_map_has_four_rows_of_eight_and_nine_water_squares():
    """T5."""
    rows = letters(new())
    assert [len(row) for row in rows] == [8] * 4
    assert Counter("".join(rows)) == {"R": 5, "W": 5, "O": 4, "C": 4, "A": 9, "Y": 5}


def test_crossroad_touches_four_squares():
    """T6: a square produces if and only if one of its corners has the water."""
    names = vitienv.game_spec("toscana").actions.blocks["crossroad"]
    assert len(names) == 21
    for row in range(1, 5):
        for column in range(1, 9):
            game = start(2, {"boxes": {"water": 1}}, squares=[at(row, column, 0, 2), at(4 if row < 4 else 1, 1, 1)])
            game.step("take:winemaking")
            for name in names:
                r, c = (int(x) for x in name.split(":")[1:])
                other = game.copy().step(name)
                produced = other.decision == "abandoned_kind" or boxes(other) != {}
                assert produced == (row in (r, r + 1) and column in (c, c + 1)), (row, column, name)


def test_square_holds_two_workers_or_a_winemaster_of_one_seat():
    """T11."""
    for bad, message in (
        ([at(1, 1, 0, 3)], "from 1 to 2"), ([at(1, 1, 0), at(1, 1, 1)], r"the square \[1, 1\] must be given once"),
        ([{**at(1, 1), "winemaster": True}], r"workers of the square \[1, 1\] must be an integer from .*, got 1"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            start(2, squares=bad)


@pytest.mark.parametrize("n", PLAYERS)
def test_every_seat_starts_with_three_money(n):
    """T12."""
    assert [money(new(num_players=n), seat) for seat in range(n)] == [3] * n


def test_printed_map_or_eight_pieces_in_any_rotation():
    """T13."""
    assert letters(new()) == ["".join(row) for row in facts()["map"]["premade"]["rows"]]
    games = [new(seed, map="pieces") for seed in range(40)]
    laid = {tuple(letters(game)) for game in games}
    assert len(laid) == 40
    assert all(Counter("".join(rows)) == Counter("".join(letters(new()))) for rows in laid)
    for game in games:  # a position refuses a map that is not laid of the pieces
        assert vitienv.Game.from_dict(game.to_dict()) == game
    unturned = letters(new(map="pieces", components={"pieces_rule": {"rotation": {"allowed": False}}}))
    blocks = [[row[c : c + 2] for row in unturned[r : r + 2]] for r in (0, 2) for c in range(0, 8, 2)]
    assert sorted(blocks) == sorted(["".join(row) for row in piece["rows"]] for piece in facts()["map"]["piece"])


def test_every_rotation_and_place_of_a_piece():
    """T13."""
    places, turned = set(), set()
    for seed in range(150):
        kinds = new(seed, map="pieces").state.square_kind.reshape(4, 8)
        for row in (0, 2):
            for column in range(0, 8, 2):
                block = kinds[row : row + 2, column : column + 2]
                for k in range(4):
                    if np.rot90(block, k).tolist() == [[0, 3], [1, 4]]:  # the first piece: R C, W A
                        places.add((row, column))
                        turned.add(k)
    assert len(places) == 8 and turned == {0, 1, 2, 3}


def test_two_tiles_in_hand_and_five_in_a_hidden_deck():
    """T14."""
    layout = vitienv.game_spec("toscana").observation
    for seed in range(5):
        game = new(seed)
        assert (game.state.hand[:2].sum(axis=1) == 2).all() and not game.state.hand[2:].any()
        observation = game.observation(0)
        assert layout.get(observation, "hand").tolist() == game.state.hand[0].tolist()
        assert layout.get(observation, "not_seen")[0].sum() == 5
    hands = {tuple(new(seed).state.hand[0]) for seed in range(80)}
    assert len(hands) == 21  # every pair comes up


@pytest.mark.parametrize("n", PLAYERS)
def test_pieces_in_the_storage_and_one_worker_in_hand(n):
    """T16."""
    game = new(num_players=n)
    assert (game.state.workers[:n] == 4).all() and (game.state.winemasters[:n] == 3).all()
    assert game.decision == "start_worker"
    assert (first_round(num_players=n).state.workers[:n] == 4).all()


@pytest.mark.parametrize("n", PLAYERS)
def test_initial_boxes_come_from_the_supply(n):
    """T17."""
    game = new(num_players=n)
    assert [boxes(game, seat) for seat in range(n)] == [{"red": 2, "water": 2}] * n
    bank = by_good(game.state.bank)
    assert bank == {"red": 13 - 2 * n, "white": 13, "rose": 13, "champagne": 13, "water": 17 - 2 * n}


def test_market_starts_with_two_of_each_wine_and_three_water():
    """T18."""
    assert by_good(new().state.stock) == {"red": 2, "white": 2, "rose": 2, "champagne": 2, "water": 3}


def test_initial_prices():
    """T19."""
    assert prices(new()) == {"red": 2, "white": 3, "rose": 3, "champagne": 4, "water": 2}


def test_initial_recommendations():
    """T20."""
    assert by_good(new().state.sign) == {"red": 1, "white": 1, "rose": -1, "champagne": -1}


@pytest.mark.parametrize("n", PLAYERS)
def test_start_seat_is_random(n):
    """T21."""
    assert {int(new(seed, num_players=n).state.start_seat) for seed in range(60)} == set(range(n))


@pytest.mark.parametrize("n", PLAYERS)
def test_start_workers_are_placed_counter_clockwise(n):
    """T22: on any empty square, free of cost."""
    game = new(3, num_players=n)
    first, seats = int(game.state.start_seat), []
    for i in range(n):
        seats.append(game.current_seat)
        assert len(offered(game, "square")) == 32 - i
        game.step(game.legal_actions()[i % 5])
    assert seats == [(first - 1 - i) % n for i in range(n)] and seats[-1] == first
    assert game.current_seat == first and all(boxes(game, seat) == {"red": 2, "water": 2} for seat in range(n))


def test_option_start_on_water():
    """T22, ruling O1."""
    dry = new(start_on_water=False)
    assert len(offered(dry, "square")) == 23 and "1:4" not in offered(dry, "square")
    assert "1:4" in offered(new(), "square") and "1:3" in offered(dry, "square")


def test_setup_is_independent_of_the_number_of_players():
    """T23."""
    first = new(num_players=2)
    for n in PLAYERS[1:]:
        other = new(num_players=n)
        for name in ("price", "stock", "sign", "square_kind"):
            assert (other.state[name] == first.state[name]).all()
        assert money(other, n - 1) == money(first) and boxes(other, n - 1) == boxes(first)
    assert by_good(new(num_players=5).state.bank) == {"red": 3, "white": 13, "rose": 13, "champagne": 13, "water": 7}
