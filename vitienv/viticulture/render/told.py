"""What a move is called to somebody at the table."""

from __future__ import annotations

# Decisions whose cards lie open as soon as they are named; those of others are told without the card.
OPEN = frozenset((
    "play_visitor", "fill_order", "discard_card", "discard_to_limit", "uproot_vine", "swap_vines", "choose_card",
))  # fmt: skip


def told(decision: str, action: str, is_own: bool) -> str:
    """A move in words. is_own: whether the reader made it, and so knows the card that others do not see."""
    if action.startswith("card:") and not is_own and decision not in OPEN:
        return "a card"
    return action.replace(":", " ").replace("_", " ")
