"""vitienv compare: comparison of training methods over several training seeds each."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import typer

from vitienv.console import (
    BACKEND,
    GAME,
    JSON,
    OPTION,
    PROCESSES,
    RULESET,
    SEED,
    TRUST,
    echo,
    print_json,
    progress,
    set_options,
    split_list,
    warn_few_seeds,
)


def command(
    runs: list[Path] = typer.Argument(
        ..., metavar="RUN",
        help="Run directories; those in one directory, or numbered like runs/a-0, with equal settings are one method.",
    ),
    opponents: str = typer.Option(
        "heuristic", "--opponents", help="Bots separated by commas; each fills the other seats of one task."
    ),
    players: str = typer.Option("2", help="Numbers of seats separated by commas, one task each."),
    games: int = typer.Option(200, help="Games per run and task, on the same seeds."),
    seed: int = SEED,
    out: Path = typer.Option(
        Path("runs/compare"), help="Directory for runs.csv, methods.csv, curves.csv, curves.png and the finished "
        "games; the same command resumes."
    ),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:  # fmt: skip
    """Compare training methods by the best networks of their runs and by their learning curves.

    Reports the interquartile mean of the win rates with stratified bootstrap intervals, and the probability that a
    run beats a run of the first method (Agarwal et al., 2021).
    """
    import numpy as np

    from vitienv.training.evaluation import compare
    from vitienv.training.evaluation.evaluate import evaluate
    from vitienv.training.evaluation.result_table import print_rows, write_csv
    from vitienv.training.executors import executor

    methods, names = compare.methods_of(runs), split_list(opponents, "--opponents")
    options, workers = set_options(assignments, game, ruleset), executor(backend, processes)
    out.mkdir(parents=True, exist_ok=True)
    bots = {f"policy:{run}": (method, run) for method, group in methods.items() for run in group}
    rows: list[dict[str, Any]] = []
    for number, opponent in enumerate(names):
        with progress(f"playing against {opponent}") as report:
            result = evaluate(list(bots), [opponent], "table", games, seed, workers, report,
                              out / f"games{number}.jsonl", game, num_players=players, **options)  # fmt: skip
        for row in result["results"]:
            method, run = bots[row["agent"]]
            rows.append({"method": method, "run": str(run), "opponent": opponent, **row})
    scores, decisions = {}, {}
    for method, group in methods.items():
        win_rates = [[row["win_rate"]["value"] for row in rows if row["run"] == str(run)] for run in group]
        scores[method] = np.array(win_rates)
        decisions[method] = sum(compare.decisions_of(run, game) for run in group) / len(group)
    table, curves = compare.summarize(scores, decisions), compare.learning_curves(methods, names)
    write_csv(out / "runs.csv", compare.RUN_HEADINGS, rows)
    write_csv(out / "methods.csv", compare.HEADINGS, table)
    if curves:
        write_csv(out / "curves.csv", dict.fromkeys(curves[0], ""), curves)
        from vitienv.training.evaluation.plots import plot_learning_curves

        plot_learning_curves(curves, out / "curves.png")
    warn_few_seeds(min(row["seeds"] for row in rows))
    if any(1 < len(group) < compare.MIN_RUNS for group in methods.values()):
        echo(f"vitienv: intervals of fewer than {compare.MIN_RUNS} runs are too narrow", err=True)
    for method, opponent in product(methods, names):
        if not any(row["method"] == method and row["opponent"] == opponent for row in curves):
            echo(f"vitienv: no curve of {method} against {opponent}, which not all its runs met", err=True)
    if json:
        print_json({"methods": table, "runs": rows, "curves": curves})
        return
    print_rows(f"Win rates against {', '.join(names)}; 95 % intervals", compare.HEADINGS, table)
    echo(f"Tables and curves: {out}")
