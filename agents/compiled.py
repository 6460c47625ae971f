"""Where the compiled code of the bots is kept."""

import hashlib
import sys
from pathlib import Path

from vitienv.core.jit import cache_folder, interpreted, kept

HERE = Path(__file__).resolve().parent
# The sources of compiled code: what a strategy weighs is data, and another weight needs no new compilation.
SOURCES = ("view", "worth", "moves", "drawing", "cards", "placing", "openings", "choices", "rules")
SEARCH_SOURCES = ("search/tree",)


def folder_of_bots(label: str = "agents", sources: tuple[str, ...] = SOURCES) -> Path:
    """As `vitienv.core.jit.cache_folder`, but its name also has a hash of the bots' own sources.

    label, sources: of bots whose compiled code is kept apart; names of files in this folder, without their ending.
    """
    sha = hashlib.sha256()
    for name in sources:
        sha.update((HERE / f"{name}.py").read_bytes())
    engine = cache_folder()
    return engine.with_name(f"{engine.name}-{label}-{sha.hexdigest()[:12]}")


def cached(function):
    """Compile a kernel of a bot and keep its machine code on disk between processes."""
    return function if interpreted() else kept(function, folder_of_bots())


def cached_for_search(function):
    """Compile a kernel of the search; its sources may change without the rules of thumb being compiled again."""
    return function if interpreted() else kept(function, folder_of_bots("search", SEARCH_SOURCES))


def announce_compilation() -> None:
    """Say that the first call compiles; nothing when the code is there already."""
    if not interpreted() and not any(folder_of_bots().glob("**/*.nbi")):
        sys.stderr.write("vitienv: compiling the bots, once for this version (about half a minute) …\n")
        sys.stderr.flush()
