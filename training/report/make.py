"""Report of a tournament's run directory: Parquet files and one HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from vitienv.core.files import atomic, read_json, versions
from vitienv.training.evaluation.merge import load_finished
from vitienv.training.evaluation.tournament import Settings, read_logs
from vitienv.training.report.facts import Facts
from vitienv.training.report.games_file import read_games
from vitienv.training.report.page import page_of
from vitienv.training.report.traces import plugin_of, trace
from vitienv.training.workers import Bots, Executor, ProgressCallback, as_executor, no_progress

BATCH_GAMES = 256  # games replayed per batch
PAGE_FILE = "report.html"


def make_report(
    folder: Path | str,
    out: Path | str | None = None,
    bots: Sequence[str] = (),
    on_progress: ProgressCallback = no_progress,
    processes: int | Executor = 1,
) -> dict[str, Any]:
    """Write the report of a finished tournament to `out`, by default `report` in the run directory.

    bots: bots to include, by default all. on_progress: called with the number of replayed games and of all games.
    processes: number of local processes, or an executor (see `executors.executor`). Returns a description of the files.
    ValueError if the directory does not contain a tournament with valid logs.
    """
    folder = Path(folder)
    settings = load_finished(folder)
    unknown = [bot for bot in bots if bot not in settings.agents]
    if unknown:
        raise ValueError(f"unknown bot {unknown[0]!r}; expected one of: {', '.join(settings.agents)}")
    selected = list(dict.fromkeys(bots)) or list(settings.agents)
    is_void = settings.on_failure == "void"
    void_games = read_games(folder, settings).query("forfeit != ''")["game"].tolist() if is_void else []
    facts = collect(folder, settings, on_progress, processes).select(selected, void_games)
    plugin = plugin_of(settings.game_options().game_spec)
    tables = plugin.tables_of(facts, selected)
    for table in tables.values():
        table.insert(1, "players", settings.num_players)
    out = Path(out) if out is not None else folder / "report"
    out.mkdir(parents=True, exist_ok=True)
    n_games, n_seeds = int(facts.seats["game"].nunique()), int(facts.seats["seed_number"].nunique())
    page = page_of(
        plugin,
        tables,
        plugin.plots_of(tables, selected),
        selected,
        _provenance(folder, settings, bots, n_games, n_seeds),
    )
    for name, table in tables.items():
        with atomic(out / f"{name}.parquet") as temporary:
            table.to_parquet(temporary, index=False)
    with atomic(out / PAGE_FILE) as temporary:
        temporary.write_text(page, encoding="utf-8")
    return {
        "folder": str(out),
        "page": PAGE_FILE,
        "games": n_games,
        "seeds": n_seeds,
        "bots": selected,
        "rows": {name: len(table) for name, table in tables.items()},
    }


def collect(
    folder: Path, settings: Settings, on_progress: ProgressCallback = no_progress, processes: int | Executor = 1
) -> Facts:
    """Return the facts of all games of a tournament. ValueError if its logs are damaged."""
    n, executor, done = settings.num_games(), as_executor(processes), 0
    seats = read_games(folder, settings)["agent"].to_numpy().reshape(-1, settings.num_players).tolist()
    tasks = ((batch, settings, first, seats[first : first + BATCH_GAMES]) for first, batch in _batches(folder))
    parts: dict[int, Facts] = {}
    for first, games, facts in executor.run(facts_of, tasks, Bots(("random",), 0, settings.game)):
        parts[first], done = facts, done + games
        on_progress(done, n)
    if done != n:
        raise ValueError(f"the logs in {str(folder)!r} are damaged: they have {done} games of {n}")
    return Facts.concat([parts[first] for first in sorted(parts)])


def _batches(folder: Path) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield batches of logs with the index of their first game."""
    logs, first = read_logs(folder), 0
    while batch := list(islice(logs, BATCH_GAMES)):
        yield first, batch
        first += len(batch)


def facts_of(logs: list[dict[str, Any]], settings: Settings, first: int, seats: list[Any]) -> tuple[int, int, Facts]:
    """Return the index of the first game, the number of games, and their facts. ValueError for another tournament."""
    replay, schedule = trace(logs), settings.make_schedule()
    for game, (log, agents) in enumerate(zip(logs, seats), first):
        expected = [game, schedule.seed_number(game), schedule.seed(game), agents]
        if (actual := [log.get("number"), log["seed_number"], log["seed"], log["agents"]]) != expected:
            names = "number, seed number, seed and bots"
            raise ValueError(f"log {game} is not of this tournament: its {names} must be {expected}, got {actual}")
    return first, len(logs), plugin_of(settings.game_options().game_spec).facts_of(replay)


def _provenance(folder: Path, settings: Settings, bots: Sequence[str], n_games: int, n_seeds: int) -> dict[str, str]:
    results = read_json(folder / "results.json")
    options = "".join(f", {name} {value}" for name, value in settings.options.items())
    seats, cut_off = settings.num_players, results.get("truncated", 0)
    command = f"vitienv tournament {' '.join(settings.agents)} --players {seats} --games {settings.games}"
    command += f" --schedule {settings.schedule}"
    return {
        "This report": " ".join(["vitienv analyse", folder.resolve().name, *(f"--bot {bot}" for bot in bots)]),
        "The tournament": f"{command} --seed {settings.seed}{options}",
        "Games": f"{n_games} on {n_seeds} seeds, {seats} at a table; {cut_off} of the tournament's games were cut off",
        "Played with": _version_text(results.get("versions", {})),
        "Replayed with": _version_text(versions()),
    }


def _version_text(version_numbers: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in version_numbers.items())
