"""Where the compiled code of the bots is kept."""

import hashlib
from pathlib import Path

from vitienv.core.jit import interpreted, kept
from vitienv.viticulture.kernel import KERNELS

HERE = Path(__file__).resolve().parent
# Sources without compiled code: what a strategy weighs is data, and another weight needs no new compilation.
DATA = ("heuristic", "cellar", "visitors", "weights")


def folder_of_bots() -> Path:
    """The engine's folder, whose name has a hash of the bots' own sources too."""
    sha = hashlib.sha256()
    for path in sorted(HERE.glob("*.py")):
        if path.stem not in DATA:
            sha.update(path.name.encode())
            sha.update(path.read_bytes())
    return KERNELS.folder.with_name(f"{KERNELS.folder.name}-agents-{sha.hexdigest()[:12]}")


def cached(function):
    """Compile a kernel of a bot and keep its machine code on disk between processes."""
    return function if interpreted() else kept(function, folder_of_bots(), "the bots")
