"""A report from the run folder of a tournament: Parquet files and one HTML file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from vitienv.core.files import atomic, from_json, read_json, read_lines, versions
from vitienv.training.evaluation.merge import load_finished
from vitienv.training.evaluation.tournament import Settings
from vitienv.training.report.facts import Facts
from vitienv.training.report.plugins import wing_of
from vitienv.training.report.traces import trace
from vitienv.training.workers import Bots, Executor, place

AT_ONCE = 256  # games that are replayed side by side
PAGE_FILE = "report.html"


def make_report(
    folder: Path | str,
    out: Path | str | None = None,
    bots: Sequence[str] = (),
    on_progress: Callable[[int, int], None] | None = None,
    processes: int | Executor = 1,
) -> dict[str, Any]:
    """Write the report about a finished tournament into `out`, by default the folder `report` in the run folder.

    bots: those whose seats are looked at, by default all. on_progress gets the number of games replayed and of all.
    processes: where games are replayed, so many processes of this machine or a place of `places.executor`.
    Returns the files written. Raises ValueError, in one line, for a folder without a tournament or without sound logs.
    """
    from vitienv.training.report.page import page_of

    folder = Path(folder)
    settings = load_finished(folder)
    unknown = [bot for bot in bots if bot not in settings.agents]
    if unknown:
        raise ValueError(f"{unknown[0]!r} did not play there; those who did are {', '.join(settings.agents)}")
    chosen = list(dict.fromkeys(bots)) or list(settings.agents)
    facts = collect(folder, settings, on_progress, processes).of(chosen)
    plugin = wing_of(settings.game_options().game_spec)
    tables = plugin.tables_of(facts, chosen)
    for table in tables.values():
        table.insert(1, "players", settings.num_players)
    out = Path(out) if out is not None else folder / "report"
    out.mkdir(parents=True, exist_ok=True)
    n_games, n_seeds = int(facts.seats["game"].nunique()), int(facts.seats["seed_number"].nunique())
    page = page_of(
        plugin, tables, plugin.plots_of(tables, chosen), chosen, _how(folder, settings, bots, n_games, n_seeds)
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
        "bots": chosen,
        "rows": {name: len(table) for name, table in tables.items()},
    }


def collect(
    folder: Path,
    settings: Settings,
    on_progress: Callable[[int, int], None] | None = None,
    processes: int | Executor = 1,
) -> Facts:
    """The facts of all games of a tournament."""
    n, where, done = len(settings.schedule()), place(processes), 0
    tasks = ((batch, settings, first) for first, batch in _batches(folder))
    parts: dict[int, Facts] = {}
    for first, games, facts in where.run(facts_of, tasks, Bots(("random",), 0, settings.game)):
        parts[first], done = facts, done + games
        if on_progress is not None:
            on_progress(done, n)
    if done != n:
        raise ValueError(f"the logs in {str(folder)!r} are damaged: they have {done} games of {n}")
    return Facts.joined([parts[first] for first in sorted(parts)])


def _batches(folder: Path) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """The logs, so many at a time as are replayed side by side, with the number of the first."""
    logs, first = read_logs(folder), 0
    while batch := list(islice(logs, AT_ONCE)):
        yield first, batch
        first += len(batch)


def facts_of(logs: list[dict[str, Any]], settings: Settings, first: int) -> tuple[int, int, Facts]:
    """The facts of some games, with the number of the first and how many there are. ValueError if they are of another
    tournament."""
    played, schedule = trace(logs), settings.schedule()
    for game, log in enumerate(logs, first):
        agents = [settings.agents[bot] for bot in schedule.seating(game)]
        expected = [game, schedule.seed_number(game), schedule.seed(game), agents]
        if (got := [log.get("number"), log["seed_number"], log["seed"], log["agents"]]) != expected:
            names = "number, seed number, seed and bots"
            raise ValueError(f"log {game} is not of this tournament: its {names} must be {expected}, got {got}")
    return first, len(logs), wing_of(settings.game_options().game_spec).facts_of(played, first * settings.num_players)


def read_logs(folder: Path) -> Iterator[dict[str, Any]]:
    """The logs of a tournament one by one. ValueError if there are none or they cannot be read."""
    file = folder / "logs.jsonl.gz"
    if not file.exists():
        raise ValueError(f"{str(folder)!r} has no logs: the tournament was played with --no-logs")
    try:
        for line in read_lines(file):
            log = from_json(line)
            if not isinstance(log, dict):
                raise ValueError("a line holds no mapping")
            yield log
    except (OSError, ValueError) as error:
        raise ValueError(f"{str(file)!r} is damaged: {error}") from None


def _how(folder: Path, settings: Settings, bots: Sequence[str], n_games: int, n_seeds: int) -> dict[str, str]:
    """How the report was made, in words."""
    results = read_json(folder / "results.json")
    options = "".join(f", {name} {value}" for name, value in settings.options.items())
    seats, cut_off = settings.num_players, results.get("truncated", 0)
    command = f"vitienv tournament {' '.join(settings.agents)} --players {seats} --games {settings.games}"
    return {
        "This report": " ".join(["vitienv analyse", folder.resolve().name, *(f"--agent {bot}" for bot in bots)]),
        "The tournament": f"{command} --seed {settings.seed}{options}",
        "Games": f"{n_games} on {n_seeds} seeds, {seats} at a table; {cut_off} of the tournament's games were cut off",
        "Played with": _named(results.get("versions", {})),
        "Replayed with": _named(versions()),
    }


def _named(found: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in found.items())
