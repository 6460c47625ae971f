"""Rows of an evaluation: several bots on the same seeds, their differences, and tables."""

import csv

import numpy as np
import pytest

from vitienv.training.evaluation.evaluate import evaluate
from vitienv.training.evaluation.result_table import print_rows, write_csv
from vitienv.training.intervals import clustered_mean


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
