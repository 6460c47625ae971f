"""vitienv analyse: evaluations of a position or of the moves of a game by a searching bot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.commands.replay import load
from vitienv.console import BACKEND, JSON, PROCESSES, SEED, TRUST, echo, print_json, progress, reject, reject_others
from vitienv.core.text_utils import count
from vitienv.render.text import seat_name
from vitienv.session.replay import read_agents

if TYPE_CHECKING:
    from vitienv.agents.game_level import GameLevel
    from vitienv.agents.luck import GameLuck


def command(
    context: typer.Context,
    file: Path = typer.Argument(
        ..., help="Position or game log (.json), file of many logs (.jsonl, .jsonl.gz), or tournament directory."
    ),
    bot: list[str] = typer.Option(
        None,
        help="Searching bot; by default ismcts with the bundled networks. For a tournament: bots to include in the "
        "report; may be repeated.",
    ),
    simulations: int = typer.Option(None, min=1, help="Simulations per search (2000; 200 per move of a log)."),
    milliseconds: float = typer.Option(None, help="Time per search instead; results then depend on the machine."),
    move: int = typer.Option(None, min=0, help="Number of moves of the log before the position to analyse."),
    game: int = typer.Option(None, min=0, help="Index of the game in a file of many (0) or in a tournament."),
    top: int = typer.Option(10, min=1, help="Number of actions, or of costly moves, to show."),
    seed: int = SEED,
    out: Path = typer.Option(
        None, help="Directory for the report of a tournament; by default its subdirectory report."
    ),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Analyse a position (visits and value of each action) or a finished game (luck, and the cost of each move).

    Values range from -1 (loss) to 1 (win) for the current player.
    For a tournament: win rates by wake-up row, opening, structure, visitor, order and space, and sources of points,
    as one Parquet file per table and report.html.
    """
    from vitienv.agents.search.analysis import GameReview, analyse

    if file.is_dir() and game is None:
        reject_others(context, "a tournament is analysed by its games", "file", "bot", "out", "processes", "backend",
                      "trust", "json")  # fmt: skip
        report(file, out, bot or [], processes, backend, json)
        return
    if out is not None or len(bot or ()) > 1:
        raise ValueError("--out and several --bot require a tournament directory")
    reject(context, "one log is analysed in this process", "processes", "backend")
    loaded = load(file, game)
    with progress("thinking") as on_progress:
        analysis = analyse(loaded, bot[0] if bot else None, simulations, milliseconds, seed, move, on_progress)
    luck, levels = luck_and_levels_in(loaded, seed) if isinstance(analysis, GameReview) else (None, [])
    if json:
        extra = {"luck": luck.to_dict(), "levels": [level._asdict() for level in levels]} if luck else {}
        print_json(analysis.to_dict() | extra)
        return
    players = loaded.get("options", {}).get("num_players") if isinstance(loaded.get("options"), dict) else None
    names = read_agents(loaded, players) if isinstance(players, int) else []
    labels = [f"{seat_name(seat)} ({name})" if name else seat_name(seat) for seat, name in enumerate(names)]
    lines = analysis.describe(top, labels)
    level_lines = [f"{label} played like {level.describe()}" for label, level in zip(labels, levels)]
    for line in [*luck.describe(names=labels), *level_lines, "", *lines] if luck else lines:
        echo(line)


def luck_and_levels_in(log: Mapping[str, Any], seed: int) -> tuple[GameLuck | None, list[GameLevel]]:
    """Return the luck in a finished game, None without bundled networks, and the level of each seat."""
    from vitienv.agents.game_level import levels_in
    from vitienv.agents.luck import luck
    from vitienv.session.replay import replay

    game = replay(log)
    is_unknown = game.game_spec.champions is None or game.is_truncated
    return (None, []) if is_unknown else (luck(game, seed=seed), levels_in(game))


def report(tournament: Path, out: Path | None, bots: list[str], processes: int, backend: str, json: bool) -> None:
    """Write the report of a tournament."""
    from vitienv.training.executors import executor
    from vitienv.training.report.make import make_report

    with progress("replaying") as on_progress:
        summary = make_report(tournament, out, bots, on_progress, executor(backend, processes))
    if json:
        print_json(summary)
        return
    echo(f"{summary['games']} games on {count(summary['seeds'], 'seed')}, {len(summary['bots'])} bots")
    echo(f"Report: {Path(summary['folder']) / summary['page']}")
