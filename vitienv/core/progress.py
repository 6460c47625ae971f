"""What is told of a compilation: that it has begun, how far it is, and how long it took."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from numba.core import event as events

from vitienv.core.kept_code import tell
from vitienv.core.mentions import rules_below

SHORT = 1.0  # seconds; what takes no longer is not told of
# Seconds between two reports, on a terminal, which has one line for them, and elsewhere.
BETWEEN_ON_TERMINAL, BETWEEN = 1.0, 10.0
COMPILATION = "numba:compile"


class Watch(events.Listener):
    """Tells of the compilation of kernels that take their time."""

    def __init__(self) -> None:
        self._kernels: dict[Any, tuple[str, bool, Callable[[], bool]]] = {}
        self._now: Any = None
        self._under_way: _Compilation | None = None

    def add(self, kernel: Any, part: str, is_linked: bool, is_kept: Callable[[], bool]) -> None:
        """Tell of a kernel as `part`. is_linked: whether our own pipeline compiles it. is_kept: whether the code will
        be kept."""
        self._kernels[kernel] = part, is_linked, is_kept

    def on_start(self, event: events.Event) -> None:
        """A kernel, or a rule function below it, is about to be compiled."""
        kernel = event.data["dispatcher"]
        if self._now is None and kernel in self._kernels:
            self._now = kernel
            part, is_linked, is_kept = self._kernels[kernel]
            todo = [rule for rule in rules_below(kernel) if not rule.signatures]
            how_often = "once for this version" if is_kept() else "for this process alone"
            count = f"{len(todo)} functions, " if todo else ""
            first = f"compiling {part}, {how_often}: {count}{length(len(todo), is_linked)} …"
            self._under_way = _Compilation(part, todo)
            threading.Thread(target=_report, args=(first, self._under_way), daemon=True).start()

    def on_end(self, event: events.Event) -> None:
        """It is compiled, or the compilation failed."""
        if event.data["dispatcher"] is self._now:
            assert self._under_way is not None
            self._under_way.done.set()
            self._now = self._under_way = None

    def share(self) -> float | None:
        """How much of it is done, 0 to 1; None where that cannot be said: there is none, or what is left is not counted
        in functions."""
        now = self._under_way
        ready = 0 if now is None else now.ready()
        return ready / len(now.todo) if now is not None and ready < len(now.todo) else None

    def told(self) -> str:
        """How far the compilation is that is under way; empty if there is none that takes its time."""
        now = self._under_way
        return f"compiling {now.part}, {now.reached()}" if now is not None and now.seconds >= SHORT else ""


class _Compilation:
    """A kernel that is being compiled, as `part`. todo: the rule functions that it needs."""

    def __init__(self, part: str, todo: Sequence[Any]) -> None:
        self.part, self.todo, self.done = part, todo, threading.Event()
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def ready(self) -> int:
        """How many of the functions are compiled."""
        return sum(1 for rule in self.todo if rule.signatures)

    def reached(self) -> str:
        """How far it is. What is left when all functions are there, or is all there is, has no count."""
        ready, of = self.ready(), len(self.todo)
        return (f"{ready} of {of} functions, " if ready < of else "putting them together, ") + f"{self.seconds:.0f} s"


def length(functions: int, is_linked: bool) -> str:
    """How long that many rule functions take to compile on an idle core, as well as it can be foretold.

    Measured: 445 of the engine 34 s, 129 of the bots 15 s; by Numba's own pipeline 127 s and 125 s.
    """
    if functions < 60:
        return "some seconds"
    if not is_linked:
        return "some minutes"
    return "about half a minute" if functions < 300 else "about a minute"


def _report(first: str, now: _Compilation) -> None:
    """Tell how far a compilation is, until it is done."""
    if now.done.wait(SHORT):
        return
    tell(first)
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    while not now.done.wait(BETWEEN_ON_TERMINAL if is_terminal else BETWEEN):
        if is_terminal:
            sys.stderr.write(f"\rvitienv: {now.reached()}")
            sys.stderr.flush()
        else:
            tell(now.reached())
    if is_terminal:
        sys.stderr.write("\r\x1b[K")
    tell(f"{now.part}: compiled in {now.seconds:.0f} s")


WATCH = Watch()
events.register(COMPILATION, WATCH)
