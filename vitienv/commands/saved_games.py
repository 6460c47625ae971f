"""Listing and deletion of saved games in `vitienv replay`."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from vitienv.console import console, counted, echo, print_json
from vitienv.core.text_utils import YOU
from vitienv.session import saves
from vitienv.session.game_session import PERSON, display_names, seats_of

COLUMNS = ("name", "last played", "game", "against", "points", "status")


def show(json: bool) -> None:
    """List the saved games, most recently played first."""
    directory, games = saves.folder() / "games", [_row(path, log) for path, log in saves.games()]
    if json:
        print_json({"place": str(directory), "games": games})
        return
    from rich.table import Table

    if games:
        table = Table(*COLUMNS)
        for game in games:
            table.add_row(*(str(game[column]) for column in COLUMNS))
        console().print(table)
    echo(f"{counted(len(games), 'game')} in {directory}")
    if games:
        echo("Continue: vitienv play --load NAME; show: vitienv replay NAME; delete: vitienv replay --delete NAME")


def delete(names: list[str], over: bool, days: int | None, json: bool) -> None:
    """Delete saved games by name, or all that are over or old."""
    if bool(names) == (over or days is not None):
        raise ValueError("--delete requires either names of games or --over and --older-than")
    if names:
        removed = [_file_of(name) for name in names]
    else:
        before = datetime.now() - timedelta(days=min(days or 0, 10**5))
        old_games = [(path, log) for path, log in saves.games() if days is None or _last_played(path) < before]
        removed = [path for path, log in old_games if not over or (log or {}).get("is_over")]
    for path in removed:
        path.unlink(missing_ok=True)
    if json:
        print_json({"removed": [path.stem for path in removed]})
        return
    echo(f"{counted(len(removed), 'game')} deleted")


def _file_of(name: str) -> Path:
    file = saves.game_file(Path(name))
    if file is None:
        raise ValueError(f"unknown saved game {name!r}; `vitienv replay` lists them")
    return file


def _last_played(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime)


def _row(path: Path, log: dict[str, Any] | None) -> dict[str, Any]:
    summary = {"name": path.stem, "last played": f"{_last_played(path):%Y-%m-%d %H:%M}", "game": "", "against": "",
               "points": "", "status": "damaged"}  # fmt: skip
    options, points = (log or {}).get("options"), (log or {}).get("scores")
    if log is None or not isinstance(options, dict) or not isinstance(points, list):
        return summary
    seat, specs = seats_of(log, len(points))
    names = display_names([specs.get(i, PERSON) for i in range(len(points))])
    points = [f"{YOU if i == seat else name} {points[i]}" for i, name in enumerate(names)]
    moves = log.get("moves")
    progress = f"after {counted(len(moves), 'move')}" if isinstance(moves, list) else ""
    return summary | {
        "game": f"{log.get('game')}, {options.get('ruleset')}",
        "against": ", ".join(names[i] for i in sorted(specs)) or "none",
        "points": ", ".join(points),
        "status": "over" if log.get("is_over") else progress,
    }
