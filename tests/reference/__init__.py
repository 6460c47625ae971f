"""A second, slow implementation of the rules.

It works on position dicts, tries every way to resolve a card or board action on copies of the position, and has its
own tables, so that it shares no bug of the engine's rules or data.
"""

from .search import Node, can_finish, legal
from .verdict import board_actions, branches, first_picks, picks, play, playable, turn, yield_of

__all__ = [
    "Node", "board_actions", "branches", "can_finish", "first_picks", "legal", "picks", "play", "playable", "turn",
    "yield_of",
]  # fmt: skip
