"""Rule functions and kernels, and the source of their machine code.

A rule function (`jit`) is a plain Python function that Numba compiles with the kernels that call it. A kernel
(`cache_on_disk`) is called from Python; its code is prebuilt (`core.compiling.prebuilt`), cached, or compiled by Numba.
Both are keyed by a hash of the sources of the game and the core.
"""

import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from vitienv.core.compiling import code_cache, prebuilt
from vitienv.core.compiling.arguments import KernelSource
from vitienv.core.compiling.progress import PROGRESS
from vitienv.core.compiling.static_checks import HAS_NUMBA, RULES, plain, skip_without_numba

CORE = Path(__file__).resolve().parents[1]
COMPILED = (CORE, CORE / "compiling")  # networks and search have separate hashes
# Files in them without compiled code; a test follows the imports.
UNCOMPILED = {CORE / f"{name}.py" for name in (
    "batch", "game_spec", "positions",
    "compiling/arguments", "compiling/jit", "compiling/code_cache", "compiling/prebuilt", "compiling/progress",
)}  # fmt: skip
KINDS = (".py", ".toml")
DISABLE = "NUMBA_DISABLE_JIT"
KERNELS: list[KernelSource] = []  # all kernels of this process


def jit(function: Any) -> Any:
    """Decorate a rule function, which only compiled code calls."""
    RULES[function] = None
    return function


def is_interpreted() -> bool:
    """Return whether kernels run as plain Python: with NUMBA_DISABLE_JIT=1 or in a browser."""
    return os.environ.get(DISABLE, "0") not in ("", "0") or sys.platform == "emscripten"


def has_code(folder: Path) -> bool:
    """Return whether kernels of a cache directory are prebuilt or cached."""
    return not is_interpreted() and (prebuilt.contains(folder) or code_cache.holds_kernels(folder))


def code_of(kernel: Any) -> str:
    """Return the source of a kernel's code: "prebuilt", "cached", "compiled", "interpreted" or "missing"."""
    if isinstance(kernel, FunctionType):
        return "interpreted"
    if isinstance(kernel, prebuilt.MissingKernel):
        return "missing"
    if not hasattr(kernel, "stats"):
        return "prebuilt"
    return "compiled" if kernel.stats.cache_misses or not kernel._cache.is_cached() else "cached"


def can_compile() -> bool:
    """Return whether Numba can compile kernels in this process."""
    return HAS_NUMBA and not is_interpreted()


def is_compiled(kernel: Any) -> bool:
    """Return whether a kernel runs as machine code."""
    return not isinstance(kernel, FunctionType)


SourceDir = tuple[Path, tuple[str, ...]]  # a source directory, and the paths in it without compiled code


def sources(home: Path, uncompiled: tuple[str, ...] = (), *base_sources: SourceDir) -> list[Path]:
    """Return the sources and data of a game's compiled code, in the core and the directory of the game.

    uncompiled: files and directories in home without compiled code. base_sources: source directories of the base game.
    """
    game_sources = [
        path
        for folder, excluded in ((home, uncompiled), *base_sources)
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS and not _is_excluded(path, folder, excluded)
    ]
    core_sources = [path for folder in COMPILED for path in sorted(folder.glob("*.py")) if path not in UNCOMPILED]
    return [*core_sources, *game_sources]  # the order determines the hash


def _is_excluded(path: Path, home: Path, uncompiled: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(home / name) for name in uncompiled)


@skip_without_numba
def check_sources(home: Path, uncompiled: tuple[str, ...]) -> None:
    """Raise ValueError if an uncompiled file contains a rule function, whose edits would not change the hash."""
    for rule in list(RULES):  # another thread may import a game
        path = Path(plain(rule).__code__.co_filename).resolve()
        if path.is_relative_to(home) and _is_excluded(path, home, uncompiled):
            raise ValueError(f"{path} contains rule functions and must not be excluded from the sources of the cache")


def source_hash(home: Path, uncompiled: tuple[str, ...] = (), *base_sources: SourceDir) -> str:
    """Return a hash of a game's sources, independent of directory, docstrings and comment lines."""
    sha = hashlib.sha256(home.name.encode())
    roots = [CORE, home, *(folder for folder, _ in base_sources)]
    for path in sources(home, uncompiled, *base_sources):
        index, root = next((index, root) for index, root in enumerate(roots) if path.is_relative_to(root))
        sha.update(f"{index}/{path.relative_to(root).as_posix()}".encode())
        sha.update(code_cache.code_text(path))
    return sha.hexdigest()[:16]


def cache_folder(home: Path, uncompiled: tuple[str, ...] = (), *base_sources: SourceDir) -> Path:
    """Return the directory of a game's compiled code."""
    return code_cache.root() / f"{home.name}-{source_hash(home, uncompiled, *base_sources)}"


def cache_on_disk(
    function: Callable,
    folder: Path,
    part: str,
    types: Mapping[Any, str] | None = None,
    records: Mapping[str, Any] | None = None,
) -> Any:
    """Return a kernel: prebuilt, or compiled by Numba at its first call and cached in `folder`.

    folder: directory whose name contains a hash of the kernel's sources; if it is not writable, every process compiles
    the kernel. part: name in the progress of compilation. types, records: see `core.compiling.arguments`; a kernel
    without types is not prebuilt.
    """
    source = KernelSource(function, folder, part, types, records or {})
    KERNELS.append(source)
    code_cache.FOLDERS.add(folder)
    if is_interpreted():
        return function
    kernel, refusal = prebuilt.find(source)
    if kernel is not None:
        return kernel
    if not HAS_NUMBA:
        return prebuilt.MissingKernel(function, refusal)
    return dispatcher(source)


def dispatcher(source: KernelSource) -> Any:
    """Return Numba's dispatcher of a kernel, with the code cache."""
    import vitienv.core.compiling.numba_extensions  # noqa: F401  registers extensions of Numba
    from vitienv.core.compiling.dispatchers import RULE_PIPELINE, kernel_dispatcher, settings

    kernel = kernel_dispatcher(source.function)
    kernel._cache = code_cache.CodeCache(source.function, source.folder, settings())
    PROGRESS.add(kernel, source.part, bool(RULE_PIPELINE), lambda: code_cache.can_write(source.folder))
    return kernel
