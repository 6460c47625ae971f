"""Replays of a tournament's games as pages, linked from its index.html."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from vitienv.core.files import atomic
from vitienv.training.evaluation.merge import load_finished
from vitienv.training.evaluation.notes import public_names
from vitienv.training.evaluation.tournament import read_logs, read_results
from vitienv.training.report.games_file import read_games
from vitienv.training.report.standings_page import REPLAYS, write_page
from vitienv.training.workers import Bots, Executor, ProgressCallback, as_executor, no_progress
from vitienv.web.replay_page import replay_page


def write_replays(
    folder: Path, amount: int, processes: int | Executor = 1, on_progress: ProgressCallback = no_progress
) -> None:
    """Write pages of the first games of a finished tournament, except existing ones, and link them from index.html.

    processes, on_progress: see `run_tournament`. ValueError if the directory has no tournament with valid logs.
    """
    settings, pages = load_finished(folder), folder / REPLAYS
    total = min(amount, settings.num_games())
    tasks = [
        (number, log, settings.agents)
        for number, log in enumerate(islice(read_logs(folder), total))
        if not (pages / f"{number}.html").exists()
    ]
    num_done = total - len(tasks)
    for number, page in as_executor(processes).run(draw, tasks, Bots(("random",), 0, settings.game)):
        with atomic(pages / f"{number}.html") as temporary:
            temporary.write_text(page, encoding="utf-8")
        num_done += 1
        on_progress(num_done, total)
    write_page(folder, read_games(folder, settings), read_results(folder, settings))


def draw(number: int, log: dict[str, Any], specs: tuple[str, ...]) -> tuple[int, str]:
    """Return the number of a game and its replay as a page, with the public names of the bots."""
    names = dict(zip(specs, public_names(specs), strict=True))
    return number, replay_page(log | {"agents": [names[spec] for spec in log["agents"]]})
