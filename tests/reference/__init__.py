"""A slow second opinion on the rules.

It works on position dicts, tries every way of carrying out a card or a board action on copies of the position, and
keeps tables of its own, so that a mistake in the engine's rules or data is not repeated here.
"""

from .search import Node, can_finish, legal
from .verdict import board_actions, branches, first_picks, picks, play, playable, turn, yield_of

__all__ = [
    "Node", "board_actions", "branches", "can_finish", "first_picks", "legal", "picks", "play", "playable", "turn",
    "yield_of",
]  # fmt: skip
