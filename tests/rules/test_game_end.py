"""The option `max_years`, and rewards of tied seats."""

import pytest

import vitienv
from tests.table.fixtures import run_to
from vitienv.core import score
from vitienv.core.score import Reward


@pytest.mark.parametrize("max_years", [1, 3])
def test_max_years_truncates(max_years):
    """An option of the environment, not a rule: the game is truncated and ranked after these years."""
    game = vitienv.Game.new(num_players=2, seed=1, max_years=max_years)
    years = 0
    while not game.is_over:
        years = max(years, game.to_dict()["year"])
        run_to(game, lambda g: g.decision == "wake_up")
        if game.current_seat is not None:
            game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[0])
    assert years == max_years
    assert game.is_truncated
    assert (game.current_seat, game.legal_actions()) == (None, [])
    assert sorted(game.ranks) in ([1, 2], [1, 1])


@pytest.fixture
def rewards(monkeypatch):
    """Return a function that computes all rewards of a game with the given standings."""
    monkeypatch.setattr(score, "ranking_key", lambda g, seat: g[seat])
    monkeypatch.setattr(score, "points", lambda g, seat: g[seat])
    return lambda game, kind: [score.reward_among(game, seat, len(game), kind) for seat in range(len(game))]


@pytest.mark.parametrize("standing, kind, expected", [
    ([9, 9, 5, 1], Reward.WIN, [0.5, 0.5, -0.5, -0.5]),
    ([9, 9, 9, 1], Reward.WIN, [1 / 3, 1 / 3, 1 / 3, -1]),
    ([9, 5, 1], Reward.WIN, [1, -0.5, -0.5]),
    ([7, 7, 7], Reward.WIN, [0, 0, 0]),
    ([9, 5, 1], Reward.RANK, [1, 0, -1]),
    ([9, 9, 1], Reward.RANK, [0.5, 0.5, -1]),
    ([7, 7, 7, 7], Reward.RANK, [0, 0, 0, 0]),
    ([30, 20, 10], Reward.MARGIN, [0.75, 0, -0.75]),
])  # fmt: skip
def test_ties_share_rewards(rewards, standing, kind, expected):
    assert rewards(standing, kind) == pytest.approx(expected) and sum(expected) == pytest.approx(0)
