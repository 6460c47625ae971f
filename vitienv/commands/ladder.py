"""vitienv ladder: the champions of each table, and challenges decided by a sequential test."""

from __future__ import annotations

from pathlib import Path

import typer

from vitienv.console import (
    BACKEND,
    GAME,
    JSON,
    PROCESSES,
    SEED,
    TRUST,
    console,
    echo,
    echo_lines,
    print_json,
    print_remarks,
    progress,
    split_list,
)  # fmt: skip
from vitienv.registry import game_spec

# Parameters of the sequential test, whose error rates are 5 %.
EFFECT_SIZE = typer.Option(0.05, help="Win rate above an even share that counts as better.")
MAX_SEEDS = typer.Option(2000, help="Stop undecided after this many seeds.")
FILE = typer.Option(None, "--file", help="History of champions; by default your copy of the bundled one.")
SEEDS_PER_LEVEL = 50


def application() -> typer.Typer:
    """Return the subcommands of `vitienv ladder`."""
    app = typer.Typer(help="Show, challenge and replace the champions of each table.", no_args_is_help=True)
    app.command("show")(show)
    app.command("challenge")(challenge)
    app.command("promote")(promote)
    app.command("recipe")(recipe)
    app.command("levels")(levels)
    return app


def show(file: Path = FILE, game: str = GAME, json: bool = JSON) -> None:
    """Show the champions of each table with their Elo ratings relative to the first one."""
    from dataclasses import asdict

    from rich.table import Table

    from vitienv.training.evaluation import ladder as ladders

    if file is not None and not file.exists():
        raise ValueError(f"file {str(file)!r} does not exist")
    ladder = ladders.read_history(file)
    if json:
        print_json([asdict(champion) for champion in ladder.champions if champion.game == game])
        return
    table = Table(title="champions, oldest first")
    for name, justify in (
        ("table", "left"), ("champion", "left"), ("Elo", "right"), ("step (95 %)", "right"),
        ("against predecessor", "right"), ("games", "right"), ("date", "left"),
    ):  # fmt: skip
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    spec = game_spec(game)
    for name in spec.tables:
        ratings = ladder.ratings(name, game)
        labels = ladders.names_of([champion for champion, _ in ratings])
        for (champion, rating), label in zip(ratings, labels, strict=True):
            step, score, games = "", "", ""
            if champion.beaten is not None:
                step = f"{champion.elo:+.0f} ({champion.elo_low:+.0f} to {champion.elo_high:+.0f})"
                score, games = ladders.format_score(champion, spec), str(champion.games)
            table.add_row(name, label, f"{rating:.0f}", step, score, games, champion.date)
    console().print(table)


def challenge(
    bot: str = typer.Argument(..., help="The challenger, such as policy:runs/mine/best.safetensors."),
    table: str = typer.Option("2", help="Table of the game: a number of players, solo or solo/hard."),
    game: str = GAME,
    file: Path = FILE,
    effect_size: float = EFFECT_SIZE,
    max_pairs: int = MAX_SEEDS,
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Challenge the champion of a table: a sequential test decides whether the bot replaces it.

    The same command resumes an interrupted challenge.
    """
    from dataclasses import asdict

    from vitienv.core.files import check_writable
    from vitienv.training.evaluation import ladder as ladders
    from vitienv.training.evaluation.sprt import ACCEPTED, OPEN, Sprt
    from vitienv.training.executors import executor

    backend_executor = executor(backend, processes)
    path = file or ladders.user_history()
    ladder = ladders.read_history(file)
    champion = ladder.champion(table, game)
    old, test = champion.agent, Sprt(effect_size)
    if bot == old and champion.weights == ladders.digest_of_weights(bot, table, game_spec(game)):
        raise ValueError(f"{bot} is already the champion of table {table}")
    check_writable(path)
    with ladders.samples_of(path.parent, ladder, bot, table, seed, game) as samples, progress("playing") as report:
        trial = ladders.challenge(
            ladder, bot, table, test, seed, max_pairs, backend_executor,
            report, game, samples,
        )  # fmt: skip
        if trial.verdict == ACCEPTED:
            ladders.note(trial.champion, path)
        if trial.verdict != OPEN:
            samples.delete()
    new, score = trial.champion, ladders.format_score(trial.champion, game_spec(game))
    if json:
        print_json({"verdict": trial.verdict, **asdict(new), **trial.counts})
        return
    echo(
        f"{bot} against the champion {old} at table {table}: {trial.verdict} after {new.games} games on {new.seeds} "
        f"seeds; {score}, Elo {new.elo:+.0f} ({new.elo_low:+.0f} to {new.elo_high:+.0f}), "
        f"log-likelihood ratio {new.log_ratio:+.2f}"
    )
    print_remarks(trial.counts, before="  ")
    if trial.verdict == ACCEPTED:
        echo(f"New champion recorded in {path}")


def promote(
    run: str = typer.Argument(..., help="Network: a run directory or a .safetensors file."),
    table: str = typer.Option("2", help="Tables of the network, separated by commas; it must win at each."),
    game: str = GAME,
    cost: str = typer.Option("", help="Training cost for the table in the documentation."),
    effect_size: float = EFFECT_SIZE,
    max_pairs: int = MAX_SEEDS,
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> None:
    """Promote a network: it replaces the bundled network of these tables if it passes a sequential test against it.

    The weights and their entry are written to the directory of bundled networks. The same command resumes a test.
    """
    from dataclasses import asdict

    from vitienv.training.evaluation import promotion
    from vitienv.training.evaluation.sprt import Sprt
    from vitienv.training.executors import executor

    with progress("playing") as report:
        row = promotion.accept(
            run, split_list(table, "--table"), game_spec(game), Sprt(effect_size), seed, max_pairs,
            executor(backend, processes), cost, report,
        )  # fmt: skip
    if json:
        print_json(asdict(row))
        return
    for test in row.tests:
        echo(f"table {test['table']}: accepted after {test['games']} games, Elo {test['elo']:+.0f} "
                   f"({test['elo_low']:+.0f} to {test['elo_high']:+.0f})")  # fmt: skip
    echo(f"Replaced {row.file}; `make docs` updates the tables of the documentation")


def recipe(
    network: str = typer.Argument(..., help="Bundled network, such as two; docs/champions.md lists all."),
    game: str = GAME,
) -> None:
    """Print a shell script that retrains a bundled network, with comments on what it does not reproduce."""
    from vitienv.training.evaluation.promotion import script_of

    echo_lines(script_of(network, game_spec(game)))


def levels(
    table: str = typer.Option("2", help="Table of the game."),
    seeds: int = typer.Option(
        None,
        min=1,
        help=f"Seeds per step, each played from every seat; by default {SEEDS_PER_LEVEL} for steps not yet measured.",
    ),
    file: Path = typer.Option(None, help="File of the measured steps; by default the bundled one."),
    game: str = GAME,
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> None:
    """Show the Elo ratings of levels 1 to 10 at a table, relative to level 1.

    Steps that are missing or have fewer than --seeds seeds are measured first. The same command resumes.
    """
    from vitienv.agents.levels import LEVELS
    from vitienv.core.files import check_writable
    from vitienv.training.evaluation import levels as level_ratings
    from vitienv.training.evaluation.csv_log import add_row, read_rows
    from vitienv.training.executors import executor

    place = level_ratings.BUNDLED_FILE if file is None else file
    level_ratings.check(table, game_spec(game))
    measured_points = {level_ratings.key(step): step for step in read_rows(place, level_ratings.Step)}
    for level in range(2, len(LEVELS) + 1):
        before = measured_points.get((game, table, level))
        if before is not None and before.seeds >= (seeds or 0):
            continue
        check_writable(place)
        with (
            level_ratings.samples_of_step(place.parent, table, level, seed, game) as saved_samples,
            progress(f"level {level} against {level - 1}") as report,
        ):
            step = level_ratings.measure(table, level, seeds or SEEDS_PER_LEVEL, seed, executor(backend, processes),
                                         game, report, saved_samples)  # fmt: skip
            add_row(place, step, level_ratings.key)
            saved_samples.delete()
    values, half_widths = level_ratings.ratings(table, game, place)
    if json:
        print_json([{"level": i + 1, "rating": round(float(values[i]), 1), "reach": round(float(half_widths[i]), 1)}
                    for i in range(len(LEVELS))])  # fmt: skip
        return
    for i, level_spec in enumerate(LEVELS):
        echo(f"level {i + 1}: {values[i]:.0f} ± {half_widths[i]:.0f}, {level_spec.text}")
