"""Cases of the rules, and invalid positions."""

from importlib import import_module

import pytest

import vitienv
from tests.table.case import check, parametrize_cases
from tests.table.changes import ends
from tests.table.fixtures import CELLARS, ORDERS, SUMMER_VISITORS, VINES, WINTER_VISITORS, at
from tests.table.setup_position import table

from . import wine

MODULES = (
    "bonuses decks examples friendly game_end harvest orders spaces spring structures summer_actions turns visitors "
    "wine year_end"
).split()
CASES = [case for module in MODULES for case in import_module(f"tests.rules.{module}").CASES]


@parametrize_cases(CASES)
def test_case(case):
    check(case, vitienv.Game.from_dict(case.position), ends, vitienv.Game.to_dict)


@pytest.mark.parametrize(
    "position, message",
    [
        (wine.grapes(tier="small", red_wine=[4]), "wine without its cellar"),
        (wine.grapes(tier="medium", white_wine=[7]), "wine without its cellar"),
        (wine.grapes(tier="small", blush_wine=[5]), "wine without its cellar"),
        (wine.grapes(red_wine=[4, 4]), "4"),
        (table("summer", {"structures": ["large_cellar"]}), "must have the medium cellar below the large one"),
        (table("summer", {"fields": {5: ["merlot", "merlot"]}}), "worth more than 5"),
        (table("summer", board={"give_tour": [at(1, "bonus")]}), "bonus"),
        (table("summer", {"vp": -6}), "-5"),
    ],
)
def test_invalid_positions_raise(position, message):
    """Making wine, Notes 2 and 3; Structures; Plant one vine; Scaling the game; Game board setup, Note 1."""
    with pytest.raises(ValueError, match=message):
        vitienv.Game.from_dict(position)


def test_illegal_actions_raise_and_change_nothing():
    """Essential, Worker placement; Scaling the game: one worker per space."""
    game = vitienv.Game.from_dict(table("summer", board={"draw_vine": [at(1)]}))
    before = game.to_dict()
    for action in ("build_structure", "draw_vine"):
        with pytest.raises(vitienv.IllegalAction, match=action):
            game.step(f"place:{action}:plain:regular")
    assert game.to_dict() == before


@pytest.mark.parametrize("deck, cards", [("vine", VINES), ("order", ORDERS), ("summer", SUMMER_VISITORS),
                                         ("winter", WINTER_VISITORS)])  # fmt: skip
def test_number_of_copies_of_every_card(deck, cards):
    """Essential, Components and Vine deck: 42 vines, 36 orders, 38 summer and 38 winter visitors."""
    assert len(cards) == {"vine": 42, "order": 36}.get(deck, 38)
    assert len(vitienv.Game.from_dict(table("spring", {deck: cards})).to_dict()["seats"][0]["hand"][deck]) == len(cards)
    for card in set(cards):
        with pytest.raises(ValueError):
            vitienv.Game.from_dict(table("spring", {deck: [*cards, card]}))


def test_tokens_are_unlimited():
    """Essential, Components: the number of glass tokens is not a limit."""
    full = {"red": [*range(1, 10)], "white": [*range(1, 10)]}
    wines = {**full, "blush": [*range(4, 10)], "sparkling": [7, 8, 9]}
    game = vitienv.Game.from_dict(table("summer", *[{"grapes": full, "structures": CELLARS, "wines": wines}] * 6))
    assert all((seat["crush_pad"], seat["cellar"]) == (full, wines) for seat in game.to_dict()["seats"])
