"""vitienv evaluate --game world: teams of bots, on the continents, by the number of seats."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from vitienv.console import console, echo, print_json, print_remarks, progress, warn_few_seeds

HEADERS = ("team", "continent", "seats", "games", "won %", "token only %", "points only %", "neither %", "there %",
           "lowest", "mean", "steps lacking")  # fmt: skip
COLUMNS = ("team", "continent", "seats", "games", "won", "won_low", "won_high", "token_only", "points_only", "neither",
           "seats_there", "lowest", "mean", "steps_lacking")  # fmt: skip


def show(asked: Any) -> None:
    """Measure teams: games won (95 % intervals), and of those lost whether points, the token or both were lacking."""
    from vitienv.core.files import check_writable
    from vitienv.training.world.evaluate import ALL, evaluate_world, tables_of

    options = asked.told("world", "continent", "events", "open_hands")
    games = 2000 if asked.games is None else asked.games
    if asked.out is not None:
        check_writable(asked.out)
    tables = tables_of(
        options.get("continent", ALL), asked.players or "2", options.get("events", "ordered"),
        options.get("open_hands", False),
    )  # fmt: skip
    with progress("playing") as tell:
        measured = evaluate_world(asked.bots, tables, asked.beside, games, asked.seed, asked.where, tell, asked.keep)
    measured["command"] = asked.line(games)
    warn_few_seeds(games)
    rows = [_row(result) for result in measured["results"]]
    if asked.out is not None:
        write_csv(asked.out, measured["results"])
    if asked.json:
        print_json(measured)
        return
    _print(measured, rows)
    if asked.out is not None:
        echo(f"Table: {asked.out}")


def _row(result: dict[str, Any]) -> tuple[str, ...]:
    from vitienv.training.intervals import percent

    team = result["agent"] + (f" beside {result['beside']}" if result["beside"] else "")
    return (
        team + (", open hands" if result["open_hands"] else ""),
        result["continent"] + (", shuffled" if result["events"] == "shuffled" else ""),
        str(result["num_players"]),
        str(result["games"]),
        percent(result["win_rate"]),
        f"{100 * result['lost_by_points']:.1f}",
        f"{100 * result['lost_by_token']:.1f}",
        f"{100 * result['lost_by_both']:.1f}",
        f"{100 * result['seats_there']['value']:.1f}",
        f"{result['lowest']:.1f}",
        f"{result['points']['value']:.1f}",
        f"{result['token_missing']:.1f}",
    )


def write_csv(path: Path, results: list[dict[str, Any]]) -> None:
    """A row of COLUMNS for each result, whole or not at all; shares in percent with their 95 % intervals."""
    from vitienv.core.files import atomic

    with atomic(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for result in results:
            rate = result["win_rate"]
            shares = [rate["value"], rate["low"], rate["high"]]
            shares += [result[f"lost_by_{what}"] for what in ("points", "token", "both")]
            shares += [result["seats_there"]["value"]]
            means = [result["lowest"], result["points"]["value"], result["token_missing"]]
            numbers = [f"{100 * share:.1f}" for share in shares] + [f"{mean:.1f}" for mean in means]
            writer.writerow([*_row(result)[:4], *numbers])


def _print(found: dict[str, Any], rows: list[tuple[str, ...]]) -> None:
    from rich.table import Table

    table = Table(title=f"World, {found['games']} games a row, seed {found['seed']}; 95 % intervals")
    for i, name in enumerate(HEADERS):
        is_number = i >= 2
        table.add_column(name, justify="right" if is_number else "left", no_wrap=is_number)
    for row in rows:
        table.add_row(*row)
    console().print(table)
    print_remarks(*found["results"])
