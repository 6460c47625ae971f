"""The command line: `vitienv play | tournament | train | evaluate | compare | replay | analyse | bench` …

Each command is a module of `vitienv.commands`, loaded when it is used, so that `vitienv --help` is quick.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from math import isfinite
from typing import Any

import typer

from vitienv import threads
from vitienv.console import set_encoding_errors
from vitienv.core.text_utils import in_one_line
from vitienv.extras import missing_module

BAD_INPUT, INTERRUPTED = 2, 130
LONGEST = 20_000  # letters of an error, which may quote a file of others
# Set to see where an error came from.
TRACEBACK = "VITIENV_TRACEBACK"
COMMANDS = (
    "play", "tournament", "ladder", "train", "evaluate", "compare", "replay", "analyse", "bench", "bot", "data",
    "cache", "cards", "mcp",
)  # fmt: skip


def build() -> typer.Typer:
    """The command line as a typer application."""
    app = typer.Typer(
        name="vitienv",
        help="Modern board games for reinforcement learning, Viticulture first: play, train, compare bots.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    @app.callback(invoke_without_command=True)
    def root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
        if version:
            from vitienv.commands.cache import code_by_game
            from vitienv.version import __version__

            typer.echo("\n".join([__version__, *(f"{game}: {code}" for game, code in code_by_game().items())]))
            raise typer.Exit

    for name in COMMANDS:
        module = import_module(f"vitienv.commands.{name}")
        if hasattr(module, "application"):  # a command with commands of its own
            app.add_typer(module.application(), name=name)
        else:
            app.command(name)(module.command)
    return app


def command_line() -> Any:
    """The command line as it is run. Whichever command takes a number, it is neither inf nor nan."""
    whole = typer.main.get_command(build())
    todo: list[Any] = [whole]
    while todo:
        command = todo.pop()
        todo += getattr(command, "commands", {}).values()
        if command.callback is not None:
            command.callback = _with_finite_numbers(command.callback)
    return whole


def _with_finite_numbers(callback: Callable[..., Any]) -> Callable[..., Any]:
    def checked(**given: Any) -> Any:
        for name, value in given.items():
            if isinstance(value, float) and not isfinite(value):
                raise ValueError(f"--{name.replace('_', '-')} is {value}; it must be a finite number")
        return callback(**given)

    return checked


def run(arguments: list[str] | None = None) -> int:
    """Carry out a command line; returns the exit status. Bad input is one line on stderr and status 2."""
    set_encoding_errors()
    try:
        result: Any = command_line()(args=arguments, standalone_mode=False, prog_name="vitienv")
        sys.stdout.flush()
        status = result if isinstance(result, int) else 0
        return _say("interrupted", status) if status == INTERRUPTED else status  # typer takes Ctrl-C for an exit
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of a pipe (`| head`) has gone: nothing is left to say, not even at the exit.
        _forget(sys.stdout)
        return 0
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        told = _about(error)
        if told is None:
            raise
        return _say(told, BAD_INPUT)


def _about(error: Exception) -> str | None:
    """What to say of an error; nothing if a command's help has said it. None for an error of the program itself."""
    if isinstance(error, typer.Abort):  # made of the end of a file, which typer takes for Ctrl-D at a question
        return f"the input ended too early: {error.__cause__}"
    if hasattr(error, "format_message"):  # a wrong option or argument
        return error.format_message()
    if isinstance(error, OSError):
        return _about_os_error(error)
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, ModuleNotFoundError):
        return missing_module(error)
    if isinstance(error, MemoryError):
        return f"there is not enough memory for that: {error}" if str(error) else "there is not enough memory for that"
    return None


def _about_os_error(error: OSError) -> str:
    where = f": {error.filename!r}" if error.filename is not None else ""
    return f"{error.strerror or error}{where}"


def _say(message: str, status: int) -> int:
    line = in_one_line(message)
    if len(line) > LONGEST:
        line = f"{line[:LONGEST]} …"
    if line:
        with suppress(OSError):  # nobody can be told
            print(f"vitienv: {line}", file=sys.stderr, flush=True)
    return status


def _terminated(*_: Any) -> None:
    """SIGTERM, by which a cluster takes a machine away, ends a command as Ctrl-C does, with its checkpoint. It may come
    twice, to a process and to its group."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def main() -> None:
    """The entry point of the `vitienv` script."""
    signal.signal(signal.SIGTERM, _terminated)
    threads.limit_threads()
    status = run()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # the rest of the output has nowhere to go, and Python would end with a status of its own
            _forget(stream)
    sys.exit(status)


def _forget(stream: Any) -> None:
    """Let what a stream still holds go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
