"""Folders for a model hub: what stands on their cards is what is published, and nothing else."""

import hashlib
import json
import re
import shutil

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

import vitienv
from tests.command import refused
from vitienv import cli
from vitienv.agents.champions import digest_of, path_of
from vitienv.agents.layouts import digest_of as layout_digest
from vitienv.games import game_names
from vitienv.training.hub import make
from vitienv.training.measure import data_sets, published
from vitienv.training.measure.remarks import public_name, public_names


def front(folder):
    """What programs read of a card, and the text."""
    _, told, text = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return json.loads(told), text


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "games"
    settings = data_sets.Settings(("heuristic", "random"), num_players=2, games=6, seed=3, chunk=2, game="toscana")
    data_sets.write(settings, folder)
    return folder


@pytest.mark.parametrize("game", game_names())
def test_the_networks_that_ship(tmp_path, game):
    files = make(tmp_path / "hub", game=game)
    made = vitienv.definition(game)
    about, text = front(tmp_path / "hub")
    weights = [name for name in files if name.endswith(".safetensors")]
    assert {"README.md", "LICENSE"} == {*files} - {*weights} and weights
    for name in weights:
        digest = digest_of(path_of(name.removesuffix(".safetensors"), made))
        assert digest == hashlib.sha256((tmp_path / "hub" / name).read_bytes()).hexdigest() and digest in text
    assert layout_digest(made) in text and about["license"] == "mit"
    assert (tmp_path / "hub" / "LICENSE").read_text().startswith("MIT License")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1].replace("policy:", f"policy:{tmp_path}/hub/")
    there = {}
    exec(code, there)
    assert there["bot"].knows(made)


def test_results_are_the_published_figures(tmp_path):
    make(tmp_path / "hub")
    about, text = front(tmp_path / "hub")
    values = {one["dataset"]["name"]: one["metrics"][0]["value"] for one in about["model-index"][0]["results"]}
    figures = {figure.name: figure for figure in published.read()}
    assert len(values) >= 10 and all(float(figures[name].value) == value for name, value in values.items())
    assert all(f"`{figures[name].command}`" in text for name in values)
    assert all("evaluate policy:champion " in figures[name].command for name in values)
    assert not any("--game " in figures[name].command for name in values)


def test_a_network_of_ones_own_has_no_results(tmp_path):
    weights = tmp_path / "mine.safetensors"
    weights.write_bytes(path_of("two", vitienv.definition()).read_bytes())
    make(tmp_path / "hub", weights)
    about, text = front(tmp_path / "hub")
    assert "model-index" not in about and "None is published" in text and '"method": "selfplay"' in text


def test_a_data_set(tmp_path, games):
    files = make(tmp_path / "hub", games)
    about, text = front(tmp_path / "hub")
    data, copied = vitienv.data.read(games), vitienv.data.read(tmp_path / "hub")
    assert np.array_equal(data.arrays(["action"])["action"], copied.arrays(["action"])["action"])
    assert about["size_categories"] == ["n<1K"] and about["configs"][0]["data_files"] == "part-*.parquet"
    assert data.card["layout"]["digest"] in text and "`heuristic`, `random`" in text
    described = json.loads((tmp_path / "hub" / "croissant.json").read_text())
    parts = {one["name"]: one["sha256"] for one in described["distribution"] if "sha256" in one}
    assert parts == {name: digest_of(games / name) for name in files if name.startswith("part-")} and len(parts) == 3
    assert [one["name"] for one in described["recordSet"][0]["field"]] == data.columns


def test_addresses_logs_and_folders_of_bots_stay_at_home(tmp_path, games):
    """Else whoever uploads the folder tells where a model is asked."""
    folder = tmp_path / "games"
    shutil.copytree(games, folder)
    model, program = "llm:model=good,url=http://127.0.0.1:8765/v1,log=q.jsonl", "pipe:python3 /home/me/bot.py"
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps(card | {"agents": [model, program]}))
    make(tmp_path / "hub", folder)
    for name in ("README.md", "croissant.json", "card.json"):
        text = (tmp_path / "hub" / name).read_text()
        assert "llm:model=good" in text and "pipe:python3 bot.py" in text
        assert not any(word in text for word in ("8765", "q.jsonl", "/home")), name
    assert vitienv.data.read(tmp_path / "hub").card["agents"] == ["llm:model=good", "pipe:python3 bot.py"]


def test_a_network_that_is_called_as_those_that_ship_gets_no_figures_of_theirs(tmp_path, games):
    folder = tmp_path / "games"
    shutil.copytree(games, folder)
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps(card | {"agents": ["policy:/home/me/champion", "policy:two"]}))
    make(tmp_path / "hub", folder)
    assert "No strength of these bots is published" in front(tmp_path / "hub")[1]


def test_paths_in_the_settings_of_a_network_stay_at_home(tmp_path):
    """In those of the trainings before it too; the weights are the same."""
    of = "/home/me/runs/a.safetensors"
    settings = {"mix": "solo/hard:1", "league": ["heuristic", f"policy:{of}"], "teacher": f"ismcts:policy={of},seed=1"}
    weights = path_of("two", vitienv.definition())
    with safe_open(weights, framework="numpy") as file:
        metadata = file.metadata()
    about = json.loads(metadata["trained"])
    told = about | {"settings": about["settings"] | settings, "before": {"settings": settings, "before": None}}
    save_file(load_file(weights), tmp_path / "mine.safetensors", metadata | {"trained": json.dumps(told)})
    make(tmp_path / "hub", tmp_path / "mine.safetensors")
    copied = tmp_path / "hub" / "mine.safetensors"
    assert all(b"/home" not in path.read_bytes() for path in (tmp_path / "hub").iterdir())
    _, text = front(tmp_path / "hub")
    assert digest_of(copied) in text and '"ismcts:policy=a.safetensors,seed=1"' in text
    with safe_open(copied, framework="numpy") as file:
        about = json.loads(file.metadata()["trained"])
    for there in (about, about["before"]):
        assert there["settings"]["league"] == ["heuristic", "policy:a.safetensors"]
        assert there["settings"]["mix"] == "solo/hard:1"
    tensors = load_file(weights)
    assert all(np.array_equal(tensors[name], own) for name, own in load_file(copied).items())


@pytest.mark.parametrize(
    ("spec", "public"),
    [
        ("policy:runs/a/", "policy:a/"),
        ("policy:path=/home/me,you/a.zip,seed=1", "policy:a.zip,seed=1"),
        ("ismcts:seed=1,policy=~/runs/a", "ismcts:seed=1,policy=a"),
        ("apart:policy:C:\\me\\a.zip", "apart:policy:a.zip"),
        ("mine.Bot:book=/home/me/book.csv,size=2", "mine.Bot:book=book.csv,size=2"),
        ("/home/me/a.toml", "a.toml"),
        ("llm:model=meta/small", "llm:model=meta/small"),
        (
            "llm:model=gpt://meta/small,fallback=policy:runs/me/a.zip",
            "llm:model=gpt://meta/small,fallback=policy:a.zip",
        ),
        ("apart:bot=policy:runs/me/a", "apart:bot=policy:a"),
        ("solo/very_hard:1,solo/challenge=1:0.5,4:3", "solo/very_hard:1,solo/challenge=1:0.5,4:3"),
        ("policy:champion", "policy:champion"),
    ],
)
def test_the_folders_of_a_path_stay_at_home(spec, public):
    assert public_name(spec) == public


def test_different_bots_have_different_public_names():
    one, other = "policy:runs/a/agent.safetensors", "policy:runs/b/agent.safetensors"
    name = "policy:agent.safetensors"
    assert public_names([one, "random", other, one]) == [f"{name} (1)", "random", f"{name} (2)", f"{name} (1)"]
    assert public_names([one, one]) == [name, name]


def test_what_cannot_be_is_one_line_and_leaves_nothing(tmp_path, games, capsys):
    (tmp_path / "code.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    for path in games.iterdir():
        (damaged / path.name).write_bytes(path.read_bytes())
    part = damaged / "part-000001.parquet"
    part.write_bytes(part.read_bytes()[:-9] + bytes(9))
    before = {*tmp_path.iterdir()}
    for source, why in ((tmp_path / "none", "there is no file"), (tmp_path / "code.zip", "holds code"),
                        (damaged, "part-000001.parquet"), (tmp_path, "there is no file")):  # fmt: skip
        assert why in refused(capsys, "hub", tmp_path / "hub", source)
    (tmp_path / "words.txt").write_text("no weights")
    before |= {tmp_path / "words.txt"}
    for source in ("none", "", "words.txt"):  # "" is the folder itself, which holds something else
        told = refused(capsys, "hub", tmp_path / "hub", tmp_path / source)
        assert "no file of weights, run folder or data set" in told and "or 'champion'" in told
    assert {*tmp_path.iterdir()} == before
    assert "exists" in refused(capsys, "hub", games)


def test_the_command(tmp_path, capsys):
    assert cli.run(["hub", str(tmp_path / "hub"), "--game", "toscana", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == ["LICENSE", "README.md", "all.safetensors"]
