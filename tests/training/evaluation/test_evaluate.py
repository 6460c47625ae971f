"""Rows of an evaluation: several bots on the same seeds, their differences, tables, and truncated games."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

import vitienv
from tests.command import run
from vitienv.agents import make_agent
from vitienv.registry import game_spec
from vitienv.training.eval_opponents import evaluate_against
from vitienv.training.evaluation import ladder
from vitienv.training.evaluation.evaluate import evaluate
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.result_table import print_rows, write_csv
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.intervals import clustered_mean
from vitienv.training.report.make import make_report


def test_several_bots_have_rows_on_the_same_seeds_and_differences_to_the_first():
    rows = evaluate(["random", "heuristic"], ["random"], games=12, seed=3, num_players="2,3")["results"]
    assert [(row["agent"], row["players"], row["games"]) for row in rows] == [
        ("random", 2, 12), ("random", 3, 12), ("heuristic", 2, 12), ("heuristic", 3, 12),
    ]  # fmt: skip
    alone = evaluate("heuristic", ["random"], games=12, seed=3, num_players=3)["results"]
    assert alone[0] == {name: value for name, value in rows[3].items() if name != "difference"}
    for first, other in zip(rows[:2], rows[2:]):
        assert "difference" not in first
        gap = other["win_rate"]["value"] - first["win_rate"]["value"]
        assert other["difference"]["value"] == pytest.approx(gap) and other["difference"]["low"] <= gap


def test_a_difference_is_paired_by_seed(monkeypatch):
    """The interval is that of the differences, which is narrower than that of independent games."""
    from vitienv.training.evaluation import evaluate as module

    wins = {"a": np.array([1, 0] * 10, float), "b": np.array([1, 1] * 10, float)}
    columns = [{"win": wins[name], "seed": np.arange(20) // 2, "counts": np.full(20, {}, object)} for name in "ab"]
    monkeypatch.setattr(module, "_play_cases", lambda *_: columns)
    monkeypatch.setattr(module, "mode_of", lambda *_: module.Mode(
        "", "", lambda *_: [{}], None, lambda case, games: {}, {}, {}, wins=lambda case, games: games["win"],
    ))  # fmt: skip
    first, second = module.evaluate(["a", "b"])["results"]
    assert second["difference"] == clustered_mean(np.array([0, 1] * 10), np.arange(20) // 2)
    assert second["difference"] == {"value": 0.5, "low": 0.5, "high": 0.5} and "difference" not in first


def test_a_table_leaves_out_columns_without_a_value(capsys, tmp_path):
    share = {"value": 0.25, "low": 0.125, "high": 0.5, "seeds": 4}
    rows = [{"bot": "a", "win": share, "cut_off": 0, "score": {"median": None}, "seats": [{"win": 0.5}, {"win": 1.0}]}]
    headings = {"bot": "bot", "win": "won %", "cut_off": "cut off", "score.median": "median", "seats.win": "seats %"}
    print_rows("title", headings, rows)
    printed = capsys.readouterr().out
    assert "25.0 (12.5 to 50.0)" in printed and "50.0 100.0" in printed and "cut off" not in printed
    write_csv(tmp_path / "rows.csv", headings, rows)
    assert list(csv.DictReader((tmp_path / "rows.csv").open(encoding="utf-8"))) == [
        {"bot": "a", "win": "0.25", "win_low": "0.125", "win_high": "0.5", "cut_off": "0", "score.median": "",
         "seats.win": "0.5 1.0"}
    ]  # fmt: skip


SHORT = {"max_years": 2}  # nobody reaches 20 points by then


def test_nobody_wins_a_truncated_game_in_any_evaluation(tmp_path, capsys):
    command = "evaluate heuristic --opponents random --games 20 --option max_years=2 --processes 1".split()
    status, out, _ = run(capsys, *command)
    cells = [cell.strip() for cell in out.splitlines()[-2].split("│")]
    assert status == 0 and "0.0 (0.0 to 27.8)" in cells and cells[cells.index("20") :][-3] == "20"
    (row,) = json.loads(run(capsys, *command, "--json")[1])["results"]
    assert (row["cut_off"], row["win_rate"]["value"], row["games"]) == (20, 0.0, 20)

    settings = Settings(("heuristic", "random"), 2, 20, options=SHORT, game="viticulture")
    results = run_tournament(settings, tmp_path / "run")
    assert results["truncated"] == 20
    assert [bot["win_rate"]["value"] for bot in results["bots"]] == [0.0, 0.0]
    assert {round(bot["rating"]["value"], 6) for bot in results["bots"]} == {0.0}  # draws
    assert {pair["ahead"]["value"] for pair in results["ahead"]} == {0.5}
    report = make_report(tmp_path / "run")
    assert (pd.read_parquet(f"{report['folder']}/bots.parquet")["win_share"] == 0).all()

    options = game_spec("viticulture").options.of(num_players=2, **SHORT)
    bots = [make_agent("heuristic"), make_agent("random", seed=1)]
    assert evaluate_against(bots[0], "random", options, 8)["wins"] == 0.0
    samples, _ = ladder._at_table(bots, [1, 2, 3], options)
    assert samples.tolist() == [0.0, 0.0, 0.0]  # a draw
    played = play(options, [1], [[0, 1]], bots)
    assert played.truncated.all() and played.wins.tolist() == [[0.0, 0.0]] and min(played.ranks[0]) == 1
    game = vitienv.replay(played.log(0))
    assert game.is_truncated and game.rewards == [0.0, 0.0]
