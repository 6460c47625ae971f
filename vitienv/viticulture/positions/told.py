"""A position as one seat may know it."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.viticulture.cards import CARD_IDS, DECK_OF_KIND, FIRST_ORDER
from vitienv.viticulture.names import DECKS

HIDDEN = ("chance", "next_draws", "pending")  # keys of a position that no seat may know


def told(position: dict[str, Any], game: Any, viewer: int) -> dict[str, Any]:
    """What a seat may know of a position that was written: of other hands the cards that it has seen, and of every hand
    how many cards it has."""
    record = game.record
    for seat, mat in enumerate(position["seats"]):
        mat["cards"] = {deck: int(n) for deck, n in zip(DECKS, record.n_hand[seat], strict=True)}
        if seat != viewer:
            mat.pop("shown", None)  # says which seats know a card
            if not game.options.open_hands:
                seen = kinds_seen(record, seat, viewer)
                mat["hand"] = {deck: [CARD_IDS[kind] for kind in seen if DECK_OF_KIND[kind] == at]
                               for at, deck in enumerate(DECKS)}  # fmt: skip
    return {key: value for key, value in position.items() if key not in HIDDEN}


def kinds_seen(record: Any, seat: int, viewer: int) -> list[int]:
    """The cards of another hand that the viewer has seen, by kind, an entry for each; see the field `shown`."""
    shown = [(kind, int(record.shown[seat, kind])) for kind in np.flatnonzero(record.shown[seat])]
    return [int(kind) for kind, n in shown for _ in range(n if kind < FIRST_ORDER else n >> viewer & 1)]
