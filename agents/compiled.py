"""Where the compiled code of the bots is kept."""

import hashlib
from pathlib import Path

import numba

from vitienv.core.jit import OUTER, cache_folder, interpreted

HERE = Path(__file__).resolve().parent


def cached(function):
    """Compile a kernel of a bot and keep its machine code on disk between processes.

    As `vitienv.core.jit.cached`, but the folder's name also has a hash of the bots' own sources.
    """
    if interpreted():
        return function
    sha = hashlib.sha256()
    for path in sorted(HERE.rglob("*.py")):
        sha.update(path.relative_to(HERE).as_posix().encode())
        sha.update(path.read_bytes())
    engine = cache_folder()
    folder = engine.with_name(f"{engine.name}-agents-{sha.hexdigest()[:12]}")
    before = numba.config.CACHE_DIR
    try:
        folder.mkdir(parents=True, exist_ok=True)
        numba.config.CACHE_DIR = str(folder)
        return numba.njit(**OUTER, cache=True)(function)
    except (OSError, RuntimeError):
        return numba.njit(**OUTER)(function)
    finally:
        numba.config.CACHE_DIR = before
