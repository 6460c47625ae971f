"""Batches of games between bots, for tests."""

from __future__ import annotations

from collections import Counter

import numpy as np

from vitienv.agents import Agent
from vitienv.core.batch import Batch, make_keys
from vitienv.viticulture.options import Options
from vitienv.viticulture.vocabulary import ACTIONS

MAX_YEARS = 40


class Match:
    """n games in which agent k sits on seat (k - i) mod players of game i: everybody sits everywhere.

    wins: games won by each agent, ties shared; years: (n,); counts: how often each agent took each action.
    """

    def __init__(self, agents: list[Agent], n: int, seed: int = 1, **options: object) -> None:
        players = len(agents)
        batch = Batch(n, Options(num_players=players, max_years=MAX_YEARS, **options))
        batch.start(make_keys(seed, n))
        games = np.arange(n)
        self.counts = [Counter() for _ in agents]
        while (batch.seats >= 0).any():
            acting = (batch.seats + games) % players
            for k, agent in enumerate(agents):
                rows = np.flatnonzero((batch.seats >= 0) & (acting == k))
                if len(rows) == 0:
                    continue
                actions = agent.act(batch.obs[rows], batch.masks[rows])
                assert actions.shape == rows.shape and actions.dtype == np.int64
                assert batch.masks[rows, actions].all(), f"{agent.name} chose an illegal action"
                batch.actions[rows] = actions
                self.counts[k].update(ACTIONS.name(action) for action in actions)
            batch.step()
        self.years = batch.games.year.astype(int)
        firsts = batch.ranks[:, :players] == 1
        shares = firsts / firsts.sum(axis=1, keepdims=True)
        self.wins = [float(shares[games, (k - games) % players].sum()) for k in range(players)]

    def each_game(self, k: int, *parts: str) -> float:
        """How often agent k took an action whose name begins with one of `parts`, a game."""
        return sum(n for name, n in self.counts[k].items() if name.startswith(parts)) / len(self.years)


def positions(n: int, decisions: int, seed: int = 5, num_players: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of n games after that many random decisions each."""
    batch = Batch(n, Options(num_players=num_players))
    batch.start(make_keys(seed, n))
    for _ in range(decisions):
        batch.step_random()
    return batch.obs.copy(), batch.masks.copy()
