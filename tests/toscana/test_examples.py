"""The worked examples of the rulebook: E1 to E9."""

from tests.toscana.positions import (
    ALL,
    GOODS,
    at,
    boxes,
    by_good,
    crew,
    master,
    money,
    offered,
    play,
    prices,
    square,
    start,
    tail,
    to_tasting,
)

FOUR = dict.fromkeys(GOODS, 4)


def test_where_workers_and_winemasters_may_go():
    """E1."""
    worker = start(2, {"boxes": {"red": 1}}, squares=[at(1, 1, 0, 1)]).step("take:hiring")
    assert {"1:1", "1:2"} <= set(offered(worker, "square"))
    winemaster = start(2, {"boxes": {"white": 1}}, squares=crew(0, (1, 1), (1, 3), (1, 5))).step("take:hiring")
    assert "1:2" in offered(winemaster, "square") and "1:5" not in offered(winemaster, "square")


def test_a_champagne_party():
    """E2: minus into the empty square, its price goes down; plus into the one left, its price goes up."""
    game = play(start(2, {"boxes": {"champagne": 1}}, prices=FOUR), "take:hiring", "service:lobbyist")
    assert boxes(game) == {}
    game.step("tile:champagne")
    assert prices(game) == {**FOUR, "water": 3}
    game.step("tile:white")
    assert prices(game) == {**FOUR, "water": 3, "champagne": 5}
    assert by_good(game.record.sign) == {"red": 1, "rose": -1, "champagne": 1, "water": -1}


def test_a_deal_with_mr_rose():
    """E3: the fee, two prices, one box, money."""
    game = play(start(2, {"money": 10, "boxes": {"rose": 1}}, prices=FOUR), "take:hiring", "service:mr_rose")
    assert boxes(game) == {}
    play(game, "price:white:down", "price:champagne:up", "buy:white:1")
    assert prices(game) == {**FOUR, "white": 3, "champagne": 5}
    assert boxes(game) == {"white": 1} and money(game) == 7


def test_two_boxes_of_water_on_neighbouring_crossroads():
    """E4: water, champagne, a rose of the abandoned square, two white; the other seat's pieces make nothing."""
    own = [at(2, 2), at(1, 2), at(1, 3, 0, 2), at(4, 8), master(2, 4)]
    game = start(2, {"boxes": {"water": 2}}, squares=[*own, at(2, 3, 1, 2), at(1, 4, 1)])
    bank = by_good(game.record.bank)["water"]
    play(game, "take:winemaking", "crossroad:1:2", "crossroad:1:3", "good:rose")
    assert boxes(game) == {"white": 2, "rose": 1, "champagne": 1, "water": 1}
    assert boxes(game, 1) == {"red": 2, "water": 2} and by_good(game.record.bank)["water"] == bank + 2 - 1


def test_three_boxes_of_water_at_the_bottom_field():
    """E5: they cost 1 each."""
    game = start(2, {"money": 5, "boxes": {"red": 1}}, prices={"water": 1}, stock={"water": 4})
    play(game, "take:trading", "buy:water:3")
    assert money(game) == 2 and boxes(game) == {"red": 1, "water": 3} and by_good(game.record.stock)["water"] == 1


def test_two_boxes_of_water_and_a_rose_at_two():
    """E6: the storage for water fills up, the second box goes to the bank."""
    seat = {"money": 0, "boxes": {"water": 2, "rose": 1}}
    game = start(2, seat, prices={"water": 2, "rose": 2}, stock={"water": 4, "rose": 1})
    bank = by_good(game.record.bank)["water"]
    play(game, "take:trading", "sell:rose:1", "sell:water:2")
    assert money(game) == 6 and by_good(game.record.stock)["water"] == 5
    assert by_good(game.record.bank)["water"] == bank + 1


def test_the_first_phase():
    """E7."""
    game = to_tasting(tail(2, prices=FOUR, stock=dict.fromkeys(GOODS, 2)))
    assert prices(game) == {"red": 5, "white": 5, "rose": 3, "champagne": 3, "water": 4}


def test_the_second_phase():
    """E8: of full and empty storages."""
    stock = {"red": 5, "white": 0, "rose": 1, "champagne": 4, "water": 5}
    signs = {"red": "plus", "white": "minus", "rose": "plus", "champagne": "minus"}
    game = to_tasting(tail(2, prices=FOUR, stock=stock, signs=signs))
    assert prices(game) == {"red": 4, "white": 4, "rose": 5, "champagne": 3, "water": 3}


def test_the_third_phase():
    """E9: two plus and one minus on rose, two minus on red, which stops at the bottom."""
    tiles = (3, 3, 7, 5, 5)
    seats = [{"used": ALL, "hand": [tile, tile % 7 + 1]} for tile in tiles]
    game = start(5, *seats, prices={**FOUR, "red": 2})
    play(game, *(f"taste:{tile}" for tile in tiles))
    assert prices(game) == {**FOUR, "red": 1, "rose": 5}
    assert square(game, 4, 1)[0] == 0
