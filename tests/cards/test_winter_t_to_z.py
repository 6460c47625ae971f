"""Taster, Teacher, Uncertified Oenologist, Uncertified Teacher, Zymologist."""

import pytest
from table import me, standing
from winter_table import CELLARS, MEDIUM, branches, next_spring, offered, play, playable, winter

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


# ---- Uncertified Oenologist (its ageing: see the Oenologist)


def test_uncertified_oenologist_builds_the_medium_cellar_for_a_point():
    game = winter("uncertified_oenologist", vp=1, lira=7)
    assert play(game, "uncertified_oenologist", "option:2", "structure:medium_cellar") == {
        0: {"vp": -1, "built": ["medium_cellar"]}
    }


def test_uncertified_oenologist_builds_the_large_cellar_for_a_point():
    game = winter("uncertified_oenologist", vp=-4, structures=MEDIUM)
    assert play(game, "uncertified_oenologist", "option:2", "structure:large_cellar") == {
        0: {"vp": -1, "built": ["large_cellar"]}
    }


def test_uncertified_oenologist_cannot_build_at_minus_five():
    """Ruling 2.1."""
    game = winter("uncertified_oenologist", vp=-5, wines={"red": [1]})
    assert branches(game, "uncertified_oenologist") == [1]


def test_uncertified_oenologist_cannot_build_a_third_cellar():
    game = winter("uncertified_oenologist", structures=CELLARS, wines={"red": [1]})
    assert branches(game, "uncertified_oenologist") == [1]


def test_uncertified_oenologist_cannot_age_an_empty_cellar():
    assert branches(winter("uncertified_oenologist"), "uncertified_oenologist") == [2]


def test_uncertified_oenologist_without_wine_at_minus_five_is_refused():
    assert playable(winter("uncertified_oenologist", vp=-5)) == set()


def test_uncertified_oenologist_ages_at_no_cost_in_points():
    """Essential, visitor cards, example: the two clauses are independent."""
    game = winter("uncertified_oenologist", vp=-5, wines={"red": [1]})
    assert play(game, "uncertified_oenologist", "option:1") == {0: {"wines": {"red": [3]}}}


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


# ---- Zymologist


@pytest.mark.parametrize("value", [4, 5, 6, 7, 8, 9])
def test_zymologist_makes_wine_above_the_small_cellar(value):
    game = winter("zymologist", grapes={"red": [value]})
    assert play(game, "zymologist", "make:red", f"grape:red:{value}") == {
        0: {"grapes": {"red": []}, "wines": {"red": [value]}}
    }


def test_zymologist_makes_blush_without_the_medium_cellar():
    game = winter("zymologist", grapes={"red": [1], "white": [3]})
    assert offered(game, "zymologist") == {"make:blush"}
    assert play(game, "zymologist", "make:blush", "grape:red:1", "grape:white:3")[0]["wines"] == {"blush": [4]}


def test_zymologist_makes_sparkling_without_a_cellar():
    game = winter("zymologist", grapes={"red": [1, 2], "white": [4]})
    answers = ("make:sparkling", "grape:red:1", "grape:red:2", "grape:white:4")
    assert play(game, "zymologist", *answers)[0]["wines"] == {"sparkling": [7]}


def test_zymologist_makes_two_wines_and_no_third():
    game = winter("zymologist", grapes={"red": [4, 5], "white": [9]})
    assert play(game, "zymologist", "make:red", "grape:red:5", "make:white", "grape:white:9") == {
        0: {"grapes": {"red": [4], "white": []}, "wines": {"red": [5], "white": [9]}}
    }


def test_zymologist_may_stop_after_one():
    game = winter("zymologist", grapes={"red": [4, 5]})
    assert play(game, "zymologist", "make:red", "grape:red:5", "done")[0]["wines"] == {"red": [5]}


def test_zymologist_makes_nothing_below_four():
    """Neither the first nor the second wine may be of the 3; with a red 1 the white 1 stays below 4 too."""
    game = winter("zymologist", grapes={"red": [1, 4], "white": [1]})
    assert offered(game, "zymologist", "make:red") == {"grape:red:4"}
    assert offered(game, "zymologist") == {"make:red", "make:blush"}
    assert play(game, "zymologist", "make:red", "grape:red:4")[0]["grapes"] == {"red": [1]}


@pytest.mark.parametrize("grapes", [{}, {"red": [3]}, {"red": [1], "white": [2]}, {"white": [1, 2, 3]}])
def test_zymologist_needs_a_wine_of_four(grapes):
    assert playable(winter("zymologist", grapes=grapes, structures=CELLARS)) == set()


def test_zymologist_lowers_a_wine_to_a_free_slot_of_four_or_more():
    game = winter("zymologist", grapes={"red": [6]}, structures=MEDIUM, wines={"red": [5, 6]})
    assert play(game, "zymologist", "make:red", "grape:red:6")[0]["wines"] == {"red": [4, 5, 6]}


def test_zymologist_does_not_lower_a_wine_below_four():
    """Every token must end on a slot of 4 or more; the 3 is free but does not do."""
    game = winter("zymologist", grapes={"red": [5]}, structures=MEDIUM, wines={"red": [4, 5]})
    assert playable(game) == set()


def test_zymologist_with_cellars_makes_wine_as_usual():
    game = winter("zymologist", grapes={"red": [8]}, structures=CELLARS)
    assert play(game, "zymologist", "make:red", "grape:red:8")[0]["wines"] == {"red": [8]}
    assert not game.to_dict()["seats"][0].get("wine_above_cellar", False)


def test_zymologist_position_survives_saving():
    """The mark of a wine above the cellars keeps the position from being a contradiction."""
    game = winter("zymologist", grapes={"red": [8]})
    play(game, "zymologist", "make:red", "grape:red:8")
    position = game.to_dict()
    assert position["seats"][0]["wine_above_cellar"] is True
    assert type(game).from_dict(position).to_dict() == position


@pytest.mark.parametrize(
    ("built", "before", "after"),
    [
        ([], {"red": [4]}, {"red": [5]}),
        ([], {"red": [5]}, {"red": [6]}),
        ([], {"red": [6]}, {"red": [6]}),
        ([], {"red": [3, 5]}, {"red": [3, 6]}),
        ([], {"red": [7]}, {"red": [8]}),
        ([], {"red": [8, 9]}, {"red": [8, 9]}),
        ([], {"blush": [5, 6]}, {"blush": [5, 6]}),
        ([], {"sparkling": [7]}, {"sparkling": [8]}),
        (MEDIUM, {"red": [3, 6]}, {"red": [4, 6]}),
        (MEDIUM, {"red": [6, 7]}, {"red": [6, 8]}),
        (CELLARS, {"red": [3, 6]}, {"red": [4, 7]}),
    ],
)
def test_zymologist_wine_ages_inside_its_tier(built, before, after):
    """Ruling 4, Zymologist: into the next tier only once that cellar is built (year end)."""
    top = 3 + 3 * len(built)
    above = any(value > top for values in before.values() for value in values)
    game = winter("judge", structures=built, wines=before, above=above)
    next_spring(game)
    wines = me(game)["wines"]
    assert {kind: wines[kind] for kind in after} == after


@pytest.mark.parametrize(("value", "after"), [(4, 6), (5, 6), (6, 6), (7, 9)])
def test_zymologist_wine_ages_inside_its_tier_through_the_oenologist(value, after):
    game = winter("oenologist", wines={"white": [value]}, above=True)
    play(game, "oenologist", "option:1")
    assert me(game)["wines"]["white"] == [after]


def test_zymologist_wine_fills_an_order():
    game = winter("exporter", order=["order_15"], wines={"red": [8]}, above=True)
    assert play(game, "exporter", "option:2", "card:order:order_15", "wine:red:8")[0]["vp"] == 4


def test_zymologist_waiver_ends_with_the_card():
    """Wine made later finds the small cellar only."""
    game = winter("teacher", grapes={"red": [6]}, wines={"red": [7]}, above=True)
    assert play(game, "teacher", "option:1", "make:red", "grape:red:6")[0]["wines"] == {"red": [3, 7]}
