"""Taster, Teacher, Uncertified Oenologist, Uncertified Teacher, Zymologist."""

import pytest

from tests.table.facts import CELLARS

from .table import me, standing
from .winter_table import branches, next_spring, offered, play, playable, winter

# ---- Taster


def taste(mine, *others, **rest):
    """The Taster played on red 5, with the other wines of the own cellar and those of the opponents."""
    tables = [{"structures": CELLARS, "wines": wines} for wines in others or [{}]]
    return winter("taster", structures=CELLARS, wines={"red": [5]} | mine, others=tables, **rest)


@pytest.mark.parametrize(
    ("mine", "others", "points"),
    [
        ({}, [], 2),
        ({}, [{"white": [4], "blush": [4]}], 2),
        ({"white": [4]}, [{"red": [1, 4]}, {"red": [3]}, {"red": [2]}], 2),
        ({}, [{"white": [5]}], 0),
        ({}, [{"sparkling": [7]}], 0),
        ({}, [{}, {}, {}, {}, {"blush": [6]}], 0),
        ({"white": [5]}, [], 0),
        ({"red": [5, 6]}, [], 0),
        ({"blush": [9]}, [{"red": [1]}], 0),
    ],
)
def test_taster_scores_only_for_the_single_most_valuable_wine(mine, others, points):
    """Ruling 4, Taster: all cellars and the own other wines, whatever the type; a tie is not more."""
    change = play(taste(mine, *others), "taster", "wine:red:5")[0]
    assert (change["lira"], change.get("vp", 0)) == (4, points)


def test_taster_discards_the_wine_and_leaves_the_others():
    game = taste({"red": [2, 5], "white": [1]}, {"red": [3]})
    assert play(game, "taster", "wine:red:5") == {0: {"lira": 4, "vp": 2, "wines": {"red": [2]}}}


def test_taster_takes_any_wine():
    game = taste({"white": [1], "sparkling": [7]})
    assert offered(game, "taster") == {"wine:red:5", "wine:white:1", "wine:sparkling:7"}


def test_taster_does_not_compare_with_grapes():
    game = winter("taster", wines={"red": [1]}, grapes={"red": [9]}, others=[{"grapes": {"white": [9]}}])
    assert play(game, "taster", "wine:red:1") == {0: {"lira": 4, "vp": 2, "wines": {"red": []}}}


def test_taster_needs_a_wine():
    assert playable(winter("taster", grapes={"red": [9]}, others=[{"wines": {"red": [1]}}])) == set()


# ---- Teacher


def test_teacher_makes_one_wine():
    game = winter("teacher", grapes={"red": [2], "white": [2]}, lira=2)
    assert play(game, "teacher", "option:1", "make:red", "grape:red:2", "done") == {
        0: {"grapes": {"red": []}, "wines": {"red": [2]}}
    }


def test_teacher_makes_two_wines_and_no_third():
    game = winter("teacher", grapes={"red": [1, 2], "white": [2]})
    assert play(game, "teacher", "option:1", "make:red", "grape:red:2", "make:white", "grape:white:2") == {
        0: {"grapes": {"red": [1], "white": []}, "wines": {"red": [2], "white": [2]}}
    }


def test_teacher_trains_for_two_lira():
    """Ruling 4, Teacher: two lira are the whole price."""
    assert play(winter("teacher", lira=2), "teacher", "option:2") == {0: {"lira": -2, "trained": 1}}


def test_teacher_worker_is_ready_in_the_next_year():
    """Ruling 3.11."""
    game = winter("teacher", lira=2)
    play(game, "teacher", "option:2")
    next_spring(game)
    assert (me(game)["regular"], me(game)["trained"]) == (3, 0)


def test_teacher_cannot_train_with_one_lira():
    assert playable(winter("teacher", lira=1)) == set()


def test_teacher_cannot_train_a_seventh_worker():
    assert branches(winter("teacher", lira=9, regular=5, grapes={"red": [1]}), "teacher") == [1]


def test_teacher_without_grapes_offers_only_the_training():
    assert branches(winter("teacher", lira=2), "teacher") == [2]


# ---- Uncertified Teacher


def test_uncertified_teacher_trains_for_a_point():
    """Ruling 3.11: the worker starts next year, so only `trained` moves."""
    game = winter("uncertified_teacher", vp=2, lira=4)
    assert play(game, "uncertified_teacher", "option:1") == {0: {"vp": -1, "trained": 1}}


def test_uncertified_teacher_may_go_down_to_minus_five():
    game = winter("uncertified_teacher", vp=-4)
    assert play(game, "uncertified_teacher", "option:1") == {0: {"vp": -1, "trained": 1}}


def test_uncertified_teacher_cannot_train_at_minus_five():
    """Ruling 2.1."""
    assert branches(winter("uncertified_teacher", vp=-5), "uncertified_teacher") == [2]


@pytest.mark.parametrize(("regular", "open_branches"), [(4, [1, 2]), (5, [2])])
def test_uncertified_teacher_trains_the_sixth_worker_and_no_seventh(regular, open_branches):
    """Ruling 3.12: five regular workers and the grande."""
    assert branches(winter("uncertified_teacher", regular=regular), "uncertified_teacher") == open_branches


@pytest.mark.parametrize(("trained", "open_branches"), [(1, [1, 2]), (2, [2])])
def test_uncertified_teacher_limit_includes_workers_on_the_board_and_in_training(trained, open_branches):
    """Ruling 3.12: 2 at hand, 1 on the board, the grande, and those in training."""
    game = winter("uncertified_teacher", trained=trained, board={"draw_order": [standing(0)]})
    assert branches(game, "uncertified_teacher") == open_branches


def test_uncertified_teacher_temporary_worker_does_not_hinder_training():
    """Ruling 1.14: four regular workers, the grande and the temporary one leave room for one more."""
    game = winter("uncertified_teacher", regular=4, temporary=1, row=7)
    assert play(game, "uncertified_teacher", "option:1", worker="regular")[0]["trained"] == 1


@pytest.mark.parametrize("full", [1, 2, 3])
def test_uncertified_teacher_scores_every_opponent_with_six(full):
    game = winter("uncertified_teacher", others=[{"regular": 5 if n < full else 4} for n in range(3)])
    assert play(game, "uncertified_teacher", "option:2") == {0: {"vp": full}}


def test_uncertified_teacher_may_score_nothing_and_own_workers_do_not_count():
    """Ruling 2.12: a branch without yield may be chosen."""
    game = winter("uncertified_teacher", regular=5, others=[{"regular": 4}])
    assert play(game, "uncertified_teacher", "option:2") == {}


def test_uncertified_teacher_counts_an_opponents_temporary_worker():
    """Ruling 4, Professor and Uncertified Teacher: 4 regular, the grande and the temporary worker are six."""
    game = winter("uncertified_teacher", others=[{"regular": 4, "temporary": 1, "row": 7}])
    assert play(game, "uncertified_teacher", "option:2") == {0: {"vp": 1}}


@pytest.mark.parametrize(("trained", "change"), [(0, {}), (1, {0: {"vp": 1}})])
def test_uncertified_teacher_counts_an_opponents_workers_wherever_they_are(trained, change):
    """2 at hand, 2 and the grande on the board, and the one in training."""
    board = {"draw_order": [standing(1)], "give_tour": [standing(1)], "draw_vine": [standing(1, "grande")]}
    game = winter("uncertified_teacher", others=[{"grande": 0, "trained": trained}], board=board)
    assert play(game, "uncertified_teacher", "option:2") == change
