"""vitienv report: what the bots of a tournament teach, as tables and plots."""

from __future__ import annotations

from pathlib import Path

import typer

from vitienv.console import JSON, ON, PROCESSES, TRUST, counted, echo, print_json, progress


def command(
    run: Path = typer.Argument(..., help="The run folder of a finished tournament, with its logs."),
    out: Path = typer.Option(None, help="Where to write; by default the folder report in the run folder."),
    agent: list[str] = typer.Option(None, help="Look at the seats of this bot only; may be given several times."),
    processes: int = PROCESSES,
    on: str = ON,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Tell what the bots of a tournament teach: how often those win who choose a wake-up row, an opening, a structure,
    a visitor, an order or a space, and where their points come from.

    Writes a Parquet file for each table and report.html, which holds the plots and needs nothing else.
    """
    from vitienv.training.places import executor
    from vitienv.training.report.make import make_report

    with progress("replaying") as tell:
        written = make_report(run, out, agent or (), tell, executor(on, processes))
    if json:
        print_json(written)
        return
    echo(f"{written['games']} games on {counted(written['seeds'], 'seed')}, {len(written['bots'])} bots")
    echo(f"Report: {Path(written['folder']) / written['page']}")
