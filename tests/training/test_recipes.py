"""The settings of the networks that ship stand in `results/`, and the curves of their trainings are data."""

import json
from pathlib import Path

import pandas as pd
import pytest

from studies.curves import COLUMNS, gather, plot
from vitienv.agents.champions import files_in, path_of
from vitienv.agents.network import read_network
from vitienv.agents.viticulture.champions import QUICK
from vitienv.games import definition
from vitienv.training.selfplay.train import train_selfplay

TINY = {"mix": "2:1,solo:1", "num_envs": 8, "num_steps": 16, "hidden": 8, "minibatch_size": 64, "max_years": 3,
        "warm": 0, "league": ("heuristic",), "device": "cpu", "progress": False}  # fmt: skip
WORLD = "world"
RESULTS = Path(__file__).resolve().parents[2] / "results"
RECIPES = json.loads((RESULTS / "recipes.json").read_text(encoding="utf-8"))
SHIPPED = [*(("viticulture", name, name) for name in (*files_in(definition("viticulture")), QUICK)),
           ("toscana", "all", "all"), (WORLD, "few", "world"), (WORLD, "more", "world_more")]  # fmt: skip


def trained(folder) -> dict:
    return read_network(folder / "agent.safetensors").about["trained"]


@pytest.mark.parametrize("game, file, recipe", SHIPPED)
def test_the_networks_that_ship_were_trained_by_their_recipes(game, file, recipe):
    made = definition(game)
    about = read_network(path_of(file, made), game).about["trained"]
    for stage in reversed(RECIPES[made.name][recipe]):
        settings = about["settings"] | {"decisions": about["decisions"]}
        settings |= {"imitated": about["imitated"]} if about["imitated"] else {}
        assert {name: settings[name] for name in stage} == stage
        about = about["before"]
    assert about is None


def test_a_stage_begins_with_the_weights_of_the_one_before_and_the_curves_are_one(tmp_path):
    measured = TINY | {"evaluation_games": 2, "yardsticks": ["random"]}
    train_selfplay(tmp_path / "stage1", steps=300, **measured)
    start = tmp_path / "stage1" / "agent.safetensors"
    train_selfplay(tmp_path / "stage2", steps=200, start=start, learning_rate=1e-5, **measured)
    assert trained(tmp_path / "stage2")["before"] == trained(tmp_path / "stage1")
    rows = gather(tmp_path, "two")
    first, last = (trained(tmp_path / f"stage{number}")["decisions"] for number in (1, 2))
    bots = ["random", "automa_normal"]
    assert list(rows["bot"]) == [bots[0], bots[0], bots[1], bots[1], *bots] and set(rows["table"]) == {"two"}
    assert list(rows["decisions"]) == [0, first, 0, first, first + last, first + last]  # stage 2 begins where 1 ended
    assert plot(rows, tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="holds no stages"):
        gather(tmp_path / "stage1", "two")


@pytest.mark.parametrize("file", ["champions.csv", "selfplay-gpu.csv"])
def test_the_curves_of_the_results_are_data(file):
    rows = pd.read_csv(RESULTS / file)
    assert list(rows.columns) == COLUMNS and (rows["games"] >= 100).all() and rows["wins"].between(0, 1).all()
    for _, part in rows.groupby(["table", "bot"]):
        assert part["decisions"].is_monotonic_increasing
