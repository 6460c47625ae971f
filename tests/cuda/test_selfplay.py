"""Self-play whose games lie on a device, beside the same games here: every decision and every weight is equal."""

import copy

import numpy as np
import pytest
import torch

from vitienv.training.selfplay.card import DeviceEnvs
from vitienv.training.selfplay.learner import Learner
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.settings import Settings
from vitienv.training.selfplay.train import train_selfplay

TINY = {"game": "toscana", "mix": "2:1,3:1", "num_envs": 24, "num_steps": 80, "hidden": 16, "minibatch_size": 256,
        "league": ("heuristic", "random"), "past": 2, "snapshot": 1, "max_years": 9, "warm": 1,
        "starts": "dealt:1,random/9:1"}  # fmt: skip
DECIDED = ("observations", "masks", "advice", "actions", "log_probs", "values")
SEEN = ("own", "seats", "ended", "rewards", "carried")


def learner_on(card, **given):
    """One whose networks decide as on a device."""
    made = Learner(Settings(**TINY | given), Processes("cpu"), card=card)
    made.acts_on_device = True
    return made


def assert_same(one, other):
    for name in SEEN:
        assert np.array_equal(getattr(one.rollout, name), getattr(other.rollout, name)), name
    rows = one.rollout.first + np.flatnonzero(one.rollout.own)  # nothing else is learned from
    for name in DECIDED:
        assert torch.equal(getattr(one.rollout, name)[rows], getattr(other.rollout, name)[rows]), name
    for name, value in one.network.state_dict().items():
        assert torch.equal(value, other.network.state_dict()[name]), name


@pytest.mark.parametrize("advice", [None, "heuristic"])
def test_what_is_played_and_learned_is_the_same(simulated, advice):
    there, here = learner_on(simulated, advice=advice), learner_on(None, advice=advice)
    assert isinstance(there.envs, DeviceEnvs) and not isinstance(here.envs, DeviceEnvs)
    for _ in range(3):
        there.update(), here.update()
        assert_same(there, here)
    assert set(np.unique(there.league.seating)) >= {-1, 0, 1, 2}  # the learner, both bots, a past self
    assert there.report() == here.report() and (there.rollout.ended != 0).any()


def test_of_a_game_that_goes_on_three_bytes_leave_the_device(simulated, monkeypatch):
    there, fetched = learner_on(simulated, league=(), starts="dealt"), []
    there.grow_older()  # a past self plays too

    def fetch(device, array):
        fetched.append(array)
        return np.array(array)

    monkeypatch.setattr(type(simulated), "fetch", fetch)
    there.play()
    ended = (there.rollout.ended != 0).sum()
    assert ended and 0 in there.league.seating
    assert sum(array.nbytes for array in fetched if array.itemsize == 1) == 3 * there.rollout.ended.size
    assert sum(len(array) for array in fetched if array.itemsize > 1) == ended


def test_it_goes_on_from_a_checkpoint_there_and_here(simulated):
    there = learner_on(simulated)
    there.update()
    shared, own = there.state(), there.own_state()
    others = [learner_on(card) for card in (simulated, None)]
    for other in others:
        other.restore(copy.deepcopy(shared), copy.deepcopy(own))
    for learner in (there, *others):
        learner.update()
    for other in others:
        assert_same(there, other)


def test_an_illegal_action_is_named(simulated):
    envs = learner_on(simulated).envs
    actions = np.concatenate([vec._batch.masks.argmax(axis=1) for vec in envs.vecs])
    actions[13] = envs.definition.actions.n
    with pytest.raises(ValueError, match=rf"^action {actions[13]} of env 13 is not legal$"):
        envs.step(actions)


def test_without_a_card_one_line_says_what_is_missing(tmp_path):
    with pytest.raises(ValueError, match=r'^device="cuda" needs '):
        train_selfplay(tmp_path / "run", game="toscana", on="card", updates=1, progress=False)
