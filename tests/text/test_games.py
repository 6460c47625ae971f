"""Saved games: listing, continuing, replaying and deleting them."""

import json
import os
from pathlib import Path

import pytest

from vitienv import cli
from vitienv.core.files import write_json
from vitienv.session import saves

GAME = {"game": "viticulture", "options": {"ruleset": "essential", "num_players": 2}, "scores": [3, 4], "moves": []}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return a data directory with a finished game, an unfinished one and a damaged file."""
    monkeypatch.setenv(saves.HOME, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    games = tmp_path / "games"
    write_json(games / "over.json", GAME | {"is_over": True, "agents": ["you", "heuristic"], "seat": 0})
    write_json(games / "open.json", GAME | {"is_over": False, "agents": ["policy:mine/old.safetensors", "you"]})
    (games / "damaged.json").write_text("{")
    for age, name in enumerate(("damaged", "open", "over")):
        moment = saves.time.time() - age * 86_400 - 60
        os.utime(games / f"{name}.json", (moment, moment))
    (games / "folder.json").mkdir()
    (tmp_path / "key").write_text("the key")
    return tmp_path


def run(capsys, *arguments):
    return cli.run(["replay", *arguments]), *capsys.readouterr()


def saved_names():
    return {path.stem for path, _ in saves.games()}


def test_games_are_listed_in_order_of_the_last_move(capsys):
    status, out, _ = run(capsys)
    assert status == 0 and out.index("damaged") < out.index("open") < out.index("over") and "vitienv play --load" in out
    damaged, open_, over = json.loads(run(capsys, "--json")[1])["games"]
    assert (damaged["status"], open_["status"], over["status"]) == ("damaged", "after 0 moves", "over")
    assert (open_["against"], over["points"]) == ("old", "You 3, heuristic 4")


@pytest.mark.parametrize(("log", "expected"), [
    ([], "damaged"), ({"scores": 1, "options": {}}, "damaged"), ({"scores": [1], "options": {}, "seat": []}, ""),
    (GAME | {"is_over": False, "agents": ["you", 3]}, "damaged"),
])  # fmt: skip
def test_foreign_files_are_listed(capsys, folder, log, expected):
    write_json(folder / "games" / "strange.json", log)
    status, out, _ = run(capsys, "--json")
    assert status == 0 and {row["name"]: row["status"] for row in json.loads(out)["games"]}["strange"] == expected


def test_the_list_may_be_empty(capsys, folder):
    for file in (folder / "games").glob("[do][va]*.json"):
        file.unlink()
    (folder / "games" / "open.json").unlink()
    assert run(capsys)[1].startswith("0 games in ")


def test_delete_removes_the_named_games(capsys):
    status, out, _ = run(capsys, "--delete", "over", "open")
    assert status == 0 and saved_names() == {"damaged"} and out == "2 games deleted\n"


@pytest.mark.parametrize("arguments, expected", [
    ([], "requires names of saved games"), (["nosuch"], "unknown saved game 'nosuch'"),
    (["over", "nosuch"], "'nosuch'"), (["../key"], "'../key'"), (["key"], "'key'"), ([""], "''"),
])  # fmt: skip
def test_delete_accepts_only_saved_games(capsys, folder, arguments, expected):
    status, _, errors = run(capsys, "--delete", *arguments)
    assert status == 2 and expected in errors and errors.count("\n") == 1
    assert saved_names() == {"over", "open", "damaged"} and (folder / "key").exists()


def test_games_are_continued_and_replayed_by_name(play, capsys):
    play("1\nquit\n", "--seed", "4")
    before = saved_names()
    name = next(iter(before - {"over", "open", "damaged"}))
    status, out, _ = play("1\nquit\n", "--load", name)
    assert status == 0 and "--seed 4)" in out and saved_names() == before  # updated in place
    assert len(json.loads(saves.game_file(Path(name)).read_text())["moves"]) > 2
    assert cli.run(["replay", name]) == 0 and "wake_up" in capsys.readouterr().out


def test_the_number_of_saved_failures_is_limited(monkeypatch):
    monkeypatch.setattr(saves, "MAX_FAILURES", 3)
    for number in range(5):
        path = saves.save_failure("mine", {"state": f"{number:012d}"})
        moment = 1_000_000 + number
        os.utime(path, (moment, moment))
    assert [path.stem[-1] for path in sorted(path.parent.iterdir())] == ["2", "3", "4"]


def test_tables_of_the_browser_are_in_the_data_directory(folder):
    store = pytest.importorskip("vitienv.web.store")
    assert store.default_folder() == folder / "tables"
