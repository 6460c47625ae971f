"""Rewards of seats that end alike: shared wins, shared ranks, nobody ahead."""

import pytest

from vitienv.core import score
from vitienv.core.score import Reward


@pytest.fixture
def rewards(monkeypatch):
    """All rewards of a game in which each seat stands as a list says."""
    monkeypatch.setattr(score, "standing", lambda g, seat: g[seat])
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
def test_rewards_are_shared(rewards, standing, kind, expected):
    assert rewards(standing, kind) == pytest.approx(expected) and sum(expected) == pytest.approx(0)
