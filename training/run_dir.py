"""Run directories: locking, names of files, and the learning curve."""

from __future__ import annotations

import csv
import io
import os
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from vitienv.agents.policy import RUN_WEIGHTS
from vitienv.core.files import atomic, read_json, read_text, remove_leftovers, write_csv
from vitienv.core.text_utils import read_integer

LOCK = ".lock"
SETTINGS, CURVE, WEIGHTS = "settings.json", "curve.csv", RUN_WEIGHTS  # files of all methods
KINDS = {"ppo": "checkpoint.zip", "selfplay": "checkpoint.pt", "search": "checkpoint.pt"}  # checkpoints by method
WHEN = "decisions"
# Columns, and prefixes of columns that end with an opponent.
WINS, POINTS, CUT_OFF, LEVEL = "win_rate_against_", "points_against_", "cut_off_against_", "level"
LAST = "last.safetensors"  # the best network is `WEIGHTS`


@contextmanager
def lock_run_dir(folder: Path, file: str = LOCK) -> Iterator[None]:
    """Lock a directory, created if missing, and remove temporary files of a killed process.

    file: name of the lock file, for locking a single file. The operating system releases the lock with the process.
    ValueError, with the owner, if it is locked; OSError if the directory cannot be created.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"run must be a directory, got the file {str(folder)!r}")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise ValueError(f"{str(folder)!r} is in use by {_owner(path)}") from None
    try:
        with suppress(OSError):  # a full disk is reported when results are written
            path.write_text(f"process {os.getpid()} on {platform.node()}", encoding="utf-8")
        if file == LOCK:
            remove_leftovers(folder)
        yield
    finally:
        with suppress(OSError):  # Windows does not delete open files
            path.unlink()
        lock.release()


def _owner(lock: Path) -> str:
    try:
        return lock.read_text(encoding="utf-8") or "another process"
    except (OSError, UnicodeDecodeError):
        return "another process"


def method_of(folder: Path) -> str:
    """Return the method of the training in a run directory. ValueError if there is none."""
    saved = read_json(folder / SETTINGS)
    kind = saved.get("kind") if isinstance(saved, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"{str(folder)!r} does not contain a training")
    return kind


def check_new(folder: Path) -> None:
    """Raise ValueError if a directory contains a training."""
    if any((folder / checkpoint).exists() for checkpoint in KINDS.values()):
        raise ValueError(f"{str(folder)!r} already contains a training; resume it or use another directory")


def copy(source: Path, target: Path) -> None:
    """Copy a file, replacing the target atomically."""
    with atomic(target) as temporary:
        temporary.write_bytes(source.read_bytes())


def add_point(curve: Path, row: Mapping[str, Any]) -> None:
    """Add an evaluation to a curve, replacing the file atomically."""
    rows = sorted([*points(curve), row], key=decision_counts)
    write_csv(curve, list(dict.fromkeys(name for record in (row, *rows) for name in record)), rows)


def decision_counts(row: Mapping[str, Any]) -> tuple[int, int]:
    """Return the decisions and the imitated decisions of a row."""
    return int(row[WHEN]), int(row.get("imitated") or 0)


def win_rates(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the win rates of a row by opponent."""
    by_opponent = {name.removeprefix(WINS): value for name, value in row.items() if name.startswith(WINS)}
    return {name: float(value) for name, value in by_opponent.items() if value != ""}


def is_evaluated(curve: Path, row: Mapping[str, Any]) -> bool:
    """Return whether a curve has an evaluation after the same decisions, as after resuming."""
    return any(decision_counts(old) == decision_counts(row) for old in points(curve))


def points(curve: Path) -> list[dict[str, str]]:
    """Return the complete rows of a curve, oldest first; empty if the file does not exist."""
    if not curve.exists():
        return []
    lines = io.StringIO(read_text(curve), newline="")
    rows = csv.DictReader(lines)
    return [row for row in rows if None not in row.values() and read_integer(row.get(WHEN) or "") is not None]


def run_path(kind: str = "tournament") -> Path:
    """Return the path of a run directory in runs/, named after the current time."""
    return Path("runs") / f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}"
