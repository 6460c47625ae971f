"""Files of weights that are damaged, or made to do harm, are refused by what is wrong in them, before they play."""

import json
import os
import tracemalloc

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

import vitienv
from vitienv.agents import make_agent
from vitienv.agents.champions import path_of
from vitienv.agents.network import read_network
from vitienv.registry import game_spec


def parts():
    """The tensors and the metadata of a network that ships."""
    with safe_open(path_of("many", game_spec()), framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata())  # noqa: SIM118 - no mapping


@pytest.fixture
def refusal(tmp_path):
    """What is said of a network after a change, without the file's name, with which it begins."""

    def refusal(change):
        tensors, metadata = parts()
        change(tensors, metadata)
        file = tmp_path / "changed.safetensors"
        save_file(tensors, file, metadata)
        for read in (lambda: read_network(file), lambda: make_agent(f"policy:{file}")):
            with pytest.raises(ValueError) as caught:
                read()
        told = str(caught.value)
        assert told.startswith(repr(str(file))) and "\n" not in told
        return told.removeprefix(repr(str(file)))

    return refusal


TENSORS = sorted(parts()[0])


def test_the_network_itself_is_read(tmp_path):
    tensors, metadata = parts()
    save_file(tensors, tmp_path / "same.safetensors", metadata)
    assert read_network(tmp_path / "same.safetensors").metadata["architecture"]["blocks"] == 2


@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_that_is_missing(refusal, name):
    assert f"missing tensor {name!r}" in refusal(lambda tensors, _: tensors.pop(name))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf], ids=str)
@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_with_a_number_that_is_none(refusal, name, value):
    def change(tensors, _):
        tensors[name] = tensors[name].copy()
        tensors[name].reshape(-1)[-1] = value

    assert f"tensor {name!r} must be finite, got NaN or infinity" in refusal(change)


@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_of_another_shape(refusal, name):
    def longer(tensors, _):
        tensors[name] = np.zeros((*tensors[name].shape, 1), np.float16)

    def shorter(tensors, _):
        tensors[name] = np.zeros((3, *tensors[name].shape[1:]), np.float16)

    for change in (longer, shorter):
        told = refusal(change)
        # The width before the value is what the file's layer there has: then the next one does not fit.
        assert "must have shape" in told and (name in told or name == "judge.weight")


@pytest.mark.parametrize("kind", ["int8", "int64", "bool"])
def test_a_tensor_of_other_numbers(refusal, kind):
    def change(tensors, _):
        tensors["policy.bias"] = tensors["policy.bias"].astype(kind)

    assert f"tensor 'policy.bias' must be one of float16, float32, float64, got {kind}" in refusal(change)


def test_a_tensor_too_many(refusal):
    def change(tensors, _):
        tensors["blocks.2.weight"] = tensors["blocks.1.weight"]

    assert "unknown tensor 'blocks.2.weight'" in refusal(change)


@pytest.mark.parametrize("kind", ["vitienv-network-1", "vitienv-mlp-1"])
def test_a_giant_that_does_not_fit_is_refused_by_its_head(tmp_path, kind):
    """A file with holes says that it has a gigabyte of numbers: none of them is read."""
    size = 2**30
    about = {"__metadata__": parts()[1] | {"format": kind}}
    if kind == "vitienv-mlp-1":
        about["__metadata__"]["architecture"] = json.dumps({"policy": [8], "value": [8]})
    about["input.weight"] = {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}
    head = json.dumps(about).encode()
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


def say(name, **changes):
    """A change of one of the metadata; None takes a key away."""

    def change(_, metadata):
        told = json.loads(metadata[name]) | changes
        metadata[name] = json.dumps({key: value for key, value in told.items() if value is not None})

    return change


def put(name, text):
    def change(_, metadata):
        metadata[name] = text

    return change


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (say("architecture", hidden=64), "must have shape"),
        (say("architecture", hidden=0), "hidden must be an integer of at least 1, got 0"),
        (say("architecture", hidden=1e9), "hidden must be an integer of at least 1, got 1000000000.0"),
        (say("architecture", blocks=-1), "blocks must be an integer of at least 0, got -1"),
        (say("architecture", blocks=10**15), "missing tensor 'blocks.2.weight'"),
        (say("architecture", blocks=1), "unknown tensor '"),
        (say("architecture", hidden=None), "hidden must be an integer of at least 1, got None"),
        (say("architecture", lead=float("nan")), "lead must be a finite number, got nan"),
        (say("architecture", depth=3), "unknown key 'depth' in its architecture"),
        (say("architecture", lead="much"), "lead must be a finite number, got 'much'"),
        (say("architecture", policy_prior="nobody"), "unknown agent 'nobody'"),
        (say("architecture", policy_prior=7), "None or the name of a bot without parameters, got 7"),
        (say("architecture", policy_prior="policy:evil.zip"), "without parameters"),
        (say("architecture", policy_prior="os.getcwd"), "which would import a module"),
        (say("architecture", policy_prior=""), "unknown agent ''"),
        (say("layout", game="chess"), "the network is for chess"),
        (say("layout", game=["chess"]), "the network is for ['chess']"),
        (put("layout", json.dumps({"digest": "0" * 16})), "invalid layout"),
        (say("layout", features=3), "invalid layout"),
        (say("layout", features=[["year", [1]]]), "invalid layout"),
        (
            say("layout", digest="", features=[["year", [10**9], []]]),
            "1 to 100000 features and actions, got 1000000000",
        ),
        (say("layout", digest="", features=[]), "layout must have 1 to 100000 features and actions, got 0"),
        (put("architecture", "[1, 2]"), "architecture must be a mapping, got [1, 2]"),
        (put("layout", "null"), "layout must be a mapping, got None"),
        (put("architecture", "{"), "cannot be read"),
        (put("architecture", "[" * 100_000), "cannot be read"),
        (put("format", "pickle"), "format must be 'vitienv-network-1', got 'pickle'"),
    ],
)
def test_metadata_that_are_wrong(refusal, change, what):
    assert what in refusal(change)


def test_files_that_are_none(tmp_path):
    whole = path_of("many", game_spec()).read_bytes()
    for text in (b"", b"{}", b"\xff" * 64, whole[:1000], whole[:-1], whole + b"x"):
        file = tmp_path / "damaged.safetensors"
        file.write_bytes(text)
        with pytest.raises(ValueError, match="cannot be read as a network"):
            read_network(file)


def test_a_policy_prior_named_by_a_file_runs_nothing(refusal, tmp_path):
    """`subprocess.getoutput` has parameters as a bot could; it was called before anybody looked at what it gave."""
    proof = tmp_path / "proof"
    told = refusal(say("architecture", policy_prior=f"subprocess.getoutput:cmd=touch {proof}"))
    assert "without parameters" in told and not proof.exists()


def test_a_network_that_only_plays(tmp_path):
    """The width before the value is the file's own where NumPy plays it; the learner has one width."""
    network = pytest.importorskip("vitienv.training.selfplay.network")
    tensors, metadata = parts()
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


@pytest.mark.parametrize("name", TENSORS)
def test_weights_under_which_sums_overflow(refusal, name):
    """Each number is finite; but sums are none, and what is compared with them is never the best."""

    def change(tensors, _):
        tensors[name] = np.full(tensors[name].shape, 3e38, np.float32)

    assert "the weights overflow" in refusal(change)


@pytest.mark.parametrize("name", TENSORS)
def test_whatever_is_not_refused_plays_what_is_legal(tmp_path, name):
    """Weights of any size: by their number they are refused, or a game is played with them."""
    read = 0
    for size in (3e38, 1e25, 1e4):
        tensors, metadata = parts()
        tensors[name] = np.full(tensors[name].shape, size, np.float32)
        save_file(tensors, tmp_path / "large.safetensors", metadata)
        try:
            bot = make_agent(f"policy:{tmp_path / 'large.safetensors'}")
        except ValueError:
            continue
        read += 1
        game = vitienv.Game.new(seed=2, num_players=5, max_years=1)
        while not game.is_over:
            game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))  # which refuses what is not legal
    assert 0 < read < 3


def test_weights_that_are_large_but_give_numbers_are_reckoned_with(tmp_path):
    tensors, metadata = parts()
    tensors["policy.weight"] = tensors["policy.weight"].astype(np.float32) * np.float32(1e20)
    save_file(tensors, tmp_path / "large.safetensors", metadata)
    network, chance = read_network(tmp_path / "large.safetensors"), np.random.default_rng(1)
    made = game_spec()
    low, high = made.observation.bounds
    seen = chance.choice(np.array([low, high]), axis=0, size=64).astype(np.int16)
    masks = (chance.random((64, made.actions.n)) < 0.05).astype(np.int8)
    masks[:, 7] = 1
    logits, values = network.evaluate(seen, masks, np.zeros((64, made.actions.n + 1), np.int16))
    assert np.isfinite(logits[masks == 1]).all() and np.isfinite(values).all()
