"""What is kept for the user outside of any project: games under way, and positions at which a bot failed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vitienv.core.files import from_json, read_text, write_json

HOME = "VITIENV_HOME"  # another directory for the user's files
MOST_FAILURES = 100  # positions that are kept, the newest; games are removed by their player alone


def folder() -> Path:
    """The user's data folder: `$VITIENV_HOME`, or where the system keeps such files. It need not be there yet."""
    from platformdirs import user_data_path

    given = os.environ.get(HOME)
    return Path(given).expanduser() if given else user_data_path("vitienv", appauthor=False)


def new_game_file(seed: int | None) -> Path:
    """A file for a game that begins; there is none of this name."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{'position' if seed is None else seed}"
    path, number = folder() / "games" / f"{name}.json", 1
    while path.exists():
        number += 1
        path = path.with_name(f"{name}-{number}.json")
    return path


def games() -> list[tuple[Path, dict[str, Any] | None]]:
    """The kept games, file and log, the one that was played last first; no log where the file is damaged."""
    found = [(path.stat().st_mtime_ns, path) for path in (folder() / "games").glob("*.json") if path.is_file()]
    return [(path, _log_in(path)) for _, path in sorted(found, reverse=True)]


def _log_in(path: Path) -> dict[str, Any] | None:
    try:
        log = from_json(read_text(path))
    except (OSError, ValueError):
        return None
    return log if isinstance(log, dict) else None


def last_game() -> Path:
    """The game that was played last and is not over. ValueError if there is none."""
    for path, log in games():
        if log is not None and not log.get("is_over", True):
            return path
    raise ValueError(f"there is no game to go on with in {str(folder() / 'games')!r}")


def game_file(named: Path) -> Path | None:
    """The file of the kept game that is called so, by its name alone or by its path; None if it is none of these."""
    place = folder() / "games"
    file = named if named.exists() else place / f"{named}.json"
    return file if file.is_file() and file.resolve().parent == place.resolve() else None


def keep_failure(agent: str, log: Mapping[str, Any]) -> Path:
    """Keep the position at which a bot failed, as a log that can be replayed. OSError if it cannot be written.

    Of many such the oldest are removed.
    """
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", agent)[:40].strip("-.") or "bot"
    path = folder() / "failures" / f"{name}-{log['state'][:12]}.json"
    write_json(path, log)
    for old in sorted(path.parent.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)[:-MOST_FAILURES]:
        old.unlink(missing_ok=True)
    return path
