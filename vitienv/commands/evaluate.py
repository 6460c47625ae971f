"""vitienv evaluate: bots among others, alone, as a team, in the campaign."""

from __future__ import annotations

import shlex
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
    counted,
    echo,
    listed,
    print_json,
    print_remarks,
    progress,
    set_options,
    warn_few_seeds,
)
from vitienv.registry import game_spec

TABLE, LEVEL = "table", "level"
LEVEL_TITLE = "a bot's level"
# The modes of the options that not all modes have.
OF_MODES = {
    "opponents": (TABLE, "alone"),
    "partners": ("team",),
    "difficulty": ("alone", "campaign", LEVEL),
    "automa_replacement": ("alone",),
    "games": (TABLE, "alone", "team", LEVEL),
    "campaign": ("campaign",),
    "max_games": ("campaign",),
    "max_years": (TABLE,),
    "out": (TABLE, "alone", "team", "campaign"),
    "resume_file": (TABLE, "alone", "team", "campaign"),
}


def command(
    bots: list[str] = typer.Argument(..., metavar="BOT", help="The bots to evaluate, such as policy:best.zip."),
    opponents: str = typer.Option(
        None, "--opponents", help="The bot in all other seats, or several with commas; alone: in the Automa's place."
    ),
    partners: str = typer.Option(None, "--partners", help="Of a team: a bot in every second seat."),
    players: str = typer.Option(None, help="Numbers of seats, 1 to 6, with commas; by default 2."),
    difficulty: str = typer.Option(
        None, "--difficulty", help="Alone: very_easy, easy, normal (if not given), hard, very_hard, or all of them."
    ),
    automa_replacement: str = typer.Option(
        None, help="What a bot in the Automa's place is: rival (two full vineyards, more points win; the default) or "
        "blocker (its workers only block spaces)."
    ),
    campaign: int = typer.Option(None, "--campaign", metavar="N", help="Play N campaigns of the solo game instead."),
    levels: bool = typer.Option(False, "--levels", help="Find the level from 1 to 10 at which the bot plays."),
    max_games: int = typer.Option(None, help="Give a campaign up after this many games (100)."),
    games: int = typer.Option(
        None, help="Games (100, of a team 2000) for each row; among others rounded up to every seat on every seed."
    ),
    seed: int = SEED,
    processes: int = PROCESSES,
    backend: str = BACKEND,
    max_years: int = typer.Option(None, min=1, help="Among others: cut off after this year, or round (60)."),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    out: Path = typer.Option(None, help="CSV file of the table."),
    resume_file: Path = typer.Option(None, help="File of the games played; the same command resumes from it."),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:  # fmt: skip
    """Evaluate bots on the same seeds: how often they win, with 95 % intervals, and their points.

    Several bots have a row each, and the difference to the first one. With --opponents a bot plays among others, in
    every seat on the same seeds; a game that is cut off is not won. With --players 1 or --difficulty it plays alone,
    with --campaign N the eight challenges in order, each until it is won. In World without --opponents it fills all
    seats of a team. With --levels it meets the levels nearest to it, at --players or alone.
    """
    from vitienv.training.evaluation.evaluate import mode_names, mode_of

    options, typed = (
        set_options(assignments, game, ruleset),
        {
            "opponents": opponents,
            "partners": partners,
            "players": players,
            "difficulty": difficulty,
            "automa_replacement": automa_replacement,
            "campaign": campaign,
            "max_games": max_games,
            "games": games,
            "max_years": max_years,
            "out": out,
            "resume_file": resume_file,
        },
    )
    mode = LEVEL if levels else mode_in(typed, options, game)
    titles = {name: (mode_of(game, name).title, mode_of(game, name).usage) for name in mode_names(game)}
    if not game_spec(game).is_of_team:
        titles[LEVEL] = LEVEL_TITLE, "--levels"
    if mode not in titles:
        expected = "; ".join(f"{title} ({usage})" for title, usage in titles.values())
        raise ValueError(f"{game} has no evaluation of {mode}; expected one of: {expected}")
    title = titles[mode][0]
    for name, modes in OF_MODES.items():
        if typed[name] is not None and mode not in modes:
            homes = " or ".join(titles[key][0] for key in modes if key in titles)
            of = f"for {homes}, " if homes else ""
            raise ValueError(f"--{name.replace('_', '-')} is {of}not for {title} in {game}")
    if mode == LEVEL:
        show_levels(bots, ladder_table(options, players, difficulty, game), games, seed, game, json)
        return
    chosen_mode = mode_of(game, mode)
    if chosen_mode.options is not None:
        check_options(options, chosen_mode.ruleset, chosen_mode.options, title)
    if mode in ("alone", "campaign") and players not in (None, "1"):
        raise ValueError(f"--players is {players}; for {title} it must be 1")
    if mode == TABLE and opponents is None:
        has_solo = "alone" in titles and "ruleset" not in options
        solo = f", or {titles['alone'][1]} for the game alone" if has_solo else ""
        raise ValueError(f"--opponents must name the bots in the other seats{solo}")
    others = listed(opponents, "--opponents") if opponents is not None else [] if partners is None else [partners]
    amount = campaign if mode == "campaign" else chosen_mode.games if games is None else games
    limit = game_spec(game).options.LIMIT
    names = {"players": "num_players" if mode in (TABLE, "team") else "", "difficulty": "difficulty",
             "automa_replacement": "automa_replacement", "max_games": "max_games", "max_years": limit}  # fmt: skip
    options |= {name: typed[key] for key, name in names.items() if name and typed[key] is not None}
    if chosen_mode.ruleset:
        options.pop("ruleset", None)
    typed["campaign" if mode == "campaign" else "games"] = amount
    line = command_line(bots, game, typed, assignments, ruleset, seed)
    show(bots, others, mode, amount, seed, backend, processes, resume_file, game, options, out, json, line)


def show(
    bots: list[str],
    others: list[str],
    mode: str,
    games: int,
    seed: int,
    backend: str,
    processes: int,
    resume_file: Path | None,
    game: str,
    options: dict[str, Any],
    out: Path | None,
    json: bool,
    line: str,
) -> None:
    """Evaluate, print, and write the table."""
    from vitienv.core.files import check_writable
    from vitienv.training.evaluation.evaluate import evaluate, mode_of
    from vitienv.training.evaluation.result_table import print_rows, write_csv
    from vitienv.training.executors import executor

    chosen_mode = mode_of(game, mode)
    if out is not None:
        check_writable(out)
    with progress("campaigns" if mode == "campaign" else "playing") as tell:
        result = evaluate(
            bots, others, mode, games, seed, executor(backend, processes), tell, resume_file, game, **options
        )
    rows, headings = result["results"], dict(chosen_mode.headings)
    if "mean_years" in headings:
        headings["mean_years"] = f"{game_spec(game).clock.word}s"
    warn_few_seeds(min(row["seeds"] for row in rows))
    if out is not None:
        write_csv(out, chosen_mode.headings, rows)
    if json:
        print_json(result | {"command": line})
        return
    if any(row.get("games", games) != games for row in rows):
        echo(f"{games} games are no multiple of the seats: {max(row['games'] for row in rows)} were played.", err=True)
    seeds = counted(max(row["seeds"] for row in rows), "seed")
    print_rows(f"{chosen_mode.title.capitalize()}: {seeds} from {seed}; 95 % intervals", headings, rows)
    print_remarks(*rows, before="  ")
    if out is not None:
        echo(f"Table: {out}")


def mode_in(typed: dict[str, Any], options: dict[str, Any], game: str) -> str:
    """Return the mode that the options ask for."""
    if typed["campaign"] is not None:
        return "campaign"
    if typed["opponents"] is None and game_spec(game).token is not None:
        return "team"
    is_alone = typed["players"] == "1" or options.get("ruleset") == "solo" or typed["difficulty"] is not None
    return "alone" if is_alone else TABLE


def check_options(options: dict[str, Any], ruleset: str, names: tuple[str, ...], title: str) -> None:
    """ValueError for an option of the game that a mode does not have, or another ruleset."""
    for name in options:
        if name not in ("ruleset", *names):
            raise ValueError(f"--option {name} is not for {title}; it has {', '.join(('ruleset', *names))}")
    if options.get("ruleset", ruleset) != ruleset:
        raise ValueError(f"ruleset is {options['ruleset']!r}; for {title} it must be {ruleset!r}")


def command_line(
    bots: list[str], game: str, typed: dict[str, Any], assignments: list[str] | None, ruleset: str | None, seed: int
) -> str:
    """Return the command that repeats an evaluation."""
    words = ["vitienv", "evaluate", *bots, *(["--game", game] if game != "viticulture" else [])]
    values = typed | {"ruleset": ruleset, "out": None, "resume_file": None}
    words += [word for name, value in values.items() if value is not None
              for word in (f"--{name.replace('_', '-')}", str(value))]  # fmt: skip
    words += [word for text in assignments or () for word in ("--option", text)]
    return shlex.join([*words, "--seed", str(seed)])


def ladder_table(options: dict[str, Any], players: str | None, difficulty: str | None, game: str) -> str:
    """Return the ladder's table at which a level is found. ValueError for a table without levels."""
    tables = game_spec(game).tables
    for name in options:
        if name != "ruleset":
            raise ValueError(f"--option {name} is not for {LEVEL_TITLE}; tables are as on the ladder")
    ruleset = options.get("ruleset")
    if ruleset not in (None, "solo"):
        expected = "'solo', or left out" if "solo" in tables else "left out"
        raise ValueError(f"ruleset is {ruleset!r}; for {LEVEL_TITLE} it must be {expected}")
    if players != "1" and ruleset is None and difficulty is None:
        return players or "2"
    if players not in (None, "1"):
        raise ValueError(f"--players is {players}; for a bot alone it must be 1")
    if difficulty in (None, "normal"):
        return "solo"
    table = f"solo/{difficulty}"
    if "solo" in tables and table not in tables:
        expected = ", ".join(["normal", *(name.partition("/")[2] for name in tables if name.startswith("solo/"))])
        raise ValueError(f"difficulty is {difficulty!r}; for {LEVEL_TITLE} it must be one of {expected}")
    return table


def show_levels(bots: list[str], table: str, games: int | None, seed: int, game: str, json: bool) -> None:
    """Find the level of each bot, and print them."""
    from vitienv.training.evaluation.levels import find

    results = []
    for bot in bots:
        with progress("playing") as tell:
            results.append(find(bot, table, 100 if games is None else games, seed, game, on_progress=tell))
    warn_few_seeds(results[0]["seeds"])
    if json:
        print_json(results)
        return
    for result in results:
        met = ", ".join(f"{games} against level {level}" for level, games in result["met"].items())
        echo(
            f"{result['agent']}, table {table}: level {result['level']:.1f} ({result['level_low']:.1f} to "
            f"{result['level_high']:.1f}) after {result['games']} games on {counted(result['seeds'], 'seed')}: {met}"
        )
        print_remarks(result, before="  ")
