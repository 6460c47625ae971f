"""vitienv ladder: challenges and the history of champions."""

import json

from vitienv.cli import run
from vitienv.training.evaluation.ladder import Champion, Ladder


def test_a_won_challenge_is_recorded(tmp_path, capsys):
    path = tmp_path / "ladder.json"
    Ladder([Champion("2", "random", beaten="heuristic")]).save(path)
    arguments = ["--file", str(path), "--effect-size", "0.2", "--processes", "1"]
    assert run(["ladder", "challenge", "heuristic", *arguments]) == 0
    out = capsys.readouterr().out
    assert "accepted" in out and str(path) in out
    assert [champion.agent for champion in Ladder.load(path).champions] == ["random", "heuristic"]
    assert run(["ladder", "show", "--file", str(path), "--plot", str(tmp_path / "ladder.png")]) == 0
    assert "heuristic" in capsys.readouterr().out and (tmp_path / "ladder.png").exists()


def test_a_lost_challenge_changes_nothing(tmp_path, capsys):
    path = tmp_path / "ladder.json"
    arguments = ["--file", str(path), "--table", "solo", "--processes", "1", "--json"]
    assert run(["ladder", "challenge", "random", "--effect-size", "0.2", *arguments]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["verdict"] == "rejected" and result["beaten"] == "heuristic" and not path.exists()
