"""Schedule of a tournament: tables of bots, each in all seat rotations on a separate seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, gcd

import numpy as np

from vitienv.agents.seeding import game_seeds

SCHEDULES = ROUND_ROBIN, GAUNTLET, SWISS = "round-robin", "gauntlet", "swiss"
MAX_ATTEMPTS, NUM_PERTURBED = 30, 6  # local searches for tables, and places shuffled before each but the first


class Schedule:
    """Seeds and seatings of all games of a tournament.

    Each seed has one table of bots, rotated through all seats; intervals depend on the number of seeds. With as many
    bots as seats there is one table; with more bots, each combination is a table; with fewer, each bot fills several
    seats, and the bots with an extra seat are combined in all ways. If there are fewer seeds than combinations, these
    are sampled so that all bots play equally often. The order at the table is random. The number of games is rounded up
    so that all bots play equally often. In a gauntlet, bot 0 is at each table, and the others are combined as above.
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
        self.round_games = len(self)  # games per round; tables of later rounds depend on results
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


class Swiss(Schedule):
    """Schedule in rounds, whose tables are known after `add_round`: bots with similar standings meet.

    Bots that have met do not meet again if the search finds other tables. If the number of bots is not a multiple of
    the seats, the rest have a bye: those with the fewest byes, and of these the last in the standings. The number of
    games is rounded up to complete rounds. There must be more bots than seats.
    """

    def __init__(self, n_bots: int, num_players: int, games: int, seed: int) -> None:
        super().__init__(n_bots, num_players, games, seed)
        self.round_games = n_bots // num_players * num_players
        self.n_seeds = n_bots // num_players * -(-games // self.round_games)
        self._known_tables: list[tuple[int, ...]] = []
        self._meetings = np.zeros((n_bots, n_bots), np.int64)
        self._byes = np.zeros(n_bots, np.int64)

    def seating(self, game: int) -> tuple[int, ...]:
        """Return the bot in each seat of a game; see `Schedule.seating`. IndexError before its round is added."""
        table, turned = self._known_tables[self.seed_number(game)], game % self.num_players
        return table[turned:] + table[:turned]

    def add_round(self, standings: Sequence[int]) -> None:
        """Draw the tables of the next round. standings: the bots, best first; empty for a random order."""
        rng = np.random.default_rng([self._seed, len(self._known_tables), self.n_bots, self.num_players])
        order = np.array(standings or rng.permutation(self.n_bots))
        reverse_order = order[::-1]
        bye_bots = reverse_order[np.argsort(self._byes[reverse_order], kind="stable")][: self.n_bots % self.num_players]
        self._byes[bye_bots] += 1
        order = order[~np.isin(order, bye_bots)]
        for table in order[_assign_tables(self._meetings[np.ix_(order, order)], self.num_players, rng)]:
            self._meetings[np.ix_(table, table)] += 1
            self._known_tables.append(tuple(int(bot) for bot in rng.permutation(table)))

    def restore(self, bots: Sequence[int]) -> None:
        """Set the tables from the bots of all seats of all games, in order. ValueError if they are impossible."""
        size = self.num_players
        self._known_tables = [tuple(bots[i : i + size]) for i in range(0, len(bots), size * size)]
        if len(self._known_tables) != self.n_seeds or any(len(set(table)) < size for table in self._known_tables):
            raise ValueError("the tables must be those of a Swiss tournament")


def _assign_tables(meetings: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return tables (tables, seats) of places in the standings, with few repeated meetings and close places.

    meetings (places, places): how often two bots met. The search swaps places, and restarts while bots meet again.
    """
    n, weight = len(meetings), size * len(meetings) ** 3  # more than all distances
    places, repeats = np.arange(n), (meetings - meetings[~np.eye(n, dtype=bool)].min()) ** 2
    cost = repeats * weight + (places[:, None] - places) ** 2
    np.fill_diagonal(cost, 0)
    best, best_cost = places // size, np.inf
    for attempt in range(MAX_ATTEMPTS):
        tables, gain = best.copy(), -1
        perturbed = rng.choice(n, min(n, NUM_PERTURBED) if attempt else 0, replace=False)
        tables[perturbed] = tables[rng.permutation(perturbed)]
        while gain < 0:
            table_costs = cost @ np.eye(n // size, dtype=np.int64)[tables]
            place_costs = table_costs[places, tables]
            gains = table_costs[:, tables] + table_costs[:, tables].T - 2 * cost - place_costs[:, None] - place_costs
            gains[tables[:, None] == tables] = 0
            first, second = divmod(int(gains.argmin()), n)
            gain = gains[first, second]  # if it is 0, both are place 0
            tables[[first, second]] = tables[[second, first]]
        if place_costs.sum() < best_cost:
            best, best_cost = tables, place_costs.sum()
        if best_cost < weight:
            break
    return np.argsort(best, kind="stable").reshape(-1, size)
