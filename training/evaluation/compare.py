"""Comparison of training methods over several training seeds by the statistics of Agarwal et al. (2021).

"Deep Reinforcement Learning at the Edge of the Statistical Precipice", NeurIPS 2021; definitions as in its library
rliable. A score is the win rate of a run for one opponent and table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.policy import load_networks
from vitienv.core.files import read_json
from vitienv.training.json_dataclasses import checked
from vitienv.training.run_dir import SETTINGS, WINS, decision_counts, points, win_rates

RESAMPLES = 2000
INTERVAL = 2.5, 97.5  # percentiles
MIN_RUNS = 5  # the bootstrap interval of two runs is their range
HEADINGS = {
    "method": "method", "runs": "runs", "iqm": "interquartile mean %", "mean": "mean %", "median": "median %",
    "improvement": "better than the first %", "decisions": "decisions",
}  # fmt: skip
RUN_HEADINGS = {
    "method": "method", "run": "run", "opponent": "against", "players": "seats", "games": "games", "win_rate": "won %",
    "points": "points", "cut_off": "cut off",
}  # fmt: skip


def methods_of(runs: Sequence[Path]) -> dict[str, list[Path]]:
    """Group runs by method: their path without a final number such as -0, or their parent directory.

    Runs that differ in more than the seed are different methods. ValueError if a path is not a run directory.
    """
    methods: dict[tuple[str, str], list[Path]] = {}
    for run in dict.fromkeys(runs):
        if not points(run / "curve.csv") and not (run / "agent.safetensors").exists():
            raise ValueError(f"run must be a training directory, got {str(run)!r}")
        numbered = re.fullmatch(r"(.+)-\d{1,2}", str(run))
        name = numbered[1] if numbered else str(run.parent)
        methods.setdefault((name, _settings_of(run)), []).append(run)
    groups = [name for name, _ in methods]
    paths = [Path(name if groups.count(name) == 1 else runs[0]) for (name, _), runs in methods.items()]
    names = [path.name for path in paths]
    labels = [path.name if names.count(path.name) == 1 else str(path) for path in paths]
    return dict(zip(labels, methods.values(), strict=True))


def _settings_of(run: Path) -> str:
    """Return the settings of a run without its seed as text; "" if they are missing."""
    if not (file := run / SETTINGS).exists():
        return ""
    content = checked(dict[str, Any], read_json(file), str(file))
    settings = checked(dict[str, Any], content.get("settings", {}), f"settings in {str(file)!r}") | {"seed": None}
    return json.dumps([content.get("kind"), settings], sort_keys=True)


def interquartile_mean(scores: np.ndarray) -> float:
    """Return the mean of the scores (runs, tasks) without the lowest and the highest quarter."""
    ordered = np.sort(scores, axis=None)
    cut = int(0.25 * len(ordered))
    return float(ordered[cut : len(ordered) - cut].mean())


def probability_of_improvement(scores: np.ndarray, others: np.ndarray) -> float:
    """Return the probability that a run of `scores` (runs, tasks) beats one of `others` at a task; ties count half."""
    wins = (scores[:, None] > others).mean(axis=(0, 1)) + 0.5 * (scores[:, None] == others).mean(axis=(0, 1))
    return float(wins.mean())


def bootstrap(statistic: Callable[..., float], *samples: np.ndarray, seed: int = 0) -> dict[str, Any]:
    """Return a statistic of score matrices (runs, tasks) with its 95 % interval: value, low, high.

    Stratified: the runs of each matrix are resampled separately for each task. The bounds are None if each has one run.
    """
    value = statistic(*samples)
    if max(len(scores) for scores in samples) < 2:
        return {"value": value, "low": None, "high": None}
    rng = np.random.default_rng(seed)
    values = [
        statistic(*(np.take_along_axis(scores, rng.integers(len(scores), size=scores.shape), 0) for scores in samples))
        for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(values, INTERVAL)
    return {"value": value, "low": float(low), "high": float(high)}


def summarize(scores: Mapping[str, np.ndarray], decisions: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return a row of `HEADINGS` for each method. scores: (runs, tasks). decisions: mean over the runs."""
    first = next(iter(scores.values()))
    rows = []
    for method, matrix in scores.items():
        row = {
            "method": method, "runs": len(matrix), "iqm": bootstrap(interquartile_mean, matrix),
            "mean": bootstrap(lambda values: float(values.mean()), matrix), "decisions": decisions[method],
            "median": bootstrap(lambda values: float(np.median(values.mean(axis=0))), matrix),
        }  # fmt: skip
        if matrix is not first:
            row["improvement"] = bootstrap(probability_of_improvement, matrix, first)
        rows.append(row)
    return rows


def learning_curves(methods: Mapping[str, Sequence[Path]], opponents: Sequence[str]) -> list[dict[str, Any]]:
    """Return rows of method, opponent, decisions, runs, and the interquartile mean of the win rate with its interval.

    There is a row for each evaluation of a run up to the end of the shortest one; other runs are interpolated.
    """
    rows = []
    for method, runs in methods.items():
        for opponent in opponents:
            curves = [_curve(run, opponent) for run in runs]
            if not all(curves):
                continue
            end = min(curve[-1][0] for curve in curves)
            for decisions in sorted({at for curve in curves for at, _ in curve if at <= end}):
                scores = np.array([[np.interp(decisions, *np.transpose(curve))] for curve in curves])
                statistic = bootstrap(interquartile_mean, scores)
                rows.append({"method": method, "opponent": opponent, "decisions": decisions, "runs": len(runs),
                             "win_rate": statistic})  # fmt: skip
    return rows


def _curve(run: Path, opponent: str) -> list[tuple[int, float]]:
    rows = points(run / "curve.csv")
    return [(sum(decision_counts(row)), win_rates(row)[opponent]) for row in rows if row.get(f"{WINS}{opponent}")]


def decisions_of(run: Path, game: str) -> int:
    """Return the training decisions of a run's best network, 0 if it has none."""
    trained = getattr(load_networks(str(run), game), "metadata", {}).get("trained", {})
    return sum(checked(int, trained.get(name, 0), f"{name} of {str(run)!r}") for name in ("decisions", "imitated"))
