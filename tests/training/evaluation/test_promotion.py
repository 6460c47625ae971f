"""Promotion of a network: one command replaces a file and adds a row, only after a sequential test."""

import shutil
from types import SimpleNamespace

import pytest
import torch

from tests.command import contents
from tools.doc_tables import networks_table
from vitienv.agents import champions
from vitienv.agents.champions import BundledNetwork, digest_of
from vitienv.cli import run
from vitienv.registry import game_spec
from vitienv.session import saves
from vitienv.training.evaluation import promotion
from vitienv.training.evaluation.promotion import Row, rows_of, save
from vitienv.training.selfplay.network import Architecture, PolicyValue, save_network

GAME = game_spec("toscana")
MIX = {"mix": "2:1", "seed": 3, "num_envs": 64, "learning_rate": 0.5}


def are_few(observations):
    return (observations[:, GAME.observation.slice(GAME.lead.present)] != 0).sum(axis=1) <= 3


def network(path, policy_prior=None, before=None, **changes):
    """Return a file of an untrained network, which plays like its policy prior."""
    torch.manual_seed(1)
    settings = {"game": "toscana", **MIX}
    trained = {"method": "selfplay", "decisions": 7, "imitated": 0, "settings": settings, "before": before}
    save_network(path, PolicyValue(Architecture(8, 1, 0.0, policy_prior), "toscana"), trained | changes)
    return path


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The directory of bundled networks of a game, with one untrained network."""
    folder = tmp_path / "champions"
    folder.mkdir()
    plugin = SimpleNamespace(NETWORKS=(BundledNetwork("all", are_few),), HERE=folder)
    monkeypatch.setattr(champions, "plugin", lambda game: plugin)
    monkeypatch.setattr(promotion, "plugin", lambda game: plugin)
    monkeypatch.setenv(saves.HOME, str(tmp_path / "own"))
    weights = network(folder / "all.safetensors")
    save([Row("all", digest_of(weights), [{"decisions": 7, **MIX}], "a minute")], folder / promotion.ROWS)
    champions._read.cache_clear()
    yield folder
    champions._read.cache_clear()


def promote(weights, *options):
    command = f"ladder promote {weights} --game toscana --processes 1 --effect-size 0.2".split()
    return run([*command, *options])


def test_an_accepted_network_replaces_the_file_and_adds_a_row(home, tmp_path, capsys):
    before, old = contents(home), rows_of(GAME)[0]
    weights = network(tmp_path / "new.safetensors", "heuristic", before=champions._read(
        home / "all.safetensors", "toscana").metadata["trained"])  # fmt: skip
    assert promote(weights, "--seed", "4", "--cost", "an hour") == 0
    assert "Replaced all;" in capsys.readouterr().out
    after = contents(home)
    assert after.keys() == before.keys() and after["all.safetensors"] == weights.read_bytes()
    assert rows_of(GAME)[0] == old
    new = rows_of(GAME)[1]
    assert (new.weights, new.replaced, new.cost) == (digest_of(weights), old.weights, "an hour")
    assert new.recipe == [{"decisions": 7, "game": "toscana", **MIX}] * 2
    (test,) = new.tests
    assert test["table"] == "2" and test["settings"]["seed"] == 4 and test["settings"]["effect_size"] == 0.2
    assert test["elo_low"] > 0 and test["log_ratio"] > 2.9 and test["games"] == 2 * test["seeds"]
    *_, row = networks_table(GAME).splitlines()
    assert row.startswith("| `all` | `2:1` | 0.0 million | an hour | table 2: Elo +") and row.endswith("seed 4 |")


HEURISTIC = {"policy_prior": "heuristic"}


@pytest.mark.parametrize(("changes", "options", "message"), [
    ({"decisions": 8}, "--max-pairs 16", "all is not replaced: at table 2 the new network is"),
    (HEURISTIC, "--max-pairs 8", "all is not replaced: at table 2 the new network is open after 16 games"),
    (HEURISTIC, "--table 2,4", "tables must have one network, got 2,4 with all, no network"),
    (HEURISTIC, "--table 4", "tables must have one network, got 4 with no network"),
    (HEURISTIC, "--table 9", "unknown table '9'"),
    (HEURISTIC | {"settings": None}, "", "does not contain its training settings"),
    (None, "", "is already the bundled network all"),
])  # fmt: skip
def test_a_network_that_is_not_accepted_changes_nothing(changes, options, message, home, tmp_path, capsys):
    before, weights = contents(home), tmp_path / "new.safetensors"
    if changes is None:
        shutil.copy(home / "all.safetensors", weights)
    else:
        network(weights, **changes)
    assert promote(weights, *options.split()) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("vitienv: ") and message in error
    assert contents(home) == before
