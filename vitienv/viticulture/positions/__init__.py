"""Positions as plain JSON: written from a game, and read back with every contradiction named.

Keys and their meaning are in the documentation's page on positions. Everything is optional on the way in; what
is missing has its value at the start of the game.
"""

from typing import Any

from vitienv.viticulture.positions.reader import read_position as from_dict
from vitienv.viticulture.positions.told import told as as_told
from vitienv.viticulture.positions.writer import to_dict

__all__ = ["from_dict", "to_dict", "told"]


def told(game: Any, viewer: int) -> dict[str, Any]:
    """The position as a seat may know it."""
    return as_told(to_dict(game), game, viewer)
