"""Banker, Blacksmith, Broker, Buyer."""

import pytest

from tests.table.facts import COST

from .table import (
    STRUCTURES,
    all_but,
    asked,
    begin,
    changes,
    legal,
    mats,
    needs,
    offered,
    play,
    playable,
    question,
    table,
)

# ---- Banker: 5 lira; each opponent may lose 1 VP for 3 lira


def test_banker_gives_five_lira():
    assert play(table("banker"), "banker", "no") == {0: {"lira": 5}}


def test_banker_sells_an_opponent_a_point_for_three_lira_of_the_bank():
    assert play(table("banker"), "banker", "yes") == {0: {"lira": 5}, 1: {"lira": 3, "vp": -1}}


def test_banker_pays_before_it_asks():
    game = table("banker")
    begin(game, "banker")
    assert mats(game)[0]["lira"] == 5
    assert question(game) == (1, "offer", {"yes", "no"})


def test_banker_asks_each_opponent_once_in_wake_up_order():
    """Ruling 3.13: chart rows from the top, not seats clockwise."""
    game = table("banker", row=4, others=[{"row": 6}, {"row": 2}, {"row": 5}])
    begin(game, "banker")
    assert asked(game, "offer", "yes") == [2, 3, 1]
    assert [seat["lira"] for seat in mats(game)] == [5, 3, 3, 3]
    assert [seat["vp"] for seat in mats(game)] == [0, -1, -1, -1]


def test_banker_opponents_decide_apart():
    game = table("banker", others=[{}, {}, {}])
    assert play(game, "banker", "no", "yes", "no") == {0: {"lira": 5}, 2: {"lira": 3, "vp": -1}}


def test_banker_asks_opponents_who_passed():
    """Ruling 3.14."""
    game = table("banker", others=[{"passed": True}, {}])
    begin(game, "banker")
    assert asked(game, "offer", "no") == [1, 2]


def test_banker_offer_may_take_an_opponent_to_the_floor():
    game = table("banker", others=[{"vp": -4}])
    assert play(game, "banker", "yes")[1] == {"lira": 3, "vp": -1}


def test_banker_does_not_ask_an_opponent_at_the_floor():
    """Rulings 2.1 and 2.2: nobody goes below -5."""
    game = table("banker", others=[{"vp": -5}, {"vp": 0}])
    begin(game, "banker")
    assert asked(game, "offer", "no") == [2]


def test_banker_asks_nobody_when_all_are_at_the_floor():
    game = table("banker", others=[{"vp": -5}])
    assert play(game, "banker") == {0: {"lira": 5}}
    assert (game.seat, game.decision) == (1, "place_worker")


# ---- Blacksmith: build for 2 less; 1 VP if the printed cost is 5 or 6


@pytest.mark.parametrize("structure", STRUCTURES)
def test_blacksmith_builds_for_two_less(structure):
    """Rulebook, Summer and winter visitor cards: the point is for windmill, tasting room and large cellar."""
    price = COST[structure] - 2
    game = table("blacksmith", lira=price, structures=needs(structure))
    expected = {"built": [structure]}
    if price:
        expected["lira"] = -price
    if structure in ("windmill", "tasting_room", "large_cellar"):
        expected["vp"] = 1
    assert play(game, "blacksmith", f"structure:{structure}") == {0: expected}


@pytest.mark.parametrize("structure", [name for name in STRUCTURES if COST[name] > 2])
def test_blacksmith_needs_the_reduced_price(structure):
    game = table("blacksmith", lira=COST[structure] - 3, structures=needs(structure))
    assert f"structure:{structure}" not in offered(game, "blacksmith")
    assert "structure:trellis" in offered(game, "blacksmith")


def test_blacksmith_large_cellar_needs_the_medium_cellar():
    assert "structure:large_cellar" not in offered(table("blacksmith", lira=9), "blacksmith")


def test_blacksmith_builds_nothing_twice():
    game = table("blacksmith", lira=9, structures=all_but("cottage"))
    assert offered(game, "blacksmith") == {"structure:cottage"}


@pytest.mark.parametrize(
    ("lira", "structures", "cards"),
    [
        (9, STRUCTURES, set()),
        (1, all_but("cottage", "windmill"), set()),
        (2, all_but("cottage", "windmill"), {"blacksmith"}),
        (0, all_but("yoke"), {"blacksmith"}),
    ],
)
def test_blacksmith_refused_when_nothing_can_be_built(lira, structures, cards):
    assert playable(table("blacksmith", lira=lira, structures=structures)) == cards


# ---- Broker: 9 lira for 3 VP, or 2 VP for 6 lira


def test_broker_sells_three_points_for_nine_lira():
    assert play(table("broker", lira=9), "broker", "option:1") == {0: {"lira": -9, "vp": 3}}


def test_broker_trades_once_however_rich():
    """Ruling 2.9: a fixed exchange, made once."""
    game = table("broker", lira=30)
    assert play(game, "broker", "option:1") == {0: {"lira": -9, "vp": 3}}
    assert (game.seat, game.decision) == (1, "place_worker")


@pytest.mark.parametrize("vp", [-3, 0, 19])
def test_broker_buys_two_points_for_six_lira(vp):
    assert play(table("broker", vp=vp), "broker", "option:2") == {0: {"lira": 6, "vp": -2}}


@pytest.mark.parametrize(
    ("lira", "vp", "options"),
    [
        (8, 0, {"option:2"}),
        (9, 0, {"option:1", "option:2"}),
        (9, -4, {"option:1"}),
        (9, -3, {"option:1", "option:2"}),
        (8, -4, set()),
        (0, -5, set()),
    ],
)
def test_broker_offers_only_trades_that_fit(lira, vp, options):
    """Ruling 2.1: the whole loss must fit above -5."""
    assert offered(table("broker", lira=lira, vp=vp), "broker") == options


def test_broker_alone_and_unplayable_closes_the_action():
    """Ruling 1.6: no worker where the action cannot be done."""
    game = table("broker", lira=8, vp=-4)
    assert not any(name.startswith("place:play_summer_visitor") for name in legal(game))


# ---- Buyer: 2 lira for a grape of value 1, or a grape for 2 lira and 1 VP


@pytest.mark.parametrize("colour", ["red", "white"])
def test_buyer_buys_a_grape_of_value_one(colour):
    game = table("buyer", lira=2, grapes={"red": [2], "white": [2]})
    assert play(game, "buyer", "option:1", f"grape:{colour}:1") == {0: {"lira": -2, "grapes": {colour: [1, 2]}}}


def test_buyer_needs_two_lira_to_buy():
    grapes = {"red": [4]}
    assert offered(table("buyer", lira=1, grapes=grapes), "buyer") == {"option:2"}
    assert offered(table("buyer", lira=2, grapes=grapes), "buyer") == {"option:1", "option:2"}


def test_buyer_needs_the_slot_of_value_one():
    """Rulebook, Summer and winter visitor cards: the slot of value 1 must be open."""
    red_taken = table("buyer", lira=2, grapes={"red": [1]})
    assert offered(red_taken, "buyer", "option:1") == {"grape:white:1"}
    white_taken = table("buyer", lira=2, grapes={"white": [1]})
    assert offered(white_taken, "buyer", "option:1") == {"grape:red:1"}
    both_taken = table("buyer", lira=2, grapes={"red": [1], "white": [1]})
    assert offered(both_taken, "buyer") == {"option:2"}


@pytest.mark.parametrize("value", range(1, 10))
@pytest.mark.parametrize("colour", ["red", "white"])
def test_buyer_sells_any_grape_at_one_price(colour, value):
    game = table("buyer", grapes={colour: [value]})
    assert play(game, "buyer", "option:2", f"grape:{colour}:{value}") == {
        0: {"lira": 2, "vp": 1, "grapes": {colour: []}}
    }


def test_buyer_lets_the_player_pick_the_grape():
    game = table("buyer", grapes={"red": [3, 7], "white": [3]})
    assert offered(game, "buyer", "option:2") == {"grape:red:3", "grape:red:7", "grape:white:3"}


def test_buyer_sells_one_grape_only():
    game = table("buyer", grapes={"red": [3, 7]})
    before = mats(game)
    play(game, "buyer", "option:2", "grape:red:7")
    assert changes(before, mats(game))[0]["grapes"] == {"red": [3]}
    assert (game.seat, game.decision) == (1, "place_worker")


def test_buyer_refused_without_lira_and_grapes():
    assert playable(table("buyer", lira=1)) == set()
    assert playable(table("buyer", lira=2)) == {"buyer"}
