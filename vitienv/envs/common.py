"""What the environments share: the spaces of a game, with honest bounds, and ways of looking at it."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

import numpy as np
from gymnasium import spaces

from vitienv.core.batch import Batch
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options, listed
from vitienv.envs.pixels import pixels
from vitienv.game import Game
from vitienv.registry import DEFAULT, game_spec

PIXELS = "rgb_array"
RENDER_MODES = ("ansi", "human", PIXELS)
METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}


def options_of(game: str = DEFAULT, **options: Any) -> Options:
    """The options of a game. ValueError for a wrong one, TypeError for an unknown one."""
    return game_spec(game).options.of(**options)


def check_reset_options(options: Iterable[str] | None, *known: str) -> None:
    """ValueError for an option of `reset` that is not known."""
    unknown = [name for name in options or () if name not in known]
    if unknown:
        expected = f"expected one of: {', '.join(known)}" if known else "reset takes no options"
        raise ValueError(f"unknown reset option {unknown[0]!r}; {expected}")


def observation_space(game: GameSpec) -> spaces.Box:
    """The space of one seat's observation, (observed numbers,) int16."""
    low, high = game.observation.bounds
    return spaces.Box(low, high, dtype=np.int16)


def masked_space(game: GameSpec) -> spaces.Dict:
    """The space of an observation with the mask of legal actions, (actions,) int8, beside it."""
    mask = spaces.Box(0, 1, (game.actions.n,), np.int8)
    return spaces.Dict({"observation": observation_space(game), "action_mask": mask})


def action_space(game: GameSpec) -> spaces.Discrete:
    """The space of actions: the numbers of the game's `actions`."""
    return spaces.Discrete(game.actions.n)


def token_word(game: GameSpec) -> str:
    """What infos call a team's token at the end of a game."""
    return f"final_{game.token.field}" if game.token else ""


def render_modes(game: GameSpec) -> list[str]:
    """The ways of looking at a game: in words alone where it has no drawing, and without pixels where what draws them
    is not installed."""
    has_pixels = game.drawing is not None and find_spec("pylunasvg") is not None
    return [mode for mode in RENDER_MODES if mode != PIXELS or has_pixels]


def check_render_mode(render_mode: str | None, game: GameSpec) -> None:
    """ValueError, in one line, for a way of looking that there is not.

    TypeError for pictures of a game without a drawing: Stable-Baselines3 always asks for them, and on this error alone
    it makes the environment without.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {render_mode!r}; it must be None, {listed(RENDER_MODES)}")
    if render_mode == PIXELS and game.drawing is None:
        told = f"render_mode is {render_mode!r} and {game.title} has no drawing"
        raise TypeError(f"{told}; it must be None, {listed(render_modes(game))}")


def rendered(game: Game, render_mode: str, viewer: int | None = None) -> str | np.ndarray | None:
    """A game in words, returned ("ansi") or printed ("human"), or as pixels (800, 1280, 3) uint8 ("rgb_array").

    viewer: the seat that looks; None sees everything.
    """
    if render_mode == PIXELS:
        return pixels(game.svg(viewer, theme="light"))
    text = game.game_spec.call("render")(game, viewer=viewer)
    if render_mode == "human":
        print(text)
        return None
    return text


def game_at(batch: Batch, row: int) -> Game:
    """A copy of one game of a batch, as it is now."""
    single = Batch(1, batch.options)
    single.bytes_view[:] = batch.bytes_view[row]
    single.refresh(observe=False)
    return Game(single, None, {})
