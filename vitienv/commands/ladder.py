"""vitienv ladder: the champions of each table, and challenges decided by a sequential test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from vitienv.commands.screen import GAME, JSON, PROCESSES, SEED, TRUST, console, cores, print_json, progress
from vitienv.games import definition

FILE = typer.Option(None, "--file", help="The history of champions; by default your own, begun as the shipped one.")


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

    from vitienv.training import ladder as ladders

    if file is not None and not file.exists():
        raise ValueError(f"there is no file {str(file)!r}")
    ladder = ladders.read_history(file)
    if plot is not None:
        ladders.plot(ladder, plot, game)
    if json:
        print_json([asdict(champion) for champion in ladder.champions if champion.game == game])
        return
    table = Table(title="champions, oldest first")
    for name, side in (
        ("table", "left"), ("champion", "left"), ("Elo", "right"), ("step (95 %)", "right"),
        ("against the one before", "right"), ("games", "right"), ("date", "left"),
    ):  # fmt: skip
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    made = definition(game)
    for name in made.tables:
        rated = ladder.ratings(name, game)
        for (champion, rating), called in zip(rated, ladders.names_of([each for each, _ in rated]), strict=True):
            step, score, games = "", "", ""
            if champion.beaten is not None:
                step = f"{champion.elo:+.0f} ({champion.elo_low:+.0f} to {champion.elo_high:+.0f})"
                score, games = ladders.told_score(champion, made), str(champion.games)
            table.add_row(name, called, f"{rating:.0f}", step, score, games, champion.date)
    console().print(table)


def challenge(
    bot: str = typer.Argument(..., help="The challenger, such as policy:runs/mine/best.safetensors."),
    table: str = typer.Option("2", help="2, 3 or 4 players, or solo; a table that the game has."),
    game: str = GAME,
    file: Path = FILE,
    better: float = typer.Option(0.05, help="Score above an even share at which it counts as better."),
    alpha: float = typer.Option(0.05, help="How often an equal bot may be accepted."),
    beta: float = typer.Option(0.05, help="How often one that is better by that much may be rejected."),
    max_seeds: int = typer.Option(2000, help="Give up, undecided, after so many seeds."),
    seed: int = SEED,
    processes: int = PROCESSES,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Let a bot play a table's champion until a sequential test decides; if it is accepted, it is the new one.

    A challenge that was interrupted goes on where it was when the command is given again.
    """
    from dataclasses import asdict

    from vitienv.core.files import check_writable
    from vitienv.training import ladder as ladders
    from vitienv.training.samples import samples_of
    from vitienv.training.sprt import ACCEPTED, OPEN, Sprt

    path = file or ladders.own_history()
    ladder = ladders.read_history(file)
    now = ladder.champion(table, game)
    old, test = now.agent, Sprt(better, alpha, beta)
    if bot == old and now.weights == ladders.digest_of_weights(bot, table, definition(game)):
        raise ValueError(f"{bot} is the champion of table {table} already")
    check_writable(path)
    kept = samples_of(path.parent, ladder, bot, table, seed, game)
    with kept.lock, progress("playing") as tell:

        def on_progress(done: int, of: int, ratio: float) -> None:
            tell(done, of)

        trial = ladders.challenge(
            ladder, bot, table, test, seed, max_seeds, processes or cores(), on_progress, game, kept
        )  # fmt: skip
        if trial.verdict == ACCEPTED:
            ladders.note(trial.champion, path)
        if trial.verdict != OPEN:
            kept.end()
    new, score = trial.champion, ladders.told_score(trial.champion, definition(game))
    found: dict[str, Any] = {"verdict": trial.verdict, **asdict(new)}
    if json:
        print_json(found)
        return
    typer.echo(
        f"{bot} against the champion {old} at table {table}: {trial.verdict} after {new.games} games on {new.seeds} "
        f"seeds; {score}, Elo {new.elo:+.0f} ({new.elo_low:+.0f} to {new.elo_high:+.0f}), "
        f"log-likelihood ratio {new.log_ratio:+.2f}"
    )
    if trial.verdict == ACCEPTED:
        typer.echo(f"The new champion is noted in {path}")
