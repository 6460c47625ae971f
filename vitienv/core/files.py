"""Atomic writes, bounded reads, and the versions recorded in files of a run."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import os
import platform
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    """Yield a temporary file in the directory of `path` that replaces `path` at the end, or is removed on an error.

    The file must be closed inside the context. OSError with the name `path` if it cannot be written.
    """
    temporary = _make_temporary(path)
    try:
        with _rename_os_errors(path, temporary):
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
            _sync_directory(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Raise OSError if a file cannot be written."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    _make_temporary(path).unlink()


def _make_temporary(path: Path) -> Path:
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with _rename_os_errors(path, None):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        os.close(handle)
    return Path(name)


@contextmanager
def _rename_os_errors(path: Path, temporary: Path | None) -> Iterator[None]:
    """Replace the file of an OSError by `path`: of errors of the temporary file, or of any file if None."""
    try:
        yield
    except OSError as error:
        if temporary is not None and error.filename not in (None, str(temporary)):
            raise
        code = error.errno or errno.EIO
        raise OSError(code, os.strerror(code), str(path)) from None


def _sync_directory(folder: Path) -> None:
    # Without it, the new name is lost on a power failure.
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows cannot open directories
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file atomically."""
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    with atomic(path) as temporary:  # a lone surrogate is replaced by its escape in JSON
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a CSV file atomically."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with atomic(path) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8", newline="")


def append_line(path: Path, line: str) -> None:
    """Append a line to a file and flush it to the disk. OSError with the name `path` if it cannot be written."""
    with _rename_os_errors(path, None), path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


def read_text(path: Path) -> str:
    """Read a regular UTF-8 file, with or without a byte order mark; a name in .gz is decompressed.

    OSError if it cannot be read; ValueError for a pipe or device, more than `MAX_FILE_BYTES`, or damaged content.
    """
    with _open(path) as file:
        return _decode(file.read(MAX_FILE_BYTES + 1))


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file as `read_text` reads it; `MAX_FILE_BYTES` applies to each line."""
    with _open(path) as file:
        while line := file.readline(MAX_FILE_BYTES + 1):
            yield _decode(line)


@contextmanager
def _open(path: Path) -> Iterator[gzip.GzipFile | BufferedReader]:
    mode = path.stat().st_mode  # checked before opening: a pipe without a writer would block
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise ValueError("it must be a regular file")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(str(error)) from None


def _decode(data: bytes) -> str:
    if len(data) > MAX_FILE_BYTES:
        raise ValueError(f"it must have at most {MAX_FILE_BYTES >> 20} MiB")
    return data.decode("utf-8-sig")


def read_json(path: Path) -> Any:
    """Return the content of a JSON file. ValueError if it does not exist or is damaged."""
    try:
        return from_json(read_text(path))
    except FileNotFoundError:
        raise ValueError(f"file {str(path)!r} does not exist") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {error}") from None


def from_json(text: str | bytes, pairs: type[tuple] | None = None) -> Any:
    """Parse JSON. ValueError if it is malformed, nested too deeply, or has a number with too many digits.

    pairs: `tuple` to return objects as (key, value) pairs, including duplicate keys.
    """
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError("its brackets are nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:  # Python's limit on digits
        raise ValueError("a number in it has too many digits") from None


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of killed runs in a directory."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def versions() -> dict[str, str]:
    """Return the versions of the packages that affect results."""
    versions = {"vitienv": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


def machine() -> dict[str, Any]:
    """Return the hardware and platform that affect speed."""
    return {"system": platform.platform(), "processor": _processor(), "cores": os.cpu_count(), "python": sys.version}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


@contextmanager
def to_gzip(path: Path) -> Iterator[gzip.GzipFile]:
    """Open a gzip file without name and time in its header, so that equal content gives equal bytes.

    GzipFile does not close the underlying file, whose buffer would be flushed too late to report an error.
    """
    with path.open("wb") as file, gzip.GzipFile("", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
        yield packed
