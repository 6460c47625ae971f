"""The network of `vitienv train --method ppo` as a file of weights: equal to the MaskablePPO."""

import numpy as np
import pytest
from agent_matches import positions

import vitienv
from vitienv import trust
from vitienv.agents import make_agent
from vitienv.agents.policy import load_networks

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


def test_file_and_zip_choose_the_same(run):
    observations, masks = positions(400, 60)
    zipped, numbers = (make_agent(f"policy:{run / name}") for name in ("checkpoint.zip", "agent.safetensors"))
    assert (zipped.act(observations, masks) == numbers.act(observations, masks)).all()
    assert (numbers.act(observations[7:8], masks[7:8]) == numbers.act(observations, masks)[7:8]).all()


def test_file_and_zip_have_equal_values_and_probabilities(run):
    from vitienv.agents.search.networks import load_evaluator

    observations, masks = positions(50, 40)
    first, other = (load_evaluator(str(run / name)) for name in ("checkpoint.zip", "agent.safetensors"))
    (logs, values), (logits, mlp_values) = first.evaluate(observations, masks), other.evaluate(observations, masks)
    assert np.allclose(values, mlp_values, atol=1e-5)
    legal = masks != 0
    normal = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    assert np.allclose(logs[legal], normal[legal], atol=1e-4) and (np.isneginf(logits) == ~legal).all()


def test_file_can_be_sampled_and_searched(run):
    observations, masks = positions(20, 30)
    weights = run / "agent.safetensors"
    sampled = make_agent(f"policy:{weights},deterministic=false", seed=3).act(observations, masks)
    assert masks[np.arange(20), sampled].all()
    game = vitienv.Game.new(seed=2)
    from vitienv.agents import GameViews

    searching = make_agent(f"ismcts:simulations=8,policy={weights}", seed=1)
    action = searching.act(game.observation()[None], game.mask[None], games=GameViews(game._batch, [0]))
    assert game.mask[action[0]] == 1


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
