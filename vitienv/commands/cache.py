"""vitienv cache: location, size and versions of the cache of compiled code; warming and clearing it."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import GAME, JSON, OPTION, RULESET, echo, print_json, set_options

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

VERSION_KEYS = ("vitienv", "numba", "numpy", "python")
MEGABYTE = 1e6
SEARCH = "ismcts:simulations=8,seed=0"


def application() -> typer.Typer:
    """Return the subcommands of `vitienv cache`."""
    app = typer.Typer(help="Show the cache of compiled code; `warm` fills it, `clear` empties it.")
    app.callback(invoke_without_command=True)(show)
    app.command("warm")(warm)
    app.command("clear")(clear)
    return app


def show(context: typer.Context, json: bool = JSON) -> None:
    """Show location, size and versions of the compiled code. The environment variable VITIENV_CACHE moves the cache."""
    if context.invoked_subcommand is not None:
        return
    cache = cache_directories()
    if json:
        print_json(cache)
        return
    echo(f"{cache['place']} (set VITIENV_CACHE to move it)")
    for folder in cache["folders"]:
        versions = ", ".join(f"{name} {number}" for name, number in folder["versions"].items())
        use = "in use" if folder["in_use"] else "not in use"
        echo(f"  {folder['name']}  {_size(folder['bytes'])}  {folder['written']}  {versions}  {use}")
    for label, in_use in (("in use", True), ("of other versions or games", False)):
        sizes = [folder["bytes"] for folder in cache["folders"] if folder["in_use"] == in_use]
        echo(f"{len(sizes)} {'directory' if len(sizes) == 1 else 'directories'} {label}, {_size(sum(sizes))}")
    if any(not folder["in_use"] for folder in cache["folders"]):
        echo("`vitienv cache clear --old` removes unused code, `vitienv cache clear` all code")


def warm(
    bots: list[str] = typer.Argument(
        None, help="Bots to compile; by default the heuristic bot, the champion and a search with each."
    ),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
) -> None:
    """Compile the code of a table and its bots in advance, for example in a container image."""
    import vitienv
    from vitienv.agents.seeding import make_bots
    from vitienv.core.compiling.jit import is_interpreted
    from vitienv.core.compiling.progress import PROGRESS
    from vitienv.registry import game_spec
    from vitienv.training.evaluation.match import warm_up

    if is_interpreted():
        raise ValueError("rules are interpreted (NUMBA_DISABLE_JIT=1), so nothing is compiled")
    table = set_options(assignments, game, ruleset)
    options = game_spec(game).options.of(**table)
    agents = make_bots(tuple(bots or default_bots(options.game_spec)), 0, game)
    with PROGRESS.group([options.game_spec.kernels.determinize]):
        warm_up(agents, game_spec(game), {"num_players": options.num_players} | table)
        vitienv.Game.new(game=game, seed=0, **table).determinize(0, 1).copy()
    num_bytes = sum(folder["bytes"] for folder in cache_directories()["folders"] if folder["in_use"])
    echo(f"{_size(num_bytes)} of compiled code in use")


def default_bots(game: GameSpec) -> list[str]:
    """Return the most common bots of a game."""
    champions = ["policy:champion", f"{SEARCH},policy=champion"] if game.champions else []
    return [game.heuristic_bot, SEARCH, *champions]


def clear(
    old: bool = typer.Option(False, "--old", help="Only code of versions or games that are not installed."),
    json: bool = JSON,
) -> None:
    """Remove compiled code. It is compiled again on demand, so the next first game is slow."""
    cache = cache_directories()
    removed = [folder for folder in cache["folders"] if not (old and folder["in_use"])]
    for folder in removed:
        shutil.rmtree(Path(cache["place"]) / folder["name"])
    if json:
        print_json({"place": cache["place"], "removed": removed})
        return
    count = f"{len(removed)} {'directory' if len(removed) == 1 else 'directories'}"
    echo(f"Removed {count} from {cache['place']}, {_size(sum(folder['bytes'] for folder in removed))}")


def cache_directories() -> dict[str, Any]:
    """Return the cache directory (`place`) and its `folders`: name, bytes, date of the last write, versions, in use."""
    from vitienv.core.compiling.code_cache import root

    place, in_use = root(), folders_in_use()
    inside = sorted(place.iterdir()) if place.is_dir() else []
    folders = [folder | {"in_use": path in in_use} for path in inside if (folder := _metadata(path)) is not None]
    return {"place": str(place), "folders": folders}


def code_by_game() -> dict[str, str]:
    """Return the source of each game's engine code, see `core.compiling.jit.code_of`."""
    from vitienv.core.compiling.jit import code_of
    from vitienv.core.compiling.prebuilt import level
    from vitienv.registry import game_names, game_spec

    codes = {name: code_of(game_spec(name).kernels.run) for name in game_names()}
    return {name: f"{code} for {level(name)}" if code == "prebuilt" else code for name, code in codes.items()}


def folders_in_use() -> set[Path]:
    """Return the cache directories of all installed games, their rulesets, bots and searches.

    Raises ValueError if the rules are interpreted.
    """
    from vitienv.agents.registry import load_agents
    from vitienv.core.compiling.code_cache import FOLDERS
    from vitienv.core.compiling.jit import is_interpreted
    from vitienv.registry import game_names, game_spec

    if is_interpreted():
        raise ValueError("rules are interpreted (NUMBA_DISABLE_JIT=1), so no compiled code is in use")
    for game in game_names():
        load_agents(game)
        for ruleset in game_spec(game).rulesets:
            _ = game_spec(game).options.of(ruleset=ruleset).game_spec.searching  # registers its directory
    return FOLDERS


def _metadata(folder: Path) -> dict[str, Any] | None:
    """Return the metadata of a cache directory; None for others."""
    from vitienv.core.compiling.code_cache import ABOUT, KIND
    from vitienv.core.files import read_json

    try:
        description = read_json(folder / ABOUT)
        labels = {name: str(description["versions"][name]) for name in VERSION_KEYS}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if folder.is_symlink() or description.get("kind") != KIND:
        return None
    stats = [path.stat() for path in (folder, *folder.rglob("*"))]
    return {
        "name": folder.name,
        "bytes": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        "written": datetime.fromtimestamp(max(stat.st_mtime for stat in stats)).date().isoformat(),
        "versions": labels,
    }


def _size(num_bytes: int) -> str:
    return f"{num_bytes / MEGABYTE:.1f} MB"
