"""An application that does what takes long in threads, tells of it meanwhile, and can be left at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import App


class Background(App[bool]):
    """busy: what is done and since when, None while the person is asked. error: why the application stopped, if it did.

    `ask` shows the question, `tick` how long it takes already: a subclass says how.
    """

    def __init__(self) -> None:
        super().__init__()
        self.error: BaseException | None = None
        self.has_left = False
        self.lock = threading.Lock()  # while a move is made
        self.busy: tuple[str, float] | None = ("", time.monotonic())
        self._progress = ""

    def ask(self, is_same: bool = False) -> None:
        raise NotImplementedError

    def tick(self) -> None:
        raise NotImplementedError

    def on_mount(self) -> None:
        self.begin_capture_print(self, stdout=False)  # what a compilation tells of itself
        self.set_interval(0.5, self.tick)

    def on_print(self, event: events.Print) -> None:
        told = [part.strip() for part in event.text.replace("\r", "\n").splitlines() if part.strip()]
        if told:
            self._progress = told[-1].removeprefix("vitienv: ").replace("\x1b[K", "")
            self.tick()

    def waiting(self, progress: str) -> str:
        """What is done, how long already, and how far it is: as it tells itself, or this."""
        assert self.busy is not None
        what, since = self.busy
        seconds = time.monotonic() - since
        told, progress = f" {seconds:.0f} s" if seconds >= 1 else "", self._progress or progress
        return f"{what} …{told}" + (f" ({progress})" if progress else "")

    def wait(self, what: str, does: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Do something long in a thread, then something short here. An error ends the application, which tells it."""
        self.busy = what, time.monotonic()

        def run() -> None:
            try:
                result = does()
            except BaseException as error:
                self.error = error
                self.call(lambda: self.end(False))
            else:
                self.call(lambda: then(result))

        # A thread of our own: at the end nobody waits for a bot that still thinks.
        threading.Thread(target=run, daemon=True).start()
        self.ask()

    def go_on(self, is_same: bool = False) -> None:
        """Ask again: what took long is done."""
        self.busy, self._progress = None, ""
        self.ask(is_same)

    def call(self, does: Callable[[], None]) -> None:
        """Do something in the application's thread, unless the person has left meanwhile."""
        if not self.has_left and self.is_running:
            self.call_later(does)

    def end(self, is_over: bool) -> None:
        """Leave, with no move half made."""
        with self.lock:
            self.has_left = True
        self.exit(is_over)
