"""The action of playing winter visitors itself: the worker, the pile, the second card of the bonus space."""

import pytest

from .table import answer, legal, me, on_board, pile, question, standing
from .winter_table import begin, place, play, playable, winter

THREE = [{}, {}]


def test_winter_visitor_space_takes_the_worker_and_the_pile_the_card():
    game = winter("politician", vp=-1, discards={"winter": ["judge"]})
    assert play(game, "politician") == {0: {"lira": 6}}
    assert on_board(game, "play_winter_visitor") == [(0, "regular", "plain")]
    assert pile(game, "winter") == ["judge", "politician"]
    assert game.seat == 1


@pytest.mark.parametrize("hand", [[], ["merchant"]])
def test_winter_visitor_space_needs_a_playable_visitor(hand):
    """Ruling 1.6: a Merchant without money, wine and order is none; nor is a summer visitor."""
    assert place() not in legal(winter(*hand, summer=["patron"]))


def test_winter_visitor_space_offers_only_playable_visitors():
    game = winter("merchant", "judge", "taster", "politician", lira=2)
    assert playable(game) == {"judge", "politician"}


def test_winter_visitor_plain_space_plays_one_card():
    game = winter("politician", "judge", vp=-1, others=THREE)
    play(game, "politician")
    assert (game.seat, me(game)["hand"]) == (1, ["winter:judge"])


def test_winter_visitor_bonus_space_plays_two_cards():
    game = winter("politician", "crusher", vp=-1, others=THREE, draws={"summer": ["patron"]})
    begin(game, "politician", "card:winter:crusher", "option:1", space="bonus")
    assert (game.decision, game.seat) == ("place_worker", 1)
    assert (me(game)["lira"], me(game)["hand"]) == (9, ["summer:patron"])
    assert pile(game, "winter") == ["politician", "crusher"]
    assert on_board(game, "play_winter_visitor") == [(0, "regular", "bonus")]


def test_winter_visitor_bonus_may_be_declined():
    """Ruling 1.1."""
    game = winter("politician", "judge", vp=-1, others=THREE)
    begin(game, "politician", space="bonus")
    assert question(game) == (0, "play_visitor", {"card:winter:judge", "done"})
    answer(game, "done")
    assert (game.decision, game.seat, me(game)["hand"]) == ("place_worker", 1, ["winter:judge"])


def test_winter_visitor_bonus_may_be_a_card_gained_by_the_first():
    """Ruling 3.8."""
    draws = {"vine": ["merlot"], "order": ["order_05"], "summer": ["patron"], "winter": ["politician"]}
    game = winter("caravan", vp=-1, others=THREE, draws=draws)
    begin(game, "caravan", "card:vine:merlot", "card:winter:politician", space="bonus")
    assert question(game) == (0, "play_visitor", {"card:winter:politician", "done"})
    answer(game, "card:winter:politician")
    assert (me(game)["lira"], pile(game, "winter")) == (6, ["caravan", "politician"])


def test_winter_visitor_bonus_may_become_playable_through_the_first():
    """Ruling 3.8: 6 lira of the Politician pay for the Merchant's grapes."""
    game = winter("politician", "merchant", vp=-1, others=THREE)
    assert playable(game, space="bonus") == {"politician"}
    begin(game, "politician", "card:winter:merchant", "option:1", space="bonus")
    assert (me(game)["lira"], me(game)["grapes"]) == (3, {"red": [1], "white": [1]})


def test_winter_visitor_bonus_innkeeper_may_take_back_the_first_card():
    """Ruling 3.7: the first visitor lies on its pile when the second is played."""
    game = winter("innkeeper", "politician", vp=-1, others=THREE, discards={"summer": ["patron"]})
    begin(game, "politician", "card:winter:innkeeper", "deck:summer", "deck:winter", space="bonus")
    assert me(game)["hand"] == ["summer:patron", "winter:politician"]
    assert (pile(game, "summer"), pile(game, "winter")) == ([], ["innkeeper"])


def test_winter_visitor_bonus_is_lost_when_the_assessor_discards_the_hand():
    game = winter("assessor", "politician", others=THREE)
    begin(game, "assessor", "option:2", space="bonus")
    assert (game.decision, game.seat, me(game)["vp"]) == ("place_worker", 1, 2)
    assert pile(game, "winter") == ["politician", "assessor"]


def test_winter_visitor_second_player_finds_the_one_space_of_two_players_taken():
    """Essential, Scaling the game; the grande may still join, without a bonus (ruling 1.4)."""
    game = winter("politician", board={"play_winter_visitor": [standing(1)]})
    assert place() not in legal(game)
    assert place("grande", "crowd") in legal(game)
    assert play(game, "politician", worker="grande", space="crowd") is not None
    assert on_board(game, "play_winter_visitor") == [(0, "grande", "crowd"), (1, "regular", "plain")]


def test_winter_visitor_points_can_reach_the_goal():
    """Essential, Goal: the year is played to its end, then the game is over."""
    game = winter("promoter", vp=19, grapes={"red": [1]})
    play(game, "promoter", "option:1", "grape:red:1")
    assert (game.is_over, game.to_dict()["goal_reached"]) == (False, True)
    while not game.is_over:
        game.step("pass")
    assert (list(game.scores), list(game.ranking)) == ([20, 0], [1, 2])
