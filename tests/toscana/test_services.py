"""The lobbyist and Mr Rose: T39 to T48."""

import pytest

from tests.toscana.positions import GOODS, boxes, by_good, money, offered, play, prices, start

LOBBY = {"boxes": {"champagne": 1}}
ROSE = {"money": 20, "boxes": {"rose": 1}}
MIDDLE = {"prices": dict.fromkeys(GOODS, 4)}


def lobby(**top):
    return play(start(2, LOBBY, **(MIDDLE | top)), "take:hiring", "service:lobbyist")


def rose(seat=ROSE, **top):
    return play(start(2, seat, **(MIDDLE | top)), "take:hiring", "service:mr_rose")


def test_the_lobbyist_costs_a_champagne_box():
    """T39."""
    game = lobby()
    assert boxes(game) == {} and by_good(game.record.bank)["champagne"] == 13
    assert "lobbyist" not in offered(start(2, ROSE).step("take:hiring"), "service")


def test_first_any_tile_goes_to_the_empty_square():
    """T40: water's, at the start."""
    game = lobby()
    assert game.decision == "lobby_first" and offered(game, "tile") == GOODS[:4]
    for good, sign in zip(GOODS, (1, 1, -1, -1)):
        other = game.copy().step(f"tile:{good}")
        assert by_good(other.record.sign)["water"] == sign and good not in by_good(other.record.sign)


def test_then_one_of_the_opposite_sign_goes_to_the_square_left():
    """T41: four times two ways."""
    game, ends = lobby(), set()
    for first in offered(game, "tile"):
        half = game.copy().step(f"tile:{first}")
        opposite = GOODS[2:4] if first in GOODS[:2] else GOODS[:2]
        assert half.decision == "lobby_second" and offered(half, "tile") == opposite
        for second in opposite:
            end = half.copy().step(f"tile:{second}")
            assert end.seat == 1 and second not in by_good(end.record.sign)
            assert by_good(end.record.sign)[first] == (-1 if first in GOODS[:2] else 1)
            ends.add(tuple(end.record.sign))
    assert len(ends) == 8


def test_a_tile_just_given_moves_the_price_under_it_at_once():
    """T42: no other price moves, and at an end the tile may be moved all the same (ruling O5)."""
    game = lobby().step("tile:rose")
    assert prices(game) == {**MIDDLE["prices"], "water": 3}
    game.step("tile:red")
    assert prices(game) == {**MIDDLE["prices"], "water": 3, "rose": 5}
    ends = lobby(prices={**MIDDLE["prices"], "water": 1, "rose": 7})
    play(ends, "tile:rose", "tile:red")
    assert prices(ends) == {**MIDDLE["prices"], "water": 1, "rose": 7}
    assert by_good(ends.record.sign) == {"white": 1, "rose": 1, "champagne": -1, "water": -1}


def test_mr_rose_costs_a_rose_box():
    """T43."""
    game = rose()
    assert boxes(game) == {} and by_good(game.record.bank)["rose"] == 13
    assert "mr_rose" not in offered(start(2, LOBBY).step("take:hiring"), "service")


def test_two_different_prices_move_by_one_each_up_or_down():
    """T44: each pair of goods in each of four ways, once."""
    game, ends = rose({"money": 0, "boxes": {"rose": 1}}), []
    for first in offered(game, "price"):
        half = game.copy().step(f"price:{first}")
        assert half.decision == "second_price" and len(offered(half, "price")) == len(half.legal_actions())
        for second in offered(half, "price"):
            end = half.copy().step(f"price:{second}")
            ends.append(tuple(end.record.price - 3))
    assert len(ends) == len(set(ends)) == 40
    assert all(sorted(map(abs, moved)) == [0, 0, 0, 1, 1] for moved in ends)


def test_a_change_must_move_its_marker():
    """T44, ruling O4."""
    game = rose(prices={**MIDDLE["prices"], "red": 1, "water": 7})
    assert "red:down" not in offered(game, "price") and "red:up" in offered(game, "price")
    game.step("price:red:up")
    assert "water:up" not in offered(game, "price") and "water:down" in offered(game, "price")


def test_in_addition_one_box_may_be_bought_or_sold_or_neither():
    """T45: at the price of that moment; a sold box goes to the market storage, or to the bank."""
    seat = {"money": 20, "boxes": {"rose": 1, "white": 2}}
    game = rose(seat)
    assert offered(game, "sell") == ["white:1"] and offered(game, "buy") == [f"{good}:1" for good in GOODS]
    sold = game.copy().step("sell:white:1")
    assert money(sold) == 24 and boxes(sold) == {"white": 1} and by_good(sold.record.stock)["white"] == 3
    assert offered(sold, "buy") == offered(sold, "sell") == []
    bought = game.copy().step("buy:red:1")
    assert money(bought) == 16 and boxes(bought) == {"red": 1, "white": 2} and by_good(bought.record.stock)["red"] == 1
    after = play(game.copy(), "price:white:up", "price:rose:up")
    assert "done" in after.legal_actions() and money(after.copy().step("sell:white:1")) == 25
    assert after.copy().step("done").seat == 1
    full = rose(seat, stock={"white": 5})
    bank = by_good(full.record.bank)["white"]
    full.step("sell:white:1")
    assert by_good(full.record.stock)["white"] == 5 and by_good(full.record.bank)["white"] == bank + 1


def test_from_an_empty_market_storage_the_box_comes_from_the_bank():
    """T46: only then; without one there it cannot be bought (ruling O17)."""
    game = rose(stock={"white": 0})
    bank = by_good(game.record.bank)["white"]
    other = game.copy().step("buy:white:1")
    assert by_good(other.record.bank)["white"] == bank - 1 and money(other) == 16 and boxes(other) == {"white": 1}
    kept = game.copy().step("buy:red:1")
    assert by_good(kept.record.bank)["red"] == by_good(game.record.bank)["red"]
    held = [{"boxes": {"red": 5}}] * 3
    gone = play(start(4, ROSE, *held, stock={"red": 0}), "take:hiring", "service:mr_rose")
    assert by_good(gone.record.bank).get("red", 0) == 0 and "red:1" not in offered(gone, "buy")


def test_the_deal_comes_before_both_changes_or_after_both():
    """T47."""
    game = rose()
    before = game.copy().step("buy:white:1")
    assert set(before.legal_actions()) == {f"price:{price}" for price in offered(before, "price")}
    play(before, "price:red:up", "price:white:up")
    assert before.seat == 1
    between = game.copy().step("price:red:up")
    assert offered(between, "buy") == [] and "done" not in between.legal_actions()
    after = between.step("price:white:up")
    assert "red:1" in offered(after, "buy") and offered(after, "price") == []


@pytest.mark.parametrize(("seat", "can"), (
    ({"money": 3, "boxes": {"rose": 1}}, False), ({"money": 4, "boxes": {"rose": 1}}, True),
    ({"money": 4, "boxes": {"rose": 1, "red": 5}}, False),
))  # fmt: skip
def test_buying_through_mr_rose_needs_the_money_and_room(seat, can):
    """T48."""
    assert ("red:1" in offered(rose(seat), "buy")) == can
