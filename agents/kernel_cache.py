"""The compiler of a game's bots, which keeps their compiled code."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.core.compiling.jit import cache_on_disk
from vitienv.core.kernel import Kernels


def compiler(
    kernels: Kernels, here: Path, data: Collection[str] = (), *others: tuple[Path, Collection[str]]
) -> Callable:
    """A decorator that compiles a kernel of a bot and keeps its machine code on disk between processes.

    kernels: of the game. here: the folder of its bots. data: its sources without compiled code, by their names: another
    number there needs no new compilation. others: further folders that it depends on, with their data.

    The decorator takes the kernel, and its types and records as `core.compiling.arguments` describes them.
    """
    sha = hashlib.sha256()
    for own, apart in ((here, data), *others):
        for path in sorted(own.glob("*.py")):
            if path.stem not in apart:
                sha.update(path.name.encode())
                sha.update(path.read_bytes())
    folder = kernels.folder.with_name(f"{kernels.folder.name}-agents-{sha.hexdigest()[:12]}")

    def cached(function: Callable, types: Mapping[Any, str], records: Mapping[str, np.dtype]) -> Any:
        return cache_on_disk(function, folder, "the bots", types, records)

    return cached
