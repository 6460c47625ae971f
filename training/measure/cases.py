"""Games of several cases, such as each bot at each table: played in parts, kept as they come, put together in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents import Agent
from vitienv.agents.seating import make_bots
from vitienv.training.measure.rows import kept_parts
from vitienv.training.schema import checked
from vitienv.training.workers import Bots, Executor, place

FEW, MANY = 8, 64  # games side by side of bots that search, so that all processes have work, and of others
Columns = dict[str, Any]  # of games: an array (games, ...) for each name


def in_parts(n: int, bots: Sequence[Agent]) -> list[range]:
    """The numbers of n games in parts that are played side by side."""
    size = FEW if any(hasattr(bot, "look_at") for bot in bots) else MANY
    return [range(low, min(n, low + size)) for low in range(0, n, size)]


def play_cases(
    play_part: Callable[..., tuple[int, int, Columns]],
    cases: Sequence[tuple[Any, ...]],
    games: int,
    bots: Bots,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int], None] | None = None,
    keep: Path | None = None,
    measured: Mapping[str, Any] | None = None,
    kinds: Mapping[str, Any] | None = None,
) -> list[Columns]:
    """The columns of each case, in the order of its games.

    play_part: takes a case's number, the case, and the numbers of some games; returns the case's number, the first
    game's and their columns. on_progress: gets the number of games played and of all. keep: a file for the games
    played, which are not played again. measured: the measurement that the file is of. kinds: the columns' names and the
    types of their values as JSON, for `keep`.

    Nothing depends on the processes, or on another place to play at (`places.executor`). ValueError, in one line, for
    a bot that cannot be made or a file of another measurement; OSError if it cannot be written.
    """
    numbers = in_parts(games, make_bots(bots.specs, bots.seed, bots.game))  # refused before the first game
    done, total = 0, games * len(cases)
    parts: list[dict[int, Columns]] = [{} for _ in cases]
    with kept_parts(keep, measured or {}) if keep is not None else nullcontext() as kept:
        for part in kept.parts if kept else ():
            case, numbers_of_part, told = _restored(str(keep), part, len(cases), numbers, kinds or {})
            parts[case][numbers_of_part.start] = {name: np.array(column) for name, column in told.items()}
            done += len(numbers_of_part)
        if on_progress is not None:
            on_progress(done, total)
        tasks = [
            (number, *case, part)
            for number, case in enumerate(cases) for part in numbers if part.start not in parts[number]
        ]  # fmt: skip
        for case, first, columns in place(processes).run(play_part, tasks, bots):
            parts[case][first] = columns
            if kept:
                kept.add([case, first, {name: column.tolist() for name, column in columns.items()}])
            done += len(next(iter(columns.values())))
            if on_progress is not None:
                on_progress(done, total)
    return [_joined([part for _, part in sorted(of_case.items())]) for of_case in parts]


def _restored(
    file: str, part: list[Any], n_cases: int, numbers: Sequence[range], kinds: Mapping[str, Any]
) -> tuple[int, range, dict[str, list[Any]]]:
    """Return the case, the numbers of the games and the columns of a part in a file; ValueError if it is damaged."""
    by_first = {games.start: games for games in numbers}
    try:
        case, first, columns = part
        if checked(int, case, "case") not in range(n_cases) or checked(int, first, "first game") not in by_first:
            raise ValueError(f"case must be less than {n_cases} and first game that of a part, got {case}, {first}")
        games, columns = by_first[first], checked(dict[str, list], columns, "columns")
        if set(columns) != set(kinds) or any(len(column) != len(games) for column in columns.values()):
            raise ValueError(f"columns must be {', '.join(kinds)} of {len(games)} games")
        columns = {name: [checked(kind, value, name) for value in columns[name]] for name, kind in kinds.items()}
        return case, games, columns
    except ValueError as error:
        raise ValueError(f"{file!r} is damaged: {error}") from None


def _joined(parts: list[Columns]) -> Columns:
    return {name: np.ma.concatenate([part[name] for part in parts]) if np.ma.isMaskedArray(parts[0][name])
            else np.concatenate([part[name] for part in parts]) for name in parts[0]}  # fmt: skip
