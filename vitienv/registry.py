"""Registry of the games: names, modules, Gymnasium ids. A game is imported on first use."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

DEFAULT = "viticulture"
RULES = "essential (default), solo or original (Viticulture only)."
_MODULES: dict[str, str] = {
    "viticulture": "vitienv.viticulture.game_spec",
    "toscana": "vitienv.toscana.game_spec",
    "world": "vitienv.world.game_spec",
}
# Ids for `gymnasium.make` and `pettingzoo.make`, with their default arguments.
GYMNASIUM_IDS: dict[str, dict[str, Any]] = {
    "vitienv/Viticulture-v0": {"illegal_action": "lose"},
    "vitienv/Toscana-v0": {"illegal_action": "lose", "game": "toscana"},
    "vitienv/ViticultureSolo-v0": {"illegal_action": "lose", "ruleset": "solo", "opponents": ()},
    "vitienv/ViticultureWorld-v0": {"illegal_action": "lose", "game": "world", "opponents": (), "learner_seat": "all"},
}
PETTINGZOO_IDS: dict[str, dict[str, Any]] = {
    "vitienv/Viticulture-v0": {},
    "vitienv/Toscana-v0": {"game": "toscana"},
    "vitienv/ViticultureWorld-v0": {"game": "world"},
}
# Constants that define the modes of `vitienv evaluate`, by game ("" for all games) and mode.
MODES: dict[tuple[str, str], str] = {
    ("", "table"): "vitienv.training.evaluation.evaluate.TABLE_MODE",
    ("viticulture", "alone"): "vitienv.training.viticulture.evaluate.SOLO",
    ("viticulture", "campaign"): "vitienv.training.viticulture.evaluate.CAMPAIGN",
    ("world", "team"): "vitienv.training.world.evaluate.TEAM",
    ("world", "cross-play"): "vitienv.training.world.evaluate.CROSS_PLAY",
}


def register_game(name: str, module: str) -> None:
    """Register a game under a name for `game=` and `--game`. module: dotted name of the module with its `GAME_SPEC`.

    ValueError if the name is malformed or belongs to another module.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"name must be lower-case letters, digits and '_', got {name!r}")
    if _MODULES.get(name, module) != module:
        raise ValueError(f"game {name!r} is already registered for {_MODULES[name]}")
    _MODULES[name] = module


def game_names() -> list[str]:
    """Return the registered names, sorted."""
    return sorted(_MODULES)


def game_spec(game: str | GameSpec = DEFAULT) -> GameSpec:
    """Return the spec of a game. game: a name, a dotted module that has a `GAME_SPEC`, or a GameSpec.

    ValueError for an unknown game.
    """
    from vitienv.core.game_spec import GameSpec

    if isinstance(game, GameSpec):
        return game
    if not isinstance(game, str):
        raise ValueError(f"game must be a name or a GameSpec, got {game!r}")
    module = _MODULES.get(game, game if is_dotted(game) else None)
    if module is None:
        raise ValueError(f"unknown game {game!r}; expected one of: {', '.join(map(repr, game_names()))}")
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module exists; an import in it failed
        raise ValueError(f"unknown game {game!r}: no module named {error.name!r}") from None
    if not hasattr(loaded, "GAME_SPEC"):
        raise ValueError(f"unknown game {game!r}: {module!r} has no GAME_SPEC")
    return loaded.GAME_SPEC


def is_dotted(name: str) -> bool:
    """Return whether a name is a dotted Python name."""
    return "." in name and all(part.isidentifier() for part in name.split("."))


def game_from_untrusted_file(file: Mapping[str, Any]) -> str:
    """Return the game of a log, a position or other metadata.

    ValueError if it is a module that is not imported yet: importing it would run code that the file chose.
    """
    from vitienv import trust

    name = file.get("game", DEFAULT)
    if not isinstance(name, str) or "." not in name or name in _MODULES or name in sys.modules or trust.is_allowed():
        return name
    raise ValueError(f"game {name!r} of the file is a module whose code would run; {trust.HINT}")


def canonical_name(game_spec: GameSpec) -> str:
    """Return the value of `game=` in files and specs: the registered name, or the module of an unregistered game."""
    module = game_spec.options.home
    return game_spec.name if _MODULES.get(game_spec.name) == module else module
