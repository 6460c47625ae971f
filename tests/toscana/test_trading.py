"""Trading: T58 to T66."""

import pytest

from tests.toscana.positions import GOODS, boxes, by_good, money, offered, play, prices, start

RICH = {"money": 30, "boxes": {"red": 2, "rose": 3}}
VARIANT = {"options": {"player_trades": True}}


def trading(seat=RICH, *others, num_players=2, **top):
    return start(num_players, seat, *others, **top).step("take:trading")


def test_one_purchase_or_any_sales():
    """T58: not both."""
    game = trading()
    assert offered(game, "buy") and offered(game, "sell")
    assert game.copy().step("buy:white:1").seat == 1
    selling = game.copy().step("sell:red:1")
    assert selling.decision == "sell_more" and set(selling.legal_actions()) == {
        "sell:rose:1", "sell:rose:2", "sell:rose:3", "done"
    }  # fmt: skip
    assert selling.copy().step("done").seat == 1 and selling.step("sell:rose:2").seat == 1


def test_a_purchase_is_limited_by_what_lies_there_money_and_room():
    """T59."""
    five = {"stock": {"white": 5}, "prices": {"white": 2}}
    for seat, most in (
        ({"money": 30, "boxes": {"red": 1}}, 5), ({"money": 7, "boxes": {"red": 1}}, 3),
        ({"money": 30, "boxes": {"white": 4}}, 1), ({"money": 1, "boxes": {"red": 1}}, 0),
    ):  # fmt: skip
        found = [name for name in offered(trading(seat, **five), "buy") if name.startswith("white")]
        assert found == [f"white:{n}" for n in range(1, most + 1)]
    game = trading(stock={"white": 2}, prices={"white": 2}).step("buy:white:2")
    assert boxes(game)["white"] == 2 and "white" not in by_good(game.record.stock)


@pytest.mark.parametrize("field", range(1, 8))
def test_boxes_cost_the_price_each(field):
    """T60: 1 at the bottom field."""
    assert money(trading({"money": 30}, prices={"white": field}).step("buy:white:2")) == 30 - 2 * field


def test_an_empty_market_storage_sells_nothing_and_is_not_refilled():
    """T61."""
    game = trading({"money": 30, "boxes": {"white": 1}}, stock={"white": 0})
    assert not [name for name in offered(game, "buy") if name.startswith("white")]
    assert by_good(game.record.bank)["white"] > 0
    game.step("sell:white:1")
    assert by_good(game.record.stock)["white"] == 1


def test_any_number_of_boxes_of_any_goods_may_be_sold():
    """T62: each at its own price, for nothing at the bottom field."""
    seat = {"money": 0, "boxes": {"red": 2, "white": 1, "water": 3}}
    game = trading(seat, prices={"red": 1, "white": 5, "water": 2})
    assert offered(game, "sell") == ["red:1", "red:2", "white:1", "water:1", "water:2", "water:3"]
    play(game, "sell:red:2", "sell:white:1", "sell:water:3")
    assert money(game) == 0 + 5 + 3 * 2 and boxes(game) == {} and game.seat == 1


def test_sold_boxes_fill_the_market_storage_the_rest_goes_to_the_bank():
    """T63: all are paid."""
    game = trading({"money": 0, "boxes": {"red": 4}}, stock={"red": 3}, prices={"red": 3})
    bank = by_good(game.record.bank)["red"]
    game.step("sell:red:4")
    assert by_good(game.record.stock)["red"] == 5 and by_good(game.record.bank)["red"] == bank + 2
    assert money(game) == 12


def test_buying_and_selling_move_no_price():
    """T64."""
    game = trading()
    before = prices(game)
    assert prices(game.copy().step("buy:white:2")) == before
    assert prices(play(game, "sell:red:2", "sell:rose:3")) == before


def test_seats_do_not_trade_with_each_other_unless_agreed():
    """T65."""
    assert offered(trading(), "seat") == []
    assert offered(trading(**VARIANT), "seat") == ["+1"]
    assert offered(trading(num_players=4, **VARIANT), "seat") == ["+1", "+2", "+3"]


def test_an_offer_is_answered_at_once():
    """T65, ruling O12: partner, boxes of one good, a price for each; yes or no."""
    other = {"money": 9, "boxes": {"white": 3, "red": 4}}
    game = trading(RICH, other, num_players=3, **VARIANT).step("seat:+1")
    assert game.decision == "offer_boxes"
    assert game.legal_actions() == [
        *(f"buy:red:{n}" for n in (1, 2, 3)), *(f"buy:white:{n}" for n in (1, 2, 3)), "sell:red:1",
        *(f"sell:rose:{n}" for n in (1, 2, 3)),
    ]  # fmt: skip
    game.step("sell:rose:2")
    assert game.decision == "offer_price" and offered(game, "at") == ["0", "1", "2", "3", "4"]
    game.step("at:3")
    assert (game.decision, game.seat, game.legal_actions()) == ("answer_offer", 1, ["yes", "no"])
    no, yes = game.copy().step("no"), game.copy().step("yes")
    assert boxes(no) == {"red": 2, "rose": 3} and money(no) == 30
    assert boxes(yes) == {"red": 2, "rose": 1} and boxes(yes, 1) == {"red": 4, "white": 3, "rose": 2}
    assert (money(yes), money(yes, 1)) == (36, 3)
    assert yes.seat == 0 and yes.decision == "trade" and "done" in yes.legal_actions() and offered(yes, "buy")
    bought = play(trading(RICH, other, num_players=3, **VARIANT), "seat:+1", "buy:white:2", "at:10", "yes")
    assert (money(bought), money(bought, 1)) == (10, 29) and boxes(bought)["white"] == 2


def test_three_offers_an_action_and_then_the_market_or_nothing():
    """T65, ruling O12: trading with players only uses the action too."""
    game = trading(**VARIANT)
    for _ in range(3):
        assert offered(game, "seat") == ["+1"]
        play(game, "seat:+1", "sell:red:1", "at:0", "no")
    assert offered(game, "seat") == [] and offered(game, "buy") and game.record.used[0].tolist() == [0, 0, 1]
    assert game.copy().step("sell:red:1").decision == "sell_more"
    assert game.step("done").seat == 1
    empty = dict.fromkeys(GOODS, 0)
    alone = trading({"money": 0, "boxes": {"red": 1}}, {"boxes": empty}, stock=empty, **VARIANT)
    assert play(alone, "seat:+1", "sell:red:1", "at:0", "yes").seat == 0  # it could buy the box back
    for _ in range(2):
        play(alone, "seat:+1", "buy:red:1", "at:0", "no")
    assert alone.seat == 1  # nothing is left to be done


def test_money_never_falls_below_nothing():
    """T66: neither in the market nor with Mr Rose nor between seats."""
    for field in range(1, 8):
        game = trading({"money": 6, "boxes": {"red": 1}}, prices=dict.fromkeys(GOODS, field), stock={"water": 5})
        assert all(money(game.copy().step(f"buy:{what}")) >= 0 for what in offered(game, "buy"))
    rich = play(start(2, {"money": 10_000, "boxes": {"red": 5}}, prices={"red": 7}), "take:trading", "sell:red:5")
    assert money(rich) == 10_035
