"""The games that are kept: listed, gone on with by name, looked at, and removed when their player says so."""

import io
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
    """Games of a person, the oldest first: one that is over, one that goes on, and a file that is damaged."""
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
    status = cli.run(["replay", *(["--delete", *arguments[1:]] if arguments[:1] == ("delete",) else arguments)])
    return status, *capsys.readouterr()


def left():
    return {path.stem for path, _ in saves.games()}


def test_games_are_listed_the_last_first(capsys):
    status, out, _ = run(capsys)
    assert status == 0 and out.index("damaged") < out.index("open") < out.index("over") and "vitienv play --load" in out
    damaged, open_, over = json.loads(run(capsys, "--json")[1])["games"]
    assert (damaged["status"], open_["status"], over["status"]) == ("damaged", "after 0 moves", "over")
    assert (open_["against"], over["points"]) == ("old", "You 3, heuristic 4")


@pytest.mark.parametrize("log", [[], {"scores": 1, "options": {}}, {"scores": [1], "options": {}, "seat": []}])
def test_a_file_of_something_else_is_listed(capsys, folder, log):
    write_json(folder / "games" / "strange.json", log)
    assert run(capsys)[0] == 0


def test_nothing_to_list(capsys, folder):
    for file in (folder / "games").glob("[do][va]*.json"):
        file.unlink()
    (folder / "games" / "open.json").unlink()
    assert run(capsys)[1].startswith("0 games in ")


def test_delete_removes_the_named_games(capsys):
    status, out, _ = run(capsys, "delete", "over", "open")
    assert status == 0 and left() == {"damaged"} and out == "2 games deleted\n"


@pytest.mark.parametrize(
    "arguments, what",
    [([], "requires names of saved games"),
     (["nosuch"], "unknown saved game 'nosuch'"),
     (["over", "nosuch"], "'nosuch'"), (["../key"], "'../key'"), (["key"], "'key'"), ([""], "''")],
)  # fmt: skip
def test_nothing_else_is_removed(capsys, folder, arguments, what):
    status, _, errors = run(capsys, "delete", *arguments)
    assert status == 2 and what in errors and errors.count("\n") == 1
    assert left() == {"over", "open", "damaged"} and (folder / "key").exists()


def test_a_game_is_gone_on_with_and_looked_at_by_its_name(capsys, monkeypatch):
    def play(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return cli.run(["play", *arguments]), capsys.readouterr().out

    play("1\nquit\n", "--seed", "4")
    before = left()
    name = next(iter(before - {"over", "open", "damaged"}))
    status, out = play("1\nquit\n", "--load", name)
    assert status == 0 and "--seed 4)" in out and left() == before  # it goes on in its own file
    assert len(json.loads(saves.game_file(Path(name)).read_text())["moves"]) > 2
    assert cli.run(["replay", name]) == 0 and "wake_up" in capsys.readouterr().out


def test_failures_of_bots_do_not_fill_the_disk(monkeypatch):
    monkeypatch.setattr(saves, "MAX_FAILURES", 3)
    for number in range(5):
        path = saves.save_failure("mine", {"state": f"{number:012d}"})
        moment = 1_000_000 + number
        os.utime(path, (moment, moment))
    assert [path.stem[-1] for path in sorted(path.parent.iterdir())] == ["2", "3", "4"]


def test_the_browsers_tables_are_kept_beside_them(folder):
    store = pytest.importorskip("vitienv.web.store")
    assert store.default_folder() == folder / "tables"
