"""Small checks of positions of this game; those that every game needs are in `vitienv.core.checks`."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.viticulture.asked import Ask, ask, asked_of
from vitienv.viticulture.cards import KIND
from vitienv.viticulture.names import DECKS, SEASONS, Season

MOST = 10_000  # lira, points and years of a position: what is gained later fits into the record too


def is_blocker_seat(r: np.record, seat: int) -> bool:
    """Whether a seat only blocks in place of the Automa."""
    return bool(ask(asked_of(r), Ask.IS_BLOCKER, seat))


def check_crowd(r: np.record, name: str, is_full: bool, plays_visitors: bool) -> None:
    """A grande joins an action whose spaces are taken. Before winter only a Producer takes workers back from there, and
    who plays it stands where summer visitors are played. is_full: whether its spaces are taken now."""
    if not is_full and not plays_visitors and r.season != Season.WINTER:
        season = SEASONS[int(r.season)]
        raise ValueError(
            f"a grande worker stands beside the spaces of {name}, not all taken, in {season}, and nobody has "
            "played a Producer; it stands on a free space"
        )


def kinds_of(deck: str, ids: Any, where: str) -> list[int]:
    if deck not in DECKS:
        raise ValueError(f"unknown deck {deck!r} in {where}; there is {', '.join(DECKS)}")
    if not isinstance(ids, list):
        raise ValueError(f"{deck} in {where} must be a list of card ids")
    for name in ids:
        if f"{deck}:{name}" not in KIND:
            raise ValueError(f"unknown {deck} card {name!r} in {where}")
    return [KIND[f"{deck}:{name}"] for name in ids]
