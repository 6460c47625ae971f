"""Tables of Toscana's page, made from its rows."""

from __future__ import annotations

import vitienv
from vitienv.toscana.components import COMPONENTS


def components_table() -> str:
    """What of the game is reconstructed or inferred, and why."""
    rows = ["| `components` | source | why |", "| --- | --- | --- |"]
    rows += [f"| `{found.path}` | {found.source} | {found.why} |" for found in COMPONENTS.values()]
    return "\n".join(rows)


def options_table() -> str:
    """The options of the game."""
    return vitienv.definition("toscana").options.table()


def actions_table() -> str:
    """The blocks of actions."""
    return vitienv.definition("toscana").actions.table()


def observation_table() -> str:
    """The entries of the observation."""
    return vitienv.definition("toscana").observation.table()
