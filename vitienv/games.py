"""The games: from a name to what a game says of itself, loaded on use."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vitienv.core.definition import Definition

DEFAULT = "viticulture"
RULES = "essential (if not given), solo or original; Toscana and World have one."
_MODULES: dict[str, str] = {
    "viticulture": "vitienv.viticulture.definition",
    "toscana": "vitienv.toscana.definition",
    "world": "vitienv.world.definition",
}
# Games by the game that they vary.
VARIANTS: dict[str, tuple[str, ...]] = {"viticulture": ("world",)}
# Names for `gymnasium.make`: the game and the options from which each starts.
GYMNASIUM: dict[str, dict[str, Any]] = {
    "vitienv/Viticulture-v0": {"illegal_action": "lose"},
    "vitienv/Toscana-v0": {"illegal_action": "lose", "game": "toscana"},
    "vitienv/ViticultureSolo-v0": {"illegal_action": "lose", "ruleset": "solo", "opponents": ()},
    "vitienv/ViticultureWorld-v0": {"illegal_action": "lose", "game": "world", "opponents": (), "learner_seat": "all"},
}
# Modes of `vitienv evaluate` by game, "" for every game, and the constants that define them.
MODES: dict[tuple[str, str], str] = {
    ("", "table"): "vitienv.training.measure.evaluate.AMONG_OTHERS",
    ("viticulture", "alone"): "vitienv.training.viticulture.evaluate.SOLO",
    ("viticulture", "campaign"): "vitienv.training.viticulture.evaluate.CAMPAIGN",
    ("world", "team"): "vitienv.training.world.evaluate.TEAM",
}


def register_game(name: str, module: str) -> None:
    """Give a game a name for `game=` and `--game`. module: dotted; it has the game's `DEFINITION`.

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


def definition(game: str | Definition = DEFAULT) -> Definition:
    """A game's definition. game: a name, a dotted module that has a `DEFINITION`, or a definition, returned as it is.

    ValueError, in one line, if there is no such game.
    """
    from vitienv.core.definition import Definition

    if isinstance(game, Definition):
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
    if not hasattr(loaded, "DEFINITION"):
        raise ValueError(f"unknown game {game!r}: {module!r} has no DEFINITION")
    return loaded.DEFINITION


def relatives(game: Definition) -> list[Definition]:
    """The games that a game varies and those that vary it: who knows one may know the other."""
    return [definition(name) for name in (*([game.varies] if game.varies else []), *VARIANTS.get(game.name, ()))]


def is_dotted(name: str) -> bool:
    """Whether a name is that of a module in a package, or of something in a module."""
    return "." in name and all(part.isidentifier() for part in name.split("."))


def told_game(file: Mapping[str, Any]) -> str:
    """Return the game of a log, a position or other metadata. ValueError if it is a module that would be imported for
    the file's sake: that runs its code. One that is loaded already, or that the user named, is not."""
    from vitienv import trust

    name = file.get("game", DEFAULT)
    if not isinstance(name, str) or "." not in name or name in _MODULES or name in sys.modules or trust.is_allowed():
        return name
    raise ValueError(f"the file is of the game {name!r}, a module whose code would run; {trust.HOW}")


def known_as(definition: Definition) -> str:
    """The value of `game=` for a game in files and specs: its name, or the module of one that has none."""
    module = definition.options.home
    return definition.name if _MODULES.get(definition.name) == module else module
