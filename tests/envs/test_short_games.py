"""Vectors of short games: the properties of `test_vector.py`, fast enough for interpreted rules."""

import numpy as np
import pytest

import vitienv
from vitienv.core.batch import TRUNCATED
from vitienv.training.selfplay.envs import Envs, parse_mix

from .players import choose, same

STEPS = 420


@pytest.fixture(scope="module")
def played():
    """Return the steps of a batch of one game and of three."""
    steps = {}
    for n in (1, 3):
        vec = vitienv.make_vec(n, game="toscana", num_players=3)
        obs, info = vec.reset(seed=2)
        steps[n] = [[obs.copy(), info["seat"].copy()]]
        for step in range(STEPS):
            out = vec.step(choose(info["action_mask"], step))
            steps[n].append([x.copy() for x in out[:-1]] + [info["seat"].copy()])
    return steps


def test_rewards_at_the_end_sum_to_zero(played):
    ends = 0
    for _, rewards, terminated, truncated, _ in played[3][1:]:
        assert not rewards[~terminated].any() and rewards[terminated].any(axis=1).all() and not truncated.any()
        assert np.allclose(rewards.sum(axis=1), 0, atol=1e-5)
        ends += terminated.sum()
    assert ends >= 3


def test_games_are_independent_of_the_batch_size(played):
    assert any(step[2][0] for step in played[1][1:-20])
    assert all(same(single[0][0], three[0][0]) for single, three in zip(played[1], played[3], strict=True))
    assert not same(*(played[3][0][0][i] for i in (0, 1)))


def test_envs_report_seats_and_truncation():
    game = vitienv.game_spec("toscana")
    envs, ended = Envs(game, parse_mix("2:1,3:1", game), 4, seed=1, limit=1, reward="win"), set()
    masks = np.zeros((4, game.actions.n), np.int8)
    seats = set()
    for step in range(60):
        envs.look(np.zeros((4, game.observation.n), np.int16), masks)
        ended |= set(envs.step(choose(masks, step)).ended.tolist())
        assert envs.seats.tolist() == [seat for vec in envs.vecs for seat in vec._batch.seats]
        seats |= set(envs.seats.tolist())
    assert ended == {0, TRUNCATED} and seats == {0, 1, 2}


@pytest.mark.parametrize("skip_forced", [True, False])
def test_skip_forced(skip_forced):
    vec = vitienv.make_vec(3, game="toscana", num_players=2, skip_forced=skip_forced)
    _, info = vec.reset(seed=2)
    fewest = set()
    for step in range(100):
        fewest.add(int(info["action_mask"].sum(axis=1).min()))
        *_, info = vec.step(choose(info["action_mask"], step))
    assert (min(fewest) > 1) == skip_forced
