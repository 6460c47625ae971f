"""Compilation of the kernels of bots with a cache on disk."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.core.compiling.code_cache import code_text
from vitienv.core.compiling.jit import cache_on_disk
from vitienv.core.kernel import Kernels


def compiler(
    kernels: Kernels, directory: Path, data: Collection[str] = (), *dependencies: tuple[Path, Collection[str]]
) -> Callable:
    """Return a decorator that compiles a kernel of a bot and caches its machine code on disk.

    kernels: of the game. directory: source of its bots. data: modules without compiled code, whose changes need no
    compilation. dependencies: further source directories with their data.

    The decorator takes the kernel, and its types and records, see `core.compiling.arguments`.
    """
    sha = hashlib.sha256()
    for source_directory, excluded in ((directory, data), *dependencies):
        for path in sorted(source_directory.glob("*.py")):
            if path.stem not in excluded:
                sha.update(path.name.encode())
                sha.update(code_text(path))
    folder = kernels.folder.with_name(f"{kernels.folder.name}-agents-{sha.hexdigest()[:12]}")

    def cached(function: Callable, types: Mapping[Any, str], records: Mapping[str, np.dtype]) -> Any:
        return cache_on_disk(function, folder, "the bots", types, records)

    return cached
