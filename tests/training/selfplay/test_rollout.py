"""Advantages of decisions, whose successors are the next decisions of the same seat."""

import numpy as np
import torch

import vitienv
from vitienv.core.batch import TRUNCATED
from vitienv.training.selfplay.envs import TERMINATED, Envs, parse_mix
from vitienv.training.selfplay.rollout import Rollout, link

GAMMA, GAE_LAMBDA = 0.9, 0.8
PLAYERS = np.array([1, 2, 3, 6, 4])


def random_steps(steps: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Return random values, seats, owners, rewards and ends of steps (steps, envs)."""
    random = np.random.default_rng(seed)
    n = len(PLAYERS)
    ended = random.choice([0, TERMINATED, TRUNCATED], size=(steps, n), p=[0.9, 0.07, 0.03]).astype(np.int8)
    return {
        "values": random.normal(size=(steps, n)).astype(np.float32),
        "seats": (random.random((steps, n)) * PLAYERS).astype(np.int64),
        "own": random.random((steps, n)) < 0.8,
        "rewards": random.normal(size=(steps, n, 6)).astype(np.float32) * (ended == TERMINATED)[:, :, None],
        "ended": ended,
    }


def plain_advantages(p: dict[str, np.ndarray], gae_lambda: float) -> dict[tuple[int, int], float]:
    """Return the advantage of each decision (step, env) whose successor is known, by trajectory."""
    advantages = {}
    for env in range(len(PLAYERS)):
        for seat in range(PLAYERS[env]):
            trajectory: list[int] = []
            for t in range(len(p["values"])):
                if p["own"][t, env] and p["seats"][t, env] == seat:
                    trajectory.append(t)
                if p["ended"][t, env] or t == len(p["values"]) - 1:
                    advantage, follower = 0.0, None
                    for step in reversed(trajectory):
                        value = float(p["values"][step, env])
                        if follower is not None:
                            error = GAMMA * float(p["values"][follower, env]) - value
                            advantage = error + GAMMA * gae_lambda * advantage
                        elif p["ended"][t, env] == TERMINATED:
                            advantage = float(p["rewards"][t, env, seat]) - value
                        elif p["ended"][t, env] == TRUNCATED:
                            advantage = GAMMA * value - value
                        if follower is not None or p["ended"][t, env]:
                            advantages[step, env] = advantage
                        follower = step
                    trajectory = []
    return advantages


def test_envs_report_seats_and_truncation():
    game = vitienv.game_spec("toscana")
    envs, ended = Envs(game, parse_mix("2:1,3:1", game), 4, seed=1, limit=1, reward="win"), set()
    masks = np.zeros((4, game.actions.n), np.int8)
    seats = set()
    for _ in range(60):
        envs.observe(np.zeros((4, game.observation.n), np.int16), masks)
        ended |= set(envs.step(masks.argmax(axis=1)).ended.tolist())
        assert envs.seats.tolist() == [seat for vec in envs.vecs for seat in vec._batch.seats]
        seats |= set(envs.seats.tolist())
    assert ended == {0, TRUNCATED} and seats == {0, 1, 2}


def test_advantages_are_those_of_the_trajectory_of_each_seat():
    p = random_steps(200)
    none = torch.zeros((len(PLAYERS), 6))
    tensors = {name: torch.from_numpy(value) for name, value in p.items()}
    tensors["is_learner"] = tensors.pop("own")
    lambdas = GAE_LAMBDA, 0.0
    linked = link(**tensors, carried_values=none, carried=none > 0, gamma=GAMMA, gae_lambdas=lambdas)
    for advantages, gae_lambda in zip(linked.advantages, lambdas, strict=True):
        expected = plain_advantages(p, gae_lambda)
        assert set(map(tuple, torch.nonzero(linked.is_learned).tolist())) == set(expected) and len(expected) > 600
        for (t, env), advantage in expected.items():
            assert abs(advantages[t, env] - advantage) < 1e-4


def test_each_decision_is_trained_on_once_in_rollouts_of_any_length():
    """With gae_lambda 0 an advantage depends on the next decision only, which can be in the next rollout."""
    p = random_steps(210, seed=1)
    expected = plain_advantages(p, 0.0)
    for steps in (7, 30, 210):
        rollout = Rollout(vitienv.game_spec(), steps, PLAYERS, 0, torch.device("cpu"))
        by_place: dict[tuple[int, int], float] = {}
        for first in range(0, 210, steps):
            part = slice(first, first + steps)
            rollout.seats[:], rollout.is_learner[:], rollout.ended[:] = (
                p["seats"][part],
                p["own"][part],
                p["ended"][part],
            )
            rollout.rewards[:] = torch.from_numpy(p["rewards"][part])
            rollout.values[rollout.first :] = torch.from_numpy(p["values"][part].reshape(-1))
            names = np.arange(first * len(PLAYERS), (first + steps) * len(PLAYERS))
            rollout.actions[rollout.first :] = torch.from_numpy(names)
            rows, advantages = rollout.link(GAMMA, 0.0)
            for name, advantage in zip(rollout.actions[rows].tolist(), advantages.tolist(), strict=True):
                which = divmod(name, len(PLAYERS))
                assert which not in by_place
                by_place[which] = advantage
            rollout.carry_over()
        assert by_place.keys() == expected.keys()
        assert max(abs(by_place[which] - expected[which]) for which in expected) < 1e-5
