"""vitienv cache: where compiled code is kept, how large it is, what it was made with; filling it, and its removal."""

from __future__ import annotations

import re
import shutil
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import GAME, JSON, OPTION, RULESET, counted, echo, print_json, set_options

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

# Folders by their names, and what may lie in them: this version's files, and those of versions that left them to Numba.
NAMES = re.compile(r"([a-z0-9_]+-)?[0-9a-f]{16}(-[a-z0-9-]+)?")
ENDINGS = (".kernel", ".tmp", ".nbi", ".nbc")
SHOWN = ("vitienv", "numba", "numpy", "python")
MEGABYTE = 1e6
SEARCH = "ismcts:simulations=8,seed=0"


def application() -> typer.Typer:
    """The commands below `vitienv cache`."""
    app = typer.Typer(help="Where compiled code is kept, its size and versions; `warm` compiles, `clear` removes.")
    app.callback(invoke_without_command=True)(show)
    app.command("warm")(warm)
    app.command("clear")(clear)
    return app


def show(context: typer.Context, json: bool = JSON) -> None:
    """Show where compiled code is kept, its size and versions. VITIENV_CACHE names another place for it."""
    if context.invoked_subcommand is not None:
        return
    kept = kept_folders()
    if json:
        print_json(kept)
        return
    echo(f"{kept['place']} (VITIENV_CACHE names another place)")
    for folder in kept["folders"]:
        made_with = ", ".join(f"{name} {number}" for name, number in folder["versions"].items()) or "an older version"
        use = "in use" if folder["in_use"] else "not in use"
        line = f"  {folder['name']}  {_size(folder['bytes'])}  {folder['written']}  {made_with}  {use}"
        echo(line)
    for told, in_use in (("in use", True), ("of other versions or games", False)):
        sizes = [folder["bytes"] for folder in kept["folders"] if folder["in_use"] == in_use]
        echo(f"{counted(len(sizes), 'folder')} {told}, {_size(sum(sizes))}")
    if any(not folder["in_use"] for folder in kept["folders"]):
        echo("vitienv cache clear --old removes what is not in use, vitienv cache clear everything")


def warm(
    bots: list[str] = typer.Argument(
        None, help="Bots that will play; by default the heuristic bot, the champion, and a search with each."
    ),
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
) -> None:
    """Compile now what a table and its bots need, so that nobody waits for it later: for an image of a container."""
    import vitienv
    from vitienv.agents.seeding import make_bots
    from vitienv.core.compiling.jit import is_interpreted
    from vitienv.core.compiling.progress import WATCH
    from vitienv.registry import game_spec
    from vitienv.training.evaluation.match import warm_up

    if is_interpreted():
        raise ValueError("rules are interpreted (NUMBA_DISABLE_JIT=1), so nothing is compiled")
    table = set_options(assignments, game, ruleset)
    own = game_spec(game).options.of(**table)
    made = make_bots(tuple(bots or usual_bots(own.game_spec)), 0, game)
    with WATCH.together([own.game_spec.kernels.determinize]):
        warm_up(made, game_spec(game), {"num_players": own.num_players} | table)
        vitienv.Game.new(game=game, seed=0, **table).determinize(0, 1).copy()
    kept = sum(folder["bytes"] for folder in kept_folders()["folders"] if folder["in_use"])
    echo(f"{_size(kept)} of compiled code in use")


def usual_bots(game: GameSpec) -> list[str]:
    """The bots that most users will meet at a table."""
    champions = ["policy:champion", f"{SEARCH},policy=champion"] if game.champions else []
    return [game.heuristic_bot, SEARCH, *champions]


def clear(
    old: bool = typer.Option(False, "--old", help="Only code of other versions or games than those installed."),
    json: bool = JSON,
) -> None:
    """Remove compiled code; what is needed is compiled again, and the first game takes as long as after installation.

    Only folders that hold nothing else are removed.
    """
    kept = kept_folders()
    removed = [folder for folder in kept["folders"] if not (old and folder["in_use"])]
    for folder in removed:
        shutil.rmtree(Path(kept["place"]) / folder["name"])
    if json:
        print_json({"place": kept["place"], "removed": removed})
        return
    freed = _size(sum(folder["bytes"] for folder in removed))
    told = counted(len(removed), "folder")
    echo(f"{told} removed from {kept['place']}, {freed}")


def kept_folders() -> dict[str, Any]:
    """The folder of compiled code (`place`) and its `folders`, each with name, bytes, day of the last write, versions,
    and whether this version uses it."""
    from vitienv.core.compiling.code_cache import root

    place, in_use = root(), folders_in_use()
    inside = sorted(place.iterdir()) if place.is_dir() else []
    folders = [_about(path) | {"in_use": path in in_use} for path in inside if _is_ours(path)]
    return {"place": str(place), "folders": folders}


def code_by_game() -> dict[str, str]:
    """Return where the code of each game's engine comes from, see `core.compiling.jit.code_of`."""
    from vitienv.core.compiling.jit import code_of
    from vitienv.core.compiling.prebuilt import level
    from vitienv.registry import game_names, game_spec

    codes = {name: code_of(game_spec(name).kernels.run) for name in game_names()}
    return {name: f"{code} for {level(name)}" if code == "prebuilt" else code for name, code in codes.items()}


def folders_in_use() -> set[Path]:
    """Those of the games that are known by name, of all their rulesets, and of their bots and searches.

    ValueError where rules are interpreted.
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
            _ = game_spec(game).options.of(ruleset=ruleset).game_spec.searching  # who makes it notes its folder
    return FOLDERS


def _is_ours(folder: Path) -> bool:
    """Whether a folder holds nothing but kept code."""
    from vitienv.core.compiling.code_cache import ABOUT

    if not folder.is_dir() or folder.is_symlink() or NAMES.fullmatch(folder.name) is None:
        return False
    return all(path.is_dir() or path.name == ABOUT or path.suffix in ENDINGS for path in folder.rglob("*"))


def _about(folder: Path) -> dict[str, Any]:
    from vitienv.core.compiling.code_cache import ABOUT
    from vitienv.core.files import read_json

    try:
        versions = read_json(folder / ABOUT)["versions"]
        shown = {name: str(versions[name]) for name in SHOWN}
    except (ValueError, KeyError, TypeError):
        shown = {}
    stats = [path.stat() for path in (folder, *folder.rglob("*"))]
    return {
        "name": folder.name,
        "bytes": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        "written": datetime.fromtimestamp(max(stat.st_mtime for stat in stats)).date().isoformat(),
        "versions": shown,
    }


def _size(bytes_view: int) -> str:
    return f"{bytes_view / MEGABYTE:.1f} MB"
