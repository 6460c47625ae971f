"""Positions with one value of a wrong type or size: reading them succeeds or raises a ValueError.

`reading_errors(position, read)` tries each key of a position, at any depth, and entries of its lists.
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


def paths(value: Any, prefix: Path = ()) -> Iterator[Path]:
    """Yield every key at any depth, and the first and last index of each list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*prefix, key)
            yield from paths(inner, (*prefix, key))
    elif isinstance(value, list):
        for i in sorted({0, len(value) - 1} & set(range(len(value)))):
            yield (*prefix, i)
            yield from paths(value[i], (*prefix, i))


def with_value(position: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return the position with another value at a path."""
    changed = inner = copy(position)
    *keys, last = path
    for key in keys:  # other parts are shared
        inner[key] = inner = copy(inner[key])
    inner[last] = value
    return changed


def reading_errors(
    position: dict[str, Any], read: Callable[[dict[str, Any]], Any] = vitienv.Game.from_dict
) -> list[str]:
    """Return the unexpected errors of reading mutated positions, one line each."""
    read(deepcopy(position))
    lines, before = [], deepcopy(position)
    for path in paths(position):
        for value in WRONG:
            try:
                read(with_value(position, path, value))
            except ValueError as error:
                if "\n" in str(error):
                    lines.append(f"{path} = {value!r:.40}: several lines: {error!s:.80}")
            except Exception as error:
                lines.append(f"{path} = {value!r:.40}: {type(error).__name__}: {error!s:.80}")
    assert position == before  # reading does not change its argument
    return lines


def position_at(decisions: tuple[str, ...], seed: int = 1, year: int = 2, **options: Any) -> dict[str, Any]:
    """Return a position of a random game at one of these decisions, from `year` on."""
    rng = np.random.default_rng(seed)
    for attempt in range(100):
        game = vitienv.Game.new(seed + attempt, **options)
        while not game.is_over:
            if game.year >= year and game.decision in decisions:
                return game.to_dict()
            game.step(int(rng.choice(np.flatnonzero(game.mask))))
    raise AssertionError(f"no random game had a decision of {decisions}")
