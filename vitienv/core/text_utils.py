"""Small pieces of English for the words of any game: numbers with their nouns, lists, verbs; and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

YOU = "You"  # how the seat that reads is called
INTEGER = re.compile(r"-?[0-9]{1,18}")  # str.isdigit() is true of "²", which int() refuses
IRREGULAR = {"have": "has", "buy back": "buys back"}


def count(n: int, one: str, many: str = "") -> str:
    """3 "points", 1 "point": the number and its noun. many: the plural, where it is not made by an s."""
    return f"{n} {one if n == 1 else many or f'{one}s'}"


def a(n: int, one: str, many: str = "") -> str:
    """One thing with its article, more by their number."""
    if n == 1:
        return f"{'an' if one[0] in 'aeio' else 'a'} {one}"
    return count(n, one, many)


def up_to(n: int, one: str) -> str:
    """One thing, or at most n."""
    return a(1, one) if n == 1 else f"up to {count(n, one)}"


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Parts with commas, the last one behind a word."""
    found = [part for part in parts if part]
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def plain(name: str) -> str:
    """A name of the code as words in small letters: tasting_room is tasting room."""
    return name.replace("_", " ")


def sentence(text: str) -> str:
    """The words as a sentence, with a capital and a full stop."""
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!:" else ".")


def printable(text: str, keep: str = "") -> str:
    """Replace characters that are not printable by "?", such as controls and bidirectional marks; except `keep`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else "?" for char in text)


def in_one_line(text: str) -> str:
    """A text from elsewhere in one printable line."""
    return printable(" ".join(text.split()))


def read_integer(text: str) -> int | None:
    """Return the integer that 1 to 18 ASCII digits name, after a minus if it is negative; None for any other text."""
    return int(text) if INTEGER.fullmatch(text) else None


def does(who: str, verb: str, rest: str = "") -> str:
    """Somebody does something: "You play ...", "seat 1 plays ..."."""
    if who != YOU:
        ends_hissing = verb.endswith(("s", "sh", "ch", "x", "o"))
        verb = IRREGULAR.get(verb) or (f"{verb}es" if ends_hissing else f"{verb}s")
    return " ".join(filter(None, (who, verb, rest)))


def markdown(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as Markdown; a bar in a cell is written so that it does not end the cell."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
