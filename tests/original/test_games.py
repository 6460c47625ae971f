"""Whole games of random moves: they end as the rules say, and nobody leaves the limits on the way."""

import random
from contextlib import nullcontext

import pytest

import vitienv
from tests.table.fixtures import place, play, points, run_to_year_end

from .positions import PRESETS, both_presets, lira, start


def playout(seed, num_players, most=20000, **options):
    """A game of random moves, with the checks that hold in every state."""
    choice = random.Random(seed)
    game = vitienv.Game.new(ruleset="original", num_players=num_players, seed=seed, **options)
    reached = 0
    for _ in range(most):
        if game.is_over:
            return game, reached
        names = game.legal_actions()
        assert names
        # Passing less often makes for shorter games.
        if "pass" in names and len(names) > 1 and choice.random() < 0.9:
            names.remove("pass")
        name = choice.choice(names)
        if name.startswith("place:gain_lira"):
            assert game.to_dict()["season"] == "winter"
        game.step(name)
        assert all(-5 <= score <= 25 for score in game.scores)
        reached = max(reached, *game.scores)
    pytest.fail(f"not over after {most} moves")


def standing(own):
    """What orders the seats at the end."""
    wine = sum(sum(values) for values in own["cellar"].values())
    grapes = sum(sum(values) for values in own["crush_pad"].values())
    return own["victory_points"], own["lira"], wine, grapes


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_a_game_ends_with_the_year_of_twenty_points(num_players, preset):
    """Original, rows 6, 59, 60 and 62: somebody reached 20, the year is over, the order is that of the tiebreakers."""
    game, reached = playout(3, num_players, preset=preset)
    assert reached >= 20
    assert (game.is_over, game.is_truncated) == (True, False)
    assert (game.current_seat, game.decision, game.legal_actions()) == (None, None, [])
    seats = [standing(own) for own in game.to_dict()["seats"]]
    assert game.ranks == [1 + sum(other > own for other in seats) for own in seats]
    assert game.scores == [own[0] for own in seats]
    assert all(not any(workers) for workers in game.to_dict()["board"].values())
    assert all(sum(map(len, own["hand"].values())) <= 7 for own in game.to_dict()["seats"])
    with pytest.raises(vitienv.IllegalAction):
        game.step("pass")


def test_a_game_may_be_cut_off():
    """Interfaces, options: max_years is shared by all rulesets."""
    game, _ = playout(5, 2, max_years=2)
    assert (game.is_over, game.is_truncated, game.year) == (True, True, 2)


@both_presets
@pytest.mark.parametrize("others, ranks", [({}, [1, 2]), ({"victory_points": 25, "lira": 2}, [2, 1])])
def test_twenty_five_ends_the_game_with_its_year(others, ranks, preset):
    """Original, rows 59, 60 and 62: who would have had more than 25 is not ahead; the tiebreakers decide."""
    own = {"victory_points": 24, "lira": 10, "hand": {"summer": ["broker"]}}
    game = start(2, "summer", own, others, preset=preset)
    play(game, place("play_summer_visitor"), "card:summer:broker", "option:1", "pass")
    assert (points(game), lira(game), game.is_over) == (25, 1, False)
    run_to_year_end(game)
    assert game.is_over and (game.scores[0], game.ranks) == (25, ranks)


@pytest.mark.parametrize("score, possible", [(25, True), (26, False), (-5, True), (-6, False)])
def test_no_position_beyond_the_limits(score, possible):
    """Original, rows 60 and 61: 25 and -5 are the ends of the track in use."""
    with nullcontext() if possible else pytest.raises(ValueError):
        assert points(start(2, "summer", {"victory_points": score})) == score
