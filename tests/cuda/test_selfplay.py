"""Self-play with games on a device: decisions and weights equal those with games on the host."""

import copy
import sys

import numpy as np
import pytest
import torch

from vitienv.core.kernel import SKIP
from vitienv.core.targets.cuda import Gpu, missing
from vitienv.training.selfplay.envs import Envs
from vitienv.training.selfplay.gpu_envs import DeviceEnvs
from vitienv.training.selfplay.learner import Learner
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.settings import Settings
from vitienv.training.selfplay.train import train_selfplay

TINY = {"game": "toscana", "mix": "2:1,3:1", "num_envs": 24, "num_steps": 80, "hidden": 16, "minibatch_size": 256,
        "league": (), "num_snapshots": 2, "snapshot_interval": 1, "max_years": 9,
        "value_warmup_updates": 1}  # fmt: skip
DECIDED = ("observations", "masks", "prior_scores", "actions", "log_probs", "values")
SEEN = ("is_learner", "seats", "ended", "rewards", "carried")


def learner_on(gpu, device="cpu", **settings):
    """Return a learner whose networks act as on a device."""
    learner = Learner(Settings(**TINY | settings), Processes(device), gpu=gpu)
    learner.acts_on_device = True
    return learner


def assert_same(first, other):
    for name in SEEN:
        values = (torch.as_tensor(getattr(item.rollout, name)).cpu() for item in (first, other))
        assert torch.equal(*values), name
    rows = first.rollout.first + np.flatnonzero(first.rollout.is_learner)  # other rows are not trained on
    for name in DECIDED:
        assert torch.equal(*(getattr(item.rollout, name)[rows].cpu() for item in (first, other))), name
    for name, value in first.network.state_dict().items():
        assert torch.equal(value, other.network.state_dict()[name]), name


@pytest.mark.parametrize("policy_prior", [None, "heuristic"])
def test_games_on_a_device_give_equal_weights(simulated, policy_prior):
    on_device, on_host = (learner_on(gpu, policy_prior=policy_prior) for gpu in (simulated, None))
    assert isinstance(on_device.envs, DeviceEnvs) and not isinstance(on_host.envs, DeviceEnvs)
    for _ in range(3):
        on_device.update(), on_host.update()
        assert_same(on_device, on_host)
    assert set(np.unique(on_device.league.seating)) == {-1, 0, 1}  # the learner and its snapshots
    assert on_device.report() == on_host.report() and (on_device.rollout.ended != 0).any()


@pytest.mark.cuda
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("policy_prior", [None, "heuristic"])
def test_games_on_a_gpu_give_equal_weights(policy_prior):
    on_device, on_host = (learner_on(gpu, "cuda", policy_prior=policy_prior) for gpu in (Gpu(), None))
    for _ in range(3):
        on_device.update(), on_host.update()
        assert_same(on_device, on_host)


def test_unfinished_games_transfer_three_bytes(simulated, monkeypatch):
    learner, fetched = learner_on(simulated, max_years=2), []
    learner.update_league()  # adds a snapshot

    def fetch(device, array):
        fetched.append(array)
        return np.array(array)

    monkeypatch.setattr(type(simulated), "fetch", fetch)
    learner.play()
    ended = (learner.rollout.ended != 0).sum()
    assert ended and 0 in learner.league.seating
    assert sum(array.nbytes for array in fetched if array.itemsize == 1) == 3 * learner.rollout.ended.size
    assert sum(len(array) for array in fetched if array.itemsize > 1) == ended


def test_games_wait_one_step_for_the_answer_of_a_bot(simulated):
    learner = learner_on(simulated, league=("heuristic", "random"), league_share=1.0)
    learner.update_league()
    envs, step, steps = learner.envs, learner.envs.step, []

    def recorded_step(actions):
        seating = learner.league.seating[np.arange(envs.n), envs.seats]
        is_bot = (seating == 0) | (seating == 1)
        before = [vec._batch.bytes_view.copy() for vec in envs.vecs]
        answers = [envs.ask(bot, np.arange(envs.n)) for bot in learner.league.bots]
        step_result = step(actions)
        stayed = [(old == vec._batch.bytes_view).all(axis=1) for old, vec in zip(before, envs.vecs, strict=True)]
        steps.append((is_bot, actions.numpy().copy(), np.where(seating == 0, *answers), np.concatenate(stayed)))
        return step_result

    envs.step = recorded_step
    learner.play()
    is_bot, actions, answers, stayed = map(np.array, zip(*steps, strict=True))
    waits = actions == SKIP
    assert stayed[waits].all() and not stayed[~waits].any()
    assert is_bot[waits].all() and not (waits[1:] & waits[:-1]).any()
    answered = waits[:-1] & is_bot[1:]
    assert (actions[1:][answered] == answers[1:][answered]).all() and answered.sum() == waits[:-1].sum() > 100
    assert not (is_bot & ~waits)[0].any() and (waits[:-1] == (is_bot & ~waits)[1:]).all()
    assert not learner.rollout.is_learner[waits].any()


@pytest.mark.parametrize("league", [(), ("heuristic", "random")])
def test_checkpoint_is_resumed_on_device_and_host(simulated, league, monkeypatch):
    monkeypatch.setattr(Envs, "max_vector_games", 7)  # more vectors on the host
    first = learner_on(simulated, league=league)
    first.update()
    shared, local = first.state(), first.local_state()
    cards = (simulated,) if league else (simulated, None)  # games on the host do not wait for bots
    others = [learner_on(gpu, league=league) for gpu in cards]
    for other in others:
        other.restore(copy.deepcopy(shared), copy.deepcopy(local))
    for learner in (first, *others):
        learner.update()
    for other in others:
        assert_same(first, other)


def test_illegal_action_raises(simulated):
    envs = learner_on(simulated).envs
    actions = np.concatenate([vec._batch.masks.argmax(axis=1) for vec in envs.vecs])
    actions[13] = envs.game_spec.actions.n
    with pytest.raises(ValueError, match=rf"^action {actions[13]} of env 13 is not legal$"):
        envs.step(actions)


def test_missing_gpu_raises_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(ValueError, match=r'^device="cuda" needs '):
        train_selfplay(tmp_path / "run", game="toscana", backend="cuda", updates=1, progress=False)
