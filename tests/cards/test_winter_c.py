"""Caravan, Craftsman, Crush Expert, Crusher."""

import pytest

from tests.table.facts import CELLARS

from .table import all_vines, me, pile
from .winter_table import MEDIUM, all_winter_visitors, branches, offered, place, play, winter

# ---- Caravan

TURNED = {"vine": ["merlot"], "order": ["order_05"], "summer": ["patron"], "winter": ["judge"]}
NAMES = {deck: f"{deck}:{cards[0]}" for deck, cards in TURNED.items()}
PAIRS = [
    ("vine", "order"),
    ("vine", "summer"),
    ("vine", "winter"),
    ("order", "summer"),
    ("order", "winter"),
    ("summer", "winter"),
]


@pytest.mark.parametrize("pair", PAIRS)
def test_caravan_keeps_two_of_four_cards(pair):
    game = winter("caravan", draws=TURNED)
    assert play(game, "caravan", *(f"card:{NAMES[deck]}" for deck in pair)) == {
        0: {"gained": sorted(NAMES[deck] for deck in pair)}
    }
    left = {deck: [] if deck in pair else cards for deck, cards in TURNED.items()}
    left["winter"] = [*left["winter"], "caravan"]
    assert {deck: pile(game, deck) for deck in TURNED} == left


def test_caravan_shows_four_cards():
    game = winter("caravan", draws=TURNED)
    assert offered(game, "caravan") == {f"card:{NAMES[deck]}" for deck in ("vine", "order", "summer")}
    assert offered(game, "caravan", "card:order:order_05") == {"card:summer:patron", "card:winter:judge"}


def test_caravan_turns_what_exists():
    """Ruling 4, Caravan: without vines three cards are turned, two of them kept."""
    game = winter(
        "caravan", draws={deck: TURNED[deck] for deck in ("order", "summer", "winter")}, others=[{"vine": all_vines()}]
    )
    change = play(game, "caravan", "card:order:order_05", "card:winter:judge")
    assert change == {0: {"gained": ["order:order_05", "winter:judge"]}}
    assert pile(game, "summer") == ["patron"]


def test_caravan_discard_revives_an_exhausted_deck():
    """Rulings 8.1 and 8.2: the last vine, turned up and not kept, is the new deck and lies on no pile."""
    draws = {deck: TURNED[deck] for deck in ("order", "summer", "winter")}
    game = winter("caravan", draws=draws, others=[{"vine": all_vines("merlot")}])
    assert offered(game, "caravan") == {f"card:{NAMES[deck]}" for deck in ("vine", "order", "summer")}
    play(game, "caravan", "card:order:order_05", "card:summer:patron")
    assert (pile(game, "vine"), pile(game, "winter")) == ([], ["judge", "caravan"])


def test_caravan_keeps_both_of_two():
    """Ruling 4, Caravan: vines and orders are all in hands."""
    others = [{"vine": all_vines(), "order": [f"order_{n:02}" for n in range(1, 37)]}]
    game = winter("caravan", draws={deck: TURNED[deck] for deck in ("summer", "winter")}, others=others)
    game.step(place())
    game.step("card:winter:caravan")
    while game.decision == "choose_card":
        assert len(game.legal_actions()) == 1
        game.step(game.legal_actions()[0])
    assert me(game)["hand"] == ["summer:patron", "winter:judge"]
    assert game.decision == "place_worker"


def test_caravan_is_not_among_the_discards_that_become_the_deck():
    """Rulings 3.7 and 8.1: turning the last winter visitor shuffles the pile, the Queen alone, into the deck."""
    others = [{"winter": all_winter_visitors("caravan", "judge", "queen")}]
    draws = {deck: TURNED[deck] for deck in ("vine", "order", "summer")}
    game = winter("caravan", draws=draws, others=others, discards={"winter": ["queen"]})
    play(game, "caravan", "card:vine:merlot", "card:winter:judge")
    assert pile(game, "winter") == ["caravan"]


# ---- Craftsman

BUILD_MEDIUM = ("option:2", "structure:medium_cellar")
BUILD_LARGE = ("option:2", "structure:large_cellar")


@pytest.mark.parametrize("answers", [("option:1", "option:3"), ("option:3", "option:1")])
def test_craftsman_draws_an_order_and_scores(answers):
    game = winter("craftsman", lira=4, draws={"order": ["order_05"]})
    assert play(game, "craftsman", *answers) == {0: {"vp": 1, "gained": ["order:order_05"]}}


@pytest.mark.parametrize("answers", [("option:1", *BUILD_MEDIUM), (*BUILD_MEDIUM, "option:1")])
def test_craftsman_draws_an_order_and_builds_the_medium_cellar(answers):
    game = winter("craftsman", lira=4, draws={"order": ["order_05"]})
    assert play(game, "craftsman", *answers) == {0: {"lira": -4, "built": MEDIUM, "gained": ["order:order_05"]}}


@pytest.mark.parametrize("answers", [(*BUILD_LARGE, "option:3"), ("option:3", *BUILD_LARGE)])
def test_craftsman_builds_the_large_cellar_and_scores(answers):
    game = winter("craftsman", lira=6, structures=MEDIUM)
    assert play(game, "craftsman", *answers) == {0: {"vp": 1, "lira": -6, "built": ["large_cellar"]}}


@pytest.mark.parametrize(("lira", "built"), [(3, []), (5, MEDIUM), (9, CELLARS)])
def test_craftsman_without_money_or_cellar_left_offers_the_other_two(lira, built):
    game = winter("craftsman", lira=lira, structures=built)
    assert branches(game, "craftsman") == [1, 3]
    assert offered(game, "craftsman", "option:3") == {"option:1"}


def test_craftsman_does_two_different_things():
    """Ruling 3.16: no part twice, and no stopping after one."""
    game = winter("craftsman", lira=9)
    assert branches(game, "craftsman") == [1, 2, 3]
    assert offered(game, "craftsman", "option:1") == {"option:2", "option:3"}
    assert offered(game, "craftsman", *BUILD_MEDIUM) == {"option:1", "option:3"}
