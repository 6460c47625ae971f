"""Terminals and pipes of any encoding: a sign that one cannot hold is written in other signs instead of refused."""

from __future__ import annotations

import codecs
import os
import sys

NAME = "vitienv"
IN_OTHER_SIGNS = {"±": "+/-", "µ": "u", "×": "x", "–": "-", "…": "...", "→": "->"}


def in_other_signs(error: UnicodeError) -> tuple[str | bytes, int]:
    """What to write for signs that an encoding lacks, and where to go on: see `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        return codecs.replace_errors(error)
    other = IN_OTHER_SIGNS.get(error.object[error.start])
    if other is None:
        error.end = error.start + 1
        return codecs.backslashreplace_errors(error)
    return other, error.start + 1


def take_any_sign() -> None:
    """Let the standard streams write and read whatever comes, so that no result is lost at its end."""
    codecs.register_error(NAME, in_other_signs)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # whoever started this process has closed it
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=NAME)


def holds_any_sign(stream: object) -> bool:
    """Whether the encoding of a stream has all signs."""
    return (getattr(stream, "encoding", None) or "utf-8").lower().startswith("utf")
