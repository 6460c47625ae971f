"""Who plays whom: tables of bots, each in all its seatings on a seed of its own."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb, gcd

import numpy as np

from vitienv.agents.seeding import game_seeds


class Schedule:
    """All games of a tournament, numbered: for each its seed, and the bot in each seat.

    A table of bots is turned through all seats on a seed, and no other table plays on that seed: intervals rest on the
    number of seeds. With as many bots as seats there is one table; with more, each combination of bots is a table; with
    fewer, each bot sits there several times, and the bots that sit there once more than the others are combined in all
    ways. Where the games do not suffice for all combinations, they are drawn so that all bots play equally often. Who
    sits beside whom is drawn for each seed. The number of games is rounded up so that all bots play equally often.
    """

    def __init__(self, n_bots: int, num_players: int, games: int, seed: int) -> None:
        self.n_bots, self.num_players = n_bots, num_players
        self._seed = seed
        self._common, self._extra = divmod(num_players, n_bots)
        # The least number of tables at which all bots can play equally often; it divides the number of combinations.
        self._few = n_bots // gcd(n_bots, self._extra) if self._extra else 1
        self.n_seeds = self._few * max(1, -(-games // (self._few * num_players)))
        self._combined = comb(n_bots, self._extra)
        self._n_combined = self.n_seeds // self._combined * self._combined  # seeds of whole rounds of combinations
        self._tables = lru_cache(maxsize=64)(self._make_tables)

    def __len__(self) -> int:
        return self.n_seeds * self.num_players

    def seed_number(self, game: int) -> int:
        """The number of a game's seed, from 0."""
        return game // self.num_players

    def seed(self, game: int) -> int:
        """The seed of a game, for `Game.new`: of 32 bits, drawn from the tournament's seed."""
        return game_seeds(self._seed, [self.seed_number(game)])[0]

    def seating(self, game: int) -> tuple[int, ...]:
        """The bot in each seat of a game: the table of its seed, turned by one seat from game to game."""
        number, turned = self.seed_number(game), game % self.num_players
        size = self._combined if number < self._n_combined else self._few
        table = self._tables(number // size * size, size)[number % size]
        return table[turned:] + table[:turned]

    def _make_tables(self, first: int, size: int) -> list[tuple[int, ...]]:
        random = np.random.default_rng([self._seed, first, self.n_bots, self.num_players])
        base = list(range(self.n_bots)) * self._common
        if first < self._n_combined:
            every = list(combinations(range(self.n_bots), self._extra))
            extras = [every[i] for i in random.permutation(len(every))]
        else:
            extras = self._draw(random)
        return [tuple(int(bot) for bot in random.permutation([*base, *extra])) for extra in extras]

    def _draw(self, random: np.random.Generator) -> list[tuple[int, ...]]:
        """Random sets of bots; each time the bots that were drawn least often come first."""
        drawn = np.zeros(self.n_bots, np.int64)
        sets = []
        for _ in range(self._few):
            chosen = np.lexsort((random.random(self.n_bots), drawn))[: self._extra]
            drawn[chosen] += 1
            sets.append(tuple(sorted(int(bot) for bot in chosen)))
        return sets
