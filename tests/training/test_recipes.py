"""Recipes: stages one after the other, resumable, and that the networks that ship were trained by them."""

from pathlib import Path

import pandas as pd
import pytest

from studies.curves import COLUMNS, gather, plot
from vitienv import cli
from vitienv.agents.champions import files_in, path_of
from vitienv.agents.network import read_network
from vitienv.games import definition
from vitienv.training import recipes
from vitienv.training.recipes import Stage, follow
from vitienv.training.viticulture.recipes import COMMON, RECIPES

TINY = {"mix": "2:1,solo:1", "num_envs": 8, "num_steps": 16, "hidden": 8, "minibatch_size": 64, "max_years": 3,
        "warm": 0}  # fmt: skip
WORLD = "world"
WAS = {WORLD: "vitienv.viticulture.world.definition"}  # what a game was called when its networks were trained
RESULTS = Path(__file__).resolve().parents[2] / "results"
QUIET = {"device": "cpu", "evaluation_games": 0, "progress": False}


@pytest.fixture
def tiny(monkeypatch):
    stages = Stage(300, COMMON | TINY), Stage(200, COMMON | TINY | {"learning_rate": 1e-5})
    monkeypatch.setitem(RECIPES, "tiny", stages)


def trained(folder) -> dict:
    return read_network(folder / "agent.safetensors").about["trained"]


def test_stages_follow_each_other_and_tell_what_came_before(tiny, tmp_path):
    reached = follow("tiny", tmp_path, **QUIET)
    first, last = trained(tmp_path / "stage1"), trained(tmp_path / "stage2")
    assert reached["run"] == str(tmp_path / "stage2")
    assert first["decisions"] >= 300 and first["before"] is None
    assert last["decisions"] >= 200 and last["before"] == first
    assert (first["settings"]["learning_rate"], last["settings"]["learning_rate"]) == (2e-4, 1e-5)
    assert last["settings"]["gae_lambda"] == COMMON["gae_lambda"] and last["settings"]["hidden"] == 8


def test_a_stage_may_imitate_before_it_plays(monkeypatch, tmp_path):
    settings = COMMON | TINY | {"advice": None, "imitate": "heuristic"}
    monkeypatch.setitem(RECIPES, "imitating", (Stage(200, settings, imitate_steps=300),))
    follow("imitating", tmp_path, **QUIET)
    assert trained(tmp_path / "stage1")["imitated"] >= 300 and trained(tmp_path / "stage1")["decisions"] >= 200


def test_the_command_follows_a_recipe(tiny, tmp_path, capsys):
    told = ["train", "--recipe", "tiny", "--run", str(tmp_path), "--share", "0.2", "--device", "cpu", "--seed", "7"]
    assert cli.run(told) == 0
    assert "; 1 update, " in capsys.readouterr().out
    assert trained(tmp_path / "stage2")["settings"]["seed"] == 7


def test_an_interrupted_recipe_goes_on(tiny, tmp_path, monkeypatch):
    follow("tiny", tmp_path, share=0.5, **QUIET)
    half = trained(tmp_path / "stage1")["decisions"]
    assert 150 <= half < 300
    follow("tiny", tmp_path, **QUIET)
    assert trained(tmp_path / "stage1")["decisions"] >= 300
    done = trained(tmp_path / "stage2")

    def never(*args, **kwargs):
        raise AssertionError("a recipe that is done trains again")

    monkeypatch.setattr(recipes, "train_selfplay", never)
    assert follow("tiny", tmp_path, **QUIET) == {"run": str(tmp_path)}
    assert trained(tmp_path / "stage2") == done


def test_what_is_wrong_is_said_in_one_line(tmp_path):
    for name, share, said in (("three", 1.0, "unknown recipe 'three'; there is"), ("two", 0.0, "share is 0.0")):
        with pytest.raises(ValueError, match=said):
            follow(name, tmp_path / "run", share=share)
    assert not (tmp_path / "run").exists()


SHIPPED = [*(("viticulture", name, name) for name in files_in(definition("viticulture"))), ("toscana", "all", "all"),
           (WORLD, "few", "world"), (WORLD, "more", "world_more")]  # fmt: skip


@pytest.mark.parametrize("game, file, recipe", SHIPPED)
def test_the_networks_that_ship_were_trained_by_their_recipes(game, file, recipe):
    made = definition(game)
    about = read_network(path_of(file, made), game).about["trained"]
    for stage in reversed(recipes.recipes_of(made.name)[recipe]):
        assert about["decisions"] == stage.steps and about["imitated"] == (stage.imitate_steps or 0)
        settings = about["settings"]
        for name, value in stage.settings.items():
            told = WAS.get(value, value) if name == "game" else value
            assert settings[name] == (list(told) if isinstance(told, tuple) else told), name
        about = about["before"]
    assert about is None


def test_the_curves_of_all_stages_are_one(tiny, tmp_path):
    follow("tiny", tmp_path, **QUIET | {"evaluation_games": 2, "yardsticks": ["random"]})
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
