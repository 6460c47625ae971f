"""Schedule of a tournament: tables of bots, each in all seat rotations on a separate seed."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb, gcd

import numpy as np

from vitienv.agents.seeding import game_seeds


class Schedule:
    """Seeds and seatings of all games of a tournament.

    Each seed has one table of bots, rotated through all seats; intervals depend on the number of seeds. With as many
    bots as seats there is one table; with more bots, each combination is a table; with fewer, each bot fills several
    seats, and the bots with an extra seat are combined in all ways. If there are fewer seeds than combinations, these
    are sampled so that all bots play equally often. The order at the table is random. The number of games is rounded up
    so that all bots play equally often. In a gauntlet, bot 0 is at each table, and this applies to
    the others.
    """

    def __init__(self, n_bots: int, num_players: int, games: int, seed: int, gauntlet: bool = False) -> None:
        self.n_bots, self.num_players = n_bots, num_players
        self._seed = seed
        self._field = range(int(gauntlet), n_bots)
        field = len(self._field)
        self._common, self._extra = divmod(num_players - self._field.start, field)
        # The smallest number of tables at which all bots play equally often; it divides the number of combinations.
        self._few = field // gcd(field, self._extra) if self._extra else 1
        self.n_seeds = self._few * max(1, -(-games // (self._few * num_players)))
        self._combined = comb(field, self._extra)
        self._n_combined = self.n_seeds // self._combined * self._combined  # seeds of complete rounds of combinations
        self._tables = lru_cache(maxsize=64)(self._make_tables)

    def __len__(self) -> int:
        return self.n_seeds * self.num_players

    def seed_number(self, game: int) -> int:
        """Return the index of a game's seed."""
        return game // self.num_players

    def seed(self, game: int) -> int:
        """Return the seed of a game for `Game.new`: 32 bits, derived from the tournament's seed."""
        return game_seeds(self._seed, [self.seed_number(game)])[0]

    def seating(self, game: int) -> tuple[int, ...]:
        """Return the bot in each seat of a game: the table of its seed, rotated by one seat per game."""
        number, turned = self.seed_number(game), game % self.num_players
        size = self._combined if number < self._n_combined else self._few
        table = self._tables(number // size * size)[number % size]
        return table[turned:] + table[:turned]

    def _make_tables(self, first: int) -> list[tuple[int, ...]]:
        rng = np.random.default_rng([self._seed, first, self.n_bots, self.num_players])
        base = [*range(self._field.start), *list(self._field) * self._common]
        if first < self._n_combined:
            combined = list(combinations(self._field, self._extra))
            extras = [combined[i] for i in rng.permutation(len(combined))]
        else:
            extras = self._draw(rng)
        return [tuple(int(bot) for bot in rng.permutation([*base, *extra])) for extra in extras]

    def _draw(self, rng: np.random.Generator) -> list[tuple[int, ...]]:
        """Sample sets of bots, preferring those sampled least often."""
        counts = np.zeros(len(self._field), np.int64)
        sets = []
        for _ in range(self._few):
            bots = np.lexsort((rng.random(len(counts)), counts))[: self._extra]
            counts[bots] += 1
            sets.append(tuple(sorted(self._field[bot] for bot in bots)))
        return sets
