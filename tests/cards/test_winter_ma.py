"""Marketer, Master Vintner."""

import pytest
from table import pile
from winter_table import CELLARS, MEDIUM, branches, offered, play, playable, winter

# ---- Marketer


def test_marketer_draws_two_summer_visitors_and_a_coin():
    game = winter("marketer", draws={"summer": ["patron", "banker"]})
    assert play(game, "marketer", "option:1") == {0: {"lira": 1, "gained": ["summer:banker", "summer:patron"]}}


def test_marketer_fills_an_order_for_one_point_more():
    game = winter("marketer", order=["order_01", "order_24"], structures=CELLARS, wines={"sparkling": [7]})
    assert play(game, "marketer", "option:2", "card:order:order_24", "wine:sparkling:7") == {
        0: {"vp": 5, "residual": 1, "wines": {"sparkling": []}, "lost": ["order:order_24"]}
    }
    assert pile(game, "order") == ["order_24"]


def test_marketer_fills_from_below_zero():
    game = winter("marketer", vp=-5, order=["order_05"], structures=MEDIUM, wines={"white": [5]})
    assert play(game, "marketer", "option:2", "card:order:order_05", "wine:white:5")[0]["vp"] == 3


def test_marketer_without_the_wine_offers_only_the_cards():
    game = winter("marketer", order=["order_02"], wines={"red": [2], "white": [1]})
    assert branches(game, "marketer") == [1]


@pytest.mark.parametrize(("reds", "open_branches"), [([4], [1]), ([3, 4], [1, 2])])
def test_marketer_uses_distinct_wines_for_icons_of_one_type(reds, open_branches):
    """Ruling 7.15: one wine cannot stand for two icons."""
    game = winter("marketer", order=["order_11"], structures=MEDIUM, wines={"red": reds})
    assert branches(game, "marketer") == open_branches


def test_marketer_keeps_enough_wines_for_the_later_icons():
    """Ruling 7.15 with 3.1: reds of at least 4 and 3 out of 3, 4, 5; the strongest may go to the first icon."""
    game = winter("marketer", order=["order_11"], structures=MEDIUM, wines={"red": [3, 4, 5]})
    answers = ("option:2", "card:order:order_11")
    assert offered(game, "marketer", *answers) == {"wine:red:4", "wine:red:5"}
    assert play(game, "marketer", *answers, "wine:red:5", "wine:red:3")[0]["wines"] == {"red": [4]}


# ---- Master Vintner


def test_master_vintner_builds_the_medium_cellar_for_two():
    assert play(winter("master_vintner", lira=2), "master_vintner", "option:1", "structure:medium_cellar") == {
        0: {"lira": -2, "built": ["medium_cellar"]}
    }


def test_master_vintner_builds_the_large_cellar_for_four():
    assert play(
        winter("master_vintner", lira=5, structures=MEDIUM), "master_vintner", "option:1", "structure:large_cellar"
    ) == {0: {"lira": -4, "built": ["large_cellar"]}}


@pytest.mark.parametrize(("lira", "built"), [(1, []), (3, MEDIUM), (9, CELLARS)])
def test_master_vintner_cannot_build_without_the_money_or_a_cellar_left(lira, built):
    assert playable(winter("master_vintner", lira=lira, structures=built)) == set()


def test_master_vintner_fills_with_the_wine_just_aged():
    game = winter("master_vintner", structures=MEDIUM, wines={"red": [4]}, order=["order_01"])
    answers = ("option:2", "option:1", "wine:red:4", "card:order:order_01", "wine:red:5")
    assert play(game, "master_vintner", *answers) == {
        0: {"vp": 2, "residual": 1, "wines": {"red": []}, "lost": ["order:order_01"]}
    }


def test_master_vintner_ages_by_one_step_only():
    game = winter("master_vintner", wines={"red": [1, 2], "white": [1, 2]}, order=["order_02"])
    answers = ("option:2", "option:2", "card:order:order_02", "wine:red:2", "wine:white:2", "wine:red:1")
    assert play(game, "master_vintner", *answers)[0]["wines"] == {"red": [2], "white": [1]}


def test_master_vintner_must_age_first_where_the_order_takes_the_only_wine():
    """Rulings 3.1 and 3.4: filling first would leave nothing to age."""
    game = winter("master_vintner", structures=MEDIUM, wines={"red": [5]}, order=["order_01"])
    assert offered(game, "master_vintner", "option:2") == {"option:1"}


def test_master_vintner_must_fill_first_where_no_wine_can_age_yet():
    """Rulings 3.4 and 7.14: the small cellar is full; the order frees the 3 and the 1."""
    game = winter("master_vintner", wines={"red": [1, 2, 3], "white": [1, 2, 3]}, order=["order_03"])
    assert offered(game, "master_vintner", "option:2") == {"option:2"}
    answers = ("option:2", "option:2", "card:order:order_03", "wine:red:3", "wine:white:1", "wine:red:2")
    assert play(game, "master_vintner", *answers) == {
        0: {"vp": 2, "residual": 1, "wines": {"red": [1, 3], "white": [2, 3]}, "lost": ["order:order_03"]}
    }


def test_master_vintner_offers_both_orders_where_both_are_possible():
    game = winter("master_vintner", structures=MEDIUM, wines={"red": [5], "white": [1]}, order=["order_01"])
    assert offered(game, "master_vintner", "option:2") == {"option:1", "option:2"}


def test_master_vintner_ages_only_a_wine_that_leaves_the_order_fillable():
    """Ruling 3.1: with red 5 and white 3 asked, ageing the white would leave the red at 4."""
    game = winter("master_vintner", structures=MEDIUM, wines={"red": [4], "white": [3]}, order=["order_16"])
    assert offered(game, "master_vintner", "option:2") == {"option:1"}
    assert offered(game, "master_vintner", "option:2", "option:1") == {"wine:red:4"}


def test_master_vintner_fills_with_a_wine_that_leaves_one_to_age():
    """Ruling 3.1: the 8 cannot age beside the 9; handing in the 9 makes room, handing in the 8 would leave only a 9."""
    game = winter("master_vintner", structures=CELLARS, wines={"red": [8, 9]}, order=["order_15"])
    assert offered(game, "master_vintner", "option:2") == {"option:2"}
    fill = ("option:2", "option:2", "card:order:order_15")
    assert offered(game, "master_vintner", *fill) == {"wine:red:9"}
    assert play(game, "master_vintner", *fill, "wine:red:9", "wine:red:8")[0]["wines"] == {"red": [9]}


def test_master_vintner_fills_an_order_that_leaves_a_wine_to_age():
    """Ruling 3.1: without the large cellar a red 6 stays, so the white 5 must not be handed in before the ageing."""
    wines = {"red": [6], "white": [5]}
    game = winter("master_vintner", structures=MEDIUM, wines=wines, order=["order_01", "order_05"])
    assert offered(game, "master_vintner", "option:2", "option:2") == {"card:order:order_01"}
    aged = ("option:2", "option:1", "wine:white:5")
    assert offered(game, "master_vintner", *aged) == {"card:order:order_01", "card:order:order_05"}


def test_master_vintner_cannot_fill_without_an_order():
    assert playable(winter("master_vintner", wines={"red": [1]})) == set()


def test_master_vintner_cannot_fill_when_ageing_is_not_enough():
    game = winter("master_vintner", structures=MEDIUM, wines={"red": [3]}, order=["order_01"])
    assert playable(game) == set()


def test_master_vintner_cannot_fill_where_nothing_could_age():
    """Ruling 4, Master Vintner: both halves must happen; a 9 does not age."""
    game = winter("master_vintner", lira=3, structures=CELLARS, wines={"sparkling": [9]}, order=["order_31"])
    assert playable(game) == set()


def test_master_vintner_does_not_age_past_a_missing_cellar():
    """The order takes red 3 and white 1; of the reds none may go to 4."""
    game = winter("master_vintner", wines={"red": [3], "white": [1]}, order=["order_03"])
    assert offered(game, "master_vintner", "option:2", "option:1") == {"wine:white:1"}
