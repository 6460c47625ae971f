"""Merging of finished tournaments, such as those of several machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vitienv.core.files import read_json, versions
from vitienv.training.evaluation.games_file import read_games
from vitienv.training.evaluation.standings import results_of
from vitienv.training.evaluation.standings_page import write
from vitienv.training.evaluation.tournament import FORMAT, Settings, load_settings, version_in

if TYPE_CHECKING:
    import pandas as pd

INDICES = "game", "seed_number"  # columns that start from 0 in each tournament


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
