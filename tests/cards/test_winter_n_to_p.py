"""Noble, Oenologist, Politician, Professor, Promoter."""

import pytest

from tests.table.facts import CELLARS

from .table import standing
from .winter_table import branches, offered, play, playable, winter

# ---- Noble


@pytest.mark.parametrize("residual", [0, 4])
def test_noble_buys_residual(residual):
    game = winter("noble", lira=1, residual=residual)
    assert play(game, "noble", "option:1") == {0: {"lira": -1, "residual": 1}}


@pytest.mark.parametrize("residual", [2, 5])
def test_noble_sells_residual(residual):
    assert play(winter("noble", residual=residual), "noble", "option:2") == {0: {"vp": 2, "residual": -2}}


@pytest.mark.parametrize(
    ("lira", "residual", "open_branches"),
    [(0, 1, []), (0, 2, [2]), (1, 1, [1]), (1, 2, [1, 2]), (1, 4, [1, 2]), (1, 5, [2])],
)
def test_noble_branches_by_money_and_residual(lira, residual, open_branches):
    """Ruling 2.5: at 5 there is nothing to buy."""
    assert branches(winter("noble", lira=lira, residual=residual), "noble") == open_branches


# ---- Politician

THREE_CARDS = {"vine": ["merlot"], "summer": ["patron"], "order": ["order_05"]}


@pytest.mark.parametrize("points", [-1, -5])
def test_politician_pays_six_lira_below_zero(points):
    game = winter("politician", vp=points, lira=1, draws=THREE_CARDS)
    assert play(game, "politician") == {0: {"lira": 6}}


@pytest.mark.parametrize("points", [0, 7])
def test_politician_draws_three_cards_from_zero_up(points):
    game = winter("politician", vp=points, draws=THREE_CARDS)
    assert play(game, "politician") == {0: {"gained": ["order:order_05", "summer:patron", "vine:merlot"]}}


# ---- Professor


def test_professor_trains_for_two_lira():
    assert play(winter("professor", lira=2), "professor", "option:1") == {0: {"lira": -2, "trained": 1}}


def test_professor_cannot_train_with_one_lira():
    assert playable(winter("professor", lira=1)) == set()


@pytest.mark.parametrize(("regular", "open_branches"), [(4, [1]), (5, [2])])
def test_professor_trains_up_to_six_workers_and_scores_from_six(regular, open_branches):
    """Ruling 3.12: at six the training is closed and the points are open."""
    assert branches(winter("professor", lira=9, regular=regular), "professor") == open_branches


def test_professor_scores_two_points_for_six_workers():
    assert play(winter("professor", regular=5), "professor", "option:2") == {0: {"vp": 2}}


def test_professor_counts_the_temporary_worker_for_the_points_only():
    """Ruling 4, Professor and Uncertified Teacher: six with the temporary worker, yet room for a trained one."""
    game = winter("professor", lira=2, regular=4, temporary=1, row=7)
    assert branches(game, "professor") == [1, 2]


def test_professor_counts_workers_on_the_board_and_in_training():
    """1 at hand, 2 and the grande on the board, 2 in training."""
    board = {"draw_order": [standing(0)], "give_tour": [standing(0)], "draw_vine": [standing(0, "grande")]}
    game = winter("professor", lira=2, regular=1, grande=0, trained=2, board=board)
    assert branches(game, "professor") == [2]


# ---- Promoter


def test_promoter_trades_a_grape():
    """Ruling 4, Promoter: a point and a step of residual payment."""
    game = winter("promoter", grapes={"red": [1], "white": [9]})
    assert play(game, "promoter", "option:1", "grape:red:1") == {0: {"vp": 1, "residual": 1, "grapes": {"red": []}}}


def test_promoter_takes_any_grape():
    game = winter("promoter", grapes={"red": [1, 5], "white": [9]})
    assert offered(game, "promoter", "option:1") == {"grape:red:1", "grape:red:5", "grape:white:9"}


def test_promoter_trades_a_wine():
    game = winter("promoter", residual=1, wines={"white": [1, 2]})
    assert play(game, "promoter", "option:2", "wine:white:2") == {
        0: {"vp": 1, "residual": 1, "wines": {"white": [1]}},
    }


@pytest.mark.parametrize("wine", ["red:1", "white:1", "blush:4", "sparkling:7"])
def test_promoter_takes_any_wine(wine):
    kind, value = wine.split(":")
    game = winter("promoter", structures=CELLARS, wines={kind: [int(value)]})
    assert offered(game, "promoter", "option:2") == {f"wine:{wine}"}


def test_promoter_still_scores_at_residual_five():
    """Ruling 2.6."""
    game = winter("promoter", residual=5, grapes={"red": [3]}, wines={"red": [2]})
    assert play(game.copy(), "promoter", "option:1", "grape:red:3") == {0: {"vp": 1, "grapes": {"red": []}}}
    assert play(game, "promoter", "option:2", "wine:red:2") == {0: {"vp": 1, "wines": {"red": []}}}


@pytest.mark.parametrize(
    ("tokens", "open_branches"),
    [({"grapes": {"red": [1]}}, [1]), ({"wines": {"red": [1]}}, [2]), ({}, [])],
)
def test_promoter_needs_the_token_of_its_branch(tokens, open_branches):
    assert branches(winter("promoter", **tokens), "promoter") == open_branches
