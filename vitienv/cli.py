"""Command line: `vitienv play | tournament | train | evaluate | compare | replay | analyse | bench …`.

Each command is a module of `vitienv.commands`.
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
MAX_ERROR_CHARS = 20_000  # an error may quote an untrusted file
TRACEBACK = "VITIENV_TRACEBACK"  # environment variable: re-raise errors
COMMANDS = (
    "play", "tournament", "ladder", "train", "evaluate", "compare", "replay", "analyse", "bench", "bot", "data",
    "cache", "cards", "mcp",
)  # fmt: skip


def build() -> typer.Typer:
    """Return the typer application with all commands."""
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
        if hasattr(module, "application"):  # a command with subcommands
            app.add_typer(module.application(), name=name)
        else:
            app.command(name)(module.command)
    return app


def command_line() -> Any:
    """Return the click command of the application; all its commands reject inf and nan, and their help wraps."""
    root = typer.main.get_command(build())
    commands: list[Any] = [root]
    while commands:
        command = commands.pop()
        commands += getattr(command, "commands", {}).values()
        command.help = "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))
        if command.callback is not None:
            command.callback = _with_finite_numbers(command.callback)
    return root


def _with_finite_numbers(callback: Callable[..., Any]) -> Callable[..., Any]:
    def checked(**arguments: Any) -> Any:
        for name, value in arguments.items():
            if isinstance(value, float) and not isfinite(value):
                raise ValueError(f"--{name.replace('_', '-')} must be a finite number, got {value}")
        return callback(**arguments)

    return checked


def run(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status. Bad input prints one line to stderr and has status 2."""
    set_encoding_errors()
    try:
        result: Any = command_line()(args=arguments, standalone_mode=False, prog_name="vitienv")
        sys.stdout.flush()
        status = result if isinstance(result, int) else 0
        return _print_error("interrupted", status) if status == INTERRUPTED else status  # Typer catches Ctrl-C
    except KeyboardInterrupt:
        return _print_error("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of the pipe (`| head`) has exited; flushing at exit would fail again.
        _discard_output(sys.stdout)
        return 0
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        message = _error_message(error)
        if message is None:
            raise
        return _print_error(message, BAD_INPUT)


def _error_message(error: Exception) -> str | None:
    """Return the line to print, empty if Typer has printed the help; None for a bug in the program."""
    if isinstance(error, typer.Abort):  # Typer converts EOFError, as for Ctrl-D at a prompt
        return f"the input ended too early: {error.__cause__}"
    if hasattr(error, "format_message"):  # a wrong option or argument
        return error.format_message()
    if isinstance(error, OSError):
        suffix = f": {error.filename!r}" if error.filename is not None else ""
        return f"{error.strerror or error}{suffix}"
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, ModuleNotFoundError):
        return missing_module(error)
    if isinstance(error, MemoryError):
        return f"out of memory: {error}" if str(error) else "out of memory"
    return None


def _print_error(message: str, status: int) -> int:
    line = in_one_line(message)
    if len(line) > MAX_ERROR_CHARS:
        line = f"{line[:MAX_ERROR_CHARS]} …"
    if line:
        with suppress(OSError):  # stderr is closed
            print(f"vitienv: {line}", file=sys.stderr, flush=True)
    return status


def _handle_sigterm(*_: Any) -> None:
    # Clusters stop a machine with SIGTERM: handle it as Ctrl-C, so that a checkpoint is written. A process may receive
    # it twice, directly and through its group.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # background job
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def main() -> None:
    """Run the `vitienv` script."""
    signal.signal(signal.SIGTERM, _handle_sigterm)
    threads.limit_threads()
    status = run()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # the output cannot be written; Python would exit with status 120
            _discard_output(stream)
    sys.exit(status)


def _discard_output(stream: Any) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
