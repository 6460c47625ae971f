"""The limit of years: an option of the environment, not a rule."""

import pytest

import vitienv
from tests.table.facts import run_to


@pytest.mark.parametrize("max_years", [1, 3])
def test_max_years_ends_an_unfinished_game(max_years):
    """An option of the environment, not a rule: after so many years the game is cut off and ranked as it stands."""
    game = vitienv.Game.new(num_players=2, seed=1, max_years=max_years)
    years = 0
    while not game.is_over:
        years = max(years, game.to_dict()["year"])
        run_to(game, lambda g: g.decision == "wake_up")
        if game.seat is not None:
            game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[0])
    assert years == max_years
    assert game.is_truncated
    assert (game.seat, game.legal_actions()) == (None, [])
    assert sorted(game.ranking) in ([1, 2], [1, 1])
