"""Positions with one value replaced by one of a wrong type or size: they are read, or a ValueError says why not.

For every game: `faults(read, position)` tries each key of a position, at any depth, and each entry of its lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from typing import Any

import numpy as np

import vitienv

Path = tuple[str | int, ...]
WRONG: tuple[Any, ...] = (
    None, True, -1, 40_000, 2**63, 10**400, float("nan"), "\ud800", [], {}, ["x", 1], [[1]], {"x": 1},
)  # fmt: skip


def paths(value: Any, here: Path = ()) -> Iterator[Path]:
    """Every key at any depth, and of each list its first and its last entry."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*here, key)
            yield from paths(inner, (*here, key))
    elif isinstance(value, list):
        for i in sorted({0, len(value) - 1} & set(range(len(value)))):
            yield (*here, i)
            yield from paths(value[i], (*here, i))


def with_value(position: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """The position with another value at a path."""
    changed = inner = copy(position)
    *way, last = path
    for key in way:  # what is beside the path is shared
        inner[key] = inner = copy(inner[key])
    inner[last] = value
    return changed


def faults(position: dict[str, Any], read: Callable[[dict[str, Any]], Any] = vitienv.Game.from_dict) -> list[str]:
    """What is wrong with how mutations of a position are read, one line each."""
    read(deepcopy(position))
    lines, before = [], deepcopy(position)
    for path in paths(position):
        for wrong in WRONG:
            try:
                read(with_value(position, path, wrong))
            except ValueError as error:
                if "\n" in str(error):
                    lines.append(f"{path} = {wrong!r:.40}: several lines: {error!s:.80}")
            except Exception as error:
                lines.append(f"{path} = {wrong!r:.40}: {type(error).__name__}: {error!s:.80}")
    assert position == before  # a reader changes nothing
    return lines


def met(decisions: tuple[str, ...], seed: int = 1, year: int = 2, **options: Any) -> dict[str, Any]:
    """A position of a random game at one of these decisions, from that year on."""
    chance = np.random.default_rng(seed)
    for again in range(100):
        game = vitienv.Game.new(seed + again, **options)
        while not game.is_over:
            if game.year >= year and game.decision in decisions:
                return game.to_dict()
            game.step(int(chance.choice(np.flatnonzero(game.mask))))
    raise AssertionError(f"no random game came to one of {decisions}")
