"""The command line: `vitienv play | tournament | ladder | train | evaluate | replay | report | bench | cache | cards`.

Each command is a module of `vitienv.commands`, loaded when it is used, so that `vitienv --help` is quick.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import typer

from vitienv import threads
from vitienv.commands.screen import commands_below

BAD_INPUT, INTERRUPTED = 2, 130
# Set to see where an error came from.
TRACEBACK = "VITIENV_TRACEBACK"
OWN = ("play", "tournament", "ladder", "train", "evaluate", "replay", "report", "bench", "cache")
COMMANDS = (*OWN, *(name for name, _ in commands_below("")))


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
            from vitienv.version import __version__

            typer.echo(__version__)
            raise typer.Exit

    for name, path in [*((name, f"vitienv.commands.{name}") for name in OWN), *commands_below("")]:
        module = import_module(path)
        if hasattr(module, "application"):  # a command with commands of its own
            app.add_typer(module.application(), name=name)
        else:
            app.command(name)(module.command)
    return app


def run(arguments: list[str] | None = None) -> int:
    """Carry out a command line; returns the exit status. Bad input is one line on stderr and status 2."""
    try:
        result: Any = build()(args=arguments, standalone_mode=False, prog_name="vitienv")
        sys.stdout.flush()
        status = result if isinstance(result, int) else 0
        return _say("interrupted", status) if status == INTERRUPTED else status  # typer takes Ctrl-C for an exit
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of a pipe (`| head`) has gone: nothing is left to say, not even at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        if hasattr(error, "format_message"):  # a wrong option or argument
            return _say(error.format_message(), BAD_INPUT)
        if isinstance(error, OSError):
            return _say(_about_os_error(error), BAD_INPUT)
        if isinstance(error, ValueError):
            return _say(str(error), BAD_INPUT)
        raise


def _about_os_error(error: OSError) -> str:
    where = f": {error.filename!r}" if error.filename is not None else ""
    return f"{error.strerror or error}{where}"


def _say(message: str, status: int) -> int:
    line = " ".join(str(message).split())
    print(f"vitienv: {line}", file=sys.stderr)
    return status


def main() -> None:
    """The entry point of the `vitienv` script."""
    try:
        threads.settle()
    except ValueError as error:
        sys.exit(_say(str(error), BAD_INPUT))
    sys.exit(run())


if __name__ == "__main__":
    main()
