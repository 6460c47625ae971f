"""What the environments share: the spaces of a game, with honest bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from vitienv.core.definition import Definition
from vitienv.core.options import Options
from vitienv.games import DEFAULT, definition


def options_of(game: str = DEFAULT, **options: Any) -> Options:
    """The options of a game. ValueError for a wrong one, TypeError for an unknown one."""
    return definition(game).options.of(**options)


def observation_space(game: Definition) -> spaces.Box:
    """The space of one seat's observation, (observed numbers,) int16."""
    low, high = game.observation.bounds
    return spaces.Box(low, high, dtype=np.int16)


def masked_space(game: Definition) -> spaces.Dict:
    """The space of an observation with the mask of legal actions, (actions,) int8, beside it."""
    mask = spaces.Box(0, 1, (game.actions.n,), np.int8)
    return spaces.Dict({"observation": observation_space(game), "action_mask": mask})


def action_space(game: Definition) -> spaces.Discrete:
    """The space of actions: the numbers of the game's `actions`."""
    return spaces.Discrete(game.actions.n)
