"""Finished tournaments: their settings, and the results of several machines as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.files import read_json, versions
from vitienv.training.evaluation.standings import NOTE, results_of, write
from vitienv.training.evaluation.tournament import FORMAT, Settings, load_settings, version_in
from vitienv.training.ratings import win_shares

if TYPE_CHECKING:
    import pandas as pd

COUNTED = "game", "seed_number"  # numbers from 0 in each tournament
MOST = 2**53  # of what bots count
MOST_POINTS = 2**15 - 1  # the engine has 16 bits for them


def load_finished(folder: Path) -> Settings:
    """The settings of a finished tournament. ValueError, in one line, if there is none in a folder."""
    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}")
    if not (folder / "settings.json").exists():
        raise ValueError(f"{str(folder)!r} does not hold a tournament")
    settings = load_settings(folder, plays=False)
    if not (folder / "results.json").exists():
        raise ValueError(f"the tournament in {str(folder)!r} is not finished: vitienv tournament --resume {folder}")
    return settings


def merge(folders: Sequence[Path], out: Path) -> dict[str, Any]:
    """The games of several finished tournaments, as if one had played them all: games.parquet, table.csv and
    results.json in a new folder; returns what results.json holds.

    They may differ in seed, number of games, chunks and logs. ValueError, in one line, if anything else does, if they
    were made by another version than this one, or if two played the same games.
    """
    import pandas as pd

    if len(folders) < 2:
        raise ValueError(f"--merge joins at least 2 run folders, not {len(folders)}")
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]):
        raise ValueError(f"{str(out)!r} exists; a merged tournament needs a new folder")
    frames: list[pd.DataFrame] = []
    parts: list[dict[str, Any]] = []
    first, played = load_finished(folders[0]), dict[int, Path]()
    for folder in folders:
        settings = load_finished(folder)
        made, here = version_in(read_json(folder / "settings.json")), versions()["vitienv"]
        if made != here:
            raise ValueError(f"{str(folder)!r} was played with vitienv {made}; this is {here}")
        own, common = (_what_fits(one) for one in (settings, first))
        if differ := [name for name in common if own[name] != common[name]]:
            told = ", ".join(f"{name} {own[name]} instead of {common[name]}" for name in differ)
            raise ValueError(f"{str(folder)!r} does not fit {str(folders[0])!r}: {told}")
        frame = _games(folder, settings)
        if twice := set(frame["seed"]) & set(played):
            other = played[twice.pop()]
            raise ValueError(f"{str(folder)!r} has games of {str(other)!r} too; give each machine a --seed of its own")
        played |= dict.fromkeys(frame["seed"], folder)
        for name in COUNTED:
            frame[name] += sum(one[name].nunique() for one in frames)
        frames.append(frame)
        parts.append({"seed": settings.seed, "games": len(settings.schedule())})
    frame = pd.concat(frames, ignore_index=True)
    is_of_team = first.game_options().game_spec.is_of_team
    found = results_of(frame, first.agents, first.num_players, is_of_team)
    settings = replace(first, games=found["games"], chunk_size=0, logs=False, multipv=0)
    results = {"format": FORMAT, "merged": parts, "settings": settings.to_dict(), "versions": versions(), **found}
    out.mkdir(parents=True, exist_ok=True)
    write(out, frame, results)
    return results


def _what_fits(settings: Settings) -> dict[str, Any]:
    told = replace(settings, seed=0, games=1, chunk_size=0, logs=False, multipv=0).to_dict()
    return told | {"options": settings.game_options().to_dict()}


def _games(folder: Path, settings: Settings) -> pd.DataFrame:
    """The rows of a tournament's games. ValueError unless its settings seat the same bots on the same seeds, and for
    numbers that no game has."""
    import pandas as pd
    import pyarrow

    schedule, columns, file = settings.schedule(), ["game", "seat", "seed", "seed_number", "agent"], "games.parquet"
    try:
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
        raise ValueError(f"{str(folder / file)!r} does not hold the games of its settings")
    if wrong := impossible(frame, settings):
        raise ValueError(f"{str(folder / file)!r} is damaged: its column {wrong!r} has values that no game has")
    return frame


def impossible(frame: pd.DataFrame, settings: Settings) -> str:
    """Name a column of games.parquet with a value that no game of a tournament has; an empty string if there is none.

    Ranks must follow from the points of a game, and wins from its ranks. A game that a fault ended has the ranks of
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
    is_lost = forfeits != ""
    has_forfeit = is_lost.any(axis=1)
    if options.game_spec.is_of_team:
        right = np.where(has_forfeit, 2, np.clip(ranks[:, 0], 1, 2))[:, None].repeat(n, axis=1)
    else:
        better = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
        right = np.where(has_forfeit[:, None], np.where(is_lost, n, 1), 1 + better)
        is_ahead = points[:, :, None] > points[:, None, :]
        right[~has_forfeit & (is_ahead & (ranks[:, :, None] >= ranks[:, None, :])).any(axis=(1, 2))] = 0
    wrong = {
        "points": np.abs(points) > MOST_POINTS,
        "year": (years < 0) | (years > limit) | (years != years[:, :1]),
        "decisions": (decisions < 0) | (decisions != decisions[:, :1]),
        "truncated": truncated != truncated[:, :1],
        "state": states != states[:, :1],
        "forfeit": is_lost.sum(axis=1) > 1,
        "rank": ranks != right,
        "win": wins != win_shares(ranks, truncated[:, 0], options.game_spec.is_of_team),
    }
    return next((name for name, rows in wrong.items() if rows.any()), "")
