"""Machine code of kernels kept on disk: a file for each, checked before it is used.

Numba's own cache raises on a full disk and on a damaged file, and keeps code elsewhere in silence, beside the sources,
when its folder cannot be written. Here such a folder costs one warning, and such a file is made anew.
"""

import hashlib
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any

from vitienv.core.files import atomic, versions, write_json

ROOT = "VITIENV_CACHE"  # names the folder of all kept code
KERNEL = ".kernel"  # the ending of a kernel's file
ABOUT = "about.json"  # in each folder: what made it
KIND = "kept code"
DIGEST = hashlib.sha256

FOLDERS: set[Path] = set()  # of the kernels of this process
_warned: set[Path] = set()
silent = False  # in a process that works for another one, which has told of all this


def root() -> Path:
    """The folder of compiled code: $VITIENV_CACHE, or `vitienv` in the user's cache folder."""
    given = os.environ.get(ROOT)
    if given:
        return Path(given).expanduser()
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(user_cache) / "vitienv"


def holds_kernels(folder: Path) -> bool:
    """Whether any kernel is kept in a folder."""
    return any(folder.glob(f"*{KERNEL}"))


def tell(line: str) -> None:
    """Say something on stderr."""
    if sys.stderr is not None and not silent:
        sys.stderr.write(f"vitienv: {line}\n")
        sys.stderr.flush()


def can_keep(folder: Path) -> bool:
    """Whether a folder can be written. If not, a line says so, once a process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as error:
        warn(folder, error)
        return False


def warn(folder: Path, error: OSError) -> None:
    """Say, once a process for all of its folders, that code is not kept, and what to do."""
    if folder.parent not in _warned:
        _warned.add(folder.parent)
        tell(
            f"compiled code cannot be kept in {folder.parent} ({error.strerror or error}), so every process compiles "
            f"it anew; make room and let it be written, or set {ROOT} to a folder that can be"
        )


class CodeCache:
    """The kept code of one kernel, as Numba's dispatchers ask for it.

    folder: its name must tell the sources that the code depends on, but for the kernel's own file. settings: whatever
    else it depends on.
    """

    def __init__(self, function: Any, folder: Path, settings: str = "") -> None:
        FOLDERS.add(folder)
        self._function, self._folder, self._settings = function, folder, settings

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def is_kept(self) -> bool:
        """Whether code of the kernel is kept, for whatever arguments."""
        return any(self._folder.glob(f"{self._function.__name__}-*{KERNEL}"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for arguments of these types; None if it must be compiled."""
        from numba.core.compiler import CompileResult

        target_context.refresh()
        file = self._file(sig, target_context)
        try:
            data = file.read_bytes()
            digest, code = data[: DIGEST().digest_size], data[DIGEST().digest_size :]
            if digest != _digest(file, code):
                raise ValueError("its digest is another one")
            return CompileResult._rebuild(target_context, *pickle.loads(code))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except Exception as error:  # whatever a damaged file makes the unpickling raise
            why = error.strerror if isinstance(error, OSError) else error
            tell(f"{file} is damaged ({why or type(error).__name__}); it is compiled anew")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel that was compiled. Nothing is raised if that fails."""
        from numba.core.serialize import dumps

        if data.lifted or data.library.has_dynamic_globals:
            raise RuntimeError(f"{self._function.__name__} depends on an address in memory, so it cannot be kept")
        code, file = dumps(data._reduce()), self._file(sig, data.target_context)
        try:
            with atomic(file) as temporary:
                temporary.write_bytes(_digest(file, code) + code)
            if not (self._folder / ABOUT).exists():
                write_json(self._folder / ABOUT, {"kind": KIND, "versions": versions()})
        except OSError as error:
            warn(self._folder, error)

    def flush(self) -> None:
        """Nothing is dropped: another source has another file."""

    def _file(self, sig: Any, target_context: Any) -> Path:
        """One for each kernel, its source, the types of its arguments, the processor, and the settings."""
        source = self._function.__code__
        processor = target_context.codegen().magic_tuple()
        key = (self._function.__module__, source.co_firstlineno, str(sig), processor, self._settings)
        sha = DIGEST(repr(key).encode() + Path(source.co_filename).read_bytes())
        return self._folder / f"{self._function.__name__}-{sha.hexdigest()[:16]}{KERNEL}"


def _digest(file: Path, code: bytes) -> bytes:
    """The digest of a file's code and name, so that one file in another's place is noticed."""
    return DIGEST(file.name.encode() + code).digest()
