"""vitienv evaluate solo: bots in the solo game, against the Automa or a bot in its place."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.commands.screen import JSON, ON, PROCESSES, SEED, TRUST, console, print_json, progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from vitienv.training.workers import Executor
    from vitienv.viticulture.options import Options

AUTOMA = "automa"
ALL = "all"
TABLE = "solo"
HEADERS = ("bot", "opponent", "level", "games", "won %", "drawn %", "lost %", "points", "opponent's", "after each year")


def command(
    agent: list[str] = typer.Option(..., "--agent", help="The bot that is measured; give it again for more bots."),
    against: str = typer.Option(AUTOMA, "--against", help="automa, or a bot that stands in for the Automa."),
    form: str = typer.Option(
        None, help="What a bot in the Automa's place is: rival (two full vineyards, more points win; the default) or "
        "blocker (its workers only block spaces)."
    ),
    level: str = typer.Option(
        "normal", "--difficulty", help="very_easy, easy, normal, hard, very_hard, or all of them."
    ),
    aggressive: bool = typer.Option(False, "--aggressive", help="Variant: the Automa scores every year."),
    challenge: int = typer.Option(None, min=1, max=8, help="A challenge of the campaign."),
    games: int = typer.Option(100, help="Games of each bot at each level; all play on the same seeds."),
    seed: int = SEED,
    processes: int = PROCESSES,
    on: str = ON,
    out: Path = typer.Option(
        None, help=f"Write the table to this Markdown file too, between <!-- table: {TABLE} --> and <!-- end -->."
    ),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:  # fmt: skip
    """Measure bots in the solo game: how often they win, draw and lose (95 % intervals), and their points.

    Against a rival, a level changes only the points at the start and the number of years.
    """
    from vitienv.commands.tables import check_marked, markdown, write_marked
    from vitienv.training.places import executor

    where = executor(on, processes)
    if out is not None:
        check_marked(out, TABLE)
    with progress("playing") as tell:
        found = evaluate_solo(
            agent, against, form, level, aggressive, challenge, games, seed, where, tell
        )  # fmt: skip
    found["command"] = _command_line(agent, against, form, level, aggressive, challenge, games, seed)
    rows = [_row(result) for result in found["results"]]
    if out is not None:
        write_marked(out, TABLE, "The solo game", [markdown(HEADERS, rows), *_remarks(found)])
    if json:
        print_json(found)
        return
    _print(found, rows)
    if out is not None:
        console().print(f"Table: {out}", soft_wrap=True)


def evaluate_solo(
    agents: list[str],
    against: str = AUTOMA,
    form: str | None = None,
    level: str = "normal",
    aggressive: bool = False,
    challenge: int | None = None,
    games: int = 100,
    seed: int = 0,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Play every bot at every level on the same seeds: settings, versions, and a result for each bot and level.

    Nothing in it depends on the processes, or on another place to play at (`places.executor`). ValueError, in one
    line, for a wrong setting.
    """
    from vitienv.agents.seating import game_seeds, make_bots
    from vitienv.core.files import versions
    from vitienv.training.measure.match import check_amount, in_parts
    from vitienv.training.workers import Bots, place

    check_amount("games", games)
    by_level = _options(against, form, level, aggressive, challenge)
    stand_in = None if against == AUTOMA else against
    if len(set(agents)) < len(agents):
        raise ValueError("a bot is named twice")
    bots = Bots((*agents, *([stand_in] if stand_in else [])), seed)
    made = make_bots(bots.specs, seed)  # refused before the first game
    cases = [(agent, options) for agent in agents for options in by_level]
    tasks = [
        (case, options.to_dict(), agent, stand_in, seed, numbers)
        for case, (agent, options) in enumerate(cases)
        for numbers in in_parts(games, made)
    ]
    parts: dict[int, list[tuple[int, dict[str, Any]]]] = {case: [] for case in range(len(cases))}
    done, total = 0, games * len(cases)
    if on_progress is not None:
        on_progress(done, total)
    for case, first, played in place(processes).run(play_part, tasks, bots):
        parts[case].append((first, played))
        done += len(played["points"])
        if on_progress is not None:
            on_progress(done, total)
    results = []
    for case, (agent, options) in enumerate(cases):
        told: dict[str, Any] = {"agent": agent, "against": opponent(options, stand_in), "level": options.difficulty}
        told |= {"aggressive": options.aggressive, "challenge": options.challenge}
        results.append(told | _summary(sorted(parts[case], key=lambda part: part[0]), seed))
    return {"games": games, "seed": seed, "seeds": game_seeds(seed, range(games)), "versions": versions(),
            "results": results}  # fmt: skip


def opponent(options: Options, stand_in: str | None) -> str:
    """Who plays against the bot, as tables say it."""
    return "Automa" if options.stand_in is None else f"{stand_in} as {options.stand_in}"


def _options(against: str, form: str | None, level: str, aggressive: bool, challenge: int | None) -> list[Options]:
    """The options of each level asked for."""
    from vitienv.viticulture.options import Options
    from vitienv.viticulture.rulesets.solo import DIFFICULTIES, MAY_BE_AGGRESSIVE, RIVAL, STAND_INS

    if form is not None and against == AUTOMA:
        raise ValueError("--form is for a bot in the Automa's place; give it with --against BOT")
    if form not in (None, *STAND_INS):
        raise ValueError(f"unknown form {form!r}; there is {', '.join(map(repr, STAND_INS))}")
    if level != ALL and level not in DIFFICULTIES:
        raise ValueError(f"unknown difficulty {level!r}; there is {', '.join(map(repr, (*DIFFICULTIES, ALL)))}")
    stand_in = None if against == AUTOMA else form or RIVAL
    every = MAY_BE_AGGRESSIVE if aggressive else DIFFICULTIES
    return [
        Options(ruleset="solo", difficulty=one, aggressive=aggressive, challenge=challenge, stand_in=stand_in)
        for one in (every if level == ALL else (level,))
    ]


def play_part(
    case: int, options: dict[str, Any], agent: str, stand_in: str | None, seed: int, numbers: range
) -> tuple[int, int, dict[str, Any]]:
    """Some of the games of a bot at a level; returns the case, the first number and the columns of the games."""
    from vitienv.agents.seating import game_seeds, make_bots
    from vitienv.training.viticulture.solo import play_solo
    from vitienv.viticulture.options import Options

    bot, *others = make_bots((agent,) if stand_in is None else (agent, stand_in), seed)
    other = others[0] if others else None
    played = play_solo(Options.of(**options), bot, game_seeds(seed, numbers), other)
    names = ("points", "against", "points_by_year", "outcome", "years", "tokens")
    return case, numbers.start, {name: getattr(played, name) for name in names}


def _summary(parts: list[tuple[int, dict[str, Any]]], seed: int) -> dict[str, Any]:
    """The rates and means of one bot at one level; parts in the order of their games."""
    import numpy as np

    from vitienv.training.measure.ratings import bootstrap_mean

    def column(name: str) -> Any:
        return np.ma.concatenate([part[name] for _, part in parts])

    points, outcome, by_year = column("points"), column("outcome"), column("points_by_year")
    low, high = bootstrap_mean(points.data, seed)
    interval = {"low": None, "high": None} if np.isnan(low) else {"low": low, "high": high}
    n = len(points)
    return {
        "games": n,
        "win_rate": rate(int((outcome == 1).sum()), n),
        "draw_rate": rate(int((outcome == 0).sum()), n),
        "loss_rate": rate(int((outcome == -1).sum()), n),
        "points": {"value": float(points.mean()), **interval},
        "points_against": float(column("against").mean()),
        "points_by_year": [
            {"year": year, "games": int(of_year.count()), "mean": float(of_year.mean()) if of_year.count() else None}
            for year, of_year in enumerate(by_year.T, 1)
        ],
        "mean_years": float(column("years").mean()),
        "tokens_left": float(column("tokens").mean()),
    }


def rate(count: int, of: int) -> dict[str, float]:
    """A share with its Wilson interval (95 %); of 0, the share is 0 and the interval everything."""
    from vitienv.training.measure.ratings import wilson

    low, high = wilson(count, of)
    return {"value": count / of if of else 0.0, "low": low, "high": high}


def percent(share: dict[str, float]) -> str:
    """A share in per cent with its interval, as tables show it."""
    return f"{100 * share['value']:.1f} ({100 * share['low']:.1f} to {100 * share['high']:.1f})"


def _row(result: dict[str, Any]) -> tuple[str, ...]:
    points = result["points"]
    spread = "" if points["low"] is None else f" ({points['low']:.1f} to {points['high']:.1f})"
    years = ["-" if year["mean"] is None else f"{year['mean']:.1f}" for year in result["points_by_year"]]
    level = result["level"] + (", aggressive" if result["aggressive"] else "")
    level += f", challenge {result['challenge']}" if result["challenge"] else ""
    return (
        result["agent"],
        result["against"],
        level,
        str(result["games"]),
        percent(result["win_rate"]),
        percent(result["draw_rate"]),
        percent(result["loss_rate"]),
        f"{points['value']:.1f}{spread}",
        f"{result['points_against']:.1f}",
        " ".join(years),
    )


def _remarks(found: dict[str, Any]) -> list[str]:
    """What the table is made of, below it in a file."""
    made = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    first, last = found["seeds"][0], found["seeds"][-1]
    return [
        f"Shares and mean points with 95 % intervals. {_about_years(found)}".strip(),
        f"Made by `{found['command']}`: {found['games']} games a row, the same in every row, on seeds made from "
        f"{found['seed']} (the first {first}, the last {last}). Versions: {made}.",
    ]


def _about_years(found: dict[str, Any]) -> str:
    """A remark if some games ended before others."""
    counts = {year["games"] for result in found["results"] for year in result["points_by_year"]}
    return "The points after a year are those of the games that saw its end." if len(counts) > 1 else ""


def _command_line(
    agents: list[str],
    against: str,
    form: str | None,
    level: str,
    aggressive: bool,
    challenge: int | None,
    games: int,
    seed: int,
) -> str:
    """The command that gives the same table again."""
    words = ["vitienv", "evaluate", "solo"]
    for agent in agents:
        words += ["--agent", agent]
    words += ["--against", against, *(["--form", form] if form else []), "--difficulty", level]
    words += ["--aggressive"] if aggressive else []
    words += ["--challenge", str(challenge)] if challenge else []
    return shlex.join([*words, "--games", str(games), "--seed", str(seed)])


def _print(found: dict[str, Any], rows: list[tuple[str, ...]]) -> None:
    from rich.table import Table

    table = Table(title=f"solo, {found['games']} games a row, seed {found['seed']}; 95 % intervals")
    for i, name in enumerate(HEADERS):
        is_number = 3 <= i < len(HEADERS) - 1
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        table.add_row(*row)
    screen = console()
    screen.print(table)
    if _about_years(found):
        screen.print(_about_years(found), soft_wrap=True)
