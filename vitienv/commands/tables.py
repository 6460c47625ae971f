"""Tables in Markdown files: a file's table is replaced between two marks, the rest of the file stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

END = "<!-- end -->"


def start_mark(name: str) -> str:
    """The line before the table of this name."""
    return f"<!-- table: {name} -->"


def check_marked(path: Path, name: str) -> None:
    """ValueError, in one line, unless the file is not there yet or has the two marks of this table."""
    _around(path, name)


def write_marked(path: Path, name: str, heading: str, paragraphs: Sequence[str]) -> None:
    """Put paragraphs between the marks of a table, atomically; a file that is not there is made, with a heading.

    ValueError, in one line, if the file is there but not the marks; OSError if it cannot be written.
    """
    from vitienv.core.files import atomic

    around = _around(path, name)
    before, after = around if around is not None else (f"# {heading}\n\n{start_mark(name)}", f"{END}\n")
    text = "\n\n".join([before, *paragraphs, after])
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _around(path: Path, name: str) -> tuple[str, str] | None:
    """What stands before and after the table, marks included; None if there is no such file."""
    from vitienv.core.files import read_text

    try:
        text = read_text(path)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise ValueError(f"{str(path)!r} is not a text file: {error}") from None
    return around(text, name, repr(str(path)))


def around(text: str, name: str, where: str) -> tuple[str, str]:
    """What stands before and after the table of this name in a page, marks included. ValueError if they are missing."""
    before, mark, rest = text.partition(start_mark(name))
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"{where} has no lines {start_mark(name)} and {END} for the table to stand between")
    return before + mark, end + after
