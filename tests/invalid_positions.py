"""Invalid positions: each raises a ValueError of one line, or is read."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest

import vitienv
from vitienv.core.frames import Frame

OUT_OF_RANGE = 30_000  # for every column of a frame
Path = tuple[str | int, ...]
WRONG: tuple[Any, ...] = (
    None, True, -1, 1.5, 40_000, 2**63, 10**400, float("nan"), "\ud800", [], {}, ["x", 1], [[1]], {"x": 1},
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
    changed = inner = copy(position)
    *keys, last = path
    for key in keys:  # other parts are shared
        inner[key] = inner = copy(inner[key])
    inner[last] = value
    return changed


def assert_refused(position: Any, message: str) -> None:
    """Check that reading a position raises a ValueError of one line. message: pattern of it."""
    with pytest.raises(ValueError, match=message) as error:
        vitienv.Game.from_dict(position)
    assert "\n" not in str(error.value)


def reading_errors(position: dict[str, Any]) -> list[str]:
    """Return the unexpected errors of reading a position with one other value at any depth, one line each."""
    read = vitienv.Game.from_dict
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


def position_at(decisions: tuple[str, ...], seed: int = 1, start: int = 2, **options: Any) -> dict[str, Any]:
    """Return a position of a random game at one of these decisions. start: its earliest round."""
    rng = np.random.default_rng(seed)
    for attempt in range(100):
        game = vitienv.Game.new(seed + attempt, **options)
        while not game.is_over:
            if game.round >= start and game.decision in decisions:
                return game.to_dict()
            game.step(int(rng.choice(np.flatnonzero(game.mask))))
    raise AssertionError(f"no random game had a decision of {decisions}")


def around_bounds(low: int, high: int, number: int) -> set[int]:
    return {low - 1, high + 1, -OUT_OF_RANGE, OUT_OF_RANGE, low, high, number - 1, number + 1}


def frame_mutations(
    game: Any, frames_codec: Any, counts: dict[Any, int], max_per_kind: int, values: Any = around_bounds
) -> Iterator[tuple[dict[str, Any], bool, str]]:
    """Yield positions with one other number in a pending frame, whether it is within its bounds, and a description.

    The position without the change must be read as the game.

    counts: frames so far by operation and stage, at most `max_per_kind` of which are changed. values: the numbers, a
    function of the bounds and the number before.
    """
    position, operations = game.to_dict(), game.game_spec.operations
    pending = position.get("pending", [])
    frames = pending if isinstance(pending, list) else pending["frames"]
    for t, frame in enumerate(game.state.frames[: int(game.state.depth)].tolist() if frames else ()):
        kind = frame[Frame.OP], frame[Frame.STAGE]
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] > max_per_kind:
            continue
        assert vitienv.Game.from_dict(position) == game, frame
        for column, (low, high) in list(zip(Frame, frames_codec.bounds_of(frame, game.num_players)))[1:]:
            number, name = frame[column], f"{column.name} of {operations.word(frame[Frame.OP])}"
            assert -OUT_OF_RANGE < low <= number <= high < OUT_OF_RANGE, (name, frame)
            for other in sorted(values(low, high, number) - {number}):
                frames[t][column] = other
                yield position, low <= other <= high, f"{name}: {other} in place of {number} in {frames}"
            frames[t][column] = number
