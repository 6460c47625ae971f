"""Files of a run: written whole or not at all, with the versions that made them."""

from __future__ import annotations

import errno
import gzip
import json
import os
import platform
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from io import BufferedReader
from pathlib import Path
from typing import Any

from vitienv.version import __version__

PACKAGES = ("numpy", "numba", "pandas", "pyarrow", "torch", "safetensors",
            "stable-baselines3", "sb3-contrib")  # fmt: skip
MAX_FILE_BYTES = 256 * 2**20


@contextmanager
def atomic(path: Path) -> Iterator[Path]:
    """A temporary file beside `path` to write into; it takes the name of `path` at the end, or is removed.

    Whoever is killed in between leaves the old file as it was. What is written must be closed inside: only what the
    disk has taken gets the name. OSError, which names `path`, if it has not.
    """
    temporary = _beside(path)
    try:
        with _told_of(path, temporary):
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
            _keep_names(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """OSError, which names the file, if it could not be written: better known before the work than after it."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    _beside(path).unlink()


def _beside(path: Path) -> Path:
    """A new file in the folder of `path`, which is made if need be. OSError if a device or a pipe has that name."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "there is something that is no file", str(path))
    with _told_of(path, None):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        os.close(handle)
    return Path(name)


@contextmanager
def _told_of(path: Path, temporary: Path | None) -> Iterator[None]:
    """An OSError of the temporary file, or of any file for None, becomes one of the file that was asked for."""
    try:
        yield
    except OSError as error:
        if temporary is not None and error.filename not in (None, str(temporary)):
            raise
        code = error.errno or errno.EIO
        raise OSError(code, os.strerror(code), str(path)) from None


def _keep_names(folder: Path) -> None:
    """Write a folder's own entries to the disk, where a system can: a new name is lost with the power until then."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folders
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def write_json(path: Path, value: Any) -> None:
    """A JSON file, written atomically."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    with atomic(path) as temporary:  # a lone surrogate is replaced by its escape in JSON
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def read_text(path: Path) -> str:
    """The text of a regular file in UTF-8, with or without a byte order mark; of a packed one if its name ends in .gz.

    OSError if it cannot be read; ValueError for a pipe or a device, for more than `MAX_FILE_BYTES`, and for damage.
    """
    with _opened(path) as file:
        return _decoded(file.read(MAX_FILE_BYTES + 1))


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file as for `read_text`, one by one: the bound is that of a line."""
    with _opened(path) as file:
        while line := file.readline(MAX_FILE_BYTES + 1):
            yield _decoded(line)


@contextmanager
def _opened(path: Path) -> Iterator[gzip.GzipFile | BufferedReader]:
    mode = path.stat().st_mode  # before it is opened: a pipe without a writer would wait
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise ValueError("it must be a regular file")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(str(error)) from None


def _decoded(data: bytes) -> str:
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"it must have at most {MAX_FILE_BYTES >> 20} MiB")
    return data.decode("utf-8-sig")


def read_json(path: Path) -> Any:
    """What a JSON file holds. ValueError, in one line, if it is not there or damaged."""
    try:
        return from_json(read_text(path))
    except FileNotFoundError:
        raise ValueError(f"there is no file {str(path)!r}") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}") from None


def from_json(text: str | bytes, pairs: type[tuple] | None = None) -> Any:
    """What a text in JSON says. ValueError if it is none, nested without end, or has an endless number.

    pairs: `tuple` for objects as their keys with values, also of a key that stands twice.
    """
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:  # of Python, about its own limit
        raise ValueError("a number in it has too many digits") from None


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files that a killed run left in a folder."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def versions() -> dict[str, str]:
    """The versions of what decides about results."""
    named = {"vitienv": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            named[package] = version(package)
        except PackageNotFoundError:
            continue
    return named


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
