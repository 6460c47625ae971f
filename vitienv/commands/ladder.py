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
    cores,
    echo,
    echo_lines,
    listed,
    print_json,
    print_remarks,
    progress,
)  # fmt: skip
from vitienv.core.text_utils import read_integer
from vitienv.extras import require
from vitienv.registry import game_spec

# Of a sequential test.
EFFECT_SIZE = typer.Option(0.05, help="Lead over an even share of wins that counts as better.")
ALPHA = typer.Option(0.05, help="Probability of accepting an equal bot.")
BETA = typer.Option(0.05, help="Probability of rejecting a bot that is better by --effect-size.")
MAX_SEEDS = typer.Option(2000, help="Stop undecided after this many seeds.")
FILE = typer.Option(None, "--file", help="The history of champions; by default your copy of the shipped one.")
LEVEL_SEEDS = 50  # of each step


def application() -> typer.Typer:
    """The commands below `vitienv ladder`."""
    app = typer.Typer(help="The champions of each table; a new one must win a sequential test.", no_args_is_help=True)
    app.command("show")(show)
    app.command("challenge")(challenge)
    app.command("promote")(promote)
    app.command("recipe")(recipe)
    app.command("curve")(curve)
    app.command("levels")(levels)
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

    from vitienv.training.evaluation import ladder as ladders

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
    made = game_spec(game)
    for name in made.tables:
        rated = ladder.ratings(name, game)
        for (champion, rating), called in zip(rated, ladders.names_of([each for each, _ in rated]), strict=True):
            step, score, games = "", "", ""
            if champion.beaten is not None:
                step = f"{champion.elo:+.0f} ({champion.elo_low:+.0f} to {champion.elo_high:+.0f})"
                score, games = ladders.format_score(champion, made), str(champion.games)
            table.add_row(name, called, f"{rating:.0f}", step, score, games, champion.date)
    console().print(table)


def challenge(
    bot: str = typer.Argument(..., help="The challenger, such as policy:runs/mine/best.safetensors."),
    table: str = typer.Option("2", help="2 to 6 players, solo or solo/hard; a table that the game has."),
    game: str = GAME,
    file: Path = FILE,
    effect_size: float = EFFECT_SIZE,
    alpha: float = ALPHA,
    beta: float = BETA,
    max_pairs: int = MAX_SEEDS,
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Let a bot play a table's champion until a sequential test decides; if it is accepted, it is the new one.

    A challenge that was interrupted goes on where it was when the command is given again.
    """
    from dataclasses import asdict

    from vitienv.core.files import check_writable
    from vitienv.training.evaluation import ladder as ladders
    from vitienv.training.evaluation.sprt import ACCEPTED, OPEN, Sprt
    from vitienv.training.evaluation.sprt_state import samples_of
    from vitienv.training.executors import executor

    where = executor(backend, processes)
    path = file or ladders.user_history()
    ladder = ladders.read_history(file)
    now = ladder.champion(table, game)
    old, test = now.agent, Sprt(effect_size, alpha, beta)
    if bot == old and now.weights == ladders.digest_of_weights(bot, table, game_spec(game)):
        raise ValueError(f"{bot} is the champion of table {table} already")
    check_writable(path)
    kept = samples_of(path.parent, ladder, bot, table, seed, game)
    with kept.lock, progress("playing") as tell:

        def on_progress(done: int, of: int, ratio: float) -> None:
            tell(done, of)

        trial = ladders.challenge(
            ladder, bot, table, test, seed, max_pairs, where, on_progress, game, kept
        )  # fmt: skip
        if trial.verdict == ACCEPTED:
            ladders.note(trial.champion, path)
        if trial.verdict != OPEN:
            kept.end()
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
        echo(f"The new champion is noted in {path}")


def promote(
    run: str = typer.Argument(..., help="The network: a run folder or a .safetensors file."),
    table: str = typer.Option("2", help="Tables that it is to play, with commas; it must win at each."),
    game: str = GAME,
    cost: str = typer.Option("", help="Training cost, for the table of the docs."),
    effect_size: float = EFFECT_SIZE,
    alpha: float = ALPHA,
    beta: float = BETA,
    max_pairs: int = MAX_SEEDS,
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> None:
    """Ship a network: it takes the place of the one at these tables if a sequential test accepts it against that one.

    Weights and row are written into the project's folder of champions. An interrupted test goes on.
    """
    from dataclasses import asdict

    from vitienv.training.evaluation import promotion
    from vitienv.training.evaluation.sprt import Sprt
    from vitienv.training.executors import executor

    with progress("playing") as tell:
        row = promotion.accept(
            run, listed(table, "--table"), game_spec(game), Sprt(effect_size, alpha, beta), seed, max_pairs,
            executor(backend, processes), cost, lambda done, of, ratio: tell(done, of),
        )  # fmt: skip
    if json:
        print_json(asdict(row))
        return
    for test in row.tests:
        echo(f"table {test['table']}: accepted after {test['games']} games, Elo {test['elo']:+.0f} "
                   f"({test['elo_low']:+.0f} to {test['elo_high']:+.0f})")  # fmt: skip
    echo(f"{row.file} is replaced; `make docs` writes the tables of the pages anew")


def recipe(
    network: str = typer.Argument(..., help="A bundled network, such as two; the table in docs/champions.md has all."),
    game: str = GAME,
) -> None:
    """Print a shell script that trains a bundled network again, stage by stage, and the limits of its reproduction."""
    from vitienv.training.evaluation.promotion import script_of

    echo_lines(script_of(network, game_spec(game)))


def curve(
    table: str = typer.Option(None, help="Tables of the game, separated by commas; by default all."),
    agent: str = typer.Option("ismcts:policy=champion", help="A bot that searches; --simulations sets its budget."),
    opponents: str = typer.Option(
        "policy:champion", help="The bot in all other seats; alone, who plays the same seeds."
    ),
    simulations: str = typer.Option("16,64,256,1024", help="Simulations per decision; one point for each value."),
    seeds: int = typer.Option(50, min=1, help="Seeds per point; each is played from every seat."),
    file: Path = typer.Option(Path("strength.csv"), help="File of the points; existing points are kept."),
    plot: Path = typer.Option(None, help="Draw the curves into this PNG file too."),
    game: str = GAME,
    seed: int = SEED,
    processes: int = PROCESSES,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Measure how strong a bot is by how long it thinks, a curve for each table; time is that of the processor."""
    from dataclasses import asdict

    from vitienv.core.files import check_writable
    from vitienv.training.evaluation import strength
    from vitienv.training.evaluation.csv_log import add_row, read_rows
    from vitienv.training.evaluation.ladder import check_table

    made = game_spec(game)
    if plot is not None:
        require("a plot", "matplotlib")
    tables = list(made.tables) if table is None else listed(table, "--table")
    numbers = [whole(each, "--simulations") for each in listed(simulations, "--simulations")]
    for name in tables:
        check_table(name, made)
    check_writable(file)
    there = {strength.key(point): point for point in read_rows(file, strength.Point)}
    for name in tables:
        for number in numbers:
            own = there.get((game, name, agent, opponents, seed, number))
            if own is not None and own.seeds >= seeds:
                continue
            what = f"table {name}, {number} simulations"
            with progress(what) as tell:
                point, told = strength.measure(
                    name, agent, opponents, number, seeds, seed, processes or cores(), game, tell
                )  # fmt: skip
            add_row(file, point, strength.key)
            print_remarks(told, before=f"vitienv: {what}: ", err=True)  # the file has no column for them
    asked = [point for point in read_rows(file, strength.Point) if (point.game, point.agent, point.against, point.seed)
             == (game, agent, opponents, seed) and point.table in tables]  # fmt: skip
    if plot is not None:
        strength.plot(asked, plot)
    if json:
        print_json([asdict(point) for point in asked])
        return
    for point in sorted(asked, key=lambda point: (tables.index(point.table), point.simulations)):
        echo(
            f"table {point.table}: {point.simulations} simulations, {point.milliseconds:.1f} ms: "
            f"{100 * point.score:.1f} % ({100 * point.low:.1f} to {100 * point.high:.1f}) of {point.games} games"
        )


def levels(
    table: str = typer.Option("2", help="A table of the game."),
    seeds: int = typer.Option(
        None,
        min=1,
        help=f"Seeds of each step, each played from every seat; by default {LEVEL_SEEDS}, where there is no step yet.",
    ),
    file: Path = typer.Option(None, help="File of the steps; existing steps are kept. By default the shipped ones."),
    game: str = GAME,
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> None:
    """What levels 1 to 10 are worth at a table, in Elo above level 1. What was not measured is measured first, and with
    --seeds what had fewer.

    When it was interrupted, the same command goes on where it was.
    """
    from vitienv.agents.levels import LEVELS
    from vitienv.core.files import check_writable
    from vitienv.training.evaluation import levels as rated
    from vitienv.training.evaluation.csv_log import add_row, read_rows
    from vitienv.training.evaluation.ladder import options_of
    from vitienv.training.executors import executor

    place = rated.SHIPPED if file is None else file
    rated.check(table, game_spec(game))
    players = options_of(table, game_spec(game)).num_players
    there = {rated.key(step): step for step in read_rows(place, rated.Step)}
    for level in range(2, len(LEVELS) + 1):
        own = there.get((game, table, level))
        if own is not None and own.games >= (seeds or 0) * max(2, players):
            continue
        check_writable(place)
        kept = rated.samples_of_step(place.parent, table, level, seed, game)
        with kept.lock, progress(f"level {level} against {level - 1}") as tell:
            step = rated.measure(
                table, level, seeds or LEVEL_SEEDS, seed, executor(backend, processes), game, tell, kept
            )
            add_row(place, step, rated.key)
            kept.end()
    ratings, reach = rated.ratings(table, game, place)
    if json:
        print_json([{"level": i + 1, "rating": round(float(ratings[i]), 1), "reach": round(float(reach[i]), 1)}
                    for i in range(len(LEVELS))])  # fmt: skip
        return
    for i, own_level in enumerate(LEVELS):
        echo(f"level {i + 1}: {ratings[i]:.0f} ± {reach[i]:.0f}, {own_level.text}")


def whole(text: str, what: str) -> int:
    """A whole number from 1."""
    number = read_integer(text)
    if number is None or number < 1:
        raise ValueError(f"{what} must be whole numbers from 1, separated by commas, not {text!r}")
    return number
