"""Positions as plain JSON: written from a game, and read back with every contradiction named.

Keys and their meaning are in the documentation's page on positions. Everything is optional on the way in; what
is missing has its value at the start of the game.
"""

from vitienv.viticulture.positions.reader import read_position as from_dict
from vitienv.viticulture.positions.writer import to_dict

__all__ = ["from_dict", "to_dict"]
