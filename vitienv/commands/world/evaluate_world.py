"""vitienv evaluate world: teams of bots in Viticulture World, on its continents, by the number of seats."""

from __future__ import annotations

import csv
import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.commands.screen import JSON, ON, PROCESSES, SEED, TRUST, console, print_json, progress

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from vitienv.training.workers import Executor

GAME = "world"
ALL = "all"
HEADERS = ("team", "continent", "seats", "games", "won %", "token only %", "points only %", "neither %", "there %",
           "lowest", "mean", "steps lacking")  # fmt: skip
COLUMNS = ("team", "continent", "seats", "games", "won", "won_low", "won_high", "token_only", "points_only", "neither",
           "seats_there", "lowest", "mean", "steps_lacking")  # fmt: skip


def command(
    agent: list[str] = typer.Option(..., "--agent", help="The bot in all seats; give it again for more teams."),
    beside: str = typer.Option(None, "--beside", help="A bot in every second seat, beside each of the others."),
    continent: str = typer.Option(ALL, help="Its name, several with commas, or all of them."),
    players: str = typer.Option("2", help="Seats, 1 to 6, several with commas."),
    events: str = typer.Option("ordered", help="ordered or shuffled."),
    open_hands: bool = typer.Option(False, "--open-hands", help="Every hand is seen by all."),
    games: int = typer.Option(2000, help="Games of each team at each table; all play on the same seeds."),
    seed: int = SEED,
    processes: int = PROCESSES,
    on: str = ON,
    out: Path = typer.Option(None, help="Write the table to this CSV file too, shares in percent."),
    keep: Path = typer.Option(None, help="Keep what is played in this file; the same command again goes on with it."),
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:  # fmt: skip
    """Measure teams: games won (95 % intervals), and of those lost whether points, the token or both were lacking."""
    from vitienv.core.files import check_writable
    from vitienv.training.places import executor

    where = executor(on, processes)
    if out is not None:
        check_writable(out)
    tables = tables_of(continent, players, events, open_hands)
    with progress("playing") as tell:
        found = evaluate_world(agent, tables, beside, games, seed, where, tell, keep)
    words = ["vitienv", "evaluate", "world"]
    for one in agent:
        words += ["--agent", one]
    words += ["--beside", beside] if beside else []
    words += ["--continent", continent, "--players", players, "--events", events]
    words += ["--open-hands"] if open_hands else []
    found["command"] = shlex.join([*words, "--games", str(games), "--seed", str(seed)])
    rows = [_row(result) for result in found["results"]]
    if out is not None:
        write_csv(out, found["results"])
    if json:
        print_json(found)
        return
    _print(found, rows)
    if out is not None:
        console().print(f"Table: {out}", soft_wrap=True)


def tables_of(continent: str, players: str, events: str, open_hands: bool) -> list[dict[str, Any]]:
    """The options of each table asked for. ValueError for a continent or a number of seats that there is not."""
    from vitienv.world.names import CONTINENTS
    from vitienv.world.options import Options

    names = CONTINENTS if continent == ALL else [name.strip() for name in continent.split(",")]
    seats = [number.strip() for number in players.split(",")]
    strange = [number for number in seats if not number.isdigit()]
    if strange:
        raise ValueError(f"--players is {players!r}; it must be numbers of seats with commas, such as 1,2,4")
    told: dict[str, Any] = {"events": events, "open_hands": open_hands}
    made = [told | {"continent": name, "num_players": int(number)} for name in names for number in seats]
    for one in made:
        if one["continent"] == "greengully":
            one["events"] = "ordered"  # it is never shuffled
        Options.of(**one)
    return made


def evaluate_world(
    agents: list[str],
    tables: list[dict[str, Any]],
    beside: str | None = None,
    games: int = 2000,
    seed: int = 0,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int], None] | None = None,
    keep: Path | None = None,
) -> dict[str, Any]:
    """Let every team play at every table on the same seeds: settings, versions, and a result for each.

    Nothing in it depends on the processes, or on another place to play at (`places.executor`). keep: a file for what
    is played; what it holds of this measurement is not played again. ValueError, in one line, for a wrong setting or a
    file of another measurement; OSError if it cannot be written.
    """
    import numpy as np

    from vitienv.agents.seating import game_seeds, make_bots
    from vitienv.core.files import versions
    from vitienv.training.measure.kept_parts import kept_parts
    from vitienv.training.measure.match import check_amount, in_parts
    from vitienv.training.workers import Bots, place
    from vitienv.world.tables import DEFAULT

    check_amount("games", games)
    if len(set(agents)) < len(agents):
        raise ValueError("a bot is named twice")
    bots = Bots((*agents, *([beside] if beside else [])), seed, GAME, tables[0])
    made = make_bots(bots.specs, seed, GAME)  # refused before the first game
    cases = [(agent, table) for agent in agents for table in tables]
    tasks = [
        (case, table, agent, beside, seed, numbers)
        for case, (agent, table) in enumerate(cases)
        for numbers in in_parts(games, made)
    ]
    parts: dict[int, list[tuple[int, np.ndarray, np.ndarray]]] = {case: [] for case in range(len(cases))}
    done, total = 0, games * len(cases)
    measured = {"cases": [[agent, beside, table] for agent, table in cases], "games": games, "seed": seed,
                "data": DEFAULT.digest, "versions": versions()}  # fmt: skip
    with kept_parts(keep, measured) if keep is not None else nullcontext() as kept:
        for case, first, points, missing in kept.parts if kept else ():
            parts[case].append((first, np.array(points), np.array(missing)))
            done += len(points)
        if on_progress is not None:
            on_progress(done, total)
        played = {(case, part[0]) for case, found in parts.items() for part in found}
        left = [task for task in tasks if (task[0], task[-1].start) not in played]
        for case, first, points, missing in place(processes).run(play_part, left, bots):
            parts[case].append((first, points, missing))
            if kept:
                kept.add([case, first, points.tolist(), missing.tolist()])
            done += len(points)
            if on_progress is not None:
                on_progress(done, total)
    results = []
    for case, (agent, table) in enumerate(cases):
        in_order = sorted(parts[case], key=lambda part: part[0])
        points, missing = (np.concatenate([part[i] for part in in_order]) for i in (1, 2))
        told = {"agent": agent, "beside": beside, **table}
        results.append(told | summary(points, missing, _goal(table), seed))
    return {"games": games, "seed": seed, "seeds": game_seeds(seed, range(games)), "versions": versions(),
            "results": results}  # fmt: skip


def _goal(table: dict[str, Any]) -> int:
    """The points that every seat must have."""
    from vitienv.world.options import Options

    options = Options.of(**table)
    return int(options.rules()[options.definition.lever("vp_each")])


def play_part(
    case: int, table: dict[str, Any], agent: str, beside: str | None, seed: int, numbers: range
) -> tuple[int, int, np.ndarray, np.ndarray]:
    """Some of the games of a team at a table; returns the case, the first number, the points (games, seats) and the
    steps that the token lacked (games,)."""
    import numpy as np

    from vitienv.agents.seating import game_seeds, make_bots
    from vitienv.training.measure.match import play
    from vitienv.world.options import Options

    options = Options.of(**table)
    bots = make_bots((agent, beside or agent), seed, GAME)
    seating = [[seat % 2 for seat in range(options.num_players)]] * len(numbers)
    played = play(options, game_seeds(seed, numbers), seating, bots)
    made = options.definition
    games = played.records.reshape(-1).view(made.dtype)
    ends = games["rules"][:, made.lever("influence_end")]
    return case, numbers.start, played.points.astype(np.int64), (ends - games["influence"]).astype(np.int64)


def summary(points: np.ndarray, missing: np.ndarray, goal: int, seed: int) -> dict[str, Any]:
    """What became of some games. points (games, seats); missing (games,): steps that the token lacked."""
    from vitienv.commands.viticulture.evaluate_solo import rate
    from vitienv.training.measure.ratings import bootstrap_mean

    n, there = len(points), points >= goal
    with_points, with_token = there.all(axis=1), missing == 0
    low, high = bootstrap_mean(points.mean(axis=1), seed)
    return {
        "games": n,
        "win_rate": rate(int((with_points & with_token).sum()), n),
        "lost_by_points": float((~with_points & with_token).mean()),
        "lost_by_token": float((with_points & ~with_token).mean()),
        "lost_by_both": float((~with_points & ~with_token).mean()),
        "seats_there": rate(int(there.sum()), there.size),
        "points": {"value": float(points.mean()), "low": float(low), "high": float(high)},
        "lowest": float(points.min(axis=1).mean()),
        "token_missing": float(missing.mean()),
    }


def _row(result: dict[str, Any]) -> tuple[str, ...]:
    from vitienv.commands.viticulture.evaluate_solo import percent

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
