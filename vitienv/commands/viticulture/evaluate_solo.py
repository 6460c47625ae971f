"""vitienv evaluate --difficulty: bots in the solo game, against the Automa or a bot in its place."""

from __future__ import annotations

from typing import Any

from vitienv.console import console, echo, print_json, print_remarks, progress, warn_few_seeds

TABLE = "solo"
HEADERS = ("bot", "opponent", "level", "games", "won %", "drawn %", "lost %", "points", "opponent's", "after each year")


def show(asked: Any) -> None:
    """Measure bots in the solo game: how often they win, draw and lose (95 % intervals), and their points.

    Against a rival, a level changes only the points at the start and the number of years.
    """
    from vitienv.commands.tables import check_marked, write_marked
    from vitienv.core.english import markdown
    from vitienv.training.viticulture.evaluate import evaluate_solo

    options = asked.told("solo", "aggressive", "challenge")
    if asked.against is not None and len(asked.against) > 1:
        raise ValueError(f"{len(asked.against)} bots are named in the Automa's place; name one")
    if asked.out is not None:
        check_marked(asked.out, TABLE)
    games = 100 if asked.games is None else asked.games
    other = "automa" if asked.against is None else asked.against[0]
    with progress("playing") as tell:
        measured = evaluate_solo(
            asked.bots, other, asked.form, asked.difficulty or "normal",
            options.get("aggressive", False), options.get("challenge"), games, asked.seed, asked.where, tell,
        )  # fmt: skip
    measured["command"] = asked.line(games)
    warn_few_seeds(games)
    rows = [_row(result) for result in measured["results"]]
    if asked.out is not None:
        write_marked(asked.out, TABLE, "The solo game", [markdown(HEADERS, rows), *_remarks(measured)])
    if asked.json:
        print_json(measured)
        return
    _print(measured, rows)
    if asked.out is not None:
        echo(f"Table: {asked.out}")


def _row(result: dict[str, Any]) -> tuple[str, ...]:
    from vitienv.training.intervals import percent

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


def _remarks(measured: dict[str, Any]) -> list[str]:
    """What the table is made of, below it in a file."""
    made = ", ".join(f"{name} {number}" for name, number in measured["versions"].items())
    first, last = measured["seeds"][0], measured["seeds"][-1]
    return [
        f"Shares and mean points with 95 % intervals. {_about_years(measured)}".strip(),
        f"Made by `{measured['command']}`: {measured['games']} games a row, the same in every row, on seeds made from "
        f"{measured['seed']} (the first {first}, the last {last}). Versions: {made}.",
    ]


def _about_years(measured: dict[str, Any]) -> str:
    """A remark if some games ended before others."""
    counts = {year["games"] for result in measured["results"] for year in result["points_by_year"]}
    return "The points after a year are those of the games that saw its end." if len(counts) > 1 else ""


def _print(measured: dict[str, Any], rows: list[tuple[str, ...]]) -> None:
    from rich.table import Table

    table = Table(title=f"solo, {measured['games']} games a row, seed {measured['seed']}; 95 % intervals")
    for i, name in enumerate(HEADERS):
        is_number = 3 <= i < len(HEADERS) - 1
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        table.add_row(*row)
    console().print(table)
    if _about_years(measured):
        echo(_about_years(measured))
    print_remarks(*measured["results"])
