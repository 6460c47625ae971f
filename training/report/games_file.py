"""Reading of games.parquet, whose values are checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vitienv.training.evaluation.schedule import Swiss
from vitienv.training.evaluation.standings import NOTE
from vitienv.training.ratings import win_shares
from vitienv.trust import check_regular

if TYPE_CHECKING:
    import pandas as pd

    from vitienv.training.evaluation.tournament import Settings

MAX_COUNT = 2**53  # upper bound of bots' counters
MAX_POINTS = 2**15 - 1  # points are 16-bit integers in the engine


def read_games(folder: Path, settings: Settings) -> pd.DataFrame:
    """Read games.parquet. ValueError if its games are not those of the settings or a value is impossible."""
    import pandas as pd
    import pyarrow

    schedule, file = settings.make_schedule(), "games.parquet"
    try:
        check_regular(folder / file)
        frame = pd.read_parquet(folder / file)
        rows = frame[["game", "seat", "seed", "seed_number", "agent"]].values.tolist()
        if isinstance(schedule, Swiss):  # its tables depend on the results
            if unknown := set(frame["agent"]) - set(settings.agents):
                raise ValueError(f"unknown bot {min(map(str, unknown))!r}")
            schedule.restore([settings.agents.index(agent) for agent in frame["agent"]])
    except (OSError, KeyError, TypeError, ValueError, pyarrow.ArrowException) as error:
        raise ValueError(f"{str(folder / file)!r} is damaged: {' '.join(str(error).split())}") from None
    expected = [
        [game, seat, schedule.seed(game), schedule.seed_number(game), settings.agents[bot]]
        for game in range(len(schedule))
        for seat, bot in enumerate(schedule.seating(game))
    ]
    if rows != expected:
        raise ValueError(f"{str(folder / file)!r} does not contain the games of its settings")
    if column := find_invalid_column(frame, settings):
        raise ValueError(f"{str(folder / file)!r} is damaged: column {column!r} has impossible values")
    return frame


def find_invalid_column(frame: pd.DataFrame, settings: Settings) -> str:
    """Return the name of a column of games.parquet with an impossible value, or "".

    Ranks must agree with the points of a game, and wins with its ranks. A forfeited game has the ranks of
    `Batch.forfeit_rows`.
    """
    n, options = settings.num_players, settings.game_options()
    kinds = dict.fromkeys(("game", "seed", "seed_number", "seat", "points", "rank", "year", "decisions"), "iu")
    kinds |= {"win": "f", "truncated": "b"}
    texts = {"agent", "state", "forfeit"}
    for name in [*kinds, *texts]:
        if name not in frame or (name in kinds and frame[name].dtype.kind not in kinds[name]):
            return name
        if name in texts and not frame[name].map(lambda text: isinstance(text, str)).all():
            return name
    for name in set(frame) - set(kinds) - texts:
        counts = frame[name]
        if (
            not name.startswith(NOTE)
            or counts.dtype.kind not in "iuf"
            or not counts.dropna().between(0, MAX_COUNT).all()
        ):
            return name
    points, ranks, years, decisions, truncated, states, forfeits, wins = (
        frame[name].to_numpy().reshape(-1, n)
        for name in ("points", "rank", "year", "decisions", "truncated", "state", "forfeit", "win")
    )
    limit = getattr(options, options.LIMIT)
    has_failed = forfeits != ""
    is_lost = has_failed & (settings.on_failure != "replace")
    has_forfeit = is_lost.any(axis=1)
    if options.game_spec.is_of_team:
        expected = np.where(has_forfeit, 2, np.clip(ranks[:, 0], 1, 2))[:, None].repeat(n, axis=1)
    else:
        num_better = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
        expected = np.where(has_forfeit[:, None], np.where(is_lost, n, 1), 1 + num_better)
        is_ahead = points[:, :, None] > points[:, None, :]
        expected[~has_forfeit & (is_ahead & (ranks[:, :, None] >= ranks[:, None, :])).any(axis=(1, 2))] = 0
    invalid = {
        "points": np.abs(points) > MAX_POINTS,
        "year": (years < 0) | (years > limit) | (years != years[:, :1]),
        "decisions": (decisions < 0) | (decisions != decisions[:, :1]),
        "truncated": truncated != truncated[:, :1],
        "state": states != states[:, :1],
        "forfeit": is_lost.sum(axis=1) > 1,
        "rank": ranks != expected,
        "win": wins != win_shares(ranks, truncated[:, 0], options.game_spec.is_of_team),
    }
    return next((name for name, rows in invalid.items() if rows.any()), "")
