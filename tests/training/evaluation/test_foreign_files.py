"""Files of unknown origin: impossible values are refused in one line, and reading a pipe does not block."""

import json
import math
import os
import shutil
import signal
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from tests.command import refused, replace_by_pipe, run
from vitienv.agents.network import read_network
from vitienv.commands.replay import load
from vitienv.core import files
from vitienv.registry import game_spec
from vitienv.session.replay import replay
from vitienv.training.evaluation.benchmark import Row
from vitienv.training.evaluation.csv_log import add_row, read_rows
from vitienv.training.evaluation.ladder import Champion, Ladder, open_samples
from vitienv.training.evaluation.levels import Step, ratings
from vitienv.training.evaluation.levels import key as step_key
from vitienv.training.evaluation.merge import load_finished, merge
from vitienv.training.evaluation.standings import NOTE
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.ppo.train import _restore
from vitienv.training.run import claim, read_call, settings_in
from vitienv.training.run_dir import method_of
from vitienv.training.search.games import read_file
from vitienv.training.selfplay import settings as learning
from vitienv.training.settings import settings_of

HUGE = 10**400
INVALID = ("x", None, [], {}, True, math.nan, math.inf, HUGE)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    for seed, name in enumerate(("one", "two")):
        run_tournament(Settings(("random", "random:seed=1"), 3, 6, seed, options={"max_years": 2}), folder / name)
    return folder


@pytest.fixture
def folder(finished, tmp_path):
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path


def edit(path, change):
    """Change a JSON file; NaN and infinity are written as by Python."""
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


CHAMPION = {
    "table": INVALID[1:], "agent": INVALID[1:], "beaten": (5, []), "elo": INVALID, "elo_low": INVALID,
    "score": (*INVALID, 3),
    "seeds": (*INVALID, -1, 1.5), "games": (*INVALID, -1), "settings": (5, []), "weights": (5, []), "date": INVALID[1:],
    "versions": (5, [], {"vitienv": 5}), "game": INVALID[1:], "unknown": (5,),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAMPION)
def test_a_ladder_with_an_invalid_field_is_refused(name, tmp_path, capsys):
    path = tmp_path / "ladder.json"
    for value in CHAMPION[name]:
        Ladder([Champion("2", "random", beaten="heuristic")]).save(path)
        edit(path, lambda saved, value=value: saved["champions"][0].update({name: value}))
        error = refused(capsys, "ladder", "show", "--file", path)
        assert "is not a history of champions" in error and name in error


SETTINGS = {
    "agents": (5, None, "random", [5, 6], ["random", None]), "num_players": (*INVALID, 99), "games": (*INVALID, 0),
    "seed": (*INVALID, -1), "chunk_size": (*INVALID, -1), "logs": (1, "yes", None), "game": (5, [], None, "nosuch"),
    "options": (5, [], {"friendly": [1]}, {"nosuch": 1}, {"ruleset": "nosuch"}, {"max_years": HUGE}),
    "multipv": (*INVALID[:6], -1, 10**6),
}  # fmt: skip


@pytest.mark.parametrize("name", SETTINGS)
def test_a_tournament_with_an_invalid_setting_is_refused(name, folder, capsys):
    path = folder / "one" / "settings.json"
    text = path.read_text()
    for value in SETTINGS[name]:
        path.write_text(text)
        edit(path, lambda saved, value=value: saved["settings"].update({name: value}))
        for words in (["--resume", folder / "one"], ["--merge", folder / "one", folder / "two"]):
            refused(capsys, "tournament", *words)


@pytest.mark.parametrize(("name", "value", "message"), [
    *(("versions", value, "with vitienv") for value in ([], 5, None, {"vitienv": "9"})),
    *(("weights", value, "weights") for value in (5, [], {"a": 5})), ("settings", 5, "settings"),
    ("kind", "report", "does not contain a tournament"), ("kind", None, "does not contain a tournament"),
], ids=str)  # fmt: skip
def test_a_tournament_with_an_invalid_heading_is_refused(name, value, message, folder, capsys):
    edit(folder / "one" / "settings.json", lambda saved: saved.update({name: value}))
    for words in (["--resume", folder / "one"], ["--merge", folder / "one", folder / "two"]):
        assert message in refused(capsys, "tournament", *words)


def test_another_game_than_that_of_the_files_is_refused(folder, capsys):
    for words in (["--resume", folder / "one"], ["--merge", folder / "one", folder / "two"]):
        assert "--game must be viticulture" in refused(capsys, "tournament", *words, "--game", "toscana")
    claim(folder / "run", "selfplay", learning.Settings(game="world"), learning.Call())
    (folder / "run" / "checkpoint.pt").touch()
    error = refused(capsys, "train", "--resume", "--run", folder / "run", "--game", "viticulture")
    assert "game must be 'world' as in" in error


def test_results_are_those_of_the_games(folder, capsys):
    """Values in results.json have no effect, besides the digest of the settings."""
    command = "tournament", "--resume", str(folder / "one"), "--json"
    _, valid, _ = run(capsys, *command)
    edit(folder / "one" / "results.json", lambda saved: saved.update(dict.fromkeys(saved.keys() - {"tournament"}, 5)))
    assert run(capsys, *command) == (0, valid, "") and json.loads(valid)["bots"]


def cell(name, value, error=""):
    return error or f"column {name!r}", lambda frame: frame.loc.__setitem__((0, name), value)


def column(name, change):
    return f"column {name!r}", lambda frame: frame.insert(0, name, change(frame.pop(name) if name in frame else None))


OTHER = "does not contain the games of its settings"
GAMES = {  # part of the error, and a change of games.parquet
    "another game": cell("game", 5, OTHER),
    "another seat": cell("seat", -1, OTHER),
    "another seed": cell("seed", 2**62, OTHER),
    "another seed number": cell("seed_number", 1, OTHER),
    "another bot": cell("agent", "random:seed=1", OTHER),
    "an unknown bot": cell("agent", "a\nb", OTHER),
    "rank 0": cell("rank", 0),
    "rank 99": cell("rank", 99),
    "ranks swapped": column("rank", lambda ranks: 4 - ranks),
    "rank of words": column("rank", lambda ranks: ranks.map(str)),
    "win NaN": cell("win", np.nan),
    "win 2": cell("win", 2.0),
    "points NaN": column("points", lambda points: points * np.nan),
    "points infinite": column("points", lambda points: points * np.inf),
    "points large": column("points", lambda points: 10**9 * (1 + points)),
    "points reversed": ("column 'rank'", lambda frame: frame.insert(0, "points", -frame.pop("points"))),
    "year": column("year", lambda years: years * 10**9),
    "year of a seat": cell("year", 1),
    "decisions": cell("decisions", -1),
    "truncated": column("truncated", lambda truncated: truncated.map(str)),
    "forfeit": column("forfeit", lambda forfeits: forfeits.map(len)),
    "two forfeits": column("forfeit", lambda forfeits: forfeits + "crash"),
    "state": cell("state", "0"),
    "no state": ("column 'state'", lambda frame: frame.pop("state")),
    "no rank": ("column 'rank'", lambda frame: frame.pop("rank")),
    "a note of words": column(NOTE + "x", lambda _: "many"),
    "an infinite note": column(NOTE + "x", lambda _: np.inf),
    "another column": column("table", lambda _: "words"),
}


@pytest.mark.parametrize("change_name", GAMES)
def test_impossible_games_are_not_merged(change_name, folder, capsys):
    path, (message, change) = folder / "one" / "games.parquet", GAMES[change_name]
    frame = pd.read_parquet(path)
    change(frame)
    frame.to_parquet(path, index=False)
    error = refused(capsys, "tournament", "--merge", folder / "one", folder / "two", "--run", folder / "both")
    assert message in error and not (folder / "both").exists()


TRAINING = {  # fields of the settings or the call
    "game": INVALID[1:], "mix": INVALID[1:], "hidden": INVALID, "learning_rate": INVALID,
    "shaping": ("x", [], {}, True, math.nan), "policy_prior": (5, [], {}), "league": (5, None, "random", [5]),
    "threads": ("x", [], 1.5, True), "eval_opponents": (5, "random", [5]), "checkpoint_seconds": INVALID,
}  # fmt: skip


@pytest.mark.parametrize("name", TRAINING)
def test_a_training_with_an_invalid_field_is_refused(name, tmp_path):
    for i, value in enumerate(TRAINING[name]):
        folder = tmp_path / str(i)
        claim(folder, "selfplay", learning.Settings(), learning.Call())
        (folder / "checkpoint.pt").touch()
        part = "settings" if hasattr(learning.Settings(), name) else "call"
        edit(folder / "settings.json", lambda saved, part=part, value=value: saved[part].update({name: value}))
        with pytest.raises(ValueError, match=f"settings\\.json' is damaged: {name}"):
            read_call({"run": folder, "resume": True}, learning.Call)
            settings_in(folder, "selfplay", learning.Settings, {}, partial(settings_of, learning.Settings))


@pytest.mark.parametrize("kind", [[], {}, 5, "nosuch"])
def test_a_run_of_an_unknown_method_is_refused(kind, tmp_path):
    claim(tmp_path, "selfplay", learning.Settings(), learning.Call())
    edit(tmp_path / "settings.json", lambda saved: saved.update(kind=kind))
    with pytest.raises(ValueError, match="does not contain a training"):
        method_of(tmp_path)


PART = {"samples": [0.5] * 8, "forfeits": {}, "notes": {"random": {"tokens": 3}}}
PARTS = {
    "list": [5], "number": 5, "no samples": {}, "words": PART | {"samples": ["x"] * 8},
    "NaN": PART | {"samples": [math.nan] * 8}, "above 1": PART | {"samples": [2.0] * 8},
    "no notes": {"samples": [0.5] * 8, "forfeits": {}},
    "count of words": PART | {"forfeits": {"random": {"crash": "x"}}},
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_a_challenge_with_invalid_samples_is_refused(part, tmp_path):
    with open_samples(tmp_path, {"agent": "random"}) as samples_file:
        samples_file.add(PART)
    with open_samples(tmp_path, {"agent": "random"}) as samples_file:
        assert samples_file.parts == [PART]
        samples_file.add(PARTS[part])
    with (
        pytest.raises(ValueError, match=r"challenge-\w+\.jsonl' is damaged: (parts\[1\]|samples)"),
        open_samples(tmp_path, {"agent": "random"}),
    ):
        pass


STEP = Step("viticulture", "2", 2, 0, 20, 10.0, 1.0)
ROW = Row("two", "level:5", "a", 0, 0.5, 0.4, 0.6, 600, 300, 1.0, "", "", "", "", "", "", "")
ROWS = [
    *((STEP, change) for change in (
        {"level": 1}, {"games": 0}, {"won": -1.0}, {"won": 21.0}, {"won": math.nan}, {"squares": -1.0},
        {"squares": math.inf},
    )),
    *((ROW, change) for change in (
        {"training_seed": -1}, {"value": math.nan}, {"high": 0.45}, {"low": -0.1}, {"high": 1.1}, {"games": 0},
        {"core_hours": -1.0},
    )),
]  # fmt: skip


def test_rows_are_sorted_and_replaced_and_other_files_are_refused(tmp_path):
    file, again = tmp_path / "levels.csv", replace(STEP, won=12.0)
    assert read_rows(file, Step) == []
    for row in (STEP, replace(STEP, level=3), again, replace(STEP, table="10")):
        add_row(file, row, step_key)
    assert read_rows(file, Step) == [replace(STEP, table="10"), again, replace(STEP, level=3)]
    for text in ("game,table\ntoy,2\n", '{"moves": []}', "nul\0"):
        file.write_text(text)
        with pytest.raises(ValueError, match="is damaged"):
            add_row(file, STEP, step_key)


@pytest.mark.parametrize(("row", "change"), ROWS, ids=str)
def test_impossible_rows_are_refused(row, change, tmp_path):
    file = tmp_path / "rows.csv"
    add_row(file, row, str)
    assert read_rows(file, type(row)) == [row]
    heading = file.read_text().splitlines()[0]
    file.write_text(f"{heading}\n{','.join(map(str, (asdict(row) | change).values()))}\n")
    with pytest.raises(ValueError, match=f"is damaged: .*{next(iter(change))}"):
        read_rows(file, type(row))


def test_a_level_on_one_seed_is_refused(tmp_path):
    file = tmp_path / "levels.csv"
    for level in range(2, 11):
        add_row(file, replace(STEP, level=level, games=3, won=1.0), step_key)
    with pytest.raises(ValueError, match="games of level 2 must be on at least 2 seeds, got 3 games"):
        ratings("2", file=file)


@contextmanager
def within(seconds):
    """Raise TimeoutError in code that waits longer, and AssertionError if that takes it for an error of a file."""
    alarms = []

    def stop(*_):
        alarms.append(seconds)
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
    assert not alarms


READERS = {
    "ladder show": "ladder show --file FILE",
    "ladder levels": "ladder levels --file FILE",
    "replay": "replay FILE",
    "analyse": "analyse FILE",
    "resume": "tournament --resume FOLDER",
    "data": "data info FOLDER",
    "components": "cards --game world --option components=FILE",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("kind", ["pipe", "device", "sparse"])
@pytest.mark.parametrize("command", READERS.values(), ids=READERS)
def test_pipes_devices_and_large_files_are_refused_at_once(command, kind, tmp_path, capsys):
    for name in ("file", "settings.json", "data.json"):
        path = tmp_path / name
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "device":
            path.symlink_to("/dev/zero")
        else:
            path.touch()
            os.truncate(path, 3 * 2**30)
    words = command.replace("FILE", str(tmp_path / "file")).replace("FOLDER", str(tmp_path)).split()
    with within(60):
        refused(capsys, *words)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("read", [
    lambda path: merge([path.parent, path.parents[1] / "two"], path.parents[1] / "both"), read_network,
    lambda path: read_file(path, game_spec()), lambda path: _restore(None, path),
], ids=["merge", "network", "searched games", "checkpoint"])  # fmt: skip
def test_pipes_in_place_of_binary_files_are_refused(read, folder):
    path = folder / "one" / "games.parquet"
    replace_by_pipe(path)
    with pytest.raises((OSError, ValueError), match="not a regular file"):
        read(path)


def test_a_byte_order_mark_is_ignored(folder, tmp_path):
    """Some editors on Windows write one."""
    (tmp_path / "log.json").write_text(json.dumps(load(folder / "one")))
    Ladder([Champion("2", "random", beaten="heuristic")]).save(tmp_path / "ladder.json")
    add_row(tmp_path / "steps.csv", STEP, step_key)
    for path, read in (
        (tmp_path / "log.json", lambda path: (replay(path), load(path))),
        (tmp_path / "ladder.json", lambda path: Ladder.load(path).champions),
        (tmp_path / "steps.csv", lambda path: read_rows(path, Step)),
        (folder / "one" / "settings.json", lambda path: load_finished(path.parent)),
    ):
        plain = read(path)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        assert read(path) == plain and plain


def test_a_lone_surrogate_is_written_and_read(tmp_path):
    files.write_json(tmp_path / "x.json", {"name": "a\ud800b"})
    assert files.read_json(tmp_path / "x.json") == {"name": "a\ud800b"}


def test_files_up_to_the_size_limit_are_read(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 2**20)
    path = tmp_path / "x.json"
    path.write_text(f'"{"x" * (2**20 - 2)}"')
    assert len(files.read_json(path)) == 2**20 - 2
    path.write_text(f'"{"x" * 2**20}"')
    with pytest.raises(ValueError, match="at most 1 MiB"):
        files.read_json(path)
    assert run(capsys, "replay", str(path))[0] == 2
