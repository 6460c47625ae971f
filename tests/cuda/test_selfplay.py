"""Self-play whose games lie on a device, beside the same games here: every decision and every weight is equal."""

import copy
import sys

import numpy as np
import pytest
import torch

from vitienv.core.kernel import LEAVE
from vitienv.core.targets.cuda import Gpu, missing
from vitienv.training.selfplay.envs import Envs
from vitienv.training.selfplay.gpu_envs import DeviceEnvs
from vitienv.training.selfplay.learner import Learner
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.settings import Settings
from vitienv.training.selfplay.train import train_selfplay

TINY = {"game": "toscana", "mix": "2:1,3:1", "num_envs": 24, "num_steps": 80, "hidden": 16, "minibatch_size": 256,
        "league": (), "num_snapshots": 2, "snapshot_interval": 1, "max_years": 9, "value_warmup_updates": 1,
        "start_states": "dealt:1,random/9:1"}  # fmt: skip
DECIDED = ("observations", "masks", "prior_scores", "actions", "log_probs", "values")
SEEN = ("own", "seats", "ended", "rewards", "carried")


def learner_on(card, place="cpu", **given):
    """One whose networks decide as on a device."""
    made = Learner(Settings(**TINY | given), Processes(place), card=card)
    made.acts_on_device = True
    return made


def assert_same(one, other):
    for name in SEEN:
        values = (torch.as_tensor(getattr(each.rollout, name)).cpu() for each in (one, other))
        assert torch.equal(*values), name
    rows = one.rollout.first + np.flatnonzero(one.rollout.own)  # nothing else is learned from
    for name in DECIDED:
        assert torch.equal(*(getattr(each.rollout, name)[rows].cpu() for each in (one, other))), name
    for name, value in one.network.state_dict().items():
        assert torch.equal(value, other.network.state_dict()[name]), name


@pytest.mark.parametrize(("policy_prior", "bfloat16"), [(None, False), (None, True), ("heuristic", False)])
def test_what_is_played_and_learned_is_the_same(simulated, policy_prior, bfloat16):
    there, here = (learner_on(card, policy_prior=policy_prior, bfloat16=bfloat16) for card in (simulated, None))
    assert isinstance(there.envs, DeviceEnvs) and not isinstance(here.envs, DeviceEnvs)
    for _ in range(3):
        there.update(), here.update()
        assert_same(there, here)
    assert set(np.unique(there.league.seating)) == {-1, 0, 1}  # the learner, its past selves
    assert there.report() == here.report() and (there.rollout.ended != 0).any()


@pytest.mark.cuda
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize(("policy_prior", "bfloat16"), [(None, False), (None, True), ("heuristic", False)])
def test_on_a_card_it_is_what_is_learned_there_from_games_here(policy_prior, bfloat16):
    there, here = (learner_on(card, "cuda", policy_prior=policy_prior, bfloat16=bfloat16) for card in (Gpu(), None))
    for _ in range(3):
        there.update(), here.update()
        assert_same(there, here)


def test_of_a_game_that_goes_on_three_bytes_leave_the_device(simulated, monkeypatch):
    there, fetched = learner_on(simulated, start_states="dealt", max_years=2), []
    there.update_league()  # a past self plays too

    def fetch(device, array):
        fetched.append(array)
        return np.array(array)

    monkeypatch.setattr(type(simulated), "fetch", fetch)
    there.play()
    ended = (there.rollout.ended != 0).sum()
    assert ended and 0 in there.league.seating
    assert sum(array.nbytes for array in fetched if array.itemsize == 1) == 3 * there.rollout.ended.size
    assert sum(len(array) for array in fetched if array.itemsize > 1) == ended


def test_a_bot_thinks_for_a_step_in_which_its_game_is_left_alone(simulated):
    there = learner_on(simulated, league=("heuristic", "random"), league_share=1.0, start_states="dealt")
    there.update_league()
    envs, step, steps = there.envs, there.envs.step, []

    def noted(actions):
        seating = there.league.seating[np.arange(envs.n), envs.seats]
        is_bot = (seating == 0) | (seating == 1)
        before = [vec._batch.bytes_view.copy() for vec in envs.vecs]
        right = [envs.ask(bot, np.arange(envs.n)) for bot in there.league.bots]
        stepped = step(actions)
        stayed = [(old == vec._batch.bytes_view).all(axis=1) for old, vec in zip(before, envs.vecs, strict=True)]
        steps.append((is_bot, actions.numpy().copy(), np.where(seating == 0, *right), np.concatenate(stayed)))
        return stepped

    envs.step = noted
    there.play()
    is_bot, actions, right, stayed = map(np.array, zip(*steps, strict=True))
    left = actions == LEAVE
    assert stayed[left].all() and not stayed[~left].any()
    assert is_bot[left].all() and not (left[1:] & left[:-1]).any()
    answered = left[:-1] & is_bot[1:]
    assert (actions[1:][answered] == right[1:][answered]).all() and answered.sum() == left[:-1].sum() > 100
    assert not (is_bot & ~left)[0].any() and (left[:-1] == (is_bot & ~left)[1:]).all()
    assert not there.rollout.own[left].any()


@pytest.mark.parametrize("league", [(), ("heuristic", "random")])
def test_it_goes_on_from_a_checkpoint(simulated, league, monkeypatch):
    monkeypatch.setattr(Envs, "max_vector_games", 7)  # the games here lie in more vectors than those there
    there = learner_on(simulated, league=league)
    there.update()
    shared, own = there.state(), there.local_state()
    cards = (simulated,) if league else (simulated, None)  # here no bot's game is left alone for a step
    others = [learner_on(card, league=league) for card in cards]
    for other in others:
        other.restore(copy.deepcopy(shared), copy.deepcopy(own))
    for learner in (there, *others):
        learner.update()
    for other in others:
        assert_same(there, other)


def test_an_illegal_action_is_named(simulated):
    envs = learner_on(simulated).envs
    actions = np.concatenate([vec._batch.masks.argmax(axis=1) for vec in envs.vecs])
    actions[13] = envs.game_spec.actions.n
    with pytest.raises(ValueError, match=rf"^action {actions[13]} of env 13 is not legal$"):
        envs.step(actions)


def test_without_a_card_one_line_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(ValueError, match=r'^device="cuda" needs '):
        train_selfplay(tmp_path / "run", game="toscana", backend="card", updates=1, progress=False)
