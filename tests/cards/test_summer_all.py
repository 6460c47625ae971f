"""What holds for every summer visitor."""

import pytest

from vitienv import IllegalAction

from .table import SUMMER, begin, legal, mats, on_board, pile, play, playable, standing, table

RICH = {
    "lira": 20,
    "vp": 5,
    "vine": ["sangiovese", "malvasia"],
    "winter": ["judge", "queen", "crusher", "merchant"],
    "fields": {5: ["malvasia"], 6: ["sangiovese", "pinot"]},
    "grapes": {"red": [2], "white": [2]},
    "wines": {"red": [7], "white": [2]},
    "structures": ["trellis", "medium_cellar", "large_cellar"],
    "board": {"draw_vine": [standing(0)]},
}
LIMIT = 40  # questions, far more than any card asks


def first_answers(game):
    """Answer every question with its first legal action until the next turn begins."""
    for _ in range(LIMIT):
        if game.decision == "place_worker":
            return
        game.step(game.legal_actions()[0])
    raise AssertionError("the card does not end")


def test_there_are_38_summer_visitors():
    assert len(set(SUMMER)) == len(SUMMER) == 38


@pytest.mark.parametrize("card", SUMMER)
def test_card_is_playable_by_a_rich_seat(card):
    assert playable(table(card, **RICH)) == {card}


@pytest.mark.parametrize("card", SUMMER)
def test_card_goes_to_the_discard_pile_after_it_is_resolved(card):
    """Ruling 3.7."""
    game = table(card, **RICH, discards={"summer": ["vendor" if card != "vendor" else "broker"]})
    begin(game, card)
    while game.decision != "place_worker":
        assert card not in pile(game, "summer")
        assert all(f"summer:{card}" not in seat["hand"] for seat in mats(game))
        game.step(game.legal_actions()[0])
    assert pile(game, "summer")[-1] == card


@pytest.mark.parametrize("card", SUMMER)
def test_card_uses_one_worker_and_one_turn(card):
    game = table(card, **RICH)
    begin(game, card)
    first_answers(game)
    assert game.seat == 1
    assert on_board(game, "play_summer_visitor") == [(0, "regular", "plain")]


@pytest.mark.parametrize("card", SUMMER)
def test_card_in_the_hand_of_another_cannot_be_played(card):
    game = table(others=[{"summer": [card]}], **RICH)
    assert "place:play_summer_visitor:plain:regular" not in legal(game)


def test_second_visitor_of_the_bonus_space_may_be_left_out():
    game = table("patron", "artisan", others=[{}, {}])
    assert play(game, "patron", "option:1", "done", space="bonus") == {0: {"lira": 4}}
    assert (game.seat, game.decision) == (1, "place_worker")


def test_second_visitor_of_the_bonus_space_may_be_paid_by_the_first():
    """Ruling 3.8: it is chosen after the first is resolved."""
    game = table("patron", "broker", lira=5, others=[{}, {}])
    assert playable(game, space="bonus") == {"patron", "broker"}  # the Broker sells points, too
    change = play(game, "patron", "option:1", "card:summer:broker", "option:1", space="bonus")
    assert change == {0: {"lira": -5, "vp": 3, "lost": ["summer:broker"]}}


def test_no_third_visitor():
    game = table("patron", "artisan", "banker", others=[{}, {}])
    play(game, "patron", "option:1", "card:summer:artisan", "option:1", space="bonus")
    assert (game.seat, game.decision) == (1, "place_worker")


def test_unplayable_card_is_refused_and_changes_nothing():
    game = table("broker", "patron", lira=8, vp=-4)
    game.step("place:play_summer_visitor:plain:regular")
    before = game.to_dict()
    assert legal(game) == {"card:summer:patron"}
    with pytest.raises(IllegalAction):
        game.step("card:summer:broker")
    assert game.to_dict() == before


PLANT = ("card:vine:malvasia", "field:5")
PLANTERS = {
    "agriculturist": PLANT,
    "artisan": ("option:3", *PLANT, "done"),
    "contractor": ("option:3", *PLANT, "option:1"),
    "cultivator": PLANT,
    "grower": PLANT,
    "homesteader": ("option:2", *PLANT, "done", "done"),
    "horticulturist": ("option:1", *PLANT),
    "landscaper": ("option:1", *PLANT),
    "overseer": ("option:2", *PLANT, "structure:yoke"),
    "planter": ("option:1", *PLANT, "done"),
    "sharecropper": ("option:1", *PLANT),
    "volunteer_crew": ("yes", *PLANT),
}


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("card", PLANTERS)
def test_windmill_scores_a_card_planting_once_a_year(card, used):
    """Ruling 3.10: every planting by a card counts, but one point a year in all."""
    seat = {"vine": ["malvasia"], "structures": ["windmill"], "lira": 2, "used": ["windmill"] if used else []}
    change = play(table(card, **seat), card, *PLANTERS[card])[0]
    own_point = 1 if card == "contractor" else 0
    assert change.get("vp", 0) == own_point + (0 if used else 1)
    assert change["fields"] == {5: ["malvasia"]}
