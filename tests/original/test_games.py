"""Random games: their end and limits."""

import random
from contextlib import nullcontext

import pytest

import vitienv
from tests.table.fixtures import place, play, points, run_to_year_end

from .positions import PRESETS, both_presets, lira, start


def playout(seed, num_players, max_moves=20000, **options):
    """Play a random game with checks in every state; return it and its highest score."""
    rng = random.Random(seed)
    game = vitienv.Game.new(ruleset="original", num_players=num_players, seed=seed, **options)
    reached = 0
    for _ in range(max_moves):
        if game.is_over:
            return game, reached
        names = game.legal_actions()
        assert names
        # Passing less often makes for shorter games.
        if "pass" in names and len(names) > 1 and rng.random() < 0.9:
            names.remove("pass")
        name = rng.choice(names)
        if name.startswith("place:gain_lira"):
            assert game.to_dict()["season"] == "winter"
        game.step(name)
        assert all(-5 <= score <= 25 for score in game.scores)
        reached = max(reached, *game.scores)
    pytest.fail(f"not over after {max_moves} moves")


def standing(mat):
    """Return the sort key of a seat at the end."""
    wine = sum(sum(values) for values in mat["cellar"].values())
    grapes = sum(sum(values) for values in mat["crush_pad"].values())
    return mat["victory_points"], mat["lira"], wine, grapes


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_game_ends_with_the_year_of_twenty_points(num_players, preset):
    """Original, rows 6, 59, 60 and 62: a seat reached 20, the year is over, ranks follow the tiebreakers."""
    game, reached = playout(3, num_players, preset=preset)
    assert reached >= 20
    assert (game.is_over, game.is_truncated) == (True, False)
    assert (game.current_seat, game.decision, game.legal_actions()) == (None, None, [])
    seats = [standing(mat) for mat in game.to_dict()["seats"]]
    assert game.ranks == [1 + sum(other > mat for other in seats) for mat in seats]
    assert game.scores == [mat[0] for mat in seats]
    assert all(not any(workers) for workers in game.to_dict()["board"].values())
    assert all(sum(map(len, mat["hand"].values())) <= 7 for mat in game.to_dict()["seats"])
    with pytest.raises(vitienv.IllegalAction):
        game.step("pass")


def test_max_years_truncates_the_original():
    """Interfaces, options: all rulesets support max_years."""
    game, _ = playout(5, 2, max_years=2)
    assert (game.is_over, game.is_truncated, game.year) == (True, True, 2)


@both_presets
@pytest.mark.parametrize("others, ranks", [({}, [1, 2]), ({"victory_points": 25, "lira": 2}, [2, 1])])
def test_points_above_25_are_lost(others, ranks, preset):
    """Original, rows 59, 60 and 62: points above 25 do not count; the tiebreakers decide."""
    mat = {"victory_points": 24, "lira": 10, "hand": {"summer": ["broker"]}}
    game = start(2, "summer", mat, others, preset=preset)
    play(game, place("play_summer_visitor"), "card:summer:broker", "option:1", "pass")
    assert (points(game), lira(game), game.is_over) == (25, 1, False)
    run_to_year_end(game)
    assert game.is_over and (game.scores[0], game.ranks) == (25, ranks)


@pytest.mark.parametrize("score, possible", [(25, True), (26, False), (-5, True), (-6, False)])
def test_points_of_a_position_are_limited(score, possible):
    """Original, rows 60 and 61: the track ends at 25 and -5."""
    with nullcontext() if possible else pytest.raises(ValueError):
        assert points(start(2, "summer", {"victory_points": score})) == score
