"""Damaged or hostile files of weights are refused before they play, with the reason."""

import json
import os
import tracemalloc

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from tests.random_play import random_batch
from vitienv.agents import make_agent
from vitienv.agents.champions import path_of
from vitienv.agents.network import read_network
from vitienv.registry import game_spec


def bundled_network():
    with safe_open(path_of("many", game_spec()), framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata())  # noqa: SIM118 - no mapping


@pytest.fixture
def refusal(tmp_path):
    """Function that returns the error of a changed network, without the file name at its start."""

    def refusal(change):
        tensors, metadata = bundled_network()
        change(tensors, metadata)
        file = tmp_path / "changed.safetensors"
        save_file(tensors, file, metadata)
        for read in (lambda: read_network(file), lambda: make_agent(f"policy:{file}")):
            with pytest.raises(ValueError) as caught:
                read()
        message = str(caught.value)
        assert message.startswith(repr(str(file))) and "\n" not in message
        return message.removeprefix(repr(str(file)))

    return refusal


TENSORS = sorted(bundled_network()[0])


def with_last_weight(value):
    """Return a function that copies a tensor with another last element."""

    def change(tensor):
        tensor = tensor.copy()
        tensor.reshape(-1)[-1] = value
        return tensor

    return change


# Changes of a tensor, None to remove it, and words of the refusal.
TENSOR_CHANGES = {
    "missing": (lambda tensor: None, "missing tensor {name!r}"),
    "NaN": (with_last_weight(np.nan), "tensor {name!r} must be finite, got NaN or infinity"),
    "infinite": (with_last_weight(-np.inf), "tensor {name!r} must be finite, got NaN or infinity"),
    "longer": (lambda tensor: np.zeros((*tensor.shape, 1), np.float16), "tensor {name!r} must have shape"),
    "shorter": (lambda tensor: np.zeros((3, *tensor.shape[1:]), np.float16), "tensor {name!r} must have shape"),
    "integers": (lambda tensor: tensor.astype("int8"), "{name!r} must be one of float16, float32, float64, got int8"),
    "overflowing": (lambda tensor: np.full(tensor.shape, 3e38, np.float32), "the weights overflow"),
}


@pytest.mark.parametrize("name", TENSORS)
@pytest.mark.parametrize("kind", TENSOR_CHANGES)
def test_invalid_tensors_raise(refusal, kind, name):
    function, message = TENSOR_CHANGES[kind]

    def change(tensors, _):
        tensor = function(tensors.pop(name))
        if tensor is not None:
            tensors[name] = tensor

    # The width of the value layer is read from the file, so that the next layer does not fit.
    tensor_name = "judge.bias" if (kind, name) == ("shorter", "judge.weight") else name
    assert message.format(name=tensor_name) in refusal(change)


@pytest.mark.parametrize("kind", ["vitienv-network-1", "vitienv-mlp-1"])
def test_large_file_is_refused_by_its_header(tmp_path, kind):
    """A sparse file that declares a gigabyte of weights is not read."""
    size = 2**30
    header = {"__metadata__": bundled_network()[1] | {"format": kind}}
    if kind == "vitienv-mlp-1":
        header["__metadata__"]["architecture"] = json.dumps({"policy": [8], "value": [8]})
    header["input.weight"] = {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}
    head = json.dumps(header).encode()
    file = tmp_path / "giant.safetensors"
    file.write_bytes(len(head).to_bytes(8, "little") + head)
    os.truncate(file, 8 + len(head) + size)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"tensor 'input.weight' must have shape .* got \(268435456,\)"):
            make_agent(f"policy:{file}")
        assert tracemalloc.get_traced_memory()[1] < size // 10
    finally:
        tracemalloc.stop()


def edit_section(name, **changes):
    """Return a function that changes keys of one section of the metadata; None removes a key."""

    def change(_, metadata):
        section = json.loads(metadata[name]) | changes
        metadata[name] = json.dumps({key: value for key, value in section.items() if value is not None})

    return change


def replace_section(name, text):
    def change(_, metadata):
        metadata[name] = text

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit_section("architecture", hidden=0), "hidden must be an integer of at least 1, got 0"),
        (edit_section("architecture", hidden=1e9), "hidden must be an integer of at least 1, got 1000000000.0"),
        (edit_section("architecture", blocks=-1), "blocks must be an integer of at least 0, got -1"),
        (edit_section("architecture", blocks=10**15), "missing tensor 'blocks.2.weight'"),
        (edit_section("architecture", blocks=1), "unknown tensor 'blocks.1."),
        (edit_section("architecture", hidden=None), "hidden must be an integer of at least 1, got None"),
        (edit_section("architecture", lead=float("nan")), "lead must be a finite number, got nan"),
        (edit_section("architecture", depth=3), "unknown key 'depth' in the architecture"),
        (edit_section("architecture", lead="much"), "lead must be a finite number, got 'much'"),
        (edit_section("architecture", policy_prior="nobody"), "unknown agent 'nobody'"),
        (edit_section("architecture", policy_prior=7), "None or the name of a bot without parameters, got 7"),
        (edit_section("architecture", policy_prior="os.getcwd"), "which would import a module"),
        (edit_section("architecture", policy_prior=""), "unknown agent ''"),
        (edit_section("layout", game="chess"), "the network is for chess"),
        (edit_section("layout", game=["chess"]), "the network is for ['chess']"),
        (replace_section("layout", json.dumps({"digest": "0" * 16})), "invalid layout"),
        (edit_section("layout", features=3), "invalid layout"),
        (edit_section("layout", features=[["year", [1]]]), "invalid layout"),
        (edit_section("layout", digest="", features=[["year", [10**9], []]]), "features and actions, got 1000000000"),
        (edit_section("layout", digest="", features=[]), "layout must have 1 to 100000 features and actions, got 0"),
        (replace_section("architecture", "[1, 2]"), "architecture must be a mapping, got [1, 2]"),
        (replace_section("layout", "null"), "layout must be a mapping, got None"),
        (replace_section("architecture", "{"), "cannot be read"),
        (replace_section("architecture", "[" * 100_000), "cannot be read"),
        (replace_section("format", "pickle"), "format must be 'vitienv-network-1', got 'pickle'"),
    ],
)
def test_invalid_metadata_raise(refusal, change, message):
    assert message in refusal(change)


def test_damaged_files_raise(tmp_path):
    whole = path_of("many", game_spec()).read_bytes()
    for text in (b"", b"{}", b"\xff" * 64, whole[:1000], whole[:-1], whole + b"x"):
        file = tmp_path / "damaged.safetensors"
        file.write_bytes(text)
        with pytest.raises(ValueError, match="cannot be read as a network"):
            read_network(file)


def test_policy_prior_of_a_file_is_not_executed(refusal, tmp_path):
    """`subprocess.getoutput` has parameters like a bot. It was called before its result was checked."""
    proof = tmp_path / "proof"
    message = refusal(edit_section("architecture", policy_prior=f"subprocess.getoutput:cmd=touch {proof}"))
    assert "without parameters" in message and not proof.exists()


def test_narrow_value_layer_can_play_but_not_be_trained(tmp_path):
    """The learner has a fixed width of the value layer."""
    network = pytest.importorskip("vitienv.training.selfplay.network")
    tensors, metadata = bundled_network()
    for name, shape in (("judge.weight", (64, 128)), ("judge.bias", (64,)), ("value.weight", (1, 64))):
        tensors[name] = np.zeros(shape, np.float16)
    file = tmp_path / "narrow.safetensors"
    save_file(tensors, file, metadata)
    assert read_network(file).metadata["architecture"]["hidden"] == 128
    with pytest.raises(ValueError, match=r"the value layer of .* must have width 128 to be trained, got 64"):
        network.load_network(file)
    tensors["trust"] = np.full((), np.nan, np.float16)
    save_file(tensors, file, metadata)
    with pytest.raises(ValueError, match="tensor 'trust' must be finite, got NaN or infinity"):
        network.load_network(file)


@pytest.mark.parametrize("name", [name for name in TENSORS if not name.endswith("bias")])
def test_accepted_large_weights_have_finite_outputs(tmp_path, name):
    """At the bounds of the observations, and in games, in which the bot plays legal actions."""
    game, rng, file, accepted = game_spec(), np.random.default_rng(1), tmp_path / "large.safetensors", []
    observations = rng.choice(np.array(game.observation.bounds), axis=0, size=64).astype(np.int16)
    masks = (rng.random((64, game.actions.n)) < 0.05).astype(np.int8)
    masks[:, 7] = 1
    batch = random_batch(game.options.of(num_players=5), 64, 60)
    for size in (3e38, 1e25, 1e4):
        tensors, metadata = bundled_network()
        tensors[name] = np.full(tensors[name].shape, size, np.float32)
        save_file(tensors, file, metadata)
        try:
            network = read_network(file)
        except ValueError:
            continue
        accepted.append(size)
        logits, values = network.evaluate(observations, masks, np.zeros((64, game.actions.n + 1), np.int16))
        assert np.isfinite(logits[masks == 1]).all() and np.isfinite(values).all()
        assert batch.are_legal(network.best(batch.obs, batch.masks)).all()
    assert 0 < len(accepted) < 3
