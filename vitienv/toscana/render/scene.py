"""Scene: a game as one viewer sees it, ready for drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.render import scene as common_scene
from vitienv.render.scene import scene_fields
from vitienv.toscana.enums import N_GOODS, N_TILES
from vitienv.toscana.render.table import reconstructed_paths
from vitienv.toscana.state import Rule


@dataclass
class Scene(common_scene.Scene):
    """Game as one viewer sees it.

    shows_hand: by seat. marks (tiles, goods): of the tasting tiles. reconstructed: reconstructed components.
    """

    state: np.record
    shows_hand: list[bool]
    marks: np.ndarray
    reconstructed_paths: list[str]

    @property
    def num_players(self) -> int:
        return len(self.names)


def scene_of(game: Any, viewer: int | None, names: list[str] | None) -> Scene:
    """Return the scene of a game. viewer, names: checked by `Game.svg`."""
    r = game.state
    return Scene(
        **scene_fields(game, viewer, names),
        headline=f"Round {game.round} of {int(r.rules[Rule.LAST_ROUND])}" if game.round else "Set-up",
        state=r,
        shows_hand=[viewer in (None, seat) or game.options.open_hands for seat in range(game.num_players)],
        marks=r.rules[Rule.MARKS : Rule.MARKS + N_TILES * N_GOODS].reshape(N_TILES, N_GOODS),
        reconstructed_paths=reconstructed_paths(game),
    )
