"""Mentor, Merchant, Motivator."""

import pytest

from tests.table.facts import CELLARS

from .table import all_vines, asked, legal, on_board, question, standing
from .winter_table import begin, place, play, playable, winter

# ---- Mentor (rows 1, 2, ... by seat unless a test says otherwise)

ONE_RED = {"grapes": {"red": [1]}}


def test_mentor_own_wine_brings_no_card():
    game = winter("mentor", **ONE_RED)
    assert play(game, "mentor", "yes", "make:red", "grape:red:1") == {0: {"grapes": {"red": []}, "wines": {"red": [1]}}}


def test_mentor_makes_up_to_two_own_wines():
    game = winter("mentor", grapes={"red": [1, 2, 3]})
    change = play(game, "mentor", "yes", "make:red", "grape:red:2", "make:red", "grape:red:3")
    assert change == {0: {"grapes": {"red": [1]}, "wines": {"red": [2, 3]}}}


@pytest.mark.parametrize(("deck", "card"), [("vine", "merlot"), ("summer", "patron")])
def test_mentor_opponents_wine_brings_a_vine_or_a_summer_visitor(deck, card):
    game = winter("mentor", others=[ONE_RED], draws={deck: [card]})
    answers = ("yes", "make:red", "grape:red:1")
    begin(game, "mentor", *answers)
    assert question(game) == (0, "choose_deck", {"deck:vine", "deck:summer"})
    game = winter("mentor", others=[ONE_RED], draws={deck: [card]})
    assert play(game, "mentor", *answers, f"deck:{deck}") == {
        0: {"gained": [f"{deck}:{card}"]},
        1: {"grapes": {"red": []}, "wines": {"red": [1]}},
    }


def test_mentor_does_not_offer_a_deck_without_cards():
    """Ruling 8.2: the vines are all in hands."""
    game = winter("mentor", others=[ONE_RED | {"vine": all_vines()}], draws={"summer": ["patron"]})
    begin(game, "mentor", "yes", "make:red", "grape:red:1")
    assert question(game) == (0, "choose_deck", {"deck:summer"})


def test_mentor_two_wines_of_one_opponent_bring_one_card():
    game = winter("mentor", others=[{"grapes": {"red": [1], "white": [2]}}], draws={"vine": ["merlot"]})
    answers = ("yes", "make:red", "grape:red:1", "make:white", "grape:white:2", "deck:vine")
    assert play(game, "mentor", *answers) == {
        0: {"gained": ["vine:merlot"]},
        1: {"grapes": {"red": [], "white": []}, "wines": {"red": [1], "white": [2]}},
    }


def test_mentor_card_is_chosen_anew_for_every_opponent():
    game = winter("mentor", others=[ONE_RED, ONE_RED], draws={"vine": ["merlot"], "summer": ["patron"]})
    one = ("yes", "make:red", "grape:red:1")
    assert play(game, "mentor", *one, "deck:summer", *one, "deck:vine")[0] == {
        "gained": ["summer:patron", "vine:merlot"]
    }


def test_mentor_opponent_makes_wine_in_the_own_cellar():
    """The mentor's cellars are of no use to the opponent."""
    game = winter("mentor", structures=CELLARS, others=[{"grapes": {"red": [8]}}], draws={"vine": ["merlot"]})
    assert play(game, "mentor", "yes", "make:red", "grape:red:8", "deck:vine")[1]["wines"] == {"red": [3]}


def test_mentor_opponent_must_make_a_wine_after_accepting():
    """Ruling 3.2."""
    game = winter("mentor", others=[{"grapes": {"red": [1], "white": [2]}}])
    begin(game, "mentor", "yes")
    assert question(game) == (1, "make_wine", {"make:red", "make:white"})


def test_mentor_asks_everybody_in_wake_up_order():
    """Ruling 3.13; the player's own turn comes at the own row."""
    others = [ONE_RED | {"row": 7}, ONE_RED | {"row": 1}, ONE_RED | {"row": 2}]
    game = winter("mentor", row=3, **ONE_RED, others=others)
    begin(game, "mentor")
    assert question(game) == (2, "offer", {"yes", "no"})
    assert asked(game, "offer", "no") == [2, 3, 0, 1]
    assert game.decision == "place_worker"


def test_mentor_asks_players_who_have_passed():
    """Ruling 3.14."""
    game = winter("mentor", others=[{}, ONE_RED | {"passed": True}])
    begin(game, "mentor")
    assert asked(game, "offer", "no") == [2]


def test_mentor_asks_only_who_can_make_wine():
    blocked = {"grapes": {"red": [1]}, "wines": {"red": [1]}}
    game = winter("mentor", **ONE_RED, others=[{}, blocked, ONE_RED])
    begin(game, "mentor")
    assert asked(game, "offer", "no") == [0, 3]


def test_mentor_refused_by_all_changes_nothing():
    game = winter("mentor", **ONE_RED, others=[ONE_RED])
    assert play(game, "mentor", "no", "no") == {}


@pytest.mark.parametrize(
    ("me", "other", "cards"), [({}, {}, set()), (ONE_RED, {}, {"mentor"}), ({}, ONE_RED, {"mentor"})]
)
def test_mentor_needs_somebody_who_can_make_wine(me, other, cards):
    assert playable(winter("mentor", **me, others=[other])) == cards


# ---- Motivator

AWAY = {"grande": 0}  # a seat whose grande stands on the board


def grandes(*seats, action="draw_order"):
    """A winter action with the seats' grandes: one on its space, the others beside it."""
    return {action: [standing(who, "grande", "crowd" if n else "plain") for n, who in enumerate(seats)]}


def test_motivator_takes_back_the_own_grande():
    game = winter("motivator", grande=0, board=grandes(0))
    assert play(game, "motivator", "yes") == {0: {"grande": 1}}
    assert on_board(game, "draw_order") == []


def test_motivator_scores_an_opponents_grande():
    game = winter("motivator", others=[AWAY], board=grandes(1))
    assert play(game, "motivator", "yes") == {0: {"vp": 1}, 1: {"grande": 1}}
    assert on_board(game, "draw_order") == []


def test_motivator_scores_every_opponent_who_accepts():
    game = winter("motivator", grande=0, others=[AWAY, AWAY, AWAY], board=grandes(0, 1, 2, 3))
    assert play(game, "motivator", "yes", "yes", "no", "yes") == {
        0: {"vp": 2, "grande": 1},
        1: {"grande": 1},
        3: {"grande": 1},
    }
    assert on_board(game, "draw_order") == [(2, "grande", "crowd")]


def test_motivator_takes_back_the_grande_that_played_it():
    """Ruling 4, Motivator."""
    game = winter("motivator")
    assert play(game, "motivator", "yes", worker="grande") == {0: {"grande": 1}}
    assert on_board(game, "play_winter_visitor") == []


def test_motivator_can_be_declined_by_all():
    game = winter("motivator", others=[AWAY], board=grandes(1))
    assert play(game, "motivator", "no") == {}
    assert on_board(game, "draw_order") == [(1, "grande", "plain")]


def test_motivator_opens_the_space_again():
    """The grande stood on the only harvest space; its owner may place it there once more."""
    game = winter(
        "motivator", others=[AWAY | {"regular": 0, "fields": {5: ["merlot"]}}], board=grandes(1, action="harvest_field")
    )
    play(game, "motivator", "yes")
    assert game.seat == 1
    assert "place:harvest_field:plain:grande" in legal(game)


def test_motivator_takes_back_a_grande_placed_in_summer():
    game = winter("motivator", others=[AWAY], board=grandes(1, action="give_tour"))
    assert play(game, "motivator", "yes") == {0: {"vp": 1}, 1: {"grande": 1}}


def test_motivator_does_not_ask_opponents_who_have_passed():
    """Ruling 3.14."""
    game = winter("motivator", others=[AWAY | {"passed": True}, AWAY], board=grandes(1, 2))
    begin(game, "motivator")
    assert question(game) == (2, "offer", {"yes", "no"})
    assert asked(game, "offer", "yes") == [2]


def test_motivator_asks_an_opponent_without_workers_who_has_not_had_to_pass():
    """Ruling 1.11: such a player counts as passed once the turn has come."""
    game = winter("motivator", others=[AWAY | {"regular": 0}], board=grandes(1))
    assert play(game, "motivator", "yes") == {0: {"vp": 1}, 1: {"grande": 1}}
    assert game.seat == 1


def test_motivator_asks_in_wake_up_order():
    """Ruling 3.13."""
    others = [AWAY | {"row": 7}, AWAY | {"row": 1}, AWAY | {"row": 2}]
    game = winter("motivator", row=3, grande=0, others=others, board=grandes(0, 1, 2, 3))
    begin(game, "motivator")
    assert asked(game, "offer", "no") == [2, 3, 0, 1]


def test_motivator_asks_only_for_grandes_that_are_placed():
    game = winter("motivator", others=[{}, AWAY], board=grandes(2))
    begin(game, "motivator")
    assert asked(game, "offer", "no") == [2]


@pytest.mark.parametrize(
    ("passed", "regular", "cards"),
    [(False, 2, {"motivator"}), (True, 2, set())],
)
def test_motivator_needs_a_grande_that_could_come_back(passed, regular, cards):
    game = winter("motivator", others=[AWAY | {"passed": passed, "regular": regular}], board=grandes(1))
    assert playable(game) == cards


def test_motivator_with_no_grande_placed_must_be_played_by_the_own():
    game = winter("motivator")
    assert place("regular") not in legal(game)
    assert playable(game, worker="grande") == {"motivator"}


def test_motivator_grande_back_from_the_yoke_leaves_the_yoke_used():
    """Section 5, Motivator and the yoke: the yoke works once a year."""
    me = {"structures": ["yoke"], "used": ["yoke"], "fields": {6: ["pinot"]}}
    game = winter("motivator", grande=0, **me, board={"yoke": [standing(0, "grande")]}, others=[{"passed": True}])
    assert play(game, "motivator", "yes") == {0: {"grande": 1}}
    assert (game.seat, on_board(game, "yoke")) == (0, [])
    assert not {"place:yoke:plain:regular", "place:yoke:plain:grande"} & legal(game)


def test_motivator_does_not_bring_back_other_workers():
    game = winter("motivator", others=[AWAY], board=grandes(1) | {"make_wine": [standing(1)]})
    play(game, "motivator", "yes")
    assert on_board(game, "make_wine") == [(1, "regular", "plain")]
