"""The network of `vitienv train` as numbers alone: it plays what the model of the library plays."""

import json

import numpy as np
import pytest
from agent_matches import positions

import vitienv
from vitienv import signing
from vitienv.agents import make_agent
from vitienv.agents.policy import load_networks

pytest.importorskip("sb3_contrib")


@pytest.fixture(autouse=True, scope="module")
def trusted():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(signing.VARIABLE, "1")
        yield


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a short training: its checkpoint, and the weights of the same moment."""
    from vitienv.agents.policy import load_model
    from vitienv.training.ppo.train import save_weights, train

    folder = tmp_path_factory.mktemp("mlp") / "run"
    train(["random"], steps=2048, run=folder, num_envs=16, evaluation_games=2, progress=False)
    last = load_model(folder / "checkpoint.zip", "cpu")
    weights = folder / "agent.safetensors"
    save_weights(last, weights, load_networks(str(weights)).metadata["trained"], vitienv.game_spec())
    return folder


def test_it_chooses_what_the_zip_chooses(run):
    observations, masks = positions(400, 60)
    zipped, numbers = (make_agent(f"policy:{run / name}") for name in ("checkpoint.zip", "agent.safetensors"))
    assert (zipped.act(observations, masks) == numbers.act(observations, masks)).all()
    assert (numbers.act(observations[7:8], masks[7:8]) == numbers.act(observations, masks)[7:8]).all()


def test_its_value_and_probabilities_are_the_models(run):
    from vitienv.agents.search.networks import load_evaluator

    observations, masks = positions(50, 40)
    one, other = (load_evaluator(str(run / name)) for name in ("checkpoint.zip", "agent.safetensors"))
    (logs, values), (logits, own) = one.evaluate(observations, masks), other.evaluate(observations, masks)
    assert np.allclose(values, own, atol=1e-5)
    legal = masks != 0
    normal = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    assert np.allclose(logs[legal], normal[legal], atol=1e-4) and (np.isneginf(logits) == ~legal).all()


def test_it_is_drawn_from_and_searched_with(run):
    observations, masks = positions(20, 30)
    weights = run / "agent.safetensors"
    drawn = make_agent(f"policy:{weights},deterministic=false", seed=3).act(observations, masks)
    assert masks[np.arange(20), drawn].all()
    game = vitienv.Game.new(seed=2)
    from vitienv.agents import GameViews

    searching = make_agent(f"ismcts:simulations=8,policy={weights}", seed=1)
    action = searching.act(game.observation()[None], game.mask[None], games=GameViews(game._batch, [0]))
    assert game.mask[action[0]] == 1


@pytest.mark.parametrize("wrong, said", [("missing", "missing tensor 'value.bias'"), ("shape", r"have shape \(1, 256"),
                                         ("nan", "'policy.weight' must be finite, got NaN or infinity"),
                                         ("deep", "nested too deeply")])  # fmt: skip
def test_a_damaged_one_is_refused_by_name(run, tmp_path, wrong, said):
    from safetensors import safe_open
    from safetensors.numpy import load_file, save_file

    tensors = load_file(run / "agent.safetensors")
    with safe_open(run / "agent.safetensors", framework="numpy") as file:
        metadata = file.metadata()
    if wrong == "missing":
        del tensors["value.bias"]
    elif wrong == "shape":
        tensors["value.weight"] = tensors["value.weight"][:, :9].copy()
    elif wrong == "nan":
        tensors["policy.weight"][3, 3] = np.nan
    else:
        metadata["trained"] = "[" * 100_000
    save_file(tensors, tmp_path / "net.safetensors", metadata)
    with pytest.raises(ValueError, match=said) as error:
        make_agent(f"policy:{tmp_path / 'net.safetensors'}")
    assert "net.safetensors" in str(error.value) and "\n" not in str(error.value)


def test_it_says_how_it_came_about(run):
    about = load_networks(str(run / "agent.safetensors")).metadata
    assert about["trained"]["method"] == "ppo" and about["trained"]["settings"]["opponents"] == ["random"]
    assert about["trained"]["decisions"] >= 2000 and json.dumps(about)
