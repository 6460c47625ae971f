"""What all commands share: options, tables and progress on the screen, and JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from vitienv.games import COMMANDS, DEFAULT, definition

if TYPE_CHECKING:
    from rich.console import Console

JSON = typer.Option(False, "--json", help="Print the result as JSON.")
SEED = typer.Option(0, "--seed", min=0, help="The same seed gives the same games.")
GAME = typer.Option(DEFAULT, "--game", help="The game, by its name or by the module of an own one.")
SET = typer.Option(None, "--set", metavar="NAME=VALUE", help="An option of the game; may be given several times.")
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


def set_options(given: list[str] | None, game: str) -> dict[str, Any]:
    """What `--set name=value` asks for: true, false, none, whole numbers and words. ValueError for another form."""
    names, found = definition(game).options.names(), {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--set {text!r} should be name=value")
        if name not in names:
            raise ValueError(f"{game} has no option {name!r}; it has {', '.join(names)}")
        words = {"true": True, "false": False, "none": None}
        is_number = value.lstrip("-").isdigit()
        found[name] = int(value) if is_number else words.get(value.lower(), value)
    return found


def commands_below(group: str) -> list[tuple[str, str]]:
    """The commands that games add to a group of commands, or to the whole (""): (name, module)."""
    prefix = f"{group} " if group else ""
    found = [(name.removeprefix(prefix), module) for name, module in COMMANDS.items() if name.startswith(prefix)]
    return [(name, module) for name, module in found if " " not in name]
