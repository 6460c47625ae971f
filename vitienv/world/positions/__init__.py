"""Positions of World as plain JSON: the keys of the other rulesets, and World's own for hats, tiles, events, partner.

Keys and their meaning are in the documentation's page on positions. Everything is optional on the way in.
"""

from typing import Any

from vitienv.viticulture.positions.told import told as as_told
from vitienv.world.positions.reader import read_world as from_dict
from vitienv.world.positions.writer import to_dict

__all__ = ["from_dict", "to_dict", "told"]


def told(game: Any, viewer: int) -> dict[str, Any]:
    """The position as a seat may know it."""
    return as_told(to_dict(game), game, viewer)
