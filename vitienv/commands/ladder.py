"""vitienv ladder: the champions of each table, and challenges decided by a sequential test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from vitienv.commands.screen import GAME, JSON, SEED, console, cores, print_json, progress

FILE = typer.Option(None, "--file", help="The history of champions; by default the one shipped with vitienv.")


def application() -> typer.Typer:
    """The commands below `vitienv ladder`."""
    app = typer.Typer(help="The champions of each table; a new one must win a sequential test.", no_args_is_help=True)
    app.command("show")(show)
    app.command("challenge")(challenge)
    return app


def show(
    file: Path = FILE,
    plot: Path = typer.Option(None, help="Draw the history into this PNG file too."),
    game: str = GAME,
    json: bool = JSON,
) -> None:
    """Show the champions of each table, with their ratings above the first one."""
    from dataclasses import asdict

    from rich.table import Table

    from vitienv.games import definition
    from vitienv.training import ladder as ladders

    ladder = ladders.Ladder.load(file or ladders.HISTORY)
    if plot is not None:
        ladders.plot(ladder, plot, game)
    if json:
        print_json([asdict(champion) for champion in ladder.champions if champion.game == game])
        return
    table = Table(title="champions, oldest first")
    for name, side in (
        ("table", "left"), ("champion", "left"), ("Elo", "right"), ("step (95 %)", "right"), ("score", "right"),
        ("games", "right"), ("date", "left"),
    ):  # fmt: skip
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    for name in definition(game).tables:
        for champion, rating in ladder.ratings(name, game):
            step, score, games = "", "", ""
            if champion.beaten is not None:
                step = f"{champion.elo:+.0f} ({champion.elo_low:+.0f} to {champion.elo_high:+.0f})"
                score, games = f"{champion.score:.3f}", str(champion.games)
            table.add_row(name, champion.agent, f"{rating:.0f}", step, score, games, champion.date)
    console().print(table)


def challenge(
    bot: str = typer.Argument(..., help="The challenger, such as policy:runs/mine/best.safetensors."),
    table: str = typer.Option("2", help="2, 3 or 4 players, or solo; a table that the game has."),
    game: str = GAME,
    file: Path = FILE,
    better: float = typer.Option(0.05, help="Score above an even share at which it counts as better."),
    alpha: float = typer.Option(0.05, help="How often an equal bot may be accepted."),
    beta: float = typer.Option(0.05, help="How often one that is better by that much may be rejected."),
    max_seeds: int = typer.Option(2000, min=1, help="Give up, undecided, after so many seeds."),
    seed: int = SEED,
    processes: int = typer.Option(0, min=0, help="Processes to play in; by default one for each core."),
    json: bool = JSON,
) -> None:
    """Let a bot play a table's champion until a sequential test decides; if it is accepted, it is the new one."""
    from dataclasses import asdict

    from vitienv.training import ladder as ladders
    from vitienv.training.sprt import ACCEPTED, Sprt

    path = file or ladders.HISTORY
    ladder = ladders.Ladder.load(path)
    old = ladder.champion(table, game).agent
    with progress("playing") as tell:

        def on_progress(done: int, of: int, ratio: float) -> None:
            tell(done, of)

        trial = ladders.challenge(
            ladder, bot, table, Sprt(better, alpha, beta), seed, max_seeds, processes or cores(), on_progress,
            game,
        )  # fmt: skip
    if trial.verdict == ACCEPTED:
        ladder.save(path)
    new = trial.champion
    found: dict[str, Any] = {"verdict": trial.verdict, **asdict(new)}
    if json:
        print_json(found)
        return
    typer.echo(
        f"{bot} against the champion {old} at table {table}: {trial.verdict} after {new.games} games on {new.seeds} "
        f"seeds; score {new.score:.3f}, Elo {new.elo:+.0f} ({new.elo_low:+.0f} to {new.elo_high:+.0f}), "
        f"log-likelihood ratio {new.log_ratio:+.2f}"
    )
    if trial.verdict == ACCEPTED:
        typer.echo(f"The new champion is noted in {path}")
