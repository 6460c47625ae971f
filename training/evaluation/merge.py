"""Merging of finished tournaments, such as those of several machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.files import read_json, versions
from vitienv.signing import check_regular
from vitienv.training.evaluation.standings import NOTE, results_of
from vitienv.training.evaluation.standings_page import write
from vitienv.training.evaluation.tournament import FORMAT, Settings, load_settings, version_in
from vitienv.training.ratings import win_shares

if TYPE_CHECKING:
    import pandas as pd

INDICES = "game", "seed_number"  # columns that start from 0 in each tournament
MOST = 2**53  # upper bound of bots' counters
MOST_POINTS = 2**15 - 1  # points are 16-bit integers in the engine


def load_finished(folder: Path) -> Settings:
    """Read the settings of a finished tournament. ValueError if the directory does not contain one."""
    if not folder.is_dir():
        raise ValueError(f"directory {str(folder)!r} does not exist")
    if not (folder / "settings.json").exists():
        raise ValueError(f"{str(folder)!r} does not contain a tournament")
    settings = load_settings(folder, plays=False)
    if not (folder / "results.json").exists():
        raise ValueError(f"the tournament in {str(folder)!r} is not finished: vitienv tournament --resume {folder}")
    return settings


def merge(folders: Sequence[Path], out: Path) -> dict[str, Any]:
    """Merge finished tournaments: write games.parquet, table.csv and results.json to a new directory.

    Return the content of results.json. Seed, number of games, chunk size and logs may differ. ValueError if other
    settings differ, if a tournament is of another version, or if two have the same games.
    """
    import pandas as pd

    if len(folders) < 2:
        raise ValueError(f"--merge requires at least 2 run directories, got {len(folders)}")
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]):
        raise ValueError(f"{str(out)!r} exists; the merged tournament requires a new directory")
    frames: list[pd.DataFrame] = []
    parts: list[dict[str, Any]] = []
    first, played = load_finished(folders[0]), dict[int, Path]()
    for folder in folders:
        settings = load_finished(folder)
        version, current = version_in(read_json(folder / "settings.json")), versions()["vitienv"]
        if version != current:
            raise ValueError(f"{str(folder)!r} was played with vitienv {version}; this is {current}")
        settings_of_folder, common = (_comparable(earlier) for earlier in (settings, first))
        if differ := [name for name in common if settings_of_folder[name] != common[name]]:
            differences = ", ".join(f"{name} {settings_of_folder[name]} instead of {common[name]}" for name in differ)
            raise ValueError(f"{str(folder)!r} does not fit {str(folders[0])!r}: {differences}")
        frame = read_games(folder, settings)
        if common_seeds := set(frame["seed"]) & set(played):
            other = played[common_seeds.pop()]
            raise ValueError(f"{str(folder)!r} has games of {str(other)!r}; use a different --seed on each machine")
        played |= dict.fromkeys(frame["seed"], folder)
        for name in INDICES:
            frame[name] += sum(earlier[name].nunique() for earlier in frames)
        frames.append(frame)
        parts.append({"seed": settings.seed, "games": len(settings.schedule())})
    frame = pd.concat(frames, ignore_index=True)
    is_of_team = first.game_options().game_spec.is_of_team
    summary = results_of(frame, first.agents, first.num_players, is_of_team, first.on_failure)
    settings = replace(first, games=summary["games"], chunk_size=0, logs=False, multipv=0)
    results = {"format": FORMAT, "merged": parts, "settings": settings.to_dict(), "versions": versions(), **summary}
    out.mkdir(parents=True, exist_ok=True)
    write(out, frame, results)
    return results


def _comparable(settings: Settings) -> dict[str, Any]:
    fixed = replace(settings, seed=0, games=1, chunk_size=0, logs=False, multipv=0).to_dict()
    return fixed | {"options": settings.game_options().to_dict(), "on_failure": settings.on_failure}


def read_games(folder: Path, settings: Settings) -> pd.DataFrame:
    """Read games.parquet. ValueError if its games are not those of the settings or a value is impossible."""
    import pandas as pd
    import pyarrow

    schedule, columns, file = settings.schedule(), ["game", "seat", "seed", "seed_number", "agent"], "games.parquet"
    try:
        check_regular(folder / file)
        frame = pd.read_parquet(folder / file)
        rows = frame[columns].values.tolist()
    except (OSError, KeyError, TypeError, ValueError, pyarrow.ArrowException) as error:
        raise ValueError(f"{str(folder / file)!r} is damaged: {' '.join(str(error).split())}") from None
    expected = [
        [game, seat, schedule.seed(game), schedule.seed_number(game), settings.agents[bot]]
        for game in range(len(schedule))
        for seat, bot in enumerate(schedule.seating(game))
    ]
    if rows != expected:
        raise ValueError(f"{str(folder / file)!r} does not contain the games of its settings")
    if column := impossible(frame, settings):
        raise ValueError(f"{str(folder / file)!r} is damaged: column {column!r} has impossible values")
    return frame


def impossible(frame: pd.DataFrame, settings: Settings) -> str:
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
        if not name.startswith(NOTE) or counts.dtype.kind not in "iuf" or not counts.dropna().between(0, MOST).all():
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
        better = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
        expected = np.where(has_forfeit[:, None], np.where(is_lost, n, 1), 1 + better)
        is_ahead = points[:, :, None] > points[:, None, :]
        expected[~has_forfeit & (is_ahead & (ranks[:, :, None] >= ranks[:, None, :])).any(axis=(1, 2))] = 0
    invalid = {
        "points": np.abs(points) > MOST_POINTS,
        "year": (years < 0) | (years > limit) | (years != years[:, :1]),
        "decisions": (decisions < 0) | (decisions != decisions[:, :1]),
        "truncated": truncated != truncated[:, :1],
        "state": states != states[:, :1],
        "forfeit": is_lost.sum(axis=1) > 1,
        "rank": ranks != expected,
        "win": wins != win_shares(ranks, truncated[:, 0], options.game_spec.is_of_team),
    }
    return next((name for name, rows in invalid.items() if rows.any()), "")
