"""Small pieces of English: numbers with their nouns, lists, titles made of ids, verbs."""

from __future__ import annotations

from collections.abc import Iterable

from vitienv.core.words import YOU

SMALL = ("of",)  # words of an id that have no capital inside a title
IRREGULAR = {"have": "has", "buy back": "buys back"}


def count(n: int, one: str, many: str = "") -> str:
    """3 "points", 1 "point": the number and its noun. many: the plural, where it is not made by an s."""
    return f"{n} {one if n == 1 else many or f'{one}s'}"


def lira(n: int) -> str:
    """An amount of money."""
    return f"{n} lira"


def points(n: int) -> str:
    """Victory points."""
    return count(n, "point")


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


def title(name: str) -> str:
    """A name of the code as people write it: jack_of_all_trades is Jack of All Trades."""
    words = name.split("_")
    return " ".join(word if word in SMALL else word.capitalize() for word in words)


def plain(name: str) -> str:
    """A name of the code as words in small letters: tasting_room is tasting room."""
    return name.replace("_", " ")


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?!:" else ".")


def does(who: str, verb: str, rest: str = "") -> str:
    """Somebody does something: "You play ...", "seat 1 plays ..."."""
    if who != YOU:
        ends_hissing = verb.endswith(("s", "sh", "ch", "x", "o"))
        verb = IRREGULAR.get(verb) or (f"{verb}es" if ends_hissing else f"{verb}s")
    return " ".join(filter(None, (who, verb, rest)))
