"""Text interface of Toscana, see `vitienv.render.text`: questions, choices, events and the table."""

from __future__ import annotations

from typing import Any

from vitienv.render.text import component_aliases, explain, in_hand, picks, topics
from vitienv.toscana.render.table import table
from vitienv.toscana.render.text.choices import choice
from vitienv.toscana.render.text.events import describe_move
from vitienv.toscana.render.text.primer import primer
from vitienv.toscana.render.text.prompts import TURNS, Prompt, question
from vitienv.toscana.state import Rule

__all__ = ["TURNS", "Prompt", "aim", "choice", "component_aliases", "describe_move", "explain", "in_hand",
           "picks", "primer", "question", "table", "topics"]  # fmt: skip


def aim(game: Any) -> str:
    """Return the goal and the end of the game."""
    rules = game.state.rules
    return (
        f"Most money wins. The game ends after round {int(rules[Rule.LAST_ROUND])}, or after a round in which someone "
        f"has {int(rules[Rule.END_MONEY])} money."
    )
