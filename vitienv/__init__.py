"""Reinforcement-learning environments for modern board games: Viticulture, and a framework for adding others.

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
    from vitienv.agents import make_agent
    from vitienv.agents.search.analysis import analyse
    from vitienv.core.action_spec import ActionSpec
    from vitienv.core.errors import IllegalAction
    from vitienv.core.observation_spec import ObservationSpec
    from vitienv.envs import env, make_vec, raw_env, text_env
    from vitienv.game import Game
    from vitienv.registry import game_spec, register_game
    from vitienv.render.primer import primer
    from vitienv.session.replay import replay

    ACTIONS: ActionSpec
    OBSERVATION: ObservationSpec

# Modules of the public names, imported on first use, so that importing the package is fast.
_MODULES = {
    "Game": "vitienv.game",
    "IllegalAction": "vitienv.core.errors",
    "game_spec": "vitienv.registry",
    "register_game": "vitienv.registry",
    "primer": "vitienv.render.primer",
    "replay": "vitienv.session.replay",
    "env": "vitienv.envs",
    "raw_env": "vitienv.envs",
    "make_vec": "vitienv.envs",
    "text_env": "vitienv.envs",
    "make_agent": "vitienv.agents",
    "analyse": "vitienv.agents.search.analysis",
}
# Public names of the default game, and the attributes of its GameSpec.
_DEFAULT_GAME_SPECS = {"ACTIONS": "actions", "OBSERVATION": "observation"}

__all__ = ["ACTIONS", "OBSERVATION", "Game", "IllegalAction", "__version__", "analyse", "data", "env", "make_agent"]
__all__ += ["game_spec", "make_vec", "primer", "raw_env", "register_game", "replay", "text_env"]


def __getattr__(name: str) -> Any:
    if name in ("data", "envs"):
        value = import_module(f"vitienv.{name}")
    elif name in _DEFAULT_GAME_SPECS:
        value = getattr(import_module("vitienv.registry").game_spec(), _DEFAULT_GAME_SPECS[name])
    elif name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
    else:
        raise AttributeError(f"module 'vitienv' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


# Gymnasium has no plugin entry points for other packages, so the ids are registered on import.
import_module("vitienv.envs.registration").register_on_import()
