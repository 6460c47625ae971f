"""vitienv bench verify: verdicts, published results and resumption."""

import json
import os
from dataclasses import replace

import pytest

from tests.command import refused
from vitienv import cli
from vitienv.commands.bench import verify
from vitienv.training.evaluation import published
from vitienv.training.evaluation.published import Figure
from vitienv.training.intervals import wilson

PLAYED = "vitienv evaluate heuristic --opponents random --game toscana --players 2 --games {} --seed 3"
RIGHT = Figure("toscana.md", "strength", "right", "", PLAYED.format(200), "results > win_rate", "%", "1.0", 0.981, 1.0,
               200, "", "2026-11-24", "", "")  # fmt: skip
SECOND = replace(RIGHT, row="second", command=PLAYED.format(100))
WRONG = replace(RIGHT, row="wrong", value="0.5", low=0.431, high=0.569)
SIZE = replace(RIGHT, kind="engine", row="size", command="vitienv bench --signature --game toscana",
               pick="sizes > actions", unit="", value="158", low=None, high=None, games=None)  # fmt: skip
SPEED = replace(SIZE, kind="speed", row="speed", command="vitienv bench --only playouts", pick="measured")
RESULT = {"results": [{"games": 1, "win_rate": {"value": 1.0, "low": 0.9, "high": 1.0}}]}
RESUMED = ["bench", "verify", "--full", "--processes", "1", "--resume-file", "kept.jsonl"]


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A working directory with a file of published results."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(published, "FILE", tmp_path / "published.csv")
    monkeypatch.setattr(published.read, "__defaults__", (published.FILE,))
    monkeypatch.setattr(published.write, "__defaults__", (published.FILE,))
    published.write([RIGHT, WRONG, SIZE, SPEED])
    monkeypatch.setattr(os, "getloadavg", lambda: (99.0, 99.0, 99.0))
    return tmp_path


def test_every_result_has_a_verdict(data, capsys):
    assert cli.run(["bench", "verify", "--quick", "--processes", "1", "--json"]) == 1
    results = {figure["published"]["row"]: figure for figure in json.loads(capsys.readouterr().out)["figures"]}
    assert {row: figure["verdict"] for row, figure in results.items()} == {
        "right": "holds", "wrong": "differs", "size": "holds", "speed": "skipped"}  # fmt: skip
    assert results["right"]["measured"]["games"] == 20 and "busy (load 99.0" in results["speed"]["why"]
    assert list((data / "runs").glob("*.jsonl")) == []  # complete


def test_update_publishes_the_measured_results(data, capsys):
    assert cli.run(["bench", "verify", "--full", "--only", "wrong|size", "--processes", "1", "--update"]) == 1
    page = capsys.readouterr().out
    assert "| toscana: wrong | 50.0 % (43.1 to 56.9) | 100.0 %" in page and "1 differs, 1 holds; 1 identical." in page
    first, second, size, speed = published.read()
    assert (first, size.value, speed) == (RIGHT, "158", SPEED)
    assert (second.value, second.games, second.machine) == ("1.0", 200, "")
    assert second.low == pytest.approx(wilson(100, 100)[0], abs=1e-6)  # 200 games on 100 seeds
    assert cli.run(["bench", "verify", "--full", "--only", "wrong", "--processes", "1"]) == 0


def test_list_prints_results_that_match_only(data, capsys):
    assert cli.run(["bench", "verify", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["strength: toscana: right: 100.0 % (98.1 to 100.0)",
                         "strength: toscana: wrong: 50.0 % (43.1 to 56.9)"] and len(lines) == 4  # fmt: skip
    for pattern in ("^toscana: right", "^strength: .*right"):
        assert cli.run(["bench", "verify", "--list", "--only", pattern, "--json"]) == 0
        assert [figure["name"] for figure in json.loads(capsys.readouterr().out)] == ["strength: toscana: right"]


def test_failing_commands_are_quoted(data, capsys):
    published.write([replace(RIGHT, command=PLAYED.format(0))])
    assert cli.run(["bench", "verify", "--full", "--processes", "1"]) == 2
    assert "--games 0 --seed 3' failed with status 2" in capsys.readouterr().err


@pytest.fixture
def resume_file(data, monkeypatch):
    """The file of a run that was interrupted after the first of two results."""
    published.write([RIGHT, SECOND])

    def measure_first(line, *_):
        if line != RIGHT.command:
            raise KeyboardInterrupt
        return RESULT

    monkeypatch.setattr(verify, "run_command", measure_first)
    assert cli.run(RESUMED) == 130
    return data / "kept.jsonl"


def test_an_interrupted_run_is_resumed(resume_file, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(verify, "run_command", lambda line, *_: commands.append(line) or RESULT)
    assert cli.run(RESUMED) == 0
    assert commands == [SECOND.command] and "2 results: 2 holds" in capsys.readouterr().out
    assert not resume_file.exists()


@pytest.mark.parametrize("damage", [
    lambda part: [*part[:2], True, *part[3:]], lambda part: part[:-1], lambda part: [*part[:-1], "many"],
], ids=["wrong type", "too short", "text for a number"])  # fmt: skip
def test_a_damaged_resume_file_is_refused_and_kept(resume_file, monkeypatch, capsys, damage):
    head, part = resume_file.read_text().splitlines()
    text = f"{head}\n{json.dumps(damage(json.loads(part)))}\n"
    resume_file.write_text(text)
    monkeypatch.setattr(verify, "run_command", lambda *_: RESULT)
    capsys.readouterr()
    assert "'kept.jsonl' is damaged" in refused(capsys, *RESUMED)
    assert resume_file.read_text() == text
