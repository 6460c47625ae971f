"""Automa replacements: their setup and the length of their games."""

import pytest

import vitienv
from tests.table.fixtures import hand_sizes, seat, workers

from .positions import run_to

BOTH = pytest.mark.parametrize("automa_replacement", ["rival", "blocker"])


def new(automa_replacement, seed=1, **options):
    """Return a game at its first wake-up, and the decisions before it with their seats."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, automa_replacement=automa_replacement, **options)
    decisions = []
    while game.decision != "wake_up":
        decisions.append((game.decision, game.current_seat))
        game.step("option:2")
    return game, decisions


def test_rival_is_a_full_seat():
    """Rival: both seats have a setup and a vineyard."""
    game, decisions = new("rival")
    assert (game.num_players, game.options.num_players) == (2, 2)
    assert sorted(decisions) == [("papa_gift", 0), ("papa_gift", 1)]
    for number in (0, 1):
        assert sum(hand_sizes(game, number).values()) in (2, 3)
        assert (seat(game, number)["workers"], seat(game, number)["bonus_tokens"]) == (workers(), 0)
        assert seat(game, number)["glass_tokens"] == [*range(1, 8)]


@BOTH
def test_automa_replacement_implies_two_players(automa_replacement):
    """Automa replacements: num_players=2 is optional."""
    game = vitienv.Game.new(ruleset="solo", num_players=2, seed=3, automa_replacement=automa_replacement)
    assert game == vitienv.Game.new(ruleset="solo", seed=3, automa_replacement=automa_replacement)


@pytest.mark.parametrize("level, count", [("very_easy", 3), ("easy", 3), ("normal", 3), ("hard", 5), ("very_hard", 5)])
def test_blocker_only_has_workers(level, count):
    """Blocker: no setup and no decision; five workers and no grande at the hard levels."""
    game, decisions = new("blocker", difficulty=level)
    assert (game.num_players, decisions) == (2, [("papa_gift", 0)])
    mat = seat(game, 1)
    assert mat["workers"] == workers(count, 0)
    assert (sum(hand_sizes(game, 1).values()), mat["lira"], mat["structures"]) == (0, 0, [])
    assert (game.automa_score, game.scores[1]) == ((23, 23) if level == "very_hard" else (20, 20))


@BOTH
@pytest.mark.parametrize("level, years", [("very_easy", 8), ("normal", 7)])
def test_automa_replacements_keep_the_number_of_years(automa_replacement, level, years):
    """Automa replacements: both seats choose a wake-up row each year."""
    game, _ = new(automa_replacement, seed=2, difficulty=level)
    wake_ups = []
    while not game.is_over:
        wake_ups.append((game.year, game.current_seat))
        game.step(game.legal_actions()[0])
        run_to(game, lambda g: g.decision == "wake_up")
    assert sorted(wake_ups) == [(year, number) for year in range(1, years + 1) for number in (0, 1)]
