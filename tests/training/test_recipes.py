"""Recipes of the bundled networks, and the curves of their training."""

import json
import shlex
from dataclasses import fields
from pathlib import Path

import pandas as pd
import pytest

from studies import distil
from studies.curves import COLUMNS, gather, plot
from vitienv import cli
from vitienv.agents.champions import FROZEN, digest_of, files_in, path_of, plugin
from vitienv.agents.network import read_network
from vitienv.registry import game_spec
from vitienv.training.evaluation.promotion import DISTILLATION, recipe_of, rows_of, shipping
from vitienv.training.selfplay.envs import parse_mix
from vitienv.training.selfplay.settings import Settings, default_settings
from vitienv.training.selfplay.train import train_selfplay
from vitienv.training.settings import settings_of

TINY = {"mix": "2:1,solo:1", "num_envs": 8, "num_steps": 16, "hidden": 8, "minibatch_size": 64, "max_years": 3,
        "value_warmup_updates": 0, "league": ("heuristic",), "device": "cpu", "progress": False}  # fmt: skip
RESULTS = Path(__file__).resolve().parents[2] / "results"
GAMES = [game_spec(name) for name in ("viticulture", "world", "toscana")]
SHIPPED = [(game, row) for game in GAMES for row in shipping(game).values()]


def trained(folder) -> dict:
    return read_network(folder / "agent.safetensors").metadata["trained"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
def test_each_file_has_a_row_with_the_replaced_weights(game):
    files = {file.stem for file in plugin(game).HERE.glob("*.safetensors")}
    frozen = {*files_in(game, FROZEN)} - {*files_in(game)}  # networks of the levels
    assert files - frozen == set(shipping(game)) == {row.file for row in rows_of(game)}
    assert {digest_of(path_of(name, game)) for name in frozen} <= {row.weights for row in rows_of(game)}
    before = {}
    for row in rows_of(game):
        assert row.replaced == before.get(row.file)
        before[row.file] = row.weights


@pytest.mark.parametrize("game, row", SHIPPED, ids=lambda row: getattr(row, "file", ""))
def test_bundled_networks_contain_their_recipes(game, row):
    assert digest_of(path_of(row.file, game)) == row.weights
    assert recipe_of(read_network(path_of(row.file, game), game).metadata["trained"], row.file) == row.recipe


@pytest.mark.parametrize("game, row", SHIPPED, ids=lambda row: getattr(row, "file", ""))
def test_recipes_are_valid_commands(game, row, monkeypatch, capsys):
    """Each stage starts with the weights of the one before."""
    calls = []

    def train(**settings):
        names = {field.name for field in fields(Settings)}
        recipe = settings_of(
            Settings, {name: value for name, value in settings.items() if name in names}, default_settings
        )
        parse_mix(recipe.mix, game)
        calls.append((recipe, settings))
        return {"run": str(settings["run"])}

    monkeypatch.setattr("vitienv.training.selfplay.train.train_selfplay", train)
    assert cli.run(["ladder", "recipe", row.file, "--game", game.name]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line in lines:
        if line.startswith("python studies/distil.py "):
            distil.parser().parse_args(shlex.split(line)[2:])
        else:
            assert line.startswith(("#", "set -e")) or cli.run(shlex.split(line)[1:]) == 0
    stages = [stage for stage in row.recipe if stage.get("method") != DISTILLATION]
    assert len(calls) == len(stages)
    for number, ((recipe, settings), stage) in enumerate(zip(calls, stages)):
        shared = json.loads(
            json.dumps({name: getattr(recipe, name) for name in stage if hasattr(recipe, name) and name != "game"})
        )
        assert shared == {name: stage[name] for name in shared} and len(shared) >= 25
        assert str(settings.get("start", "")) == (f"runs/{row.file}/stage{number}/last.safetensors" if number else "")
        assert (settings.get("steps") or 0) == stage["decisions"]
    assert any("mean of" in line for line in lines) == any("mean of" in stage for stage in stages)


def test_stages_are_chained_and_their_curves_joined(tmp_path):
    measured = TINY | {"evaluation_games": 2, "eval_opponents": ["random"]}
    train_selfplay(tmp_path / "stage1", steps=300, **measured)
    start = tmp_path / "stage1" / "agent.safetensors"
    train_selfplay(tmp_path / "stage2", steps=300, start=start, learning_rate=1e-5, **measured)
    assert trained(tmp_path / "stage2")["before"] == trained(tmp_path / "stage1")
    rows = gather(tmp_path, "two")
    first, last = (trained(tmp_path / f"stage{number}")["decisions"] for number in (1, 2))
    bots = ["random", "automa_normal"]
    assert list(rows["bot"]) == [bots[0], bots[0], bots[1], bots[1], *bots] and set(rows["table"]) == {"two"}
    assert list(rows["decisions"]) == [0, first, 0, first, first + last, first + last]  # stage 2 continues stage 1
    assert plot(rows, tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list(gather(tmp_path / "stage1", "one")["decisions"]) == [0, first, 0, first]
    with pytest.raises(ValueError, match="does not contain a curve"):
        gather(tmp_path / "none", "two")


@pytest.mark.parametrize("file", ["champions.csv", "selfplay-gpu.csv"])
def test_curves_of_the_results_are_valid(file):
    rows = pd.read_csv(RESULTS / file)
    assert list(rows.columns) == COLUMNS and (rows["games"] >= 100).all() and rows["wins"].between(0, 1).all()
    for _, part in rows.groupby(["table", "bot"]):
        assert part["decisions"].is_monotonic_increasing
