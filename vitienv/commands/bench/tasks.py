"""vitienv bench tasks: bots on the fixed benchmark tasks."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from vitienv.console import BACKEND, JSON, PROCESSES, echo, echo_lines, print_json, print_remarks, split_list

if TYPE_CHECKING:
    from vitienv.training.evaluation.benchmark import PlannedRow, Row


def command(
    bots: list[str] = typer.Argument(None, metavar="BOT", help="Bots to measure; by default the baselines."),
    train: str = typer.Option(
        "", help="Baselines to train, separated by commas: ppo, selfplay, imitation. Takes days."
    ),
    only: str = typer.Option("", metavar="PATTERN", help="Regular expression of rows to measure, such as ^two:."),
    out: Path = typer.Option(Path("benchmark.csv"), help="CSV file of the rows; existing rows are not remeasured."),
    runs: Path = typer.Option(Path("runs/benchmark"), help="Directory of the training runs, which are resumed."),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> None:
    """Measure win rates with 95 % confidence intervals on the tasks of docs/benchmark.md.

    The same command resumes an interrupted run.
    """
    from vitienv.core.files import check_writable
    from vitienv.training.evaluation import benchmark as tasks
    from vitienv.training.evaluation.csv_log import add_row, read_rows

    task_rows = tasks.plan_rows(bots or (), split_list(train, "--train") if train else (), only, runs)
    check_writable(out)
    saved_rows = list(read_rows(out, tasks.Row))
    measured_rows = {task_row.name: row for task_row in task_rows for row in saved_rows if task_row.is_row(row)}
    check([task_row for task_row in task_rows if task_row.name not in measured_rows], processes, backend)
    rows: dict[str, Row] = {}
    for task_row in task_rows:
        saved_row = measured_rows.get(task_row.name)
        if saved_row is None:
            saved_row = measure(task_row, processes, backend)
            add_row(out, saved_row, tasks.key)
        rows[task_row.name] = saved_row
    if json:
        print_json([asdict(row) for row in rows.values()])
        return
    echo_lines(tasks.table(list(rows.values())))


def check(missing: list[PlannedRow], processes: int, backend: str) -> None:
    """Raise ValueError before the first measurement if a bot or the executor is invalid."""
    from vitienv.agents.seeding import make_bots
    from vitienv.training.executors import executor

    if missing:
        executor(backend, processes)
    for bot, game in dict.fromkeys((task_row.spec, task_row.game) for task_row in missing if task_row.run is None):
        make_bots([bot], 0, game)


def measure(task_row: PlannedRow, processes: int, backend: str) -> Row:
    """Train if required, play, and return the row. Raises ValueError if a command fails."""
    from vitienv.commands.bench import verify
    from vitienv.core.files import versions
    from vitienv.training.evaluation import benchmark as tasks
    from vitienv.training.evaluation import published

    echo(f"vitienv: benchmark: {task_row.name}", err=True)
    hours, weights = train_baseline(task_row, backend), task_row.weights
    before = child_core_hours()
    output = verify.run_command(task_row.command, processes, backend, Path.cwd())
    results = output.get("results", [output])
    print_remarks(*results, before="vitienv: benchmark: ", err=True)  # the CSV file has no such column
    result = published.pick_value(output, task_row.pick)
    hours = round(hours + child_core_hours() - before, 4)
    return tasks.Row(
        task_row.task, task_row.opponent, task_row.bot, task_row.training_seed,
        float(result.value), float(result.low or 0.0), 1.0 if result.high is None else result.high, result.games or 0,
        int(published.pick_value(output, f"{task_row.pick} > seeds").value), hours, task_row.command, task_row.train,
        versions()["vitienv"], tasks.layout(task_row.game), time.strftime("%Y-%m-%d"), verify.commit(),
        weights,
    )  # fmt: skip


def train_baseline(task_row: PlannedRow, backend: str) -> float:
    """Start or resume the training of a row, unless it is complete.

    Returns its core hours; NaN for a resumed run, whose earlier hours are unknown.
    """
    if task_row.run is None:
        return 0.0
    from vitienv.core.files import read_json, write_json
    from vitienv.training.run_dir import KINDS

    result_file = task_row.run / "benchmark.json"
    if result_file.exists():
        return float(read_json(result_file)["core_hours"])
    is_resumed = any((task_row.run / checkpoint).exists() for checkpoint in KINDS.values())
    words = [*shlex.split(task_row.train)[1:], *(["--resume"] if is_resumed else [])]
    words += ["--backend", backend] if backend != "local" and "ppo" not in words else []
    before = child_core_hours()
    status = subprocess.run([sys.executable, "-m", "vitienv.cli", *words], stdout=subprocess.DEVNULL).returncode
    if status:
        raise ValueError(f"{task_row.train!r} failed with status {status}; the same command resumes it")
    hours = float("nan") if is_resumed else round(child_core_hours() - before, 4)
    write_json(result_file, {"core_hours": hours})
    return hours


def child_core_hours() -> float:
    """Return the core hours of all finished child processes."""
    times = os.times()
    return (times.children_user + times.children_system) / 3600
