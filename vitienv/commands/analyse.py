"""vitienv analyse: what a searching bot thinks of a position, or of the moves of a game."""

from __future__ import annotations

from pathlib import Path

import typer

from vitienv.commands.replay import load, named
from vitienv.console import BACKEND, JSON, PROCESSES, SEED, TRUST, counted, echo, print_json, progress
from vitienv.render.text import seat_name


def command(
    file: Path = typer.Argument(
        ..., help="A position or a log (.json), a log of many (.jsonl, .jsonl.gz), or the directory of a tournament."
    ),
    agent: list[str] = typer.Option(
        None,
        help="A searching bot; by default ismcts with the networks that ship. Of a tournament: only the seats of "
        "these bots; may be given several times.",
    ),
    simulations: int = typer.Option(None, min=1, help="Simulations per search (2000; 200 per move of a log)."),
    milliseconds: float = typer.Option(None, help="Time per search, instead; results then depend on the machine."),
    move: int = typer.Option(None, min=0, help="Analyse the position after this many moves of a log."),
    game: int = typer.Option(None, min=0, help="Which game of a file or tournament; of a file by default the first."),
    top: int = typer.Option(10, min=1, help="How many actions, or costly moves, are shown."),
    seed: int = SEED,
    out: Path = typer.Option(None, help="Directory of a tournament's report; by default report in its directory."),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Show what a bot thinks: of a position each action's visits and value, of a game that is over what its moves cost.

    Values are from -1, as good as lost, to 1, as good as won, for the seat that decides.
    Of a tournament: win rates by wake-up row, opening, structure, visitor, order and space, and where the points come
    from, as a Parquet file for each table and report.html.
    """
    from vitienv.agents.search.analysis import analyse

    if file.is_dir() and game is None:
        report(file, out, agent or [], processes, backend, json)
        return
    if out is not None or len(agent or ()) > 1:
        raise ValueError("--out and several --agent are for the directory of a tournament")
    loaded = load(file, game)
    with progress("thinking") as tell:
        analysis = analyse(loaded, agent[0] if agent else None, simulations, milliseconds, seed, move, tell)
    if json:
        print_json(analysis.to_dict())
        return
    players = loaded.get("options", {}).get("num_players") if isinstance(loaded.get("options"), dict) else None
    names = named(loaded, players) if isinstance(players, int) else []
    told = [f"{seat_name(seat)} ({name})" if name else seat_name(seat) for seat, name in enumerate(names)]
    for line in analysis.describe(top, told):
        echo(line)


def report(run: Path, out: Path | None, bots: list[str], processes: int, backend: str, json: bool) -> None:
    """Write the report of a tournament."""
    from vitienv.training.executors import executor
    from vitienv.training.report.make import make_report

    with progress("replaying") as tell:
        written = make_report(run, out, bots, tell, executor(backend, processes))
    if json:
        print_json(written)
        return
    echo(f"{written['games']} games on {counted(written['seeds'], 'seed')}, {len(written['bots'])} bots")
    echo(f"Report: {Path(written['folder']) / written['page']}")
