"""Positions as plain JSON: written from a game, and read back with every contradiction named.

Everything is optional on the way in. Without `squares` a position is one of the set-up; with them seats take turns, or
taste once all have used their actions.
"""

from vitienv.toscana.positions.reader import read_position as from_dict
from vitienv.toscana.positions.writer import to_dict, told

__all__ = ["from_dict", "to_dict", "told"]
