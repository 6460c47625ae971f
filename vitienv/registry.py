"""The games: from a name to what a game says of itself, loaded on use."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

DEFAULT = "viticulture"
RULES = "essential (if not given), solo or original; Toscana and World have one."
_MODULES: dict[str, str] = {
    "viticulture": "vitienv.viticulture.game_spec",
    "toscana": "vitienv.toscana.game_spec",
    "world": "vitienv.world.game_spec",
}
# Games by the game that they vary.
VARIANTS: dict[str, tuple[str, ...]] = {"viticulture": ("world",)}
# Ids for `gymnasium.make` and `pettingzoo.make`, with their options.
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
# Modes of `vitienv evaluate` by game, "" for every game, and the constants that define them.
MODES: dict[tuple[str, str], str] = {
    ("", "table"): "vitienv.training.evaluation.evaluate.AMONG_OTHERS",
    ("viticulture", "alone"): "vitienv.training.viticulture.evaluate.SOLO",
    ("viticulture", "campaign"): "vitienv.training.viticulture.evaluate.CAMPAIGN",
    ("world", "team"): "vitienv.training.world.evaluate.TEAM",
}


def register_game(name: str, module: str) -> None:
    """Give a game a name for `game=` and `--game`. module: dotted; it has the game's `GAME_SPEC`.

    ValueError if the name is malformed or means another game.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"a game's name is in small letters, digits and '_', not {name!r}")
    if _MODULES.get(name, module) != module:
        raise ValueError(f"there already is a game {name!r}, in {_MODULES[name]}")
    _MODULES[name] = module


def game_names() -> list[str]:
    """The names that `game=` knows."""
    return sorted(_MODULES)


def game_spec(game: str | GameSpec = DEFAULT) -> GameSpec:
    """A game's definition. game: a name, a dotted module that has a `GAME_SPEC`, or a definition, returned as it is.

    ValueError, in one line, if there is no such game.
    """
    from vitienv.core.game_spec import GameSpec

    if isinstance(game, GameSpec):
        return game
    if not isinstance(game, str):
        raise ValueError(f"a game is given by its name, not by {game!r}")
    module = _MODULES.get(game, game if is_dotted(game) else None)
    if module is None:
        raise ValueError(f"unknown game {game!r}; there is {', '.join(map(repr, game_names()))}")
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there; something that it imports is not
        raise ValueError(f"unknown game {game!r}: there is no module {error.name!r}") from None
    if not hasattr(loaded, "GAME_SPEC"):
        raise ValueError(f"unknown game {game!r}: {module!r} has no GAME_SPEC")
    return loaded.GAME_SPEC


def relatives(game: GameSpec) -> list[GameSpec]:
    """The games that a game varies and those that vary it: who knows one may know the other."""
    return [game_spec(name) for name in (*([game.base_game] if game.base_game else []), *VARIANTS.get(game.name, ()))]


def is_dotted(name: str) -> bool:
    """Whether a name is that of a module in a package, or of something in a module."""
    return "." in name and all(part.isidentifier() for part in name.split("."))


def game_from_untrusted_file(file: Mapping[str, Any]) -> str:
    """Return the game of a log, a position or other metadata. ValueError if it is a module that would be imported for
    the file's sake: that runs its code. One that is loaded already, or that the user named, is not."""
    from vitienv import signing

    name = file.get("game", DEFAULT)
    if not isinstance(name, str) or "." not in name or name in _MODULES or name in sys.modules or signing.is_allowed():
        return name
    raise ValueError(f"the file is of the game {name!r}, a module whose code would run; {signing.HOW}")


def canonical_name(game_spec: GameSpec) -> str:
    """The value of `game=` for a game in files and specs: its name, or the module of one that has none."""
    module = game_spec.options.home
    return game_spec.name if _MODULES.get(game_spec.name) == module else module
