"""vitienv evaluate: one bot against another in all other seats; the solo game and the campaign beside it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from vitienv.commands.screen import (
    GAME,
    JSON,
    ON,
    PROCESSES,
    RULESET,
    SEED,
    SET,
    TRUST,
    commands_below,
    counted,
    listed,
    print_json,
    progress,
    set_options,
)
from vitienv.core.words import seat_name
from vitienv.games import DEFAULT, definition

if TYPE_CHECKING:
    import numpy as np

    from vitienv.training.workers import Executor

TABLE_OF_BOTS = "bot"
# What is kept of a game: little, as there may be a million of them.
COLUMNS = [("game", "i8"), ("seat", "i8"), ("win", "f8"), ("points", "f8"), ("others", "f8"), ("year", "i8")]


class _Group(TyperGroup):
    """Takes the command `bot` when the first word is no command's name, so that `evaluate BOT --against` does it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [TABLE_OF_BOTS, *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The commands, then the options of `bot`: those that may follow `evaluate` itself."""
        super().format_help(ctx, formatter)
        command = self.commands[TABLE_OF_BOTS]
        with command.context_class(command, info_name=TABLE_OF_BOTS, parent=ctx) as own:
            command.format_help(own, formatter)


def application() -> typer.Typer:
    """`vitienv evaluate` with its commands."""
    app = typer.Typer(
        cls=_Group,
        help="Measure a bot: at a table with other bots, in the solo game, in the campaign. Without the name of a "
        "command it is `bot`: vitienv evaluate heuristic --against random",
    )
    app.command(TABLE_OF_BOTS)(command)
    for name, module in commands_below("evaluate"):
        app.command(name)(import_module(module).command)
    return app


def command(
    bot: str = typer.Argument(..., help="The bot that is measured, such as policy:best.zip."),
    against: str = typer.Option(..., "--against", help="The bot in all other seats, or several separated by commas."),
    players: int = typer.Option(2, help="Seats at the table, 2 to 6."),
    games: int = typer.Option(100, help="Games, rounded up so that it sits in every seat on every seed."),
    seed: int = SEED,
    processes: int = PROCESSES,
    on: str = ON,
    max_years: int = typer.Option(60, min=1, help="Games are cut off after this year, or round."),
    game: str = GAME,
    ruleset: str = RULESET,
    given: list[str] = SET,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Measure a bot: how often it wins, with a 95 % interval, and its mean points."""
    from vitienv.training.places import executor

    where = executor(on, processes)
    with progress("playing") as tell:
        found = evaluate(
            bot, listed(against, "--against"), players, games, seed, where, max_years, tell, game,
            set_options(given, game, ruleset),
        )  # fmt: skip
    if json:
        print_json(found)
        return
    if found["games"] != games:
        typer.echo(f"{games} games are no multiple of {players} seats: {found['games']} were played.", err=True)
    chance = "" if found["by_chance"] is None else f"; by chance {100 * found['by_chance']:.1f}"
    rate, points, word = found["win_rate"], found["points"], definition(game).clock.word
    typer.echo(
        f"{bot} against {against}, {players} players, {found['games']} games on {counted(found['seeds'], 'seed')}: "
        f"wins {100 * rate['value']:.1f} % ({100 * rate['low']:.1f} to {100 * rate['high']:.1f}{chance}), "
        f"{points['value']:.1f} points against {found['points_of_others']:.1f}, "
        f"{found['mean_years']:.1f} {word}s"
    )
    for seat in found["by_seat"]:
        wins = 100 * seat["win_rate"]["value"]
        typer.echo(f"  {seat_name(seat['seat'])}: wins {wins:.1f} %, {seat['mean_points']:.1f} points")


def evaluate(
    bot: str,
    against: list[str],
    players: int = 2,
    games: int = 100,
    seed: int = 0,
    processes: int | Executor = 1,
    max_years: int = 60,
    on_progress: Any = None,
    game: str = DEFAULT,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Play `bot` in every seat on the same seeds; those in `against` take the other seats in turn."""
    from vitienv.agents.seating import make_bots
    from vitienv.training.measure.match import check_amount, in_parts
    from vitienv.training.workers import Bots, place

    check_amount("games", games)
    own = definition(game).options
    usual = {"num_players": players, "skip_forced": True, own.LIMIT: max_years}
    played = own.of(**usual | (options or {}))
    bots = Bots((bot, *against), seed, game)
    made = make_bots(bots.specs, seed, game)  # refused before the first game
    n_seeds = -(-games // players)
    n = n_seeds * players
    tasks = [
        (bot, against, game, played.to_dict(), seed, numbers) for numbers in in_parts(n, made)
    ]
    parts: list[np.ndarray] = []
    done = 0
    if on_progress is not None:
        on_progress(0, n)
    for part in place(processes).run(play_part, tasks, bots):
        parts.append(part)
        done += len(part)
        if on_progress is not None:
            on_progress(done, n)
    return _summary(sorted(parts, key=lambda part: part["game"][0]), players, seed) | {
        "agent": bot, "against": against, "players": players, "seeds": n_seeds, "seed": seed,
        "by_chance": None if played.definition.token else 1 / players,
    }  # fmt: skip


def play_part(
    bot: str, against: list[str], game: str, options: dict[str, Any], seed: int, numbers: range
) -> np.ndarray:
    """A record of COLUMNS for each of some games; game i is played on seed i // players, the bot in seat i % players.
    """
    import numpy as np

    from vitienv.agents.seating import game_seeds, make_bots
    from vitienv.training.measure.match import play
    from vitienv.training.measure.ratings import win_shares

    chosen = definition(game).options.of(**options)
    players = chosen.num_players
    agents = make_bots((bot, *against), seed, game)
    seeds = game_seeds(seed, [i // players for i in numbers])
    seating = []
    for i in numbers:
        others = [1 + (i // players + k) % len(against) for k in range(players - 1)]
        others.insert(i % players, 0)
        seating.append(others)
    played = play(chosen, seeds, seating, agents)
    wins = (played.rewards > 0) * 1.0 if chosen.definition.token else win_shares(played.ranks)  # a team wins whole
    rows, seats = np.arange(len(numbers)), np.array(numbers) % players
    found = np.zeros(len(numbers), COLUMNS)
    found["game"], found["seat"], found["year"] = numbers, seats, played.years
    found["win"], found["points"] = wins[rows, seats], played.points[rows, seats]
    found["others"] = (played.points.sum(axis=1) - found["points"]) / (players - 1)
    return found


def _summary(parts: list[np.ndarray], players: int, seed: int) -> dict[str, Any]:
    """The rates and means of all games; parts in the order of their games."""
    import numpy as np

    from vitienv.training.measure.ratings import bootstrap_mean, wilson

    def rate(chosen: np.ndarray) -> dict[str, float]:
        wins = float(chosen["win"].sum())
        low, high = wilson(wins, len(chosen))
        return {"value": wins / len(chosen), "low": low, "high": high}

    rows = np.concatenate(parts)
    points = rows["points"]
    low, high = bootstrap_mean(points.reshape(-1, players).mean(axis=1), seed)
    interval = {"low": None, "high": None} if np.isnan(low) else {"low": low, "high": high}
    by_seat = [rows[rows["seat"] == seat] for seat in range(players)]
    return {
        "games": len(rows),
        "win_rate": rate(rows),
        "points": {"value": float(points.mean()), **interval},
        "points_of_others": float(rows["others"].mean()),
        "mean_years": float(rows["year"].mean()),
        "by_seat": [
            {"seat": seat, "games": len(own), "win_rate": rate(own), "mean_points": float(own["points"].mean())}
            for seat, own in enumerate(by_seat)
        ],
    }
