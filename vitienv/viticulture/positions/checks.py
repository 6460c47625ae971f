"""Small checks, each with a message that names what was given and what would have been right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from vitienv.viticulture.asked import Ask, ask, asked_of
from vitienv.viticulture.cards import KIND
from vitienv.viticulture.names import DECKS

MOST = 10_000  # lira, points and years of a position: what is gained later fits into the record too


def mapping_of(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} must be a mapping, not {value!r}")
    return value


def list_of(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{where} must be a list, not {value!r}")
    return list(value)


def only_keys(value: Any, known: Iterable[str], where: str) -> None:
    unknown = [key for key in mapping_of(value, where) if key not in known]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r} in {where}; known are {', '.join(known)}")


def whole(value: Any, low: int, high: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"{where} is {value!r}; it must be a whole number from {low} to {high}")
    return int(value)


def whole_numbers(value: Any, n: int, where: str, low: int = 0, high: int = 2**32 - 1) -> list[int]:
    if not isinstance(value, list | tuple) or len(value) != n:
        raise ValueError(f"{where} must be a list of {n} whole numbers")
    return [whole(x, low, high, where) for x in value]


def one_of(value: Any, known: list[str] | tuple[str, ...], where: str) -> int:
    if value not in known:
        raise ValueError(f"unknown {where}: {value!r}; there is {', '.join(known)}")
    return known.index(value)


def is_blocker_seat(r: np.record, seat: int) -> bool:
    """Whether a seat only blocks in place of the Automa."""
    return bool(ask(asked_of(r), Ask.IS_BLOCKER, seat))


def kinds_of(deck: str, ids: Any, where: str) -> list[int]:
    if deck not in DECKS:
        raise ValueError(f"unknown deck {deck!r} in {where}; there is {', '.join(DECKS)}")
    if not isinstance(ids, list):
        raise ValueError(f"{deck} in {where} must be a list of card ids")
    for name in ids:
        if f"{deck}:{name}" not in KIND:
            raise ValueError(f"unknown {deck} card {name!r} in {where}")
    return [KIND[f"{deck}:{name}"] for name in ids]
