"""Actions of the learner: those of its network, with any number of threads."""

import importlib
import os

import numpy as np
import pytest
import torch

from vitienv import training
from vitienv.core.networks.network import draw
from vitienv.training.selfplay import gpu_acting
from vitienv.training.selfplay.league import LEARNER
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.processes import Processes

TINY = Settings(
    mix="2:1,3:1,solo:1", num_envs=48, num_steps=24, hidden=16, league=("heuristic", "random"), num_snapshots=2
)


@pytest.fixture(autouse=True)
def threads():
    num_threads = torch.get_num_threads()
    yield
    torch.set_num_threads(num_threads)


def learner_after_a_rollout(
    threads: int, policy_prior: str | None = "heuristic", acts_on_device: bool = False
) -> Learner:
    """Return a learner after a rollout against bots and a snapshot."""
    torch.set_num_threads(threads)
    learner = Learner(Settings(**vars(TINY) | {"policy_prior": policy_prior}), Processes("cpu"))
    learner.acts_on_device = acts_on_device
    with torch.no_grad():
        learner.network.policy.weight.normal_()
    learner.league.add_snapshot(learner.network, "self@0")
    learner.league.choose_active([0, 0])
    learner.league.seat(np.arange(learner.envs.n))
    learner.play()
    return learner


@pytest.mark.parametrize("acts_on_device", [False, True])
@pytest.mark.parametrize("policy_prior", [None, "heuristic"])
def test_stored_values_are_those_of_the_network(policy_prior, acts_on_device):
    learner = learner_after_a_rollout(1, policy_prior, acts_on_device)
    rollout = learner.rollout
    rows = torch.from_numpy(rollout.first + np.flatnonzero(rollout.is_learner))
    assert len(rows) > 400 and set(np.unique(learner.league.seating)) == {LEARNER, 0, 1, 2}
    with torch.no_grad():
        logits, values = learner.network(*rollout.inputs(rows))
    log_probs = torch.log_softmax(logits, dim=1).gather(1, rollout.actions[rows][:, None])[:, 0]
    assert (rollout.masks[rows].gather(1, rollout.actions[rows][:, None]) == 1).all()
    assert (log_probs - rollout.log_probs[rows]).abs().max() < 1e-4 and (log_probs < -0.5).any()
    assert (values - rollout.values[rows]).abs().max() < 1e-4


def test_rollout_is_independent_of_threads():
    first, two = learner_after_a_rollout(1), learner_after_a_rollout(2)
    for name in ("observations", "actions", "log_probs", "values", "prior_scores"):
        assert torch.equal(getattr(first.rollout, name), getattr(two.rollout, name)), name
    assert np.array_equal(first.rollout.rewards, two.rollout.rewards)


@pytest.mark.parametrize("policy_prior", [None, "heuristic"])
def test_device_equals_compiled_code(policy_prior):
    """With the same random numbers, up to rounding."""
    compiled, other = (
        learner_after_a_rollout(1, policy_prior),
        learner_after_a_rollout(1, policy_prior, acts_on_device=True),
    )
    rows, is_learner = compiled.rollout.rows(0), torch.from_numpy(compiled.rollout.is_learner[0])
    assert is_learner.any() and np.array_equal(compiled.rollout.is_learner[0], other.rollout.is_learner[0])
    for name in ("actions", "log_probs", "values"):
        first, second = (getattr(learner.rollout, name)[rows][is_learner].double() for learner in (compiled, other))
        assert (first - second).abs().max() < 1e-4, name
    assert compiled.decisions and set(np.unique(other.league.seating)) == {LEARNER, 0, 1, 2}


def test_device_samples_legal_actions_only():
    learner = Learner(TINY, Processes("cpu"))
    observations, masks, prior_scores = (part[: learner.envs.n] for part in learner.rollout.inputs(slice(None)))
    learner.envs.observe(observations.numpy(), masks.numpy())
    for uniform in (0.0, 0.5, 1 - 2**-53):
        actions = gpu_acting.draw(
            learner.network, (observations, masks, prior_scores), torch.full((len(observations),), uniform).double()
        )[0]
        assert (masks.gather(1, actions[:, None]) == 1).all()


def test_actions_are_sampled_by_their_probabilities():
    n = 40_000
    logits = np.full((n, 5), -np.inf, np.float32)
    logits[:, [1, 2, 4]] = np.log([0.7, 0.25, 0.05]) + 40
    actions, log_probs = np.empty(n, np.int64), np.empty(n, np.float32)
    draw(logits, (np.arange(n) + 0.5) / n, actions, log_probs)
    assert np.allclose(np.bincount(actions, minlength=5) / n, [0, 0.7, 0.25, 0, 0.05], atol=1e-3)
    assert np.allclose(np.exp(log_probs[[0, -1]]), [0.7, 0.05], atol=1e-6)
    draw(logits[:2], np.array([0.0, np.nextafter(1, 0)]), actions, log_probs)
    assert actions[:2].tolist() == [1, 4]


@pytest.mark.parametrize(("variable", "policy"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_default_wait_policy_of_openmp(monkeypatch, variable, policy):
    monkeypatch.setenv("OMP_WAIT_POLICY", variable or "")
    if variable is None:
        monkeypatch.delenv("OMP_WAIT_POLICY")
    importlib.reload(training)
    assert os.environ["OMP_WAIT_POLICY"] == policy
