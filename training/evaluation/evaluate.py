"""Evaluation of bots: a row for each bot and table on the same seeds, with 95 % intervals and paired differences.

>>> result = evaluate(["heuristic", "random"], ["heuristic"], num_players=4, games=400)
>>> [(row["agent"], row["win_rate"]["value"]) for row in result["results"]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.policy import weight_digests
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.core.files import versions
from vitienv.core.text_utils import read_integer
from vitienv.registry import DEFAULT, MODES, game_spec
from vitienv.training.evaluation.csv_log import open_parts
from vitienv.training.evaluation.match import LAST_ROUND, MAX_GAMES, check_amount, play
from vitienv.training.evaluation.notes import GameCounts, counts_by_game, sum_counts
from vitienv.training.intervals import clustered_mean, clustered_share
from vitienv.training.json_dataclasses import checked
from vitienv.training.workers import Bots, Executor, ProgressCallback, as_executor, no_progress

Columns = dict[str, np.ndarray]  # arrays (games, ...) of plain JSON values by name
Row = dict[str, Any]
SEARCH_FRACTION = 8  # divides the batch of searching bots, to balance the processes


@dataclass(frozen=True)
class Case:
    """A bot, its opponents, and a table: options of the game or of the mode."""

    bot: str
    others: tuple[str, ...]
    game: str
    table: Mapping[str, Any]
    seed: int


@dataclass(frozen=True)
class Mode:
    """One way to evaluate a bot of a game.

    title, usage: for help and errors. tables: returns the table of each row for a game, the opponents and options;
    ValueError for an invalid option. play: returns the columns of a case's games with these indices; "seed", the index
    of the seed of each game, is optional if all seeds differ. row: returns the results of a case. kinds: JSON types of
    the columns. headings: of `results`, by the path of a value. options: of the game, None for all. ruleset: the
    supported one, "" for all. unit, games, limit: name, default and maximum of the number of games per row. batch: its
    size. wins: returns games won, (games,), for paired differences. check: returns whether columns are possible.
    is_cross_play: whether the others of a case are one of the bots, each in turn.
    """

    title: str
    usage: str
    tables: Callable[[str, Sequence[str], dict[str, Any]], list[dict[str, Any]]]
    play: Callable[[Case, range], Columns]
    row: Callable[[Case, Columns], Row]
    kinds: Mapping[str, Any]
    headings: Mapping[str, str]
    options: tuple[str, ...] | None = None
    ruleset: str = ""
    unit: str = "games"
    games: int = 100
    limit: int = MAX_GAMES
    batch: int = 64
    wins: Callable[[Case, Columns], np.ndarray] | None = None
    check: Callable[[Case, Columns], bool] = lambda case, columns: True
    is_cross_play: bool = False


def mode_of(game: str, name: str) -> Mode:
    """Return a mode of a game by its name in `MODES`. ValueError if the game does not have it."""
    path = MODES.get((game, name), MODES.get(("", name)))
    if path is None:
        raise ValueError(f"unknown mode {name!r}; expected one of: {', '.join(mode_names(game))}")
    module, _, constant = path.rpartition(".")
    return getattr(import_module(module), constant)


def mode_names(game: str) -> list[str]:
    """Return the names of the modes of a game."""
    return [name for owner, name in MODES if owner in ("", game)]


def evaluate(
    bots: str | Sequence[str],
    others: Sequence[str] = (),
    mode: str = "table",
    games: int | None = None,
    seed: int = 0,
    processes: int | Executor = 1,
    on_progress: ProgressCallback = no_progress,
    keep: Path | None = None,
    game: str = DEFAULT,
    **options: Any,
) -> dict[str, Any]:
    """Evaluate bots at all tables of a mode on the same seeds.

    others: bots in the other seats, in turn; in solo games the bot that replaces the Automa. games: number per row.
    keep: a file of the games played; the same call resumes from it. options: of the game.

    Returns the settings, versions, and `results`: a row for each bot and table. `difference` is the win rate minus
    that of the first bot, at the same table with the same others, a mean over seeds. A truncated game is not won.
    Results do not depend on `processes`.
    ValueError for an invalid setting or another file; OSError if the file cannot be written.
    """
    evaluation_mode, specs = mode_of(game, mode), [bots] if isinstance(bots, str) else list(bots)
    games = evaluation_mode.games if games is None else games
    check_amount(evaluation_mode.unit, games, evaluation_mode.limit)
    if len(set(specs)) < len(specs):
        raise ValueError(f"bots must be distinct, got {', '.join(specs)}")
    tables = evaluation_mode.tables(game, others, dict(options))
    companions = [(bot,) for bot in specs] if evaluation_mode.is_cross_play else [tuple(others)]
    cases = [Case(bot, names, game, table, seed) for bot in specs for names in companions for table in tables]
    columns = _play_cases(evaluation_mode, cases, games, seed, processes, on_progress, keep)
    rows = []
    for i, (case, played) in enumerate(zip(cases, columns, strict=True)):
        clusters = played.get("seed", np.arange(len(played["counts"])))
        row = evaluation_mode.row(case, played) | {"seeds": len(np.unique(clusters)), **sum_counts(played["counts"])}
        first_case = i % (len(companions) * len(tables))
        if i != first_case and evaluation_mode.wins is not None:
            first = evaluation_mode.wins(cases[first_case], columns[first_case])
            row["difference"] = clustered_mean(evaluation_mode.wins(case, played) - first.astype(float), clusters)
        rows.append({"agent": case.bot, **row})
    seeds = game_seeds(seed, range(max(row["seeds"] for row in rows)))
    return {evaluation_mode.unit: games, "seed": seed, "seeds": seeds, "versions": versions(), "results": rows}


def split_games(n: int, bots: Sequence[Agent], batch: int = 64) -> list[range]:
    """Split the indices of n games into batches."""
    size = batch // SEARCH_FRACTION if any(hasattr(bot, "search_rows") for bot in bots) else batch
    return [range(low, min(n, low + size)) for low in range(0, n, size)]


def _play_cases(
    mode: Mode, cases: Sequence[Case], games: int, seed: int, processes: int | Executor, on_progress: ProgressCallback,
    keep: Path | None,
) -> list[Columns]:  # fmt: skip
    first = cases[0]
    bots = Bots(tuple(dict.fromkeys((*(case.bot for case in cases), *first.others))), seed, first.game,
                first.table if "num_players" in first.table else {})  # fmt: skip
    agents = make_bots(bots.specs, seed, first.game)  # raises before the first game
    games_per_seed = [int(case.table["num_players"]) if mode is TABLE_MODE else 1 for case in cases]
    amounts = [-(-games // n) * n for n in games_per_seed]
    parts: list[dict[int, Columns]] = [{} for _ in cases]
    done, total = 0, sum(amounts)
    head = {"cases": [asdict(case) for case in cases], "games": games, "seed": seed,
            "columns": list(mode.kinds), "data": game_spec(first.game).data, "versions": versions(),
            "weights": weight_digests(bots.specs)}  # fmt: skip
    with open_parts(keep, head) if keep is not None else nullcontext() as file:
        numbers = [{part.start: part for part in split_games(amount, agents, mode.batch)} for amount in amounts]
        for values in file.parts if file else ():
            number, start, columns = _read_part(str(keep), values, mode, cases, numbers)
            parts[number][start] = columns
        tasks = [
            (number, mode.play, case, part) for number, case in enumerate(cases)
            for part in numbers[number].values() if part.start not in parts[number]
        ]  # fmt: skip
        done = total - sum(len(part) for *_, part in tasks)
        on_progress(done, total)
        for number, start, columns in as_executor(processes).run(_play_part, tasks, bots):
            parts[number][start] = columns
            if file:
                file.add([number, start, {name: column.tolist() for name, column in columns.items()}])
            done += len(columns["counts"])
            on_progress(done, total)
    ordered = [[part for _, part in sorted(by_start.items())] for by_start in parts]
    return [{name: np.concatenate([part[name] for part in case]) for name in case[0]} for case in ordered]


def _play_part(
    number: int, play: Callable[[Case, range], Columns], case: Case, part: range
) -> tuple[int, int, Columns]:
    return number, part.start, play(case, part)


def _read_part(
    file: str, values: list[Any], mode: Mode, cases: Sequence[Case], numbers: Sequence[Mapping[int, range]]
) -> tuple[int, int, Columns]:
    """Read case, first game and columns of a part in a file. ValueError if it is damaged."""
    try:
        number, start, columns = values
        if checked(int, number, "case") not in range(len(cases)) or checked(int, start, "game") not in numbers[number]:
            raise ValueError(f"case must be less than {len(cases)} and game that of a part, got {number}, {start}")
        columns, n = checked(dict[str, list], columns, "columns"), len(numbers[number][start])
        if set(columns) != set(mode.kinds) or any(len(column) != n for column in columns.values()):
            raise ValueError(f"columns must be {', '.join(mode.kinds)} of {n} games")
        lists = {name: [checked(kind, value, name) for value in columns[name]] for name, kind in mode.kinds.items()}
        arrays = {name: np.array(column, object if isinstance(column[0], dict) else None)
                  for name, column in lists.items()}  # fmt: skip
        if not mode.check(cases[number], arrays):
            raise ValueError("columns must be of the table")
        return number, start, arrays
    except ValueError as error:
        raise ValueError(f"{file!r} is damaged: {error}") from None


def seats_of(players: Any) -> list[int]:
    """Parse a number of seats, or a comma-separated list. ValueError if it is invalid."""
    seats = [read_integer(part.strip()) for part in str(players).split(",")]
    if None in seats:
        raise ValueError(f"players must be numbers of seats such as 2 or 2,4, got {players!r}")
    return [number for number in seats if number is not None]


# A bot among others, in every seat on the same seeds.


def _tables(game: str, others: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    if not others:
        raise ValueError("others must name the bots in the other seats, got none")
    options_type = game_spec(game).options
    defaults = {"skip_forced": True, options_type.LIMIT: LAST_ROUND}
    seats = seats_of(options.pop("num_players", 2))
    return [options_type.of(**{**defaults, **options, "num_players": n}).to_dict() for n in seats]


def _play_table(case: Case, numbers: range) -> Columns:
    """Game i is played on seed i // players, the bot in seat i % players."""
    options = game_spec(case.game).options.of(**case.table)
    players, specs = options.num_players, (case.bot, *case.others)
    seating = []
    for i in numbers:
        seats = [1 + (i // players + k) % len(case.others) for k in range(players - 1)]
        seats.insert(i % players, 0)
        seating.append(seats)
    seed, seat = np.array(numbers) // players, np.array(numbers) % players
    played = play(options, game_seeds(case.seed, seed.tolist()), seating, make_bots(specs, case.seed, case.game))
    rows = np.arange(len(numbers))
    points = played.points[rows, seat]
    return {
        "seed": seed, "seat": seat, "win": played.wins[rows, seat], "cut_off": played.truncated, "points": points,
        "year": played.years, "points_of_others": (played.points.sum(axis=1) - points) / (players - 1),
        "counts": np.array(counts_by_game(played, specs), object),
    }  # fmt: skip


def _row(case: Case, games: Columns) -> Row:
    wins, points, seats, seeds = (games[name] for name in ("win", "points", "seat", "seed"))
    players = int(case.table["num_players"])
    by_seat = [
        {"seat": seat + 1, "games": int((rows := seats == seat).sum()),
         "win_rate": clustered_share(wins[rows], seeds[rows]), "mean_points": float(points[rows].mean())}
        for seat in range(players)
    ]  # fmt: skip
    return {
        "against": list(case.others),
        "players": players,
        "games": len(wins),
        "win_rate": clustered_share(wins, seeds),
        "by_chance": None if game_spec(case.game).token else 1 / players,
        "points": clustered_mean(points, seeds),
        "points_of_others": float(games["points_of_others"].mean()),
        "mean_years": float(games["year"].mean()),
        "cut_off": int(games["cut_off"].sum()),
        "by_seat": by_seat,
    }


TABLE_MODE = Mode(
    "a bot among others", "--opponents BOT with two or more --players", _tables, _play_table, _row,
    {"seed": int, "seat": int, "win": float, "cut_off": bool, "points": float, "year": int, "points_of_others": float,
     "counts": GameCounts},
    {"agent": "bot", "against": "against", "players": "seats", "games": "games", "win_rate": "won %",
     "by_chance": "by chance %", "difference": "to the first %", "points": "points", "points_of_others": "others",
     "mean_years": "years", "cut_off": "cut off", "by_seat.win_rate": "won by seat %"},
    wins=lambda case, games: games["win"],
)  # fmt: skip
