"""Who plays whom: tables of bots, and every bot in every seat on the same seeds."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb, gcd

import numpy as np

from vitienv.agents.seating import game_seeds


class Schedule:
    """All games of a tournament, numbered: for each its seed, its table, and the bot in each seat.

    A round is one seed at every table, each table turned through all seats. With as many bots as seats there is one
    table; with more, each combination of bots is a table, or, if there are too many for the number of games, a few
    drawn anew for each seed so that all bots play equally often; with fewer, each bot sits there several times,
    and those who sit there once more than the others are combined in all ways. Who sits beside whom is drawn
    for each seed. `games` is rounded up to whole rounds.
    """

    def __init__(self, n_bots: int, num_players: int, games: int, seed: int) -> None:
        self.n_bots, self.num_players = n_bots, num_players
        self._seed = seed
        self._common, self._extra = divmod(num_players, n_bots)
        every = comb(n_bots, self._extra)
        self.is_drawn = every * num_players > games and self._extra > 0
        # The least number of tables at which all bots can play equally often.
        fewest = n_bots // gcd(n_bots, self._extra) if self._extra else 1
        self.n_tables = min(every, fewest) if self.is_drawn else every
        self.round = self.n_tables * num_players
        self.n_seeds = max(1, -(-games // self.round))
        self._tables = lru_cache(maxsize=64)(self._make_tables)

    def __len__(self) -> int:
        return self.n_seeds * self.round

    def seed_number(self, game: int) -> int:
        """The number of a game's seed, from 0."""
        return game // self.round

    def seed(self, game: int) -> int:
        """The seed of a game, for `Game.new`: of 32 bits, drawn from the tournament's seed."""
        return game_seeds(self._seed, [self.seed_number(game)])[0]

    def table(self, game: int) -> int:
        """The number of the table of a game, within its round."""
        return game % self.round // self.num_players

    def seating(self, game: int) -> tuple[int, ...]:
        """The bot in each seat of a game: its table, turned by one seat from game to game."""
        table, turned = self._tables(self.seed_number(game))[self.table(game)], game % self.num_players
        return table[turned:] + table[:turned]

    def _make_tables(self, seed_number: int) -> list[tuple[int, ...]]:
        random = np.random.default_rng([self._seed, seed_number, self.n_bots, self.num_players])
        base = list(range(self.n_bots)) * self._common
        if self.is_drawn and self.n_tables < comb(self.n_bots, self._extra):
            extras = self._draw(random)
        else:
            extras = list(combinations(range(self.n_bots), self._extra))
        return [tuple(int(bot) for bot in random.permutation([*base, *extra])) for extra in extras]

    def _draw(self, random: np.random.Generator) -> list[tuple[int, ...]]:
        """Random sets of bots; each time those come first that were drawn least often."""
        drawn = np.zeros(self.n_bots, np.int64)
        sets = []
        for _ in range(self.n_tables):
            chosen = np.lexsort((random.random(self.n_bots), drawn))[: self._extra]
            drawn[chosen] += 1
            sets.append(tuple(sorted(int(bot) for bot in chosen)))
        return sets
