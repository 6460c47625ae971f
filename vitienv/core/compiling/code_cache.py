"""On-disk cache of the machine code of kernels, one checksummed file per kernel.

Numba's cache raises on a full disk or a damaged file, and silently uses another directory if its own is read-only. This
cache warns once about such a directory and recompiles a damaged file.
"""

import hashlib
import os
import pickle
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from vitienv.core.files import atomic, versions, write_json

ROOT = "VITIENV_CACHE"  # environment variable: root directory
KERNEL = ".kernel"  # file suffix
ABOUT = "about.json"  # versions of the packages that compiled a directory
KIND = "kept code"
DIGEST = hashlib.sha256
# Lines without code. A test checks that no line of another string matches: strings must not end with a line of quotes.
TEXT = re.compile(rb'^( *)(?:#.*|"""(?s:.*?)""")?\n', re.M)

FOLDERS: set[Path] = set()  # directories of the kernels of this process
_warned: set[Path] = set()
silent = False  # True in worker processes


def root() -> Path:
    """Return the root directory: $VITIENV_CACHE, or `vitienv` in the user's cache directory."""
    path = os.environ.get(ROOT)
    if path:
        return Path(path).expanduser()
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(user_cache) / "vitienv"


def code_text(path: Path) -> bytes:
    """Return a source file, if in Python without docstrings, comment lines and empty lines."""
    return TEXT.sub(b"", path.read_bytes()) if path.suffix == ".py" else path.read_bytes()


def holds_kernels(folder: Path) -> bool:
    """Return whether a directory contains a kernel."""
    return any(folder.glob(f"*{KERNEL}"))


def print_line(line: str) -> None:
    """Print a line to stderr unless `silent`."""
    if sys.stderr is not None and not silent:
        sys.stderr.write(f"vitienv: {line}\n")
        sys.stderr.flush()


def can_write(folder: Path) -> bool:
    """Return whether a directory is writable; if not, warn once per process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as error:
        warn(folder, error)
        return False


def warn(folder: Path, error: OSError) -> None:
    """Warn once per process and root directory that code cannot be cached."""
    if folder.parent not in _warned:
        _warned.add(folder.parent)
        print_line(
            f"compiled code cannot be cached in {folder.parent} ({error.strerror or error}), so every process compiles "
            f"again; free disk space, allow writing, or set {ROOT} to a writable directory"
        )


class CodeCache:
    """Cache of a kernel with the interface that Numba's dispatchers expect.

    folder: directory whose name contains the hash of the kernel's sources. settings: further inputs of the key.
    """

    def __init__(self, function: Any, folder: Path, settings: str = "") -> None:
        FOLDERS.add(folder)
        self._function, self._folder, self._settings = function, folder, settings

    @property
    def cache_path(self) -> str:
        """Directory of the cache."""
        return str(self._folder)

    def is_cached(self) -> bool:
        """Return whether the cache contains the kernel for any argument types."""
        return any(self._folder.glob(f"{self._function.__name__}-*{KERNEL}"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the kernel for a signature; None if it must be compiled."""
        from numba.core.compiler import CompileResult

        target_context.refresh()
        file = self._file(sig, target_context)
        try:
            data = file.read_bytes()
            digest, code = data[: DIGEST().digest_size], data[DIGEST().digest_size :]
            if digest != _digest(file, code):
                raise ValueError("checksum mismatch")
            return CompileResult._rebuild(target_context, *pickle.loads(code))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except Exception as error:  # unpickling a damaged file can raise anything
            why = error.strerror if isinstance(error, OSError) else error
            print_line(f"{file} is damaged ({why or type(error).__name__}); recompiling it")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled kernel; warns if it cannot be written."""
        from numba.core.serialize import dumps

        if data.lifted or data.library.has_dynamic_globals:
            raise RuntimeError(f"{self._function.__name__} depends on a memory address and cannot be cached")
        code, file = dumps(data._reduce()), self._file(sig, data.target_context)
        try:
            with atomic(file) as temporary:
                temporary.write_bytes(_digest(file, code) + code)
            if not (self._folder / ABOUT).exists():
                write_json(self._folder / ABOUT, {"kind": KIND, "versions": versions()})
        except OSError as error:
            warn(self._folder, error)

    def flush(self) -> None:
        """Do nothing: files of other sources have other names."""

    def _file(self, sig: Any, target_context: Any) -> Path:
        source = self._function.__code__
        processor = target_context.codegen().magic_tuple()
        key = (self._function.__module__, self._function.__qualname__, str(sig), processor, self._settings)
        sha = DIGEST(repr(key).encode() + code_text(Path(source.co_filename)))
        return self._folder / f"{self._function.__name__}-{sha.hexdigest()[:16]}{KERNEL}"


def _digest(file: Path, code: bytes) -> bytes:
    # The name is included so that a renamed file is rejected.
    return DIGEST(file.name.encode() + code).digest()
