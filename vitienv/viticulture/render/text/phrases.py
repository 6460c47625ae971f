"""Phrases: those of `core.text_utils`, titles from ids, and amounts of this game."""

from __future__ import annotations

from vitienv.core.text_utils import a, count, does, listed, plain, sentence, up_to

__all__ = ["a", "count", "does", "lira", "listed", "plain", "points", "sentence", "title", "up_to"]

SMALL = ("of",)  # words without a capital inside a title


def lira(n: int) -> str:
    """Return an amount of lira."""
    return f"{n} lira"


def points(n: int) -> str:
    """Return a number of points."""
    return count(n, "point")


def title(name: str) -> str:
    """Return the title of an id: jack_of_all_trades is Jack of All Trades."""
    words = name.split("_")
    return " ".join(word if word in SMALL else word.capitalize() for word in words)
