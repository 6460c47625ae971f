"""Games of random moves, or of a bot in all seats."""

from __future__ import annotations

import random
from collections.abc import Iterator

from vitienv import Game
from vitienv.agents import Agent
from vitienv.core.batch import Batch, make_keys
from vitienv.core.options import Options


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


def random_batch(options: Options, n: int, moves: int, seed: int = 5) -> Batch:
    """Return n games after a number of random moves in each."""
    batch = Batch(n, options)
    batch.start(make_keys(seed, n))
    for _ in range(moves):
        batch.step_random()
    return batch


def bot_game(bot: Agent, game: Game, moves: int | None = None) -> Game:
    """Play a game on with a bot in all seats; return it after a number of moves, by default at its end."""
    while not game.is_over and moves != 0:
        game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))
        moves = None if moves is None else moves - 1
    return game
