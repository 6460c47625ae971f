"""English text helpers: counts with nouns, lists, verbs, Markdown tables, printable text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

YOU = "You"  # name of the reader's seat
INTEGER = re.compile(r"-?[0-9]{1,18}")  # str.isdigit() is true of "²", which int() refuses
IRREGULAR = {"have": "has", "buy back": "buys back"}


def count(n: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 point, 3 points. plural: irregular plural."""
    return f"{n} {noun if n == 1 else plural or f'{noun}s'}"


def a(n: int, noun: str, plural: str = "") -> str:
    """Return a noun with its article if n is 1, else with the number."""
    if n == 1:
        return f"{'an' if noun[0] in 'aeio' else 'a'} {noun}"
    return count(n, noun, plural)


def up_to(n: int, noun: str) -> str:
    """Return "a card" if n is 1, else "up to 3 cards"."""
    return a(1, noun) if n == 1 else f"up to {count(n, noun)}"


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Join the non-empty parts with commas and a last conjunction."""
    words = [part for part in parts if part]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def plain(name: str) -> str:
    """Replace underscores: tasting_room becomes tasting room."""
    return name.replace("_", " ")


def sentence(text: str) -> str:
    """Capitalize a text and end it with a full stop."""
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!:" else ".")


def printable(text: str, keep: str = "") -> str:
    """Replace unprintable characters, such as controls and bidirectional marks, by "?"; except those in `keep`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep else "?" for char in text)


def in_one_line(text: str) -> str:
    """Return an untrusted text as one printable line."""
    return printable(" ".join(text.split()))


def read_integer(text: str) -> int | None:
    """Parse an integer of 1 to 18 ASCII digits with an optional minus; None for any other text."""
    return int(text) if INTEGER.fullmatch(text) else None


def does(subject: str, verb: str, complement: str = "") -> str:
    """Return a sentence with the inflected verb: "You play ...", "seat 1 plays ..."."""
    if subject != YOU:
        ends_hissing = verb.endswith(("s", "sh", "ch", "x", "o"))
        verb = IRREGULAR.get(verb) or (f"{verb}es" if ends_hissing else f"{verb}s")
    return " ".join(filter(None, (subject, verb, complement)))


def markdown(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; bars in cells are escaped."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
