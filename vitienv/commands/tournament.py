"""vitienv tournament: bots against each other."""

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
    console,
    echo,
    print_json,
    progress,
    set_options,
)


def command(
    bots: list[str] = typer.Argument(None, help="At least two bots, such as heuristic random:seed=1 policy:best.zip."),
    players: int = typer.Option(0, help="Seats at a table, 2 to 6; by default one for each bot, at most 4."),
    games: int = typer.Option(100, help="Games in all, rounded up so that every bot sits everywhere equally often."),
    seed: int = SEED,
    run: Path = typer.Option(None, help="Run folder, by default a new one in runs/; the same command goes on there."),
    resume: Path = typer.Option(None, help="Resume the tournament in this run directory, with its settings."),
    merge: bool = typer.Option(
        False, "--merge", help="Join finished tournaments, of several machines say: name their run folders, no bots."
    ),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    chunk_size: int = typer.Option(
        0, min=0, help="Games played and saved together; by default chosen by their number."
    ),
    max_years: int = typer.Option(60, min=1, help="Games are cut off after this year, or round."),
    draft_parents: bool = typer.Option(False, help="Variant: two mamas and two papas each, keep one of each."),
    friendly: bool = typer.Option(False, help="Variant: bonus spaces only for their bonus."),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    logs: bool = typer.Option(True, help="Keep a replayable log of each game."),
    multipv: int = typer.Option(
        0,
        min=0,
        help="Keep in the logs so many actions that a bot considered at each decision, and how good it "
        "thought them: replays show them.",
    ),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Let bots play each other: each table of bots in every seating on a seed of its own.

    The run folder gets settings.json, games.parquet, logs.jsonl.gz, table.csv and results.json. An interrupted
    tournament goes on where it was when the command is given again with the same --run, or with --resume.
    """
    from vitienv.extras import require
    from vitienv.registry import game_spec
    from vitienv.training.evaluation.merge import merge as merged
    from vitienv.training.evaluation.tournament import Settings, default_folder, load_settings, run_tournament
    from vitienv.training.executors import executor
    from vitienv.training.workers import ExecutorLost

    require("a tournament", "pandas", "pyarrow")
    if merge:
        if resume is not None:
            raise ValueError("--merge joins what is finished, --resume goes on; give one of them")
        folder = run or default_folder("merged")
        show_results(merged([Path(name) for name in bots or ()], folder), folder, json)
        return
    where = executor(backend, processes)
    if resume is not None:
        if bots or run is not None:
            raise ValueError("--resume takes its bots and settings from the run folder; leave out bots and --run")
        settings, folder = load_settings(resume), resume
    else:
        specs = tuple(bots or ())
        flags = {"draft_parents": draft_parents, "friendly": friendly}
        options: dict[str, Any] = {game_spec(game).options.LIMIT: max_years}
        options |= {name: True for name, is_given in flags.items() if is_given}
        options |= set_options(assignments, game, ruleset)
        seats = players or max(2, min(len(specs), 4))
        settings = Settings(specs, seats, games, seed, chunk_size, logs, options, game, multipv)
        folder = run or default_folder()
    try:
        with progress("playing") as tell:
            results = run_tournament(settings, folder, where, tell)
    except ExecutorLost as error:
        raise ExecutorLost(f"{error}; to go on: vitienv tournament --resume {folder}") from None
    except KeyboardInterrupt:
        echo(f"To go on: vitienv tournament --resume {folder}", err=True)
        raise
    if results["games"] != settings.games and not json:
        told = f"{settings.games} games do not seat every bot everywhere equally often"
        echo(f"{told}: {results['games']} were played.", err=True)
    show_results(results, folder, json)


def show_results(results: dict[str, Any], folder: Path, json: bool) -> None:
    """Print the results as a table, or as JSON."""
    from vitienv.training.evaluation.standings import show

    if json:
        print_json(results | {"folder": str(folder)})
        return
    screen = console()
    screen.print(show(results, screen.width))
    echo(f"Files: {folder}")
