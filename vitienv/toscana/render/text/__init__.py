"""Toscana in words, see `vitienv.render.text`: questions, choices, results of moves, and the table in lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vitienv.render.text import about, aim, in_hand, named, picks, things
from vitienv.toscana.render.table import render
from vitienv.toscana.render.text.choices import choices
from vitienv.toscana.render.text.events import told
from vitienv.toscana.render.text.primer import primer
from vitienv.toscana.render.text.prompts import begins_turn, question

__all__ = ["about", "aim", "begins_turn", "choices", "in_hand", "named", "picks", "question", "table", "things"]
__all__ += ["primer", "told"]


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80) -> str:
    """The state of the game in lines."""
    return render(game, viewer)
