"""Where the compiled code of the bots is kept."""

import hashlib
from pathlib import Path

from vitienv.core.jit import cache_folder, interpreted, kept

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
    return kept(function, engine.with_name(f"{engine.name}-agents-{sha.hexdigest()[:12]}"))
