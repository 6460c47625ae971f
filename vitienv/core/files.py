"""Files of a run: written whole or not at all, with the versions that made them."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from vitienv.version import __version__

PACKAGES = ("numpy", "numba", "openskill", "pandas", "pyarrow", "torch", "safetensors",
            "stable-baselines3", "sb3-contrib")  # fmt: skip


@contextmanager
def atomic(path: Path) -> Iterator[Path]:
    """A temporary file beside `path` to write into; it takes the name of `path` at the end, or is removed.

    Whoever is killed in between leaves the old file as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def write_json(path: Path, value: Any) -> None:
    """A JSON file, written atomically."""
    with atomic(path) as temporary:
        temporary.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path: Path) -> Any:
    """What a JSON file holds. ValueError, in one line, if it is not there or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"there is no file {str(path)!r}") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}") from None


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files that a killed run left in a folder."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def versions() -> dict[str, str]:
    """The versions of what decides about results."""
    found = {"vitienv": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """The machine, as far as it matters for speed."""
    return {"system": platform.platform(), "processor": _processor(), "cores": os.cpu_count(), "python": sys.version}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
