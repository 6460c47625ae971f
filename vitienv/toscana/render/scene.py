"""Scene: a game as one viewer sees it, ready for drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.render.text import seat_name, seat_title
from vitienv.toscana.enums import N_GOODS, N_TILES
from vitienv.toscana.render.table import reconstructed
from vitienv.toscana.render.text.choices import choices
from vitienv.toscana.render.text.prompts import question
from vitienv.toscana.state import Rule


@dataclass
class Scene:
    """Game as one viewer sees it. viewer: a seat, or None for all information.

    legal: numbers of the selectable actions, by name; titles: their titles, by name. shows_hand: by seat. marks
    (tiles, goods): of the tasting tiles. reconstructed: reconstructed components.
    """

    state: np.record
    viewer: int | None
    names: list[str]
    headline: str
    question: str
    actor: int | None
    main: int
    legal: dict[str, int]
    titles: dict[str, str]
    shows_hand: list[bool]
    marks: np.ndarray
    reconstructed: list[str]

    @property
    def num_players(self) -> int:
        return len(self.names)


def scene_of(game: Any, viewer: int | None = None, names: list[str] | None = None) -> Scene:
    """Return the scene of a game. viewer, names: checked by `Game.svg`."""
    n = game.num_players
    r, actor = game.state, game.current_seat
    is_asked = actor is not None and viewer in (None, actor)
    return Scene(
        state=r,
        viewer=viewer,
        names=names or [seat_title(seat) for seat in range(n)],
        headline=f"Round {game.round} of {int(r.rules[Rule.LAST_ROUND])}" if game.round else "Set-up",
        question=_question(game, names or ()),
        actor=actor,
        main=viewer if viewer is not None else (actor or 0),
        legal={name: game.game_spec.actions.number(name) for name in game.legal_actions()} if is_asked else {},
        titles={choice.action: choice.title for choice in choices(game, names or ())} if is_asked else {},
        shows_hand=[viewer in (None, seat) or game.options.open_hands for seat in range(n)],
        marks=r.rules[Rule.MARKS : Rule.MARKS + N_TILES * N_GOODS].reshape(N_TILES, N_GOODS),
        reconstructed=reconstructed(game),
    )


def _question(game: Any, names: Sequence[str]) -> str:
    if not game.is_over:
        return f"{seat_title(game.current_seat)}: {question(game, names)}"
    if game.is_truncated:
        return "Cut off by the limit of rounds"
    winners = [seat_name(seat) for seat, rank in enumerate(game.ranks) if rank == 1]
    return f"Over: {' and '.join(winners)} won with {max(game.scores)} money"
