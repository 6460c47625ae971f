"""Options, tables, progress and JSON of all commands, on terminals and pipes of any encoding."""

from __future__ import annotations

import codecs
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

from vitienv import signing
from vitienv.core.text_utils import printable
from vitienv.registry import DEFAULT, RULES, game_names, game_spec
from vitienv.threads import cores as cores

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

JSON = typer.Option(False, "--json", help="Print the result as JSON.")
SEED = typer.Option(0, "--seed", min=0, help="The same seed gives the same games.")


def _loaded(game: str) -> str:
    """A module that the user names is loaded at once: files that name it too are then no stranger's wish."""
    if "." in game:
        game_spec(game)
    return game


def _trust(given: bool) -> bool:
    if given:
        signing.allow()
    return given


GAME = typer.Option(
    DEFAULT, "--game", callback=_loaded,
    help=f"{', '.join(game_names())}, or the module of your own."
)  # fmt: skip
RULESET = typer.Option(None, "--ruleset", help=f"The rules: {RULES}")
TRUST = typer.Option(
    False, "--trust", callback=_trust, help="Take files from others that hold code, such as a MaskablePPO's .zip."
)
# More processes than that are a slip, and each takes some 150 MB.
PROCESSES = typer.Option(0, min=0, max=1024, help="Processes to play in; by default one for each core.")
BACKEND = typer.Option(
    "local", "--backend", help="Where games are played: local, ray (begun on this machine), or ray:ADDRESS, a cluster."
)  # fmt: skip
OPTION = typer.Option(None, "--option", metavar="NAME=VALUE", help="An option of the game; may be given several times.")
LINE_SECONDS = 10.0  # between two lines of progress where there is no terminal
# The coloured words of a game, with their styles.
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
LEAST_WIDTH = 170  # of tables in a file or pipe, which has no width of its own
ERRORS_NAME = "vitienv"  # of the handler of characters that an encoding lacks
REPLACEMENTS = {"±": "+/-", "µ": "u", "×": "x", "–": "-", "…": "...", "→": "->"}


def console(stderr: bool = False, colours: bool = False) -> Console:
    """The console to print on. Results go to stdout, progress and remarks to stderr.

    colours: for the text of a game that people play, on a terminal.
    """
    from rich.console import Console

    class Plain(Console):
        """Prints any string as it is: without markup and without control characters."""

        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(printable(text, keep="\n"), **options | {"markup": False, "emoji": False})

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else LEAST_WIDTH
    if not colours:
        return Plain(file=stream, width=width, highlight=False)
    return Plain(file=stream, width=width, highlighter=coloured)


def echo(line: str, err: bool = False) -> None:
    """Print one line. Names in it may come from elsewhere: control characters and line breaks are replaced by "?"."""
    # typer.echo would write UTF-8 to a stream whose encoding is ASCII.
    print(printable(line), file=sys.stderr if err else sys.stdout, flush=True)


def echo_lines(text: str) -> None:
    """Print a text of several lines, without other control characters."""
    for line in text.split("\n"):
        echo(line)


def coloured(text: str | Text) -> Text:
    """What people read while they play, with colours for what stands out."""
    from rich.text import Text

    text = Text(text) if isinstance(text, str) else text.copy()
    for pattern in COLOURED:
        for found in re.finditer(pattern, text.plain):
            for name, part in found.groupdict().items():
                if part is not None:
                    text.stylize(STYLES[name], *found.span(name))
    return text


def print_json(value: Any) -> None:
    """A result for programs."""
    text = json.dumps(value, indent=2, ensure_ascii=not is_utf8(sys.stdout))
    if printable(text, keep="\n") != text:
        text = "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)
    print(text, flush=True)


def print_remarks(*results: Mapping[str, Any], before: str = "", err: bool = False) -> None:
    """What is said below results: games lost by faults, and what bots counted. before: begins each line."""
    from vitienv.training.evaluation.notes import remarks

    for remark in remarks(*results):
        echo(before + remark, err)


def warn_few_seeds(seeds: int) -> None:
    """Warn on stderr if the intervals of a result rest on few seeds."""
    from vitienv.training.intervals import few_seeds

    if warning := few_seeds(seeds):
        echo(f"vitienv: {warning}", err=True)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Progress on stderr, a bar or now and then a line; call what it gives with (done, of how many)."""
    with (_bar if sys.stderr.isatty() else _lines)(what) as tell:
        yield tell


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    from rich import progress as rich
    from rich.text import Text

    from vitienv.core.compiling.progress import WATCH

    class Rate(rich.ProgressColumn):
        """How many a second, over all processes and machines."""

        def render(self, task: rich.Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.1f}/s")

    class Bar(rich.Progress):
        """Shows instead how far a compilation is, where there is one."""

        def get_renderables(self) -> Iterator[RenderableType]:
            told = WATCH.told()
            yield Text(f"{told} …") if told else self.make_tasks_table(self.tasks)

    columns = (rich.TextColumn("{task.description}", markup=False), rich.BarColumn(), rich.MofNCompleteColumn(), Rate())
    times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn())
    with WATCH.shown(), Bar(*columns, *times, console=console(stderr=True)) as bar:
        task = bar.add_task(what, total=None)

        def tell(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        yield tell


@contextmanager
def _lines(what: str) -> Iterator[Callable[[int, int], None]]:
    """A thread writes them, so that work that tells nothing for long is seen to go on."""
    from vitienv.core.compiling.progress import WATCH

    begun, over, progress = time.monotonic(), threading.Event(), ""

    def tell(done: int, of: int) -> None:
        nonlocal progress
        progress = f" {done:,} of {of:,},"

    def write() -> None:
        while not over.wait(min(LINE_SECONDS, threading.TIMEOUT_MAX)):
            if not WATCH.told():  # a compilation tells of itself
                print(f"vitienv: {what}:{progress} {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        over.set()
        thread.join()


def counted(n: int, what: str) -> str:
    """A number with its noun: 1 seed, 2 seeds."""
    return f"{n} {what}" + ("" if n == 1 else "s")


def listed(text: str, what: str) -> list[str]:
    """The parts of a comma-separated list. A comma before `key=` belongs to the spec of a bot."""
    parts = [part.strip() for part in re.split(r",(?![a-z_]+=)", text)]
    if not all(parts):
        raise ValueError(f"{what} must be names separated by commas, not {text!r}")
    return parts


def set_options(settings: list[str] | None, game: str, ruleset: str | None = None) -> dict[str, Any]:
    """What `--option name=value` asks for: true, false, none, whole numbers and words; and --ruleset.

    ValueError for another form.
    """
    names, options = game_spec(game).options.names(), {}
    for text in [*(settings or ()), *([] if ruleset is None else [f"ruleset={ruleset}"])]:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option {text!r} should be name=value")
        if name == "num_players":
            raise ValueError(f"--option {text!r}: how many play is said with --players")
        if name not in names:
            raise ValueError(f"{game} has no option {name!r}; it has {', '.join(names)}")
        options[name] = game_spec(game).options.read(name, value)
    return options


def replace_characters(error: UnicodeError) -> tuple[str | bytes, int]:
    """What to write for signs that an encoding lacks, and where to go on: see `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        return codecs.replace_errors(error)
    other = REPLACEMENTS.get(error.object[error.start])
    if other is None:
        error.end = error.start + 1
        return codecs.backslashreplace_errors(error)
    return other, error.start + 1


def set_encoding_errors() -> None:
    """Let the standard streams write and read whatever comes, so that no result is lost at its end."""
    codecs.register_error(ERRORS_NAME, replace_characters)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # whoever started this process has closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ERRORS_NAME)


def is_utf8(stream: object) -> bool:
    """Whether the encoding of a stream has all signs."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().startswith("utf")
