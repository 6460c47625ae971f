"""Progress of the first compilation: how many functions of the engine are ready."""

import gc
import threading
import time
from typing import TextIO


def _ready(package: str) -> tuple[int, int]:
    """How many of the package's compiled functions are ready, and how many there are."""
    from numba.core.registry import CPUDispatcher

    dispatchers = [x for x in gc.get_objects() if isinstance(x, CPUDispatcher)]
    functions = [x for x in dispatchers if x.py_func.__module__.startswith(package)]
    return sum(1 for f in functions if f.signatures), len(functions)


def show_compilation(stream: TextIO, package: str = "vitienv") -> None:
    """Show from a thread how far the compilation is, until every function is ready."""
    stream.write("vitienv: compiling the engine, once for this version (about a minute) …\n")
    stream.flush()

    def watch() -> None:
        start, last = time.monotonic(), ""
        while time.monotonic() - start < 600:
            time.sleep(2)
            ready, total = _ready(package)
            line = f"vitienv: {ready} of {total} functions, {time.monotonic() - start:.0f} s"
            if line.split(",")[0] != last:
                last = line.split(",")[0]
                stream.write(("\r" if stream.isatty() else "") + line + ("" if stream.isatty() else "\n"))
                stream.flush()
            if ready >= total - 1:
                break
        if stream.isatty():
            stream.write("\n")

    threading.Thread(target=watch, daemon=True).start()
