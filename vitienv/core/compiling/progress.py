"""The lines and bars about a compilation: its beginning, its progress, and the time that it took."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from vitienv.core.compiling import code_cache
from vitienv.core.compiling.code_cache import tell
from vitienv.core.compiling.static_checks import rules_below

SHORT = 1.0  # seconds; what takes no longer is not told of
# Seconds between two reports, on a terminal, which has one line for them, and elsewhere.
BETWEEN_ON_TERMINAL, BETWEEN = 1.0, 10.0
# Putting a kernel together with its rule functions takes as long as compiling this share of them.
TOGETHER = 0.4
A_FUNCTION = 0.09  # seconds of an idle core, about; docs/speed.md has measured times
WIDTH = 20  # of the bar


class Watch:
    """Tells of the compilation of kernels that take their time."""

    def __init__(self) -> None:
        self._kernels: dict[Any, tuple[str, bool, Callable[[], bool]]] = {}
        self._now: Any = None
        self._expected: tuple[Any, ...] | None = None
        self._under_way: _Compilation | None = None
        self.is_shown = False

    def add(self, kernel: Any, part: str, is_linked: bool, can_keep: Callable[[], bool]) -> None:
        """Tell of a kernel as `part`. is_linked: whether our own pipeline compiles it. can_keep: whether the code will
        be kept."""
        self._kernels[kernel] = part, is_linked, can_keep

    @contextmanager
    def together(self, kernels: Iterable[Any]) -> Iterator[None]:
        """Tell of all that is compiled meanwhile as of one compilation. kernels: those that will be needed.

        Inside of another such block the kernels are added to that one's.
        """
        is_int = self._expected is None
        self._expected = (*(self._expected or ()), *kernels)
        self._expect()
        try:
            yield
        finally:
            if is_int:
                self._expected = None
                self._end()

    def _expect(self) -> None:
        """Count what is expected and neither ready nor kept."""
        if self._under_way is None:
            return
        for kernel in self._expected or ():
            if kernel in self._kernels and not (kernel.signatures or kernel._cache.is_kept()):
                self._under_way.add(self._kernels[kernel][0], kernel)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Write nothing while somebody else shows the words of `told`."""
        self.is_shown = True
        try:
            yield
        finally:
            self.is_shown = False

    def on_start(self, event: Any) -> None:
        """A kernel, or a rule function below it, is about to be compiled."""
        kernel = event.data["dispatcher"]
        if self._now is not None or kernel not in self._kernels:
            return
        self._now = kernel
        part, is_linked, can_keep = self._kernels[kernel]
        if self._under_way is not None:
            self._under_way.add(part, kernel)
            return
        self._under_way = _Compilation(is_linked)
        self._under_way.add(part, kernel)
        self._expect()
        how_often = "once for this version" if can_keep() else "for this process alone"
        first = f"compiling {self._under_way.parts}, {how_often}, {self._under_way.length} …"
        threading.Thread(target=_report, args=(first, self._under_way), daemon=True).start()

    def on_end(self, event: Any) -> None:
        """It is compiled, or the compilation failed."""
        if self._now is None or event.data["dispatcher"] is not self._now:
            return
        if self._under_way is not None:
            self._under_way.finish(self._now)
        self._now = None
        if self._expected is None:
            self._end()

    def _end(self) -> None:
        if self._under_way is not None:
            self._under_way.done.set()
            self._under_way = None

    def share(self) -> float | None:
        """How much of it is done, 0 to 1; None where nothing is compiled."""
        now = self._under_way
        return None if now is None else now.share

    def told(self) -> str:
        """How far the compilation is that is under way; empty if there is none that takes its time."""
        now = self._under_way
        return f"compiling {now.parts}, {now.reached()}" if now is not None and now.seconds >= SHORT else ""


class _Compilation:
    """Kernels that are compiled one after the other. is_linked: see `Watch.add`."""

    def __init__(self, is_linked: bool = True) -> None:
        self.done = threading.Event()
        self._is_linked, self._start = is_linked, time.monotonic()
        self._parts: list[str] = []
        self._todo: dict[Any, None] = {}  # the rule functions that are needed
        self._sizes: dict[Any, int] = {}  # of the kernels, in rule functions
        self._finished: set[Any] = set()

    def add(self, part: str, kernel: Any) -> None:
        """A kernel, as `part`, that is compiled too."""
        if kernel in self._sizes:
            return
        below = dispatchers_below(kernel)
        self._todo = self._todo | {rule: None for rule in below if not rule.signatures}  # another thread may read it
        self._sizes[kernel] = 1 + len(below)
        if part not in self._parts:
            self._parts.append(part)

    def finish(self, kernel: Any) -> None:
        """It is compiled."""
        self._finished.add(kernel)

    @property
    def parts(self) -> str:
        """What is compiled: the engine, the bots and the search."""
        return " and ".join([", ".join(self._parts[:-1]), self._parts[-1]] if len(self._parts) > 1 else self._parts)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    @property
    def length(self) -> str:
        """How long it takes on an idle core, as well as it can be foretold."""
        return length(self._work(self._todo, self._sizes) * A_FUNCTION, self._is_linked)

    @property
    def share(self) -> float:
        """How much of the work is done, 0 to 1."""
        ready = [rule for rule in self._todo if rule.signatures]
        return self._work(ready, list(self._finished)) / self._work(self._todo, self._sizes)

    def _work(self, rules: Iterable[Any], kernels: Iterable[Any]) -> float:
        """What compiling some functions and putting some kernels together takes, in functions."""
        return len(list(rules)) + TOGETHER * sum(self._sizes[kernel] for kernel in kernels)

    def reached(self) -> str:
        """How far it is."""
        return f"{int(100 * self.share)} %, {self.seconds:.0f} s"

    def bar(self) -> str:
        """The same with a bar."""
        full = int(WIDTH * self.share)
        return f"[{'#' * full}{'-' * (WIDTH - full)}] {self.reached()}"


def dispatchers_below(kernel: Any) -> list[Any]:
    """Return the dispatchers of the rule functions that a kernel calls, directly or not."""
    from vitienv.core.compiling.dispatchers import dispatcher_of

    return [dispatcher_of(rule) for rule in rules_below(kernel)]


def length(seconds: float, is_linked: bool) -> str:
    """How long a compilation takes, in words. is_linked: else Numba's own pipeline takes several times as long."""
    if not is_linked:
        return "some seconds" if seconds < 5 else "some minutes"
    if seconds < 15:
        return "some seconds"
    if seconds < 45:
        return "about half a minute"
    minutes = round(seconds / 60)
    return "about a minute" if minutes == 1 else f"about {minutes} minutes"


def _report(first: str, now: _Compilation) -> None:
    """Tell how far a compilation is, until it is done."""
    if now.done.wait(SHORT) or code_cache.silent or WATCH.is_shown:
        return
    tell(first)
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    while not now.done.wait(BETWEEN_ON_TERMINAL if is_terminal else BETWEEN):
        if is_terminal:
            sys.stderr.write(f"\rvitienv: {now.bar()}")
            sys.stderr.flush()
        else:
            tell(now.reached())
    if is_terminal:
        sys.stderr.write("\r\x1b[K")
    tell(f"{now.parts}: compiled in {now.seconds:.0f} s")


WATCH = Watch()
