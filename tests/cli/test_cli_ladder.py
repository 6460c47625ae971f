"""vitienv ladder: challenges and the history of champions."""

import json

from tests.command import refused
from vitienv.cli import run
from vitienv.training.evaluation.ladder import Champion, Ladder


def test_a_challenge_that_is_won_is_noted(tmp_path, capsys):
    path = tmp_path / "ladder.json"
    Ladder([Champion("2", "random", beaten="heuristic")]).save(path)
    arguments = ["--file", str(path), "--effect-size", "0.2", "--processes", "1"]
    assert run(["ladder", "challenge", "heuristic", *arguments]) == 0
    said = capsys.readouterr().out
    assert "accepted" in said and str(path) in said
    assert [champion.agent for champion in Ladder.load(path).champions] == ["random", "heuristic"]
    assert run(["ladder", "show", "--file", str(path), "--plot", str(tmp_path / "ladder.png")]) == 0
    assert "heuristic" in capsys.readouterr().out and (tmp_path / "ladder.png").exists()


def test_a_challenge_that_is_lost_changes_nothing(tmp_path, capsys):
    path = tmp_path / "ladder.json"
    arguments = ["--file", str(path), "--table", "solo", "--processes", "1", "--json"]
    assert run(["ladder", "challenge", "random", "--effect-size", "0.2", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "rejected" and found["beaten"] == "heuristic" and not path.exists()


def test_bad_input_is_one_line(tmp_path, capsys):
    for wrong in (["--table", "9"], ["--effect-size", "2"]):
        refused(capsys, "ladder", "challenge", "random", "--file", tmp_path / "x", *wrong)
    refused(capsys, "ladder", "challenge", "nobody", "--file", tmp_path / "x")


def test_a_file_that_is_not_there_and_a_champion_that_is_one_already(tmp_path, capsys):
    assert run(["ladder", "show", "--file", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err == f"vitienv: file '{tmp_path / 'none.json'}' does not exist\n"
    Ladder([Champion("2", "random", beaten="heuristic")]).save(tmp_path / "ladder.json")
    assert run(["ladder", "challenge", "random", "--file", str(tmp_path / "ladder.json")]) == 2
    assert capsys.readouterr().err == "vitienv: random is already the champion of table 2\n"


def test_a_ladder_that_cannot_be_written_is_found_out_before_the_games(capsys, monkeypatch):
    monkeypatch.setattr("vitienv.training.evaluation.ladder.play_seeds", None)
    assert run(["ladder", "challenge", "random", "--file", "/proc/ladder.json", "--processes", "1"]) == 2
    assert capsys.readouterr().err.endswith("'/proc/ladder.json'\n")
