"""vitienv tournament: tournaments between bots."""

from __future__ import annotations

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
    check_game,
    console,
    echo,
    print_json,
    progress,
    reject_others,
    set_options,
)


def command(
    context: typer.Context,
    bots: list[str] = typer.Argument(None, help="At least two bots, such as heuristic random:seed=1 policy:best.zip."),
    players: int = typer.Option(
        0, show_default=False, help="Seats per table, 2 to 6; by default 2 for swiss, else one per bot, at most 4."
    ),
    games: int = typer.Option(100, help="Total number of games, rounded up to a complete schedule."),
    seed: int = SEED,
    run: Path = typer.Option(None, help="Run directory, by default a new one in runs/; the same command resumes it."),
    resume: Path = typer.Option(None, help="Resume the tournament in this run directory with its settings."),
    merge: bool = typer.Option(
        False, "--merge", help="Merge finished tournaments with common bots; arguments: run directories."
    ),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    chunk_size: int = typer.Option(
        0, min=0, show_default=False, help="Games played and saved together; by default depends on the number of games."
    ),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    logs: bool = typer.Option(True, help="Save a replayable log of each game."),
    multipv: int = typer.Option(
        0,
        min=0,
        help="Number of candidate actions per decision to save in the logs with the bot's evaluation; replays "
        "show them.",
    ),
    replays: int = typer.Option(0, min=0, help="Number of replays linked from index.html, of the first games."),
    on_failure: str = typer.Option(
        "forfeit", help="Result of a game in which a program fails: forfeit, void (not counted) or replace (by random)."
    ),
    schedule: str = typer.Option(
        "round-robin", help="round-robin, gauntlet (the first bot plays every game) or swiss."
    ),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Play a tournament between bots: each group of bots plays all its seatings on one seed.

    Writes settings.json, games.parquet, logs.jsonl.gz, table.csv, results.json and index.html to the run directory. The
    same command with --run, or --resume, continues an interrupted tournament.
    """
    from vitienv.extras import require
    from vitienv.training.evaluation.merge import load_finished
    from vitienv.training.evaluation.merge import merge as merge_runs
    from vitienv.training.evaluation.schedule import SWISS
    from vitienv.training.evaluation.tournament import Settings, load_settings, run_tournament
    from vitienv.training.executors import executor
    from vitienv.training.report.replay_pages import write_replays
    from vitienv.training.run_dir import run_path
    from vitienv.training.workers import ExecutorLost

    require("a tournament", "pandas", "pyarrow")
    if replays and (merge or not logs):
        raise ValueError("--replays requires the logs of a tournament; leave out --merge and --no-logs")
    if merge:
        reject_others(context, "--merge reads bots and settings from the run directories", "merge", "bots", "run",
                      "game", "trust", "json")  # fmt: skip
        folder, parts = run or run_path("merged"), [Path(name) for name in bots or ()]
        for part in parts:
            check_game(context, load_finished(part).game, f"the tournament in {str(part)!r}")
        show_results(merge_runs(parts, folder), folder, json)
        return
    backend_executor = executor(backend, processes)
    if resume is not None:
        reject_others(context, "--resume reads bots and settings from the run directory", "resume", "replays",
                      "processes", "backend", "game", "trust", "json")  # fmt: skip
        settings, folder = load_settings(resume), resume
        check_game(context, settings.game, f"the tournament in {str(folder)!r}")
    else:
        specs = tuple(bots or ())
        options = set_options(assignments, game, ruleset)
        seats = players or (2 if schedule == SWISS else max(2, min(len(specs), 4)))
        settings = Settings(specs, seats, games, seed, chunk_size, options, game, logs, multipv, on_failure, schedule)
        folder = run or run_path()
    try:
        with progress("playing") as report:
            results = run_tournament(settings, folder, backend_executor, report)
        if replays:
            with progress("drawing") as report:
                write_replays(folder, replays, backend_executor, report)
    except ExecutorLost as error:
        raise ExecutorLost(f"{error}; resume: vitienv tournament --resume {folder}") from None
    except KeyboardInterrupt:
        echo(f"Resume: vitienv tournament --resume {folder}", err=True)
        raise
    if settings.num_games() != settings.games and not json:
        echo(f"{settings.games} games do not complete the schedule; played {settings.num_games()}.", err=True)
    show_results(results, folder, json)


def show_results(results: dict[str, Any], folder: Path, json: bool) -> None:
    """Print the results as a table or as JSON."""
    from vitienv.training.evaluation.standings import show
    from vitienv.training.report.standings_page import PAGE_FILE

    if json:
        print_json(results | {"folder": str(folder)})
        return
    output = console()
    output.print(show(results, output.width))
    echo(f"Page: {folder / PAGE_FILE}")
