"""Generated tables in Markdown files, between two markers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vitienv.core.files import atomic, read_text

END = "<!-- end -->"


def start_mark(name: str) -> str:
    """Return the marker line before a table."""
    return f"<!-- table: {name} -->"


def write_marked(path: Path, name: str, heading: str, paragraphs: Sequence[str]) -> None:
    """Replace the paragraphs between the markers of a table, atomically; a missing file is created with a heading.

    Raises ValueError if the file exists without the markers, OSError if it cannot be written.
    """
    before, after = f"# {heading}\n\n{start_mark(name)}", f"{END}\n"
    if path.exists():
        before, after = around(read_text(path), name, repr(str(path)))
    text = "\n\n".join([before, *paragraphs, after])
    with atomic(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def around(text: str, name: str, page: str) -> tuple[str, str]:
    """Return the text of a page before and after a table, markers included.

    Raises ValueError if the markers are missing.
    """
    before, mark, remainder = text.partition(start_mark(name))
    _, end, after = remainder.partition(END)
    if not mark or not end:
        raise ValueError(f"{page} must contain the lines {start_mark(name)} and {END} around the table")
    return before + mark, end + after
