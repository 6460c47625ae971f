"""Rule functions and kernels, and where their machine code comes from.

A rule function (`jit`) is a plain Python function; Numba compiles it when a kernel that calls it is compiled. A kernel
(`kept`) is called from Python. Its code is prebuilt (`core.compiling.prebuilt`), or cached, or compiled by Numba. Both
caches are keyed by a hash of the game's sources and the core's, so outdated code never runs, and an edit in one game
compiles nothing of another.
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
from vitienv.core.compiling.progress import WATCH
from vitienv.core.compiling.static_checks import HAS_NUMBA, RULES, plain, where_compiled

CORE = Path(__file__).resolve().parents[1]
COMPILED = (CORE, CORE / "compiling")  # networks and search have hashes of their own
# Files of these that no compiled code is made of: a test follows the imports.
UNCOMPILED = {CORE / f"{name}.py" for name in (
    "batch", "game_spec", "positions",
    "compiling/arguments", "compiling/jit", "compiling/code_cache", "compiling/prebuilt", "compiling/progress",
)}  # fmt: skip
KINDS = (".py", ".toml")
DISABLE = "NUMBA_DISABLE_JIT"
KERNELS: list[KernelSource] = []  # every kernel of this process, for `core.targets.native`


def jit(function: Any) -> Any:
    """Register a rule function, which only compiled code calls."""
    RULES[function] = None
    return function


def is_interpreted() -> bool:
    """Whether kernels run as plain Python: NUMBA_DISABLE_JIT=1, or in a browser, which has no Numba."""
    return os.environ.get(DISABLE, "0") not in ("", "0") or sys.platform == "emscripten"


def has_code(folder: Path) -> bool:
    """Whether kernels of these sources are prebuilt or cached."""
    return not is_interpreted() and (prebuilt.contains(folder) or code_cache.holds_kernels(folder))


def code_of(kernel: Any) -> str:
    """Return where a kernel's code comes from: "prebuilt", "cached", "compiled", "interpreted" or "missing"."""
    if isinstance(kernel, FunctionType):
        return "interpreted"
    if isinstance(kernel, prebuilt.MissingKernel):
        return "missing"
    if not hasattr(kernel, "stats"):
        return "prebuilt"
    return "compiled" if kernel.stats.cache_misses or not kernel._cache.is_kept() else "cached"


def can_compile() -> bool:
    """Whether Numba can compile kernels in this process."""
    return HAS_NUMBA and not is_interpreted()


def is_compiled(kernel: Any) -> bool:
    """Whether a kernel runs as machine code."""
    return not isinstance(kernel, FunctionType)


Home = tuple[Path, tuple[str, ...]]  # a folder of sources, and what in it holds no compiled code


def sources(home: Path, apart: tuple[str, ...] = (), *others: Home) -> list[Path]:
    """The sources that the compiled code of a game may come from: the core's and those in the game's folder, with
    its data.

    apart: files and folders there in which nothing is compiled, by their paths. others: further folders, as of a game
    that this one varies, each with what is apart there.
    """
    own = [path for folder, left_out in ((home, apart), *others) for path in sorted(folder.rglob("*"))
           if path.suffix in KINDS and not _is_apart(path, folder, left_out)]  # fmt: skip
    core = [path for folder in COMPILED for path in sorted(folder.glob("*.py")) if path not in UNCOMPILED]
    return [*core, *own]  # in a fixed order: the hash reads one after the other


def _is_apart(path: Path, home: Path, apart: tuple[str, ...]) -> bool:
    """Whether a file, or a folder that it is in, is named."""
    return any(path.is_relative_to(home / name) for name in apart)


@where_compiled
def check_sources(home: Path, apart: tuple[str, ...]) -> None:
    """ValueError if a rule function stands in a file that is said to have none: its edits would go unnoticed."""
    for rule in RULES:
        path = Path(plain(rule).__code__.co_filename).resolve()
        if path.is_relative_to(home) and _is_apart(path, home, apart):
            raise ValueError(f"{path} has compiled code; it must not be left out of the sources of the cache")


def source_hash(home: Path, apart: tuple[str, ...] = (), *others: Home) -> str:
    """Return a hash of a game's sources.

    Files are named relative to their package, so all checkouts and installations with the same sources share the code.
    """
    sha = hashlib.sha256(home.name.encode())
    roots = [CORE, home, *(folder for folder, _ in others)]
    for path in sources(home, apart, *others):
        index, root = next((index, root) for index, root in enumerate(roots) if path.is_relative_to(root))
        sha.update(f"{index}/{path.relative_to(root).as_posix()}".encode())
        sha.update(path.read_bytes())
    return sha.hexdigest()[:16]


def cache_folder(home: Path, apart: tuple[str, ...] = (), *others: Home) -> Path:
    """The folder of a game's compiled code."""
    return code_cache.root() / f"{home.name}-{source_hash(home, apart, *others)}"


def cache_on_disk(
    function: Callable,
    folder: Path,
    part: str,
    types: Mapping[Any, str] | None = None,
    records: Mapping[str, Any] | None = None,
) -> Any:
    """Return a kernel: prebuilt, or compiled by Numba at its first call and cached in `folder`.

    folder: its name must contain a hash of the kernel's sources. A folder that cannot be written is not an error: the
    kernel is then compiled in every process. part: its name in the progress of compiling. types, records: see
    `core.compiling.arguments`; a kernel without types is not prebuilt.
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
    """Return Numba's dispatcher of a kernel, which loads its code from the cache or compiles it."""
    import vitienv.core.compiling.numba_extensions  # noqa: F401  registers extensions of Numba
    from vitienv.core.compiling.dispatchers import RULE_PIPELINE, kernel_dispatcher, settings

    kernel = kernel_dispatcher(source.function)
    kernel._cache = code_cache.CodeCache(source.function, source.folder, settings())
    WATCH.add(kernel, source.part, bool(RULE_PIPELINE), lambda: code_cache.can_keep(source.folder))
    return kernel
