"""Random play of single games."""

from __future__ import annotations

import random
from collections.abc import Iterator

from vitienv import Game


def decisions(seed: int, avoid: tuple[str, ...] = (), **options: object) -> Iterator[Game]:
    """Yield a game at each of its decisions and at its end. avoid: beginnings of names taken only without others."""
    game, rng = Game.new(seed=seed, **options), random.Random(seed)
    while not game.is_over:
        yield game
        names = game.legal_actions()
        game.step(rng.choice([name for name in names if not name.startswith(avoid)] or names if avoid else names))
    yield game


def random_game(seed: int = 3, moves: int | None = None, **options: object) -> Game:
    """Return a game after a number of random moves, by default at its end."""
    for number, game in enumerate(decisions(seed, **options)):
        if number == moves:
            return game
    return game
