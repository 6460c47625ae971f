"""Methods compared over their training seeds."""

import csv
import json

import numpy as np
import pytest

from tests.command import refused, run
from vitienv.agents.champions import path_of
from vitienv.agents.policy import load_networks
from vitienv.registry import game_spec
from vitienv.training.evaluation.compare import (
    bootstrap,
    interquartile_mean,
    learning_curves,
    methods_of,
    probability_of_improvement,
    summarize,
)
from vitienv.training.evaluation.plots import plot_learning_curves

NETWORK = path_of("two", game_spec("viticulture"))


def test_interquartile_mean_by_hand():
    """Two of eight scores are cut off at each end: those of 0 and 1, 8 and 9 here."""
    scores = np.array([[9.0, 1.0], [4.0, 0.0], [3.0, 5.0], [8.0, 6.0]])
    assert interquartile_mean(scores) == (3 + 4 + 5 + 6) / 4
    assert interquartile_mean(np.array([[1.0], [2.0], [4.0]])) == pytest.approx(7 / 3)  # 0.75 of a score is none


def test_probability_of_improvement_by_hand():
    """First task: 3 of 4 pairs won and none equal; second: 1 won, 2 equal, 1 lost."""
    scores, others = np.array([[0.5, 0.3], [0.9, 0.5]]), np.array([[0.4, 0.3], [0.6, 0.5]])
    assert probability_of_improvement(scores, others) == ((3 / 4) + (1 / 4 + 2 / 4 * 0.5)) / 2
    assert probability_of_improvement(others, scores) == pytest.approx(1 - probability_of_improvement(scores, others))


def test_names_in_a_plot_are_not_formulas(tmp_path):
    win_rate = {"value": 0.5, "low": 0.4, "high": 0.6}
    rows = [{"method": r"$\x$", "opponent": r"$\y{$", "decisions": 1, "win_rate": win_rate}]
    plot_learning_curves(rows, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").exists()


def test_a_bootstrap_is_stratified_by_task():
    """Resampled within a task, the mean of constant tasks never moves; each task moves by itself."""
    constant = bootstrap(lambda scores: float(scores.mean()), np.tile([0.0, 1.0], (5, 1)))
    assert constant == {"value": 0.5, "low": 0.5, "high": 0.5}
    samples = set()
    bootstrap(lambda scores: samples.add(tuple(scores[0])) or 0.0, np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert samples == {(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)}
    normal = np.random.default_rng(0).normal(size=(50, 1))
    interval = bootstrap(lambda scores: float(scores.mean()), normal)
    assert interval["high"] - interval["low"] == pytest.approx(2 * 1.96 * normal.std() / 50**0.5, rel=0.1)
    assert bootstrap(interquartile_mean, np.array([[0.5]])) == {"value": 0.5, "low": None, "high": None}


def test_the_first_method_is_compared_with_none():
    rows = summarize({"a": np.array([[0.1], [0.2]]), "b": np.array([[0.3], [0.4]])}, {"a": 5.0, "b": 6.0})
    assert "improvement" not in rows[0] and rows[1]["improvement"]["value"] == 1.0
    assert [(row["runs"], row["decisions"]) for row in rows] == [(2, 5.0), (2, 6.0)]


def make_run(folder, *points):
    folder.mkdir(parents=True)
    lines = [f"{decisions},0,{rate}" for decisions, rate in points]
    (folder / "curve.csv").write_text("\n".join(["decisions,imitated,win_rate_against_random", *lines]) + "\n")
    (folder / "agent.safetensors").write_bytes(NETWORK.read_bytes())
    return folder


def test_curves_are_interpolated_up_to_the_shortest_run(tmp_path):
    runs = [make_run(tmp_path / "0", (0, 0.0), (100, 1.0)), make_run(tmp_path / "1", (0, 0.5), (50, 0.5), (200, 0.8))]
    rows = learning_curves({"a": runs}, ["random", "heuristic"])
    assert [(row["decisions"], round(row["win_rate"]["value"], 6)) for row in rows] == [
        (0, 0.25), (50, 0.5), (100, 0.8)
    ]  # fmt: skip
    assert rows[0]["win_rate"]["low"] == 0.0 and rows[0]["win_rate"]["high"] == 0.5


def test_runs_of_a_directory_or_with_a_number_are_one_method(tmp_path):
    names = ("two-ppo-0", "two-ppo-1", "a/s0", "a/s1", "four-ppo-0", "a/selfplay-20261129-120000")
    runs = [make_run(tmp_path / name) for name in names]
    assert methods_of(runs) == {"two-ppo": runs[:2], "a": [*runs[2:4], runs[5]], "four-ppo": [runs[4]]}
    for seed, (path, kind) in enumerate(zip(runs, ("ppo", "ppo", "ppo", "ppo", "ppo", "selfplay"), strict=True)):
        (path / "settings.json").write_text(json.dumps({"kind": kind, "settings": {"seed": seed}}))
    assert methods_of(runs) == {"two-ppo": runs[:2], "s0": runs[2:4], "four-ppo": [runs[4]], runs[5].name: [runs[5]]}


def test_compare_resumes_and_writes_its_tables(tmp_path, capsys):
    runs = [make_run(tmp_path / method / f"s{seed}", (0, 0.1), (64, 0.2)) for method in "ab" for seed in range(2)]
    command = ["compare", *map(str, runs), "--opponents", "random,level:1", "--games", "4", "--processes", "1",
               "--option", "max_years=3", "--out", str(tmp_path / "out"), "--json"]  # fmt: skip
    status, out, errors = run(capsys, *command)
    result = json.loads(out)
    assert "intervals of fewer than 5 runs are too narrow" in errors
    assert "no curve of a against level:1" in errors and "against random" not in errors
    assert status == 0 and [(row["method"], row["runs"]) for row in result["methods"]] == [("a", 2), ("b", 2)]
    trained = load_networks(str(NETWORK)).metadata["trained"]["decisions"]  # the last point is another one
    assert [row["decisions"] for row in result["methods"]] == [trained, trained]
    assert result["methods"][1]["improvement"] == {"value": 0.5, "low": 0.5, "high": 0.5}  # four equal networks
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {"runs.csv", "methods.csv", "curves.csv", "curves.png", "games0.jsonl", "games1.jsonl"}
    rows = list(csv.DictReader((tmp_path / "out/curves.csv").open(encoding="utf-8")))
    assert [(row["method"], row["decisions"], row["win_rate_low"]) for row in rows] == [
        ("a", "0", "0.1"), ("a", "64", "0.2"), ("b", "0", "0.1"), ("b", "64", "0.2")
    ]  # fmt: skip
    lines = (tmp_path / "out/games0.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "out/games0.jsonl").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert run(capsys, *command) == (status, out, "") or run(capsys, *command)[1] == out
    (runs[0] / "agent.safetensors").write_bytes(path_of("many", game_spec("viticulture")).read_bytes())
    assert "was started with other values of weights" in refused(capsys, *command)
    assert "run must be a training directory" in refused(capsys, "compare", tmp_path)
