"""Merging of finished tournaments, such as those of several machines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vitienv.core.files import read_json, versions
from vitienv.training.evaluation.standings import results_of
from vitienv.training.evaluation.tournament import Settings, load_settings, version_in
from vitienv.training.json_dataclasses import checked
from vitienv.training.report.games_file import read_games
from vitienv.training.report.standings_page import write

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
    """Merge finished tournaments into a new directory, with the files of `standings_page.write`.

    Return the content of results.json. Seed, number of games, chunk size, logs and bots may differ. ValueError if
    other settings differ, if a tournament is of another version or has no bot of an earlier one, or if two have the
    same games or different networks of the same name.
    """
    import pandas as pd

    if len(folders) < 2:
        raise ValueError(f"--merge requires at least 2 run directories, got {len(folders)}")
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]):
        raise ValueError(f"{str(out)!r} exists; the merged tournament requires a new directory")
    frames: list[pd.DataFrame] = []
    parts: list[dict[str, Any]] = []
    first, played = load_finished(folders[0]), dict[int, Path]()
    agents, weights = dict.fromkeys(first.agents), dict[str, str]()
    for folder in folders:
        settings, heading = load_finished(folder), read_json(folder / "settings.json")
        version, current = version_in(heading), versions()["vitienv"]
        if version != current:
            raise ValueError(f"{str(folder)!r} was played with vitienv {version}; this is {current}")
        settings_of_folder, common = _comparable(settings), _comparable(first)
        if differ := [name for name in common if settings_of_folder[name] != common[name]]:
            differences = ", ".join(f"{name} {settings_of_folder[name]} instead of {common[name]}" for name in differ)
            raise ValueError(f"{str(folder)!r} does not fit {str(folders[0])!r}: {differences}")
        if not agents.keys() & set(settings.agents):
            raise ValueError(f"{str(folder)!r} must have a bot of the directories before it")
        agents |= dict.fromkeys(settings.agents)
        for name, digest in checked(dict[str, str], heading.get("weights", {}), f"weights of {str(folder)!r}").items():
            if weights.setdefault(name, digest) != digest:
                raise ValueError(f"{str(folder)!r} was played with other weights of {name!r} than those before it")
        frame = read_games(folder, settings)
        if common_seeds := set(frame["seed"]) & set(played):
            other = played[common_seeds.pop()]
            raise ValueError(f"{str(folder)!r} has games of {str(other)!r}; use a different --seed on each machine")
        played |= dict.fromkeys(frame["seed"], folder)
        for name in INDICES:
            frame[name] += sum(earlier[name].nunique() for earlier in frames)
        frames.append(frame)
        parts.append({"seed": settings.seed, "games": settings.num_games()})
    frame = pd.concat(frames, ignore_index=True)
    is_of_team = first.game_options().game_spec.is_of_team
    summary = results_of(frame, tuple(agents), first.num_players, is_of_team, first.on_failure)
    merged_settings = first.to_dict() | {"agents": list(agents), "games": sum(part["games"] for part in parts)}
    merged_settings |= {"chunk_size": 0, "logs": False, "multipv": 0}
    del merged_settings["schedule"]
    results = {"merged": parts, "settings": merged_settings, "versions": versions(), **summary}
    out.mkdir(parents=True, exist_ok=True)
    write(out, frame, results)
    return results


def _comparable(settings: Settings) -> dict[str, Any]:
    fixed = {name: getattr(settings, name) for name in ("game", "num_players", "on_failure")}
    return fixed | {"options": settings.game_options().to_dict()}
