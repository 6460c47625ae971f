"""Progress of compilations on stderr."""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from vitienv.core.compiling import code_cache
from vitienv.core.compiling.code_cache import print_line
from vitienv.core.compiling.static_checks import rules_below

SHORT = 1.0  # seconds; shorter compilations are not reported
# Seconds between reports, on a terminal, where they are overwritten, and elsewhere.
BETWEEN_ON_TERMINAL, BETWEEN = 1.0, 10.0
# Linking and optimising a kernel takes as long as compiling this fraction of its rule functions.
TOGETHER = 0.4
SECONDS_PER_FUNCTION = 0.09  # approximate, for an idle core; measurements are in docs/speed.md
WIDTH = 20  # characters of the bar


class CompilationProgress:
    """Reporter of the compilation of registered kernels."""

    def __init__(self) -> None:
        self._kernels: dict[Any, tuple[str, bool, Callable[[], bool]]] = {}
        self._now: Any = None
        self._expected: tuple[Any, ...] | None = None
        self._under_way: _Compilation | None = None
        self.is_shown = False

    def add(self, kernel: Any, part: str, is_linked: bool, can_write: Callable[[], bool]) -> None:
        """Register a kernel as `part`.

        is_linked: whether the pipelines of `link.py` compile it. can_write: whether its cache is writable.
        """
        self._kernels[kernel] = part, is_linked, can_write

    @contextmanager
    def group(self, kernels: Iterable[Any]) -> Iterator[None]:
        """Report all compilations in the context as one. kernels: kernels that will be called.

        A nested context adds its kernels to the outer one.
        """
        is_outermost = self._expected is None
        self._expected = (*(self._expected or ()), *kernels)
        self._expect()
        try:
            yield
        finally:
            if is_outermost:
                self._expected = None
                self._end()

    def _expect(self) -> None:
        if self._under_way is None:
            return
        for kernel in self._expected or ():
            if kernel in self._kernels and not (kernel.signatures or kernel._cache.is_cached()):
                self._under_way.add(self._kernels[kernel][0], kernel)

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Suppress the output in the context, for a caller that shows `status`."""
        self.is_shown = True
        try:
            yield
        finally:
            self.is_shown = False

    def on_start(self, event: Any) -> None:
        """Handle the start of a compilation, of a kernel or one of its rule functions."""
        kernel = event.data["dispatcher"]
        if self._now is not None or kernel not in self._kernels:
            return
        self._now = kernel
        part, is_linked, can_write = self._kernels[kernel]
        if self._under_way is not None:
            self._under_way.add(part, kernel)
            return
        compilation = _Compilation(is_linked)
        compilation.add(part, kernel)
        self._under_way = compilation  # with a kernel, as another thread may ask for its progress
        self._expect()
        frequency = "once for this version" if can_write() else "for this process only"
        headline = f"compiling {compilation.parts}, {frequency}, {compilation.length} …"
        threading.Thread(target=_report, args=(headline, compilation), daemon=True).start()

    def on_end(self, event: Any) -> None:
        """Handle the end of a compilation, successful or not."""
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
        """Return the completed fraction, 0 to 1; None without a compilation."""
        compilation = self._under_way
        return None if compilation is None else compilation.share

    def status(self) -> str:
        """Return the progress of the current compilation as text; empty without one or if it is short."""
        compilation = self._under_way
        return (
            f"compiling {compilation.parts}, {compilation.summary()}"
            if compilation is not None and compilation.seconds >= SHORT
            else ""
        )


class _Compilation:
    """Consecutive compilation of kernels. is_linked: see `CompilationProgress.add`."""

    def __init__(self, is_linked: bool = True) -> None:
        self.done = threading.Event()
        self._is_linked, self._start = is_linked, time.monotonic()
        self._parts: list[str] = []
        self._todo: dict[Any, None] = {}  # rule functions to compile
        self._sizes: dict[Any, int] = {}  # number of functions of each kernel
        self._finished: set[Any] = set()

    def add(self, part: str, kernel: Any) -> None:
        if kernel in self._sizes:
            return
        rules = dispatchers_below(kernel)
        # Not updated in place, as another thread may iterate over them.
        self._todo = self._todo | {rule: None for rule in rules if not rule.signatures}
        self._sizes = self._sizes | {kernel: 1 + len(rules)}
        if part not in self._parts:
            self._parts.append(part)

    def finish(self, kernel: Any) -> None:
        self._finished = self._finished | {kernel}

    @property
    def parts(self) -> str:
        return " and ".join([", ".join(self._parts[:-1]), self._parts[-1]] if len(self._parts) > 1 else self._parts)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    @property
    def length(self) -> str:
        """Estimated duration on an idle core, as text."""
        return length(self._work(self._todo, self._sizes) * SECONDS_PER_FUNCTION, self._is_linked)

    @property
    def share(self) -> float:
        ready = [rule for rule in self._todo if rule.signatures]
        return self._work(ready, list(self._finished)) / self._work(self._todo, self._sizes)

    def _work(self, rules: Iterable[Any], kernels: Iterable[Any]) -> float:
        """Return the work of compiling rules and linking kernels, in functions."""
        return len(list(rules)) + TOGETHER * sum(self._sizes[kernel] for kernel in kernels)

    def summary(self) -> str:
        return f"{int(100 * self.share)} %, {self.seconds:.0f} s"

    def bar(self) -> str:
        full = int(WIDTH * self.share)
        return f"[{'#' * full}{'-' * (WIDTH - full)}] {self.summary()}"


def dispatchers_below(kernel: Any) -> list[Any]:
    """Return the dispatchers of the rule functions that a kernel calls, directly or not."""
    from vitienv.core.compiling.dispatchers import dispatcher_of

    return [dispatcher_of(rule) for rule in rules_below(kernel)]


def length(seconds: float, is_linked: bool) -> str:
    """Return a duration as text. is_linked: False if Numba's slower default pipeline compiles."""
    if not is_linked:
        return "some seconds" if seconds < 5 else "some minutes"
    if seconds < 15:
        return "some seconds"
    if seconds < 45:
        return "about half a minute"
    minutes = round(seconds / 60)
    return "about a minute" if minutes == 1 else f"about {minutes} minutes"


def _report(headline: str, compilation: _Compilation) -> None:
    if compilation.done.wait(SHORT) or code_cache.silent or PROGRESS.is_shown:
        return
    print_line(headline)
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    while not compilation.done.wait(BETWEEN_ON_TERMINAL if is_terminal else BETWEEN):
        if is_terminal:
            sys.stderr.write(f"\rvitienv: {compilation.bar()}")
            sys.stderr.flush()
        else:
            print_line(compilation.summary())
    if is_terminal:
        sys.stderr.write("\r\x1b[K")
    print_line(f"{compilation.parts}: compiled in {compilation.seconds:.0f} s")


PROGRESS = CompilationProgress()
