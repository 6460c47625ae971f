"""Small pieces of English: those of `core.text_utils`, and titles made of ids and amounts of this game."""

from __future__ import annotations

from vitienv.core.text_utils import a, count, does, listed, plain, sentence, up_to

__all__ = ["a", "count", "does", "lira", "listed", "plain", "points", "sentence", "title", "up_to"]

SMALL = ("of",)  # words of an id that have no capital inside a title


def lira(n: int) -> str:
    """An amount of money."""
    return f"{n} lira"


def points(n: int) -> str:
    """Victory points."""
    return count(n, "point")


def title(name: str) -> str:
    """A name of the code as people write it: jack_of_all_trades is Jack of All Trades."""
    words = name.split("_")
    return " ".join(word if word in SMALL else word.capitalize() for word in words)
