"""Distillation: targets of searches, files of samples, and a network that comes closer to its targets."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from studies import distil

TWO = distil.path_of("two", distil.game_spec())


def test_target_is_the_prior_improved_by_values():
    priors = np.array([0.5, 0.3, 0.2])
    result = SimpleNamespace(visits=np.array([8, 8, 0]), priors=priors, values=np.array([0.1, 0.1, 0.1]))
    assert np.allclose(distil.target_of(result, prior_visits=30.0), priors)
    result.values = np.array([0.1, 0.102, 0.1])
    better = distil.target_of(result, prior_visits=30.0)
    assert better.sum() == pytest.approx(1) and better[1] > priors[1] and better[0] < priors[0]


def test_padding_has_no_share():
    """A padded action must not be counted as action 0."""
    actions, shares = distil.top_actions(np.array([7, 3]), np.array([0.25, 0.75]))
    assert actions.tolist() == [3, 7, *[-1] * 6] and shares.tolist() == [0.75, 0.25, *[0.0] * 6]
    actions, _ = distil.top_actions(np.arange(9), np.eye(9)[4])
    assert actions.tolist() == [4, *[-1] * 7]


@pytest.fixture(scope="module", autouse=True)
def small_waves():
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"WAVE": 4, "OPEN_SHARE": 0.1, "HELD_OUT": 4, "AVERAGED_STEPS": 2}.items():
            patch.setattr(distil, name, value)
        yield


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A directory with two waves of four games each."""
    directory = tmp_path_factory.mktemp("labels")
    for seed in (1, 2):
        distil.generate(directory, TWO, "2", simulations=8, seed=seed, waves=1)
    return directory


def test_samples_depend_on_their_seed(samples, tmp_path):
    distil.generate(tmp_path, TWO, "2", simulations=8, seed=2, waves=1)
    first, again = (np.load(directory / "2-0.npz") for directory in (samples, tmp_path))
    assert all((first[name] == again[name]).all() for name in first.files)
    searched, anchors = first["policies"][first["is_searched"]], first["policies"][~first["is_searched"]]
    assert len(searched) and np.allclose(searched.sum(1), 1) and (anchors.max(1) >= distil.OPEN_PROB).all()
    assert set(first["results"]) <= {-1.0, 0.0, 1.0}


def test_training_approaches_its_targets(samples, tmp_path):
    distil.train(samples, tmp_path / "new.safetensors", TWO, passes=12, threads=1, extrapolation=2.0)
    divergences = []
    for file in (TWO, tmp_path / "new.safetensors"):
        on_disk = distil.Samples(samples, distil.load_network(file))
        divergences.append(float(on_disk.losses(on_disk.training)[0].detach()))
    assert divergences[1] < 0.9 * divergences[0]
    curve = distil.read_network(tmp_path / "new.safetensors").metadata["trained"]["curve"]
    assert [row["pass"] for row in curve] == [*range(13), 12.5]


def test_samples_of_other_settings_raise(samples, tmp_path):
    with pytest.raises(SystemExit, match="samples with other settings"):
        distil.generate(samples, TWO, "2", simulations=9, seed=3, waves=1)
    with pytest.raises(SystemExit, match="are not of"):
        distil.train(samples, tmp_path / "new.safetensors", distil.path_of("many", distil.game_spec()), 1, 1)


def test_tables_take_turns(monkeypatch, tmp_path):
    tables = []

    def play_wave(network, bot, options, first_seed, rng):
        tables.append((options.num_players, options.difficulty, options.reward))
        return {"is_searched": np.ones(1, bool), "counts": np.ones(2)}

    monkeypatch.setattr(distil, "play_wave", play_wave)
    solo = distil.path_of("solo", distil.game_spec())
    distil.generate(tmp_path, solo, "2,solo,solo,solo/very_hard", simulations=8, seed=1, waves=5)
    two, normal, hard = (2, "normal", "win"), (1, "normal", "margin"), (1, "very_hard", "margin")
    assert tables == [two, normal, normal, hard, two]
    assert json.loads((tmp_path / distil.SETTINGS).read_text())["mix"] == "2:1,solo:2,solo/very_hard:1"
