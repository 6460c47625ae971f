"""Harvest Expert, Harvester, Innkeeper, Jack-of-all-trades, Judge, Laborer."""

import pytest

from tests.table.facts import CELLARS

from .table import all_summer_visitors, pile
from .winter_table import MEDIUM, branches, offered, play, playable, winter

# ---- Innkeeper


def test_innkeeper_takes_the_top_cards_of_two_piles():
    discards = {"vine": ["pinot", "merlot"], "order": ["order_01", "order_02"], "summer": ["patron"]}
    game = winter("innkeeper", discards=discards)
    assert play(game, "innkeeper", "deck:vine", "deck:order") == {0: {"gained": ["order:order_02", "vine:merlot"]}}
    assert (pile(game, "vine"), pile(game, "order"), pile(game, "summer")) == (["pinot"], ["order_01"], ["patron"])


def test_innkeeper_takes_winter_visitors_but_not_itself():
    """Ruling 3.7: the card reaches the pile after its effect."""
    game = winter("innkeeper", discards={"summer": ["patron"], "winter": ["queen", "judge"]})
    assert play(game, "innkeeper", "deck:summer", "deck:winter") == {0: {"gained": ["summer:patron", "winter:judge"]}}
    assert (pile(game, "summer"), pile(game, "winter")) == ([], ["queen", "innkeeper"])


def test_innkeeper_chooses_two_different_piles_in_ascending_order():
    game = winter("innkeeper", discards={"vine": ["pinot", "syrah"], "summer": ["patron"], "winter": ["judge"]})
    assert offered(game, "innkeeper") == {"deck:vine", "deck:summer"}
    assert offered(game, "innkeeper", "deck:vine") == {"deck:summer", "deck:winter"}


@pytest.mark.parametrize("discards", [{}, {"vine": ["pinot", "syrah"]}, {"winter": ["judge", "queen"]}])
def test_innkeeper_needs_two_piles(discards):
    """Ruling 4, Innkeeper: with one other pile the card itself is no second one."""
    assert playable(winter("innkeeper", discards=discards)) == set()


# ---- Judge


def test_judge_draws_two_summer_visitors():
    game = winter("judge", draws={"summer": ["patron", "banker"]})
    assert play(game, "judge", "option:1") == {0: {"gained": ["summer:banker", "summer:patron"]}}


@pytest.mark.parametrize(("kind", "value"), [("red", 4), ("white", 9), ("blush", 4), ("sparkling", 7)])
def test_judge_takes_any_wine_from_four_up(kind, value):
    game = winter("judge", structures=CELLARS, wines={kind: [value]})
    assert play(game, "judge", "option:2", f"wine:{kind}:{value}") == {0: {"vp": 3, "wines": {kind: []}}}


def test_judge_offers_no_wine_below_four():
    game = winter("judge", structures=MEDIUM, wines={"red": [3, 4], "white": [1, 6]})
    assert offered(game, "judge", "option:2") == {"wine:red:4", "wine:white:6"}


def test_judge_draws_on_after_the_discards_became_the_deck():
    """Ruling 8.1: the Patron is the last card of the deck, the Banker the only discard."""
    others = [{"summer": all_summer_visitors("patron", "banker")}]
    game = winter("judge", others=others, discards={"summer": ["banker"]})
    assert play(game, "judge", "option:1") == {0: {"gained": ["summer:banker", "summer:patron"]}}
    assert pile(game, "summer") == []


def test_judge_draws_what_there_is():
    """Ruling 8.2: with one card left and no discards the second draw gives nothing."""
    game = winter("judge", others=[{"summer": all_summer_visitors("patron")}])
    assert play(game, "judge", "option:1") == {0: {"gained": ["summer:patron"]}}


def test_judge_with_a_three_offers_only_the_cards():
    assert branches(winter("judge", structures=MEDIUM, wines={"red": [3]}), "judge") == [1]
