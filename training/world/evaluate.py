"""Teams of bots in Viticulture World, on its continents, by the number of seats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.seating import game_seeds, make_bots
from vitienv.core.english import read_integer
from vitienv.core.files import versions
from vitienv.core.options import SHORT
from vitienv.training.intervals import clustered_mean, clustered_share, independent_share
from vitienv.training.measure.cases import Columns, play_cases
from vitienv.training.measure.match import check_amount, play
from vitienv.training.measure.remarks import FAULTS, GameCounts, counted, told
from vitienv.training.workers import Bots, Executor
from vitienv.world.names import CONTINENTS
from vitienv.world.options import Options
from vitienv.world.tables import DEFAULT

GAME = "world"
ALL = "all"
KINDS = {"points": list[int], "missing": int, "told": GameCounts}  # columns of a file of games


def tables_of(continent: str, players: str, events: str, open_hands: bool) -> list[dict[str, Any]]:
    """The options of each table asked for. ValueError for a continent or a number of seats that there is not."""
    names = CONTINENTS if continent == ALL else [name.strip() for name in continent.split(",")]
    seats = [number.strip() for number in players.split(",")]
    strange = [number for number in seats if read_integer(number) is None]
    if strange:
        raise ValueError(f"--players is {players!r}; it must be numbers of seats with commas, such as 1,2,4")
    shared: dict[str, Any] = {"events": events, "open_hands": open_hands}
    made = [shared | {"continent": name, "num_players": int(number)} for name in names for number in seats]
    for one in made:
        if one["continent"] == "greengully":
            one["events"] = "ordered"  # it is never shuffled
        Options.of(**one)
    return made


def evaluate_world(
    agents: list[str],
    tables: list[dict[str, Any]],
    beside: str | None = None,
    games: int = 2000,
    seed: int = 0,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int], None] | None = None,
    keep: Path | None = None,
) -> dict[str, Any]:
    """Let every team play at every table on the same seeds: settings, versions, and a result for each.

    Nothing in it depends on the processes, or on another place to play at (`places.executor`). keep: a file for what
    is played; what it holds of this measurement is not played again. ValueError, in one line, for a wrong setting or a
    file of another measurement; OSError if it cannot be written.
    """
    check_amount("games", games)
    if len(set(agents)) < len(agents):
        raise ValueError("a bot is named twice")
    bots = Bots((*agents, *([beside] if beside else [])), seed, GAME, tables[0])
    cases = [(agent, table) for agent in agents for table in tables]
    given = [(table, agent, beside, seed) for agent, table in cases]
    measured = {"cases": [[agent, beside, table] for agent, table in cases], "games": games, "seed": seed,
                "columns": ["points", "missing", "told"], "data": DEFAULT.digest, "versions": versions()}  # fmt: skip
    played = play_cases(play_part, given, games, bots, processes, on_progress, keep, measured, KINDS)
    results = []
    for (agent, table), columns in zip(cases, played, strict=True):
        seats, steps = Options.of(**table).num_players, columns["missing"]
        if columns["points"].shape != (games, seats) or (np.abs(columns["points"]) > SHORT).any() or (steps < 0).any():
            raise ValueError(f"{str(keep)!r} is damaged: points of {games} games and {seats} seats, steps from 0")
        is_lost = np.array([bool(one[FAULTS]) for one in columns["told"]])
        about = {"agent": agent, "beside": beside, **table, **told(columns["told"])}
        results.append(about | summary(columns["points"], columns["missing"], _goal(table), is_lost))
    return {"games": games, "seed": seed, "seeds": game_seeds(seed, range(games)), "versions": versions(),
            "results": results}  # fmt: skip


def _goal(table: dict[str, Any]) -> int:
    """The points that every seat must have."""
    options = Options.of(**table)
    return int(options.rules()[options.definition.lever("vp_each")])


def play_part(
    case: int, table: dict[str, Any], agent: str, beside: str | None, seed: int, numbers: range
) -> tuple[int, int, Columns]:
    """Some of the games of a team at a table, see `play_cases`: points (games, seats), missing (games,), the steps
    that the token lacked, and told (games,), see `remarks.counted`."""
    options = Options.of(**table)
    bots = make_bots((agent, beside or agent), seed, GAME)
    seating = [[seat % 2 for seat in range(options.num_players)]] * len(numbers)
    played = play(options, game_seeds(seed, numbers), seating, bots)
    made = options.definition
    games = played.records.reshape(-1).view(made.dtype)
    ends = games["rules"][:, made.lever("influence_end")]
    missing = (ends - games["influence"]).astype(np.int64)
    spoken = np.array(counted(played, (agent, beside or agent)), object)
    return case, numbers.start, {"points": played.points.astype(np.int64), "missing": missing, "told": spoken}


def summary(points: np.ndarray, missing: np.ndarray, goal: int, is_lost: np.ndarray) -> dict[str, Any]:
    """What became of some games. points (games, seats). missing (games,): steps the token lacked. is_lost (games,):
    by a fault, whatever the points."""
    n, there = len(points), points >= goal
    with_points, with_token = there.all(axis=1), missing == 0
    seeds = np.repeat(np.arange(n), points.shape[1])
    return {
        "games": n,
        "win_rate": independent_share(int((with_points & with_token & ~is_lost).sum()), n),
        "lost_by_points": float((~with_points & with_token & ~is_lost).mean()),
        "lost_by_token": float((with_points & ~with_token & ~is_lost).mean()),
        "lost_by_both": float((~with_points & ~with_token & ~is_lost).mean()),
        "seats_there": clustered_share(there.reshape(-1), seeds),
        "points": clustered_mean(points.reshape(-1), seeds),
        "lowest": float(points.min(axis=1).mean()),
        "token_missing": float(missing.mean()),
    }
