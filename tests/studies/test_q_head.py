"""The study of a critic of actions: what it takes out of advantages is luck, and nothing else."""

import numpy as np
import pytest
import torch

import vitienv
from studies import q_head
from vitienv.agents.champions import path_of
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.network import load_network
from vitienv.training.selfplay.processes import Processes

SETTINGS = Settings(
    mix="2:1", num_envs=16, num_steps=120, league=(), past=0, league_share=0.0, max_years=3, minibatch_size=256
)  # fmt: skip


@pytest.fixture(scope="module")
def study():
    made = q_head.Study(Learner(SETTINGS, Processes("cpu"), load_network(path_of("two", vitienv.definition()))))
    made.play()
    return made


def test_without_luck_advantages_are_those_that_are_learned_from(study):
    none = np.zeros((120, 16))
    found, known = q_head.advantages(study.rollout, none, 0.999, 0.95, True, True)
    rows, right = study.rollout.link(0.999, 0.95)
    assert (rows.numpy() - study.rollout.first == np.flatnonzero(known)).all() and len(rows) > 1000
    assert np.allclose(found[known], right.numpy(), atol=1e-5)


def test_luck_is_taken_out_of_what_follows_by_hand(study):
    """One draw with luck: the seat's own decisions before it are worth so much less, the other seat's so much more."""
    rollout, gamma, lam = study.rollout, 0.9, 0.5
    plain, known = q_head.advantages(rollout, np.zeros((120, 16)), gamma, lam, True, True)
    env, t = 3, 40
    luck = np.zeros((120, 16))
    luck[t, env] = 1.0
    of_seat, _ = q_head.advantages(rollout, luck, gamma, lam, True, False)
    both, _ = q_head.advantages(rollout, luck, gamma, lam, True, True)
    started = max((s + 1 for s in range(t) if rollout.ended[s, env]), default=0)
    seat = rollout.seats[t, env]
    before = [s for s in range(started, t) if rollout.seats[s, env] == seat and known[s, env]]
    for back, s in enumerate(reversed(before), 1):
        assert of_seat[s, env] - plain[s, env] == pytest.approx(-((gamma * lam) ** back))
        assert both[s, env] == pytest.approx(of_seat[s, env])
    rivals = [s for s in range(started, t) if rollout.seats[s, env] != seat]
    for back, s in enumerate(reversed(rivals)):
        assert both[s, env] - plain[s, env] == pytest.approx((gamma * lam) ** back)
    assert len(before) > 3 and len(rivals) > 3
    changed = np.argwhere(np.abs(both - plain) > 1e-9)
    assert set(changed[:, 1]) == {env} and changed[:, 0].max() < t and of_seat[t, env] == plain[t, env]


def test_what_an_action_is_worth_beyond_the_mean_has_the_mean_zero(study):
    critic, policy, rollout = study.critic, study.learner.network, study.rollout
    torch.nn.init.normal_(critic.policy.weight, generator=torch.Generator().manual_seed(0))
    rows = torch.arange(rollout.first + 50, rollout.first + 60)
    kept, total = rollout.actions[rows].clone(), torch.zeros(10)
    likely = torch.softmax(policy(*rollout.given(rows))[0], dim=1).detach()
    for action in range(likely.shape[1]):
        is_legal = rollout.masks[rows, action] == 1
        rollout.actions[rows] = action
        worth = q_head.beyond_the_mean(critic, policy, rollout, rows).detach()
        total += torch.where(is_legal, worth * likely[:, action], 0.0)
    rollout.actions[rows] = kept
    assert total.abs().max() < 1e-4 and q_head.beyond_the_mean(critic, policy, rollout, rows).abs().max() > 1e-3


def test_the_critic_learns_what_it_is_shown_and_leaves_the_policy(study):
    torch.nn.init.zeros_(study.critic.policy.weight)
    before = [p.clone() for p in study.learner.network.parameters()]
    told = [study.learn() for _ in range(12)]
    assert told[0] == 0 and told[-1] > 0.05
    assert all(torch.equal(*pair) for pair in zip(before, study.learner.network.parameters(), strict=True))
