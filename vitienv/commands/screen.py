"""What all commands share: options, tables and progress on the screen, and JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

JSON = typer.Option(False, "--json", help="Print the result as JSON.")
SEED = typer.Option(0, "--seed", min=0, help="The same seed gives the same games.")
LEAST_WIDTH = 170  # of tables in a file or pipe, which has no width of its own


def console(stderr: bool = False) -> Console:
    """Where to print. Results go to stdout, progress and remarks to stderr."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else LEAST_WIDTH, highlight=False)


def print_json(value: Any) -> None:
    """A result for programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr; call what it gives with (done, of how many)."""
    from rich import progress as rich

    columns = (rich.TextColumn(what), rich.BarColumn(), rich.MofNCompleteColumn())
    times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    with rich.Progress(*columns, *times, console=console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=None)

        def tell(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        yield tell


def listed(text: str, what: str) -> list[str]:
    """The parts of a comma-separated list. A comma before `key=` belongs to the spec of a bot."""
    import re

    parts = [part.strip() for part in re.split(r",(?![a-z_]+=)", text)]
    if not all(parts):
        raise ValueError(f"{what} must be names separated by commas, not {text!r}")
    return parts


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
