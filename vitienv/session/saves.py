"""Saved games and positions of failed bots in the user's data directory."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vitienv.core.files import read_json, write_json

HOME = "VITIENV_HOME"  # another directory for the user's files
MAX_FAILURES = 100  # older positions are deleted; saved games never are


def folder() -> Path:
    """Return the user's data directory: `$VITIENV_HOME`, or the platform's default. It may not exist yet."""
    from platformdirs import user_data_path

    directory = os.environ.get(HOME)
    return Path(directory).expanduser() if directory else user_data_path("vitienv", appauthor=False)


def new_game_file(seed: int | None) -> Path:
    """Return an unused path for a new game."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{'position' if seed is None else seed}"
    path, number = folder() / "games" / f"{name}.json", 1
    while path.exists():
        number += 1
        path = path.with_name(f"{name}-{number}.json")
    return path


def games() -> list[tuple[Path, dict[str, Any] | None]]:
    """Return the saved games, most recently played first: path, and log or None for a damaged file."""
    files = [(path.stat().st_mtime_ns, path) for path in (folder() / "games").glob("*.json") if path.is_file()]
    return [(path, _log_in(path)) for _, path in sorted(files, reverse=True)]


def _log_in(path: Path) -> dict[str, Any] | None:
    try:
        log = read_json(path)
    except ValueError:
        return None
    return log if isinstance(log, dict) else None


def last_game() -> Path:
    """Return the path of the most recently played unfinished game. Raises ValueError if there is none."""
    for path, log in games():
        if log is not None and not log.get("is_over", True):
            return path
    raise ValueError(f"no unfinished game in {str(folder() / 'games')!r}")


def game_file(name: Path) -> Path | None:
    """Return the path of a saved game from its name or path; None for anything else."""
    directory = folder() / "games"
    file = name if name.exists() else directory / f"{name}.json"
    return file if file.is_file() and file.resolve().parent == directory.resolve() else None


def save_failure(agent: str, log: Mapping[str, Any]) -> Path:
    """Save the position of a bot's failure as a replayable log; the oldest beyond `MAX_FAILURES` are deleted.

    Raises OSError if it cannot be written.
    """
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", agent)[:40].strip("-.") or "bot"
    path = folder() / "failures" / f"{name}-{log['state'][:12]}.json"
    write_json(path, log)
    for old in sorted(path.parent.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)[:-MAX_FAILURES]:
        old.unlink(missing_ok=True)
    return path
