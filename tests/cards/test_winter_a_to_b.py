"""Assessor, Benefactor, Bottler."""

import pytest

from .table import pile
from .winter_table import branches, offered, play, winter

# ---- Assessor


def test_assessor_pays_for_every_other_card():
    """Ruling 3.6: the Assessor itself is not counted; all four kinds are."""
    game = winter("assessor", "judge", vine=["pinot", "pinot"], order=["order_01"], summer=["patron"])
    assert play(game, "assessor", "option:1") == {0: {"lira": 5}}


def test_assessor_with_an_empty_hand_may_take_nothing():
    """Ruling 2.12: the branch without yield is legal; the other one needs a card."""
    game = winter("assessor")
    assert branches(game, "assessor") == [1]
    assert play(game, "assessor", "option:1") == {}


def test_assessor_gives_up_the_hand_for_two_points():
    game = winter("assessor", "judge", vine=["pinot", "syrah"], order=["order_01"], summer=["patron"], lira=1)
    lost = ["order:order_01", "summer:patron", "vine:pinot", "vine:syrah", "winter:judge"]
    assert play(game, "assessor", "option:2") == {0: {"vp": 2, "lost": lost}}
    assert sorted(pile(game, "vine")) == ["pinot", "syrah"]
    assert (pile(game, "order"), pile(game, "summer")) == (["order_01"], ["patron"])
    assert pile(game, "winter") == ["judge", "assessor"]


@pytest.mark.parametrize("card", ["vine:pinot", "order:order_01", "summer:patron", "winter:politician"])
def test_assessor_single_card_of_any_kind_is_a_hand(card):
    deck, name = card.split(":")
    cards = ("assessor", name) if deck == "winter" else ("assessor",)
    rest = {} if deck == "winter" else {deck: [name]}
    assert play(winter(*cards, **rest), "assessor", "option:1") == {0: {"lira": 1}}
    assert play(winter(*cards, **rest), "assessor", "option:2") == {0: {"vp": 2, "lost": [card]}}


# ---- Benefactor


def test_benefactor_draws_a_vine_and_a_summer_visitor():
    game = winter("benefactor", draws={"vine": ["merlot"], "summer": ["patron"]})
    assert play(game, "benefactor", "option:1") == {0: {"gained": ["summer:patron", "vine:merlot"]}}


@pytest.mark.parametrize(
    ("summer", "others", "lost"),
    [
        (["broker", "patron"], [], ["summer:broker", "summer:patron"]),
        (["patron"], ["judge"], ["summer:patron", "winter:judge"]),
        ([], ["merchant", "judge"], ["winter:judge", "winter:merchant"]),
    ],
)
def test_benefactor_trades_two_visitors_of_either_season(summer, others, lost):
    game = winter("benefactor", *others, summer=summer, vine=["pinot"])
    given = [f"card:summer:{card}" for card in summer] + [f"card:winter:{card}" for card in others]
    assert play(game, "benefactor", "option:2", *given) == {0: {"vp": 2, "lost": lost}}
    assert pile(game, "summer") == summer
    assert pile(game, "winter") == [*others, "benefactor"]


def test_benefactor_chooses_the_two_in_ascending_order():
    game = winter("benefactor", "judge", summer=["broker", "patron"], order=["order_01"])
    assert offered(game, "benefactor", "option:2") == {"card:summer:broker", "card:summer:patron"}
    answers = ("option:2", "card:summer:broker")
    assert offered(game, "benefactor", *answers) == {"card:summer:patron", "card:winter:judge"}
    change = play(game, "benefactor", *answers, "card:winter:judge")
    assert change == {0: {"vp": 2, "lost": ["summer:broker", "winter:judge"]}}


def test_benefactor_does_not_count_itself_or_other_kinds_of_cards():
    """Ruling 3.6: the played card is no longer in hand."""
    game = winter("benefactor", "judge", vine=["pinot"], order=["order_01"])
    assert branches(game, "benefactor") == [1]
