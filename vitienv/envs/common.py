"""Spaces, options and rendering shared by the environments."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import numpy as np
from gymnasium import spaces

from vitienv.core.batch import Batch
from vitienv.core.game_spec import GameSpec, load
from vitienv.core.options import listed
from vitienv.envs.pixels import pixels
from vitienv.game import Game

PIXELS = "rgb_array"
RENDER_MODES = ("ansi", "human", PIXELS)
METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}


def check_reset_options(options: Iterable[str] | None, *allowed: str) -> None:
    """Raise ValueError for an unknown option of `reset`."""
    unknown = [name for name in options or () if name not in allowed]
    if unknown:
        expected = f"expected one of: {', '.join(allowed)}" if allowed else "reset takes no options"
        raise ValueError(f"unknown reset option {unknown[0]!r}; {expected}")


def observation_space(game: GameSpec) -> spaces.Box:
    """Return the space of an observation, (features,) int16."""
    low, high = game.observation.bounds
    return spaces.Box(low, high, dtype=np.int16)


def masked_space(game: GameSpec) -> spaces.Dict:
    """Return the space of an observation with its action mask, (actions,) int8."""
    mask = spaces.Box(0, 1, (game.actions.n,), np.int8)
    return spaces.Dict({"observation": observation_space(game), "action_mask": mask})


def action_space(game: GameSpec) -> spaces.Discrete:
    """Return the action space."""
    return spaces.Discrete(game.actions.n)


def token_name(game: GameSpec) -> str:
    """Return the key of a team's token in the final info."""
    return f"final_{game.token.field}" if game.token else ""


def render_modes(game: GameSpec) -> list[str]:
    """Return the render modes of a game; without "rgb_array" if it has no drawing or pylunasvg is not installed."""
    has_pixels = game.drawing is not None and find_spec("pylunasvg") is not None
    return [mode for mode in RENDER_MODES if mode != PIXELS or has_pixels]


def check_render_mode(render_mode: str | None, game: GameSpec) -> None:
    """Raise ValueError for an unknown render mode.

    TypeError for "rgb_array" of a game without a drawing: on this error Stable-Baselines3, which always requests it,
    creates the environment without a render mode.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be None, {listed(RENDER_MODES)}, got {render_mode!r}")
    if render_mode == PIXELS and game.drawing is None:
        expected = f"None, {listed(render_modes(game))}"
        raise TypeError(f"render_mode must be {expected}, got {render_mode!r}: {game.title} has no drawing")


def rendered(game: Game, render_mode: str, viewer: int | None = None) -> str | np.ndarray | None:
    """Render a game as text, returned ("ansi") or printed ("human"), or as pixels (800, 1280, 3) uint8 ("rgb_array").

    viewer: seat whose view is rendered; None shows everything.
    """
    if render_mode == PIXELS:
        return pixels(game.svg(viewer, theme="light"))
    text: str = load("vitienv.render.text.render")(game, viewer)
    if render_mode == "human":
        print(text)
        return None
    return text


def game_at(batch: Batch, row: int) -> Game:
    """Return a copy of a game of a batch."""
    return Game(Batch.from_bytes(batch.bytes_view[row][None], batch.options, observe=False), None, {})
