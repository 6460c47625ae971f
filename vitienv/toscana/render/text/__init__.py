"""Text interface of Toscana, see `vitienv.render.text`: questions, choices, events and the table."""

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
    """Return the state of the game as text."""
    return render(game, viewer)
