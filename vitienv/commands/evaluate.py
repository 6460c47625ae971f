"""vitienv evaluate: win rates of bots against opponents, in the solo game, in a team and in the campaign."""

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
    echo,
    print_json,
    print_remarks,
    progress,
    reject,
    set_options,
    split_list,
    warn_few_seeds,
)
from vitienv.core.text_utils import count
from vitienv.registry import game_spec

TABLE, LEVEL, CROSS_PLAY = "table", "level", "cross-play"
LEVEL_TITLE = "a bot's level"
GAME_FLAGS = ("difficulty", "automa_replacement", "max_games")  # flags that are options of a mode
# Modes that support each option; other options apply to all modes.
OF_MODES = {
    "opponents": (TABLE, "alone"),
    "difficulty": ("alone", "campaign", LEVEL),
    "automa_replacement": ("alone",),
    "games": (TABLE, "alone", "team", CROSS_PLAY, LEVEL),
    "cross_play": (CROSS_PLAY,),
    "campaign": ("campaign",),
    "max_games": ("campaign",),
}


def command(
    context: typer.Context,
    bots: list[str] = typer.Argument(..., metavar="BOT", help="The bots to evaluate, such as policy:best.zip."),
    opponents: str = typer.Option(
        None, "--opponents", help="Bot in all other seats, or a comma-separated list; solo: bot in the Automa's place."
    ),
    players: str = typer.Option(None, help="Numbers of seats, 1 to 6, separated by commas; by default 2."),
    difficulty: str = typer.Option(
        None, "--difficulty", help="Solo: very_easy, easy, normal (the default), hard, very_hard, or all."
    ),
    automa_replacement: str = typer.Option(
        None, help="Role of a bot in the Automa's place: rival (two full vineyards, more points win; the default) or "
        "blocker (its workers only block spaces)."
    ),
    campaign: int = typer.Option(None, "--campaign", metavar="N", help="Play N campaigns of the solo game instead."),
    levels: bool = typer.Option(False, "--levels", help="Estimate the playing strength as a level from 1 to 10."),
    cross_play: bool = typer.Option(False, "--cross-play", help="World: play each bot with every bot as its partner."),
    max_games: int = typer.Option(None, help="Maximum number of games per campaign (100)."),
    games: int = typer.Option(
        None, help="Games per row (100; teams 2000; cross-play 200), rounded up so that each seed is played from every "
        "seat."
    ),
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    out: Path = typer.Option(None, help="CSV file of the results."),
    resume_file: Path = typer.Option(None, help="File of finished games; the same command resumes from it."),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:  # fmt: skip
    """Evaluate bots on the same seeds: win rates with 95 % confidence intervals, and mean points.

    Prints a row per bot, with its difference to the first bot. --opponents: each seed is played from every seat;
    truncated games count as losses. --players 1 or --difficulty: the solo game. --campaign N: the eight challenges in
    order, each repeated until it is won. World without --opponents: the bot fills all seats of a team; with
    --cross-play one seat, and each bot in turn the others. --levels: the bot plays against the levels closest to its
    strength.
    """
    from vitienv.core.files import check_writable
    from vitienv.training.evaluation.evaluate import evaluate, mode_names, mode_of
    from vitienv.training.evaluation.result_table import cross_table, print_rows, write_csv
    from vitienv.training.executors import executor

    options, arguments = set_options(assignments, game, ruleset), context.params
    mode = LEVEL if levels else CROSS_PLAY if cross_play else mode_in(arguments, options, game)
    titles = {name: (mode_of(game, name).title, mode_of(game, name).usage) for name in mode_names(game)}
    if not game_spec(game).is_of_team:
        titles[LEVEL] = LEVEL_TITLE, "--levels"
    if mode not in titles:
        expected = "; ".join(f"{title} ({usage})" for title, usage in titles.values())
        raise ValueError(f"{game} has no evaluation of {mode}; expected one of: {expected}")
    title = titles[mode][0]
    for name, modes in OF_MODES.items():
        if mode not in modes and arguments[name] is not None and arguments[name] is not False:
            mode_list = " or ".join(titles[key][0] for key in modes if key in titles)
            scope = f"for {mode_list}, " if mode_list else ""
            raise ValueError(f"--{name.replace('_', '-')} is {scope}not for {title} in {game}")
    if mode == LEVEL:
        reject(context, "levels are estimated in this process", "processes", "backend", "out", "resume_file")
        show_levels(bots, ladder_table(options, players, difficulty, game), games, seed, game, json)
        return
    mode_spec = mode_of(game, mode)
    if mode_spec.options is not None:
        check_options(options, mode_spec.ruleset, mode_spec.options, title)
    if mode in ("alone", "campaign") and players not in (None, "1"):
        raise ValueError(f"--players must be 1 for {title}, got {players}")
    if mode == TABLE and opponents is None:
        has_solo = "alone" in titles and "ruleset" not in options
        solo = f", or {titles['alone'][1]} for the game alone" if has_solo else ""
        raise ValueError(f"--opponents must name the bots in the other seats{solo}")
    companions = [] if opponents is None else split_list(opponents, "--opponents")
    num_games = campaign if mode == "campaign" else mode_spec.games if games is None else games
    options |= {name: arguments[name] for name in GAME_FLAGS if arguments[name] is not None}
    if players is not None and mode in (TABLE, "team", CROSS_PLAY):
        options["num_players"] = players
    if mode_spec.ruleset:
        options.pop("ruleset", None)
    if out is not None:
        check_writable(out)
    with progress("campaigns" if mode == "campaign" else "playing") as report:
        result = evaluate(
            bots, companions, mode, num_games, seed, executor(backend, processes), report, resume_file, game, **options
        )
    rows, headings = result["results"], dict(mode_spec.headings)
    if "mean_years" in headings:
        headings["mean_years"] = f"{game_spec(game).rounds.word}s"
    warn_few_seeds(min(row["seeds"] for row in rows))
    if out is not None:
        write_csv(out, mode_spec.headings, rows)
    if json:
        print_json(result)
        return
    if any(row.get("games", num_games) != num_games for row in rows):
        num_played = max(row["games"] for row in rows)
        echo(f"{num_games} games are not a multiple of the number of seats; played {num_played}.", err=True)
    seeds = count(max(row["seeds"] for row in rows), "seed")
    keys = ["agent", *(mode_spec.options or ()), "num_players"] if mode == CROSS_PLAY else []
    table = cross_table({name: headings[name] for name in keys}, rows) if keys else (headings, rows)
    print_rows(f"{mode_spec.title.capitalize()}: {seeds} from {seed}; 95 % intervals", *table)
    print_remarks(*rows, before="  ")
    if out is not None:
        echo(f"Table: {out}")


def mode_in(arguments: dict[str, Any], options: dict[str, Any], game: str) -> str:
    """Return the evaluation mode that the options select."""
    if arguments["campaign"] is not None:
        return "campaign"
    if arguments["opponents"] is None and game_spec(game).token is not None:
        return "team"
    is_alone = arguments["players"] == "1" or options.get("ruleset") == "solo" or arguments["difficulty"] is not None
    return "alone" if is_alone else TABLE


def check_options(options: dict[str, Any], ruleset: str, names: tuple[str, ...], title: str) -> None:
    """Raise ValueError if a mode does not support a game option or its ruleset."""
    for name in options:
        if name not in ("ruleset", *names):
            raise ValueError(f"unknown --option {name} for {title}; expected one of: {', '.join(('ruleset', *names))}")
    if options.get("ruleset", ruleset) != ruleset:
        raise ValueError(f"ruleset must be {ruleset!r} for {title}, got {options['ruleset']!r}")


def ladder_table(options: dict[str, Any], players: str | None, difficulty: str | None, game: str) -> str:
    """Return the ladder table for estimating a level. Raises ValueError for a table without levels."""
    tables = game_spec(game).tables
    for name in options:
        if name != "ruleset":
            raise ValueError(f"--option {name} is not for {LEVEL_TITLE}; tables are as on the ladder")
    ruleset = options.get("ruleset")
    if ruleset not in (None, "solo"):
        expected = "'solo' or unset" if "solo" in tables else "unset"
        raise ValueError(f"ruleset must be {expected} for {LEVEL_TITLE}, got {ruleset!r}")
    if players != "1" and ruleset is None and difficulty is None:
        return players or "2"
    if players not in (None, "1"):
        raise ValueError(f"--players must be 1 for a bot alone, got {players}")
    if difficulty in (None, "normal"):
        return "solo"
    table = f"solo/{difficulty}"
    if "solo" in tables and table not in tables:
        expected = ", ".join(["normal", *(name.partition("/")[2] for name in tables if name.startswith("solo/"))])
        raise ValueError(f"difficulty must be one of {expected} for {LEVEL_TITLE}, got {difficulty!r}")
    return table


def show_levels(bots: list[str], table: str, games: int | None, seed: int, game: str, json: bool) -> None:
    """Estimate and print the level of each bot."""
    from vitienv.training.evaluation.levels import estimate_level

    results = []
    for bot in bots:
        with progress("playing") as report:
            results.append(estimate_level(bot, table, 100 if games is None else games, seed, game, on_progress=report))
    warn_few_seeds(results[0]["seeds"])
    if json:
        print_json(results)
        return
    for result in results:
        games_by_level = ", ".join(f"{games} against level {level}" for level, games in result["met"].items())
        echo(
            f"{result['agent']}, table {table}: level {result['level']:.1f} ({result['level_low']:.1f} to "
            f"{result['level_high']:.1f}) after {result['games']} games on {count(result['seeds'], 'seed')}: "
            f"{games_by_level}"
        )
        print_remarks(result, before="  ")
