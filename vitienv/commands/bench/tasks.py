"""vitienv bench tasks: bots on fixed tasks."""

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

from vitienv.console import BACKEND, JSON, PROCESSES, echo, echo_lines, listed, print_json, print_remarks

if TYPE_CHECKING:
    from vitienv.training.evaluation.benchmark import PlannedRow, Row
    from vitienv.training.evaluation.published import Figure


def command(
    bots: list[str] = typer.Argument(None, metavar="BOT", help="Bots to measure; the baselines if none is named."),
    train: str = typer.Option("", help="Baselines to train and measure, with commas: ppo, selfplay, imitation. Days."),
    only: str = typer.Option("", metavar="PATTERN", help="Rows that this regular expression finds, such as ^two:."),
    out: Path = typer.Option(Path("benchmark.csv"), help="File of the rows; rows in it are not measured again."),
    runs: Path = typer.Option(Path("runs/benchmark"), help="Folder of the trainings, which go on where they were."),
    update: bool = typer.Option(False, "--update", help="Publish the rows in the sources; make docs shows them."),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> None:
    """Measure bots on the fixed tasks of docs/benchmark.md: win rates with 95 % intervals.

    When it was interrupted, the same command goes on where it was.
    """
    from vitienv.core.files import check_writable
    from vitienv.training.evaluation import benchmark as tasks
    from vitienv.training.evaluation.csv_log import add_row, read_rows

    wanted = tasks.plan_rows(bots or (), listed(train, "--train") if train else (), only, runs)
    if update and (bots or train):
        raise ValueError("--update publishes the baselines that need no training; leave out bots and --train")
    check_writable(out)
    known = {one.name: row for one in wanted for row in read_rows(out, tasks.Row) if one.is_row(row)}
    check([one for one in wanted if one.name not in known], processes, backend)
    rows: dict[str, Row] = {}
    for asked in wanted:
        there = known.get(asked.name)
        if there is None:
            there = measured(asked, processes, backend)
            add_row(out, there, tasks.key)
        rows[asked.name] = there
    if update:
        publish([tasks.figure(rows[one.name], one.pick) for one in wanted])
    if json:
        print_json([asdict(row) for row in rows.values()])
        return
    echo_lines(tasks.table(list(rows.values())))


def check(missing: list[PlannedRow], processes: int, backend: str) -> None:
    """ValueError, in one line, if a row's bot or the place to play at cannot be: every row would end by it."""
    from vitienv.agents.seeding import make_bots
    from vitienv.training.executors import executor

    if missing:
        executor(backend, processes)
    for bot, game in dict.fromkeys((one.spec, one.game) for one in missing if one.run is None):
        make_bots([bot], 0, game)


def measured(asked: PlannedRow, processes: int, backend: str) -> Row:
    """Train if need be, and play. ValueError, in one line, if a command fails."""
    from vitienv.commands.bench import verify
    from vitienv.core.files import versions
    from vitienv.training.evaluation import benchmark as tasks
    from vitienv.training.evaluation import published

    echo(f"vitienv: benchmark: {asked.name}", err=True)
    hours = trained(asked, backend)
    before = spent()
    found = verify.measured(asked.command, processes, backend, Path.cwd())
    results = found.get("results", [found])
    print_remarks(*results, before="vitienv: benchmark: ", err=True)  # the file has no column for them
    figure = published.pick_value(found, asked.pick)
    hours = round(hours + spent() - before, 4)
    return tasks.Row(
        asked.task, asked.opponent, asked.bot, asked.training_seed, float(figure.value), float(figure.low or 0.0),
        1.0 if figure.high is None else figure.high, figure.games or 0,
        int(published.pick_value(found, f"{asked.pick} > seeds").value), hours, asked.command, asked.train,
        versions()["vitienv"], tasks.layout(asked.game), time.strftime("%Y-%m-%d"), verify.commit(),
    )  # fmt: skip


def trained(asked: PlannedRow, backend: str) -> float:
    """Carry out a row's training, go on with it, or leave it as it is if it is done. Returns its core hours; nan where
    it was interrupted, as what was spent before is not known."""
    if asked.run is None:
        return 0.0
    from vitienv.core.files import read_json, write_json
    from vitienv.training.run_dir import KINDS

    done = asked.run / "benchmark.json"
    if done.exists():
        return float(read_json(done)["core_hours"])
    is_begun = any((asked.run / checkpoint).exists() for checkpoint in KINDS.values())
    words = [*shlex.split(asked.train)[1:], *(["--resume"] if is_begun else [])]
    words += ["--backend", backend] if backend != "local" and "ppo" not in words else []
    before = spent()
    status = subprocess.run([sys.executable, "-m", "vitienv.cli", *words], stdout=subprocess.DEVNULL).returncode
    if status:
        raise ValueError(f"{asked.train!r} ended with status {status}; the same command goes on with it")
    hours = float("nan") if is_begun else round(spent() - before, 4)
    write_json(done, {"core_hours": hours})
    return hours


def spent() -> float:
    """Core hours of the commands so far."""
    times = os.times()
    return (times.children_user + times.children_system) / 3600


def publish(figures: list[Figure]) -> None:
    """Put figures in the place of those with the same names."""
    from vitienv.training.evaluation import published

    new = {figure.name: figure for figure in figures}
    kept = [new.pop(figure.name, figure) for figure in published.read()]
    published.write([*kept, *new.values()])
