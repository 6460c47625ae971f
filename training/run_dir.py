"""The folder of a run: one process at a time works in it, and its curve grows by whole rows."""

from __future__ import annotations

import csv
import io
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from vitienv.agents.policy import OF_A_RUN
from vitienv.core.files import atomic, check_writable, read_json, read_text, remove_leftovers
from vitienv.core.text_utils import read_integer

LOCK = ".lock"
SETTINGS, CURVE, WEIGHTS = "settings.json", "curve.csv", OF_A_RUN  # of every training
KINDS = {"ppo": "checkpoint.zip", "selfplay": "checkpoint.pt", "search": "checkpoint.pt"}  # each method's checkpoint
TITLES = {
    "ppo": "a training with MaskablePPO", "selfplay": "a self-play run", "search": "a run of learning from search",
}  # fmt: skip
WHEN = "decisions"
# Columns; all but the level are followed by the name of an opponent.
WINS, POINTS, CUT_OFF, LEVEL = "win_rate_against_", "points_against_", "cut_off_against_", "level"
LAST, PICTURE = "last.safetensors", "curve.png"  # the last network beside the best one, which is `WEIGHTS`


@contextmanager
def lock_run_dir(folder: Path, file: str = LOCK) -> Iterator[None]:
    """Keep other processes out of a folder, which is made if need be, and clear away what a killed one left there.

    file: the lock's name, where it is for one file of the folder alone. The lock is the operating system's, so that it
    ends with its process however that ends. ValueError says who has it; OSError if the folder cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{str(folder)!r} is a file; a run needs a folder")
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
        with suppress(OSError):  # Windows does not remove an open file; the lock ends all the same
            path.unlink()
        lock.release()


def _owner(lock: Path) -> str:
    try:
        return lock.read_text(encoding="utf-8") or "another process"
    except (OSError, UnicodeDecodeError):
        return "another process"


def method_of(folder: Path) -> str:
    """The method of the training in a run folder. ValueError if it holds none."""
    saved = read_json(folder / SETTINGS)
    kind = saved.get("kind", "ppo" if "opponents" in saved else None) if isinstance(saved, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"{str(folder)!r} does not hold a training")
    return kind


def check_agent_out(path: Path, endings: Sequence[str]) -> None:
    """ValueError or OSError if the finished bot could not be saved there, or not be played then."""
    if path.suffix not in endings:
        raise ValueError(f"--output is {str(path)!r}; it must end in {' or '.join(endings)}")
    check_writable(path)


def check_new(folder: Path) -> None:
    """ValueError if a folder holds a training already."""
    if any((folder / checkpoint).exists() for checkpoint in KINDS.values()):
        raise ValueError(f"{str(folder)!r} holds a training already; go on with it (resume) or name another folder")


def copy(source: Path, target: Path) -> None:
    """Copy a file; the target is replaced atomically."""
    with atomic(target) as temporary:
        temporary.write_bytes(source.read_bytes())


def add_point(curve: Path, row: Mapping[str, Any]) -> None:
    """Add an evaluation to a curve; the file is replaced atomically. Rows are never dropped, see `is_evaluated`."""
    rows = sorted([*points(curve), row], key=when)
    text, columns = io.StringIO(), dict.fromkeys(name for each in (row, *rows) for name in each)
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic(curve) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8", newline="")


def when(row: Mapping[str, Any]) -> tuple[int, int]:
    """The decisions and the imitated decisions of a row."""
    return int(row[WHEN]), int(row.get("imitated") or 0)


def win_rates(row: Mapping[str, Any]) -> dict[str, float]:
    """The win rates in a row, by opponent."""
    named = {name.removeprefix(WINS): value for name, value in row.items() if name.startswith(WINS)}
    return {name: float(value) for name, value in named.items() if value != ""}


def is_evaluated(curve: Path, row: Mapping[str, Any]) -> bool:
    """Whether a curve has an evaluation after as many decisions: a resumed run starts with one."""
    return any(when(old) == when(row) for old in points(curve))


def points(curve: Path) -> list[dict[str, str]]:
    """The rows of a curve, oldest first; none if there is no file. A row that was cut short is left out."""
    if not curve.exists():
        return []
    lines = io.StringIO(read_text(curve), newline="")
    rows = csv.DictReader(lines)
    return [row for row in rows if None not in row.values() and read_integer(row.get(WHEN) or "") is not None]
