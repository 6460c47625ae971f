"""Levels 1 to 10: fixed opponents from random play to the strongest bundled search, at every table.

Ratings of levels (`vitienv ladder levels`) are in `training/evaluation/levels.csv`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from vitienv.agents.protocol import Bot, GameViews
from vitienv.agents.random_agent import RandomAgent
from vitienv.agents.seeding import make_bot
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT


class Level(NamedTuple):
    """bot: a spec. slips: probability of a random legal action. Budgets are simulations, for reproducibility."""

    bot: str
    slips: float
    text: str


LEVELS = (
    Level("random", 0.0, "random legal moves"),
    Level("heuristic", 0.8, "the heuristic bot with 80 % random moves"),
    Level("heuristic", 0.6, "the heuristic bot with 60 % random moves"),
    Level("heuristic", 0.3, "the heuristic bot with 30 % random moves"),
    Level("heuristic", 0.0, "the heuristic bot"),
    Level("policy:frozen", 0.06, "the trained network with 6 % random moves"),
    Level("policy:frozen", 0.0, "the trained network"),
    Level("ismcts:simulations=16,policy=frozen", 0.0, "a short search with the network"),
    Level("ismcts:simulations=64,policy=frozen", 0.0, "a search with the network"),
    Level("ismcts:simulations=256,policy=frozen", 0.0, "a long search with the network"),
)


def level(number: int, seed: int | None = None, game: str | GameSpec = DEFAULT) -> Bot:
    """Make the opponent of a level from 1 to 10 (`level:3`).

    Its choices depend on its seed and its observations only; without a seed, a random one is used.
    """
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level must be from 1 to {len(LEVELS)}, got {number}")
    row = LEVELS[number - 1]
    bot_seed, slip_seed = (int(child.generate_state(1)[0]) for child in np.random.SeedSequence(seed).spawn(2))
    bot: Any = make_bot(row.bot, bot_seed, game)
    if row.slips:
        bot = BlunderingBot(bot, row.slips, slip_seed)
    bot.name = f"level:{number}"
    return bot


class BlunderingBot(Bot):
    """A bot that plays a random legal action with a given probability."""

    def __init__(self, bot: Bot, share: float, seed: int) -> None:
        super().__init__(bot.name, bot.table)
        self._bot, self._share = bot, share
        self._blunder_rng, self._blunder_bot = RandomAgent(seed, bot.table), RandomAgent(seed + 1, bot.table)

    def supports(self, table: GameSpec) -> bool:
        """See `Bot.supports`."""
        return self._bot.supports(table)

    def kernels_for(self, method: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        return self._bot.kernels_for(method)

    def _rebound(self, table: GameSpec) -> Bot:
        other: Any = super()._rebound(table)
        other._bot = self._bot.bind(table)
        other._blunder_rng, other._blunder_bot = self._blunder_rng.bind(table), self._blunder_bot.bind(table)
        return other

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        actions = np.array(self._bot._act(observations, action_masks, games))
        slips = self._blunder_rng.shares(observations) < self._share
        actions[slips] = self._blunder_bot._choose(observations[slips], action_masks[slips])
        return actions
