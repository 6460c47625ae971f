"""Toscana in words, see `core.words`: questions and choices by their names, the table in lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vitienv.core.words import about, aim, begins_turn, choices, picks, question, things, told
from vitienv.toscana.render.text import render

__all__ = ["about", "aim", "begins_turn", "choices", "picks", "question", "table", "things", "told"]


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80, height: int | None = None) -> str:
    """The state of the game in lines. height: lines that there are; where the whole takes more, nothing stands between
    the parts, and what of the game is reconstructed is not said again."""
    lines = render(game, viewer).splitlines()
    if height is None or len(lines) <= height:
        return "\n".join(lines)
    return "\n".join(line for line in render(game, viewer, with_sources=False).splitlines() if line)
