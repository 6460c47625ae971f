"""Signal and noise of gradients."""

import json
import sys

import pytest
import torch

from studies import gradient_signal as module
from studies.gradient_signal import _parts, signal
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.network import save_network
from vitienv.training.selfplay.processes import Processes

TINY = {"mix": "solo:1", "num_envs": 8, "num_steps": 16, "hidden": 8, "minibatch_size": 64, "league": (), "past": 0}


def test_what_gradients_have_in_common_is_told_from_their_noise():
    """Noise of variance 4 in each of 500 numbers, and a common part of squared length 500 * 0.01 = 5."""
    chance = torch.Generator().manual_seed(1)
    found = _parts(0.1 + 2 * torch.randn(200, 500, generator=chance))
    assert found["signal"] == pytest.approx(5, rel=0.3) and found["noise"] == pytest.approx(2000, rel=0.02)
    assert found["ratio"] == pytest.approx(found["signal"] / found["noise"])
    assert abs(_parts(2 * torch.randn(200, 500, generator=chance))["signal"]) < 1


def test_nothing_is_learned_and_chance_grows_with_lambda():
    learner = Learner(Settings(**TINY), Processes("cpu"))
    before = [p.detach().clone() for p in learner.parameters]
    rows = signal(learner, 3, (0.0, 1.0))
    assert [row["lambda"] for row in rows] == [0.0, 1.0]
    assert rows[0]["spread"] < rows[1]["spread"] and all(row["noise"] > 0 for row in rows)
    assert all(torch.equal(old, new) for old, new in zip(before, learner.parameters, strict=True))
    with pytest.raises(ValueError, match="updates is 1; it takes at least 2"):
        signal(learner, 1)


def test_the_command_prints_a_row_for_each_lambda(tmp_path, monkeypatch, capsys):
    learner = Learner(Settings(**TINY), Processes("cpu"))
    save_network(tmp_path / "net.safetensors", learner.network, {})
    told = "--mix solo:1 --num-envs 6 --num-steps 8 --updates 2 --device cpu".split()
    monkeypatch.setattr(sys, "argv", ["signal", str(tmp_path / "net.safetensors"), *told])
    module.main()
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["lambda"] for row in rows] == list(module.LAMBDAS)


def test_a_network_that_ships_is_named_from_any_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert module.weights_of("two").is_file()
    monkeypatch.setattr(sys, "argv", ["signal", "agents/champions/two.safetensors"])
    with pytest.raises(SystemExit, match=r"^gradient_signal: there is no file '.*'; the networks that ship are"):
        module.main()
