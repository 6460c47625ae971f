"""Shared options, console output, progress and JSON of the commands, for terminals and pipes of any encoding."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from vitienv import trust
from vitienv.core.text_utils import printable
from vitienv.registry import DEFAULT, RULES, game_names, game_spec
from vitienv.threads import cores as cores

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

JSON = typer.Option(False, "--json", help="Print the result as JSON.")
SEED = typer.Option(0, "--seed", min=0, help="Random seed.")


def _load_game(game: str) -> str:
    # A module that the user names is trusted: files may name it too once it is imported.
    if "." in game:
        game_spec(game)
    return game


def _allow_code(is_trusted: bool) -> bool:
    if is_trusted:
        trust.allow()
    return is_trusted


GAME = typer.Option(
    DEFAULT, "--game", callback=_load_game,
    help=f"Game: {', '.join(game_names())}, or the dotted module of a custom game."
)  # fmt: skip
RULESET = typer.Option(None, "--ruleset", help=f"Ruleset: {RULES}")
TRUST = typer.Option(
    False, "--trust", callback=_allow_code, help="Allow files that contain code, such as a MaskablePPO .zip."
)
# The maximum catches typing errors: each process uses about 150 MB.
PROCESSES = typer.Option(0, min=0, max=1024, help="Number of processes; 0 uses one per core.")
BACKEND = typer.Option(
    "local", "--backend", help="Executor: local, ray (a cluster started on this machine), or ray:ADDRESS."
)  # fmt: skip
OPTION = typer.Option(None, "--option", metavar="NAME=VALUE", help="Option of the game; repeatable.")
LINE_SECONDS = 10.0  # interval between progress lines without a terminal
# Patterns of words to colour; the group names are keys of STYLES.
COLOURED = (
    r"(?m)(?P<choice>(?:(?<=  )|(?<=^ ))\d+(?= (?:worker|grande)\b))",
    r"(?m)(?P<choice>^ {1,2}\d+(?= ))",
    r"(?m)(?P<choice>^  pass(?= ))",
    r"(?P<good>\+\d+ (?:lira|points?))|(?P<bad>(?<!\d)-\d+ (?:lira|points?))",
    r"(?P<red>\bred(?: \d+)+)|(?P<white>\bwhite(?: \d+)+)",
    r"(?P<blush>\bblush(?: \d+)+)|(?P<sparkling>\bsparkling(?: \d+)+)",
    r"(?m)(?P<you>\bYou\b)|(?P<mark>^>)",
    r"(?m)(?P<label>^ {4}(?:built|fields|in store|cards|vines|orders|summer|winter|hand|rows left|On board)\b)",
)
STYLES = {
    "choice": "bold cyan", "good": "green", "bad": "red", "red": "red", "white": "yellow", "blush": "magenta",
    "sparkling": "bright_blue", "you": "bold", "mark": "bold", "label": "dim",
}  # fmt: skip
MIN_WIDTH = 170  # characters; files and pipes have no width


def console(stderr: bool = False, colours: bool = False) -> Console:
    """Return a rich console on stdout or stderr.

    colours: highlight the text of a game that a person plays.
    """
    from rich.console import Console

    class Plain(Console):
        """Console without markup, emoji and control characters."""

        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(printable(text, keep="\n"), **options | {"markup": False, "emoji": False})

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else MIN_WIDTH
    if not colours:
        return Plain(file=stream, width=width, highlight=False)
    return Plain(file=stream, width=width, highlighter=highlight)


def echo(line: str, err: bool = False) -> None:
    """Print one line. Control characters and line breaks, as untrusted names may have, are replaced by "?"."""
    # typer.echo would write UTF-8 to a stream whose encoding is ASCII.
    print(printable(line), file=sys.stderr if err else sys.stdout, flush=True)


def echo_lines(text: str) -> None:
    """Print several lines, without other control characters."""
    for line in text.split("\n"):
        echo(line)


def highlight(text: str | Text) -> Text:
    """Highlight the words of a game that match COLOURED."""
    from rich.text import Text

    text = Text(text) if isinstance(text, str) else text.copy()
    for pattern in COLOURED:
        for match in re.finditer(pattern, text.plain):
            for name, group in match.groupdict().items():
                if group is not None:
                    text.stylize(STYLES[name], *match.span(name))
    return text


def print_json(value: Any) -> None:
    """Print a result as JSON in ASCII."""
    print(json.dumps(value, indent=2), flush=True)


def print_remarks(*results: Mapping[str, Any], before: str = "", err: bool = False) -> None:
    """Print the notes below results: forfeits and the counters of bots. before: prefix of each line."""
    from vitienv.training.evaluation.notes import remarks

    for remark in remarks(*results):
        echo(before + remark, err)


def warn_few_seeds(seeds: int) -> None:
    """Warn on stderr if the confidence intervals of a result are based on few seeds."""
    from vitienv.training.intervals import few_seeds

    if warning := few_seeds(seeds):
        echo(f"vitienv: {warning}", err=True)


@contextmanager
def progress(description: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress on stderr: a bar on a terminal, else one line per LINE_SECONDS. Yields report(num_done, total)."""
    with (_bar if sys.stderr.isatty() else _lines)(description) as report:
        yield report


@contextmanager
def _bar(description: str) -> Iterator[Callable[[int, int], None]]:
    from rich import progress as rich
    from rich.text import Text

    from vitienv.core.compiling.progress import PROGRESS

    class Rate(rich.ProgressColumn):
        """Items per second, over all processes and machines."""

        def render(self, task: rich.Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.1f}/s")

    class Bar(rich.Progress):
        """Progress bar that is replaced by the progress of a running compilation."""

        def get_renderables(self) -> Iterator[RenderableType]:
            status = PROGRESS.status()
            yield Text(f"{status} …") if status else self.make_tasks_table(self.tasks)

    columns = (rich.TextColumn("{task.description}", markup=False), rich.BarColumn(), rich.MofNCompleteColumn(), Rate())
    times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    with PROGRESS.silence(), Bar(*columns, *times, console=console(stderr=True)) as bar:
        task = bar.add_task(description, total=None)

        def report(num_done: int, total: int) -> None:
            bar.update(task, completed=num_done, total=total)

        yield report


@contextmanager
def _lines(description: str) -> Iterator[Callable[[int, int], None]]:
    # A thread prints the lines, so that they also appear while the work reports nothing.
    from vitienv.core.compiling.progress import PROGRESS

    started_at, stop, progress = time.monotonic(), threading.Event(), ""

    def report(num_done: int, total: int) -> None:
        nonlocal progress
        progress = f" {num_done:,} of {total:,},"

    def print_lines() -> None:
        while not stop.wait(min(LINE_SECONDS, threading.TIMEOUT_MAX)):
            if not PROGRESS.status():  # a compilation prints its own progress
                print(
                    f"vitienv: {description}:{progress} {time.monotonic() - started_at:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )

    thread = threading.Thread(target=print_lines, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        stop.set()
        thread.join()


def split_list(text: str, name: str) -> list[str]:
    """Split a comma-separated list. A comma before `key=` belongs to a bot spec. ValueError if a part is empty."""
    parts = [part.strip() for part in re.split(r",(?![a-z_]+=)", text)]
    if not all(parts):
        raise ValueError(f"{name} must be names separated by commas, got {text!r}")
    return parts


def set_options(
    settings: list[str] | None, game: str, ruleset: str | None = None, **flags: object
) -> dict[str, Any]:  # fmt: skip
    """Return the options of a game from `--option name=value` and from flags, such as `--ruleset`; None is unset.

    Values are true, false, none, integers or words. ValueError for an unknown option, a malformed value, or an option
    that is set twice.
    """
    names, options = game_spec(game).options.names(), dict[str, Any]()
    flags["ruleset"] = ruleset
    for text in [*(settings or ()), *(f"{name}={value}" for name, value in flags.items() if value is not None)]:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option must be name=value, got {text!r}")
        if name == "num_players":
            raise ValueError(f"--option must not be num_players, got {text!r}; use --players")
        if name not in names:
            raise ValueError(f"unknown option {name!r} of {game}; expected one of: {', '.join(names)}")
        parsed = game_spec(game).options.read(name, value)
        if name in options:
            raise ValueError(f"{name} must be set once, got {options[name]!r} and {parsed!r}")
        options[name] = parsed
    return options


def is_set(context: typer.Context, name: str) -> bool:
    """Return whether the command line sets a parameter."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def check_game(context: typer.Context, game: str, source: str) -> None:
    """Raise ValueError if the command line sets another game than that of a file."""
    name = context.params["game"]
    if is_set(context, "game") and game_spec(name) is not game_spec(game):
        raise ValueError(f"--game must be {game} for {source}, got {name}; leave it out")


def reject(context: typer.Context, reason: str, *names: str) -> None:
    """Raise ValueError if the command line sets one of these parameters, which would have no effect."""
    assert context.params.keys() >= set(names), names
    for parameter in context.command.params:
        if parameter.name in names and is_set(context, parameter.name):
            raise ValueError(f"{reason}; leave out {parameter.opts[0]}")


def reject_others(context: typer.Context, reason: str, *names: str) -> None:
    """Raise ValueError if the command line sets a parameter other than these."""
    assert context.params.keys() >= set(names), names
    reject(context, reason, *(context.params.keys() - names))


def set_encoding_errors() -> None:
    """Make the standard streams accept any character and exist, so that printing a result never fails."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
