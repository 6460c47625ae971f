"""Finished tournaments: their settings, and the results of several machines as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vitienv.core.files import read_json, versions
from vitienv.training.measure.standings import results_of, write
from vitienv.training.measure.tournament import FORMAT, Settings, load_settings

if TYPE_CHECKING:
    import pandas as pd

COUNTED = "game", "seed_number"  # numbers from 0 in each tournament


def load_finished(folder: Path) -> Settings:
    """The settings of a finished tournament. ValueError, in one line, if there is none in a folder."""
    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r}")
    if not (folder / "settings.json").exists():
        raise ValueError(f"{str(folder)!r} does not hold a tournament")
    settings = load_settings(folder)
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
        told, here = read_json(folder / "settings.json").get("versions"), versions()["vitienv"]
        made = told.get("vitienv") if isinstance(told, dict) else None
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
    is_of_team = first.game_options().definition.is_of_team
    found = results_of(frame, first.agents, first.num_players, first.seed, is_of_team)
    settings = replace(first, games=found["games"], chunk=0, logs=False, candidates=0)
    results = {"format": FORMAT, "merged": parts, "settings": settings.to_dict(), "versions": versions(), **found}
    out.mkdir(parents=True, exist_ok=True)
    write(out, frame, results)
    return results


def _what_fits(settings: Settings) -> dict[str, Any]:
    """What two tournaments must have in common."""
    told = replace(settings, seed=0, games=1, chunk=0, logs=False, candidates=0).to_dict()
    return told | {"options": settings.game_options().to_dict()}


def _games(folder: Path, settings: Settings) -> pd.DataFrame:
    """The rows of a tournament's games. ValueError unless its settings seat the same bots on the same seeds."""
    import pandas as pd

    schedule, columns = settings.schedule(), ["game", "seat", "seed", "seed_number", "agent"]
    try:
        frame = pd.read_parquet(folder / "games.parquet")
        rows = frame[columns].values.tolist()
        results_of(frame, settings.agents, settings.num_players, 0)  # whatever else it asks for is there
    except (OSError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{str(folder / 'games.parquet')!r} is damaged: {' '.join(str(error).split())}") from None
    expected = [
        [game, seat, schedule.seed(game), schedule.seed_number(game), settings.agents[bot]]
        for game in range(len(schedule))
        for seat, bot in enumerate(schedule.seating(game))
    ]
    if rows != expected:
        raise ValueError(f"{str(folder / 'games.parquet')!r} does not hold the games of its settings")
    return frame
