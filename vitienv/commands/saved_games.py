"""Listing and deletion of saved games in `vitienv replay`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from vitienv.console import console, echo, print_json
from vitienv.core.text_utils import YOU, count
from vitienv.session import saves
from vitienv.session.replay import PERSON, display_names, read_seats

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
    echo(f"{count(len(games), 'game')} in {directory}")
    if games:
        echo("Continue: vitienv play --load NAME; show: vitienv replay NAME; delete: vitienv replay --delete NAME")


def delete(names: list[str], json: bool) -> None:
    """Delete saved games by name."""
    files = []
    for name in names:
        file = saves.game_file(Path(name))
        if file is None:
            raise ValueError(f"unknown saved game {name!r}; `vitienv replay` lists them")
        files.append(file)
    if not files:
        raise ValueError("--delete requires names of saved games")
    for path in files:
        path.unlink(missing_ok=True)
    if json:
        print_json({"removed": [path.stem for path in files]})
        return
    echo(f"{count(len(files), 'game')} deleted")


def _row(path: Path, log: dict[str, Any] | None) -> dict[str, Any]:
    last_played = f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
    summary = dict.fromkeys(COLUMNS, "") | {"name": path.stem, "last played": last_played, "status": "damaged"}
    options, points = (log or {}).get("options"), (log or {}).get("scores")
    if log is None or not isinstance(options, dict) or not isinstance(points, list):
        return summary
    try:
        seat, specs = read_seats(log, len(points))
    except ValueError:
        return summary
    names = display_names([specs.get(i, PERSON) for i in range(len(points))])
    points = [f"{YOU if i == seat else name} {points[i]}" for i, name in enumerate(names)]
    moves = log.get("moves")
    progress = f"after {count(len(moves), 'move')}" if isinstance(moves, list) else ""
    return summary | {
        "game": f"{log.get('game')}, {options.get('ruleset')}",
        "against": ", ".join(names[i] for i in sorted(specs)) or "none",
        "points": ", ".join(points),
        "status": "over" if log.get("is_over") else progress,
    }
