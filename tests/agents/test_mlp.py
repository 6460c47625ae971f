"""The network of `vitienv train --method ppo` as a file of weights: equal to the MaskablePPO."""

import numpy as np
import pytest

import vitienv
from tests.random_play import random_batch
from vitienv import trust
from vitienv.agents import GameViews, make_agent
from vitienv.agents.policy import load_networks
from vitienv.viticulture.options import Options

pytest.importorskip("sb3_contrib")


@pytest.fixture(autouse=True, scope="module")
def trusted():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(trust.VARIABLE, "1")
        yield


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A directory with the checkpoint of a short run and its weights."""
    from vitienv.agents.policy import load_model
    from vitienv.training.ppo.train import save_weights, train

    folder = tmp_path_factory.mktemp("mlp") / "run"
    train(["random"], steps=2048, run=folder, num_envs=16, evaluation_games=2, progress=False)
    last = load_model(folder / "checkpoint.zip")
    weights = folder / "agent.safetensors"
    save_weights(last, weights, load_networks(str(weights)).metadata["trained"], vitienv.game_spec())
    trained = load_networks(str(weights)).metadata["trained"]
    assert (trained["method"], trained["settings"]["opponents"]) == ("ppo", ["random"]) and trained["decisions"] >= 2000
    return folder


@pytest.fixture(scope="module")
def batch():
    return random_batch(Options(num_players=3), 400, 60)


def test_file_and_zip_choose_the_same(run, batch):
    zipped, numbers = (make_agent(f"policy:{run / name}") for name in ("checkpoint.zip", "agent.safetensors"))
    actions = zipped.act(batch.obs, batch.masks)
    assert zipped.name == "policy:checkpoint" and actions.dtype == np.int64 and batch.are_legal(actions).all()
    assert (numbers.act(batch.obs, batch.masks) == actions).all()
    for bot in (zipped, numbers):
        assert bot.act(batch.obs[7:8], batch.masks[7:8]) == actions[7]


def test_file_and_zip_have_equal_values_and_probabilities(run, batch):
    from vitienv.agents.search.networks import load_evaluator

    first, other = (load_evaluator(str(run / name)) for name in ("checkpoint.zip", "agent.safetensors"))
    observations, masks = batch.obs[:50], batch.masks[:50]
    (logs, values), (logits, mlp_values) = first.evaluate(observations, masks), other.evaluate(observations, masks)
    assert np.allclose(values, mlp_values, atol=1e-5)
    legal = masks != 0
    normal = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    assert np.allclose(logs[legal], normal[legal], atol=1e-4) and (np.isneginf(logits) == ~legal).all()


def test_file_can_be_sampled(run, batch):
    bot = make_agent(f"policy:{run / 'agent.safetensors'},deterministic=false", seed=3)
    assert batch.are_legal(bot.act(batch.obs, batch.masks)).all()


@pytest.mark.parametrize("name", ["checkpoint.zip", "agent.safetensors"])
def test_file_can_guide_a_search(run, batch, name):
    bot, rows = make_agent(f"ismcts:simulations=8,policy={run / name}", seed=1), np.arange(3)
    assert batch.are_legal(bot.act(batch.obs[:3], batch.masks[:3], GameViews(batch, rows)), rows).all()


@pytest.mark.parametrize("damage, message", [("shape", r"have shape \(1, 256"), ("deep", "nested too deeply")])
def test_damaged_file_raises(run, tmp_path, damage, message):
    from safetensors import safe_open
    from safetensors.numpy import load_file, save_file

    tensors = load_file(run / "agent.safetensors")
    with safe_open(run / "agent.safetensors", framework="numpy") as file:
        metadata = file.metadata()
    if damage == "shape":
        tensors["value.weight"] = tensors["value.weight"][:, :9].copy()
    else:
        metadata["trained"] = "[" * 100_000
    save_file(tensors, tmp_path / "net.safetensors", metadata)
    with pytest.raises(ValueError, match=message) as error:
        make_agent(f"policy:{tmp_path / 'net.safetensors'}")
    assert "net.safetensors" in str(error.value) and "\n" not in str(error.value)
