"""The one decorator of all rule functions, and where the compiled code is kept.

Numba's own cache sees edits only in the file of the compiled function itself. The cache folder of a game is keyed by a
hash of its sources, the core's, and the versions involved, so old code can never run, and an edit in one game compiles
nothing of another.
"""

import hashlib
import os
import platform
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.core.compiling import kept_code
from vitienv.core.compiling.mentions import HAS_NUMBA, plain, where_compiled
from vitienv.core.compiling.progress import WATCH

if HAS_NUMBA:
    import numba

    import vitienv.core.compiling.taught  # noqa: F401  what Numba learns by being imported with it
else:
    numba = None  # type: ignore[assignment]  # rules are interpreted

CORE = Path(__file__).resolve().parents[1]
COMPILED = (CORE, CORE / "compiling")  # networks and search have hashes of their own
# Files of these that no compiled code is made of: a test follows the imports.
UNCOMPILED = {CORE / name for name in ("batch.py", "definition.py", "positions.py")}
KINDS = (".py", ".toml")
# Numba's variables that do not change compiled code.
NO_MATTER = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS")
PLAIN = "VITIENV_PLAIN_NUMBA"  # set to 1, it asks for Numba's own pipeline


def _tell_of(missing: Exception) -> None:
    """Warn that a name of Numba's, which its makers may change without notice, is not there."""
    told = f"Numba {numba.__version__} lacks an inner point, so the first compilation takes longer: {missing}"
    warnings.warn(told, RuntimeWarning, stacklevel=2)


def _pipelines() -> tuple[dict[str, Any], dict[str, Any]]:
    """The options that choose our pipelines, for kernels and for rule functions; none for Numba's own pipeline."""
    if numba is None or os.environ.get(PLAIN) == "1":
        return {}, {}
    try:
        from vitienv.core.compiling.link import KernelPipeline, RulePipeline
    except (ImportError, AttributeError) as missing:
        _tell_of(missing)
        return {}, {}
    return {"pipeline_class": KernelPipeline}, {"pipeline_class": RulePipeline}


KERNEL_PIPELINE, RULE_PIPELINE = _pipelines()
COMMON: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
OUTER: dict[str, Any] = COMMON | KERNEL_PIPELINE
INNER: dict[str, Any] = COMMON | {"_nrt": False, "no_cpython_wrapper": True} | RULE_PIPELINE
RULES: list = []  # every rule function, for the checks of their sources
_is_told = False  # that arguments cannot be widened; once is enough


def jit(function):
    """Compile a rule function, to be called from other compiled functions only.

    Numba would compile it once more for every width of integer and every constant that it is called with
    (three times as many functions, five times the compilation); here all whole numbers are passed as int64.
    """
    if interpreted():
        RULES.append(function)
        return function
    dispatcher = numba.njit(**INNER)(function)
    _widen(dispatcher)
    RULES.append(dispatcher)
    return dispatcher


def _widen(dispatcher) -> None:
    """Let a function be compiled for the widened kinds of its arguments alone, where Numba lets us say so."""
    global _is_told
    try:
        fold = dispatcher._compiler.fold_argument_types
    except AttributeError as missing:
        if not _is_told:
            _tell_of(missing)
        _is_told = True
        return

    def fold_widened(args, kws):
        pysig, folded = fold(args, kws)
        return pysig, tuple(_widened(kind) for kind in folded)

    dispatcher._compiler.fold_argument_types = fold_widened


def _widened(kind: Any) -> Any:
    """int64 for whole numbers and constants of any width, boolean for constant truth values."""
    kind = numba.types.unliteral(kind)
    return numba.types.int64 if isinstance(kind, numba.types.Integer) else kind


def interpreted() -> bool:
    """Whether rules run as plain Python: NUMBA_DISABLE_JIT=1, or there is no Numba."""
    return numba is None or bool(numba.config.DISABLE_JIT)


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
    """Return a hash of a game's sources and of everything else that determines its compiled code.

    Files are named relative to their package, so all checkouts and installations with the same sources share the code.
    """
    sha = hashlib.sha256()
    roots = [CORE, home, *(folder for folder, _ in others)]
    for path in sources(home, apart, *others):
        index, root = next((index, root) for index, root in enumerate(roots) if path.is_relative_to(root))
        sha.update(f"{index}/{path.relative_to(root).as_posix()}".encode())
        sha.update(path.read_bytes())
    versions = [sys.version, getattr(numba, "__version__", ""), np.__version__]
    settings = [*versions, platform.machine(), home.name]
    settings.append("linked" if RULE_PIPELINE else "plain")
    numba_settings = [name for name in sorted(os.environ) if name.startswith("NUMBA_") and name not in NO_MATTER]
    settings += [f"{name}={os.environ[name]}" for name in numba_settings]
    sha.update("\n".join(settings).encode())
    return sha.hexdigest()[:16]


def cache_folder(home: Path, apart: tuple[str, ...] = (), *others: Home) -> Path:
    """The folder of a game's compiled code."""
    return kept_code.root() / f"{home.name}-{source_hash(home, apart, *others)}"


def kept(function, folder: Path, part: str):
    """Compile a kernel and keep its machine code in `folder`, whose name must tell its sources and versions.

    A folder that cannot be written is not an error: the kernel is then compiled in every process. part: what it is
    part of, in a few words for those who wait for it.
    """
    if interpreted():
        return function
    kernel = numba.njit(**OUTER)(function)
    kernel._cache = kept_code.KeptCode(function, folder)
    WATCH.add(kernel, part, bool(RULE_PIPELINE), lambda: kept_code.can_keep(folder))
    return kernel
