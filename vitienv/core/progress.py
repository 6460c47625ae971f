"""Progress of the first compilation: how many functions of the engine are ready."""

import threading
import time
from typing import TextIO

from vitienv.core.jit import RULES

PATIENCE = 600


def show_compilation(stream: TextIO) -> None:
    """Show from a thread how far the compilation is, until every rule function is lowered."""
    stream.write("vitienv: compiling the engine, once for this version (about a minute) …\n")
    stream.flush()

    def watch() -> None:
        start, last = time.monotonic(), -1
        ready = 0
        while ready < len(RULES) and time.monotonic() - start < PATIENCE:
            time.sleep(2)
            ready = sum(1 for rule in RULES if rule.signatures)
            if ready != last:
                last = ready
                line = f"vitienv: {ready} of {len(RULES)} functions, {time.monotonic() - start:.0f} s"
                stream.write(f"\r{line}" if stream.isatty() else f"{line}\n")
                stream.flush()
        if stream.isatty():
            stream.write("\n")

    threading.Thread(target=watch, daemon=True).start()
