"""vitienv: reinforcement-learning environments of modern board games: Viticulture, and a house for others.

>>> import vitienv
>>> game = vitienv.Game.new(num_players=2, seed=7)
>>> env = vitienv.env(num_players=4)
>>> vec = vitienv.make_vec(num_envs=1024, num_players=4)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vitienv.version import __version__

if TYPE_CHECKING:
    from vitienv import data
    from vitienv.agents import make_agent as agent
    from vitienv.agents.search.analysis import analyse
    from vitienv.core.actions import ActionLayout
    from vitienv.core.errors import IllegalAction
    from vitienv.core.layout import VectorLayout
    from vitienv.envs import env, make_vec, raw_env, text_env
    from vitienv.game import Game
    from vitienv.games import definition, register_game
    from vitienv.render.primer import primer
    from vitienv.session.replay import replay

    ACTIONS: ActionLayout
    OBSERVATION: VectorLayout

# Public names and where they live; loaded on first use, so that importing the package stays quick.
_HOMES = {
    "Game": "vitienv.game",
    "IllegalAction": "vitienv.core.errors",
    "definition": "vitienv.games",
    "register_game": "vitienv.games",
    "primer": "vitienv.render.primer",
    "replay": "vitienv.session.replay",
    "env": "vitienv.envs",
    "raw_env": "vitienv.envs",
    "make_vec": "vitienv.envs",
    "text_env": "vitienv.envs",
    "agent": "vitienv.agents",
    "analyse": "vitienv.agents.search.analysis",
}
_OTHER_NAME = {"agent": "make_agent"}
# The layouts of the default game.
_LAYOUTS = {"ACTIONS": "actions", "OBSERVATION": "observation"}

__all__ = ["ACTIONS", "OBSERVATION", "Game", "IllegalAction", "__version__", "agent", "analyse", "data", "env"]
__all__ += ["definition", "make_vec", "primer", "raw_env", "register_game", "replay", "text_env"]


def __getattr__(name: str) -> Any:
    if name in ("data", "envs"):
        value = import_module(f"vitienv.{name}")
    elif name in _LAYOUTS:
        value = getattr(import_module("vitienv.games").definition(), _LAYOUTS[name])
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), _OTHER_NAME.get(name, name))
    else:
        raise AttributeError(f"module 'vitienv' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


# Gymnasium has no plugin entry points for other packages, so the ids are registered on import.
import_module("vitienv.envs.registration").register_on_import()
