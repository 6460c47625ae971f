"""vitienv replay without a log: the saved games of a person, and their removal."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from vitienv.console import console, counted, echo, print_json
from vitienv.core.text_utils import YOU
from vitienv.session import saves
from vitienv.session.game_session import PERSON, called, seats_of

COLUMNS = ("name", "last played", "game", "against", "points", "stands")


def show(json: bool) -> None:
    """List the saved games, the one that was played last first."""
    place, games = saves.folder() / "games", [_about(path, log) for path, log in saves.games()]
    if json:
        print_json({"place": str(place), "games": games})
        return
    from rich.table import Table

    if games:
        table = Table(*COLUMNS)
        for game in games:
            table.add_row(*(str(game[column]) for column in COLUMNS))
        console().print(table)
    echo(f"{counted(len(games), 'game')} in {place}")
    if games:
        echo("vitienv play --load NAME goes on with one, vitienv replay NAME shows it, "
             "vitienv replay --delete NAME removes it")  # fmt: skip


def delete(names: list[str], over: bool, days: int | None, json: bool) -> None:
    """Remove saved games for good: those that are named, or all that are over or old."""
    if bool(names) == (over or days is not None):
        raise ValueError("name the games to remove, or say which by --over or --older-than, or by both")
    if names:
        removed = [_named(name) for name in names]
    else:
        before = datetime.now() - timedelta(days=min(days or 0, 10**5))
        of_age = [(path, log) for path, log in saves.games() if days is None or _played(path) < before]
        removed = [path for path, log in of_age if not over or (log or {}).get("is_over")]
    for path in removed:
        path.unlink(missing_ok=True)
    if json:
        print_json({"removed": [path.stem for path in removed]})
        return
    echo(f"{counted(len(removed), 'game')} removed")


def _named(name: str) -> Path:
    """The file of a kept game. ValueError if there is none."""
    file = saves.game_file(Path(name))
    if file is None:
        raise ValueError(f"there is no kept game {name!r}; `vitienv replay` lists them")
    return file


def _played(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime)


def _about(path: Path, log: dict[str, Any] | None) -> dict[str, Any]:
    """What the list says of a game; a log may have been written by anybody."""
    about = {"name": path.stem, "last played": f"{_played(path):%Y-%m-%d %H:%M}", "game": "", "against": "",
             "points": "", "stands": "damaged"}  # fmt: skip
    options, points = (log or {}).get("options"), (log or {}).get("scores")
    if log is None or not isinstance(options, dict) or not isinstance(points, list):
        return about
    seat, specs = seats_of(log, len(points))
    names = called([specs.get(other, PERSON) for other in range(len(points))])
    points = [f"{YOU if other == seat else name} {points[other]}" for other, name in enumerate(names)]
    moves = log.get("moves")
    done = f"after {counted(len(moves), 'move')}" if isinstance(moves, list) else ""
    return about | {
        "game": f"{log.get('game')}, {options.get('ruleset')}",
        "against": ", ".join(names[other] for other in sorted(specs)) or "nobody",
        "points": ", ".join(points),
        "stands": "over" if log.get("is_over") else done,
    }
