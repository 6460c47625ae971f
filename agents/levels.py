"""Levels 1 to 10: opponents that stay as they are, from chance to the strongest search that ships, at every table.

What a level is worth at a table is measured (`vitienv ladder levels`) and kept in `training/evaluation/levels.csv`.
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
    """bot: who decides. slips: the share of its decisions in which any legal action is taken. Budgets are simulations,
    never time, so that a level is the same on every machine."""

    bot: str
    slips: float
    text: str


LEVELS = (
    Level("random", 0.0, "any legal move"),
    Level("heuristic", 0.8, "the heuristic bot, but four moves of five are any legal one"),
    Level("heuristic", 0.6, "the heuristic bot, but three moves of five are any legal one"),
    Level("heuristic", 0.3, "the heuristic bot, but three moves of ten are any legal one"),
    Level("heuristic", 0.0, "the heuristic bot"),
    Level("policy:frozen", 0.06, "the trained network, but one move of 16 is any legal one"),
    Level("policy:frozen", 0.0, "the trained network"),
    Level("ismcts:simulations=16,policy=frozen", 0.0, "a short search with the network"),
    Level("ismcts:simulations=64,policy=frozen", 0.0, "a search with the network"),
    Level("ismcts:simulations=256,policy=frozen", 0.0, "a long search with the network"),
)


def level(number: int, seed: int | None = None, game: str | GameSpec = DEFAULT) -> Bot:
    """The opponent of a level, 1 to 10 (`level:3`).

    What it decides hangs on its seed and what its seat sees; seed None takes a fresh one. ValueError for a level that
    there is not.
    """
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level is {number}; it must be a whole number from 1 to {len(LEVELS)}")
    row = LEVELS[number - 1]
    own, slips = (int(one.generate_state(1)[0]) for one in np.random.SeedSequence(seed).spawn(2))
    bot: Any = make_bot(row.bot, own, game)
    if row.slips:
        bot = Slipping(bot, row.slips, slips)
    bot.name = f"level:{number}"
    return bot


class Slipping(Bot):
    """A bot that takes any legal action in a share of its decisions."""

    def __init__(self, bot: Bot, share: float, seed: int) -> None:
        super().__init__(bot.name, bot.table)
        self._bot, self._share = bot, share
        self._when, self._slip = RandomAgent(seed, bot.table), RandomAgent(seed + 1, bot.table)

    def supports(self, table: GameSpec) -> bool:
        """See `Bot.supports`."""
        return self._bot.supports(table)

    def kernels_for(self, what: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        return self._bot.kernels_for(what)

    def _moved(self, table: GameSpec) -> Bot:
        other: Any = super()._moved(table)
        other._bot = self._bot.bind(table)
        other._when, other._slip = self._when.bind(table), self._slip.bind(table)
        return other

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        actions = np.array(self._bot._act(observations, action_masks, games))
        slips = self._when.shares(observations) < self._share
        actions[slips] = self._slip._choose(observations[slips], action_masks[slips])
        return actions
