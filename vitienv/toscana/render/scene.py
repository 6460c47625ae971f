"""Scene: a game as one viewer sees it, ready for drawing."""

from __future__ import annotations

from typing import Any

from vitienv.render import scene as common_scene
from vitienv.toscana.enums import N_GOODS, N_TILES
from vitienv.toscana.render.table import has_reconstructions
from vitienv.toscana.state import Rule


class Scene(common_scene.Scene):
    """Game as one viewer sees it. shows_hand: by seat. marks (tiles, goods): of the tasting tiles."""

    def __init__(self, game: Any, viewer: int | None, names: list[str] | None) -> None:
        super().__init__(game, viewer, names)
        self.state, rules = game.state, game.state.rules
        self.headline = f"Round {game.round} of {int(rules[Rule.LAST_ROUND])}" if game.round else "Set-up"
        self.has_reconstructions = has_reconstructions(game)
        self.shows_hand = [viewer in (None, seat) or game.options.open_hands for seat in range(game.num_players)]
        self.marks = rules[Rule.MARKS : Rule.MARKS + N_TILES * N_GOODS].reshape(N_TILES, N_GOODS)
