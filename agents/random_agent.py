"""The yardstick: any legal action, each equally likely."""

from __future__ import annotations

import numpy as np

from vitienv.agents.protocol import Bot, GameViews
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, game_spec

# Multipliers and shifts of the finalizer of MurmurHash3 (64 bits), which spreads every bit over all others.
MIXING = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
SHIFT = np.uint64(33)
ROWS_AT_ONCE = 1024  # bounds the memory for the widened observations


class RandomAgent(Bot):
    """Uniformly random over the legal actions.

    The choice is a hash of the seed and the seat's own observation, so that it does not depend on the batch, on
    the other rows or on earlier calls: the same seed plays the same game again. seed None takes a fresh one.
    """

    def __init__(self, seed: int | None = None, game: str | GameSpec = DEFAULT) -> None:
        if seed is not None and seed < 0:
            raise ValueError(f"seed is {seed}; it must be None or a whole number from 0")
        super().__init__("random", game_spec(game))
        self._chance = np.random.SeedSequence(seed)
        self._words: dict[int, np.ndarray] = {}  # by the length of observations, of which rulesets may have several

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        n = len(observations)
        actions = np.empty(n, np.int64)
        for low in range(0, n, ROWS_AT_ONCE):
            part = slice(low, low + ROWS_AT_ONCE)
            actions[part] = self._choose(observations[part], action_masks[part])
        return actions

    def shares(self, observations: np.ndarray) -> np.ndarray:
        """A number from 0 to 1 for each row, by the same hash: (n,) float64."""
        return (self._hashed(observations) >> np.uint64(11)) * 2.0**-53

    def _hashed(self, observations: np.ndarray) -> np.ndarray:
        widened = observations.astype(np.int64).view(np.uint64)
        length = observations.shape[1]
        if length not in self._words:
            self._words[length] = self._chance.generate_state(length + 1, np.uint64)
        words = self._words[length]
        word = (widened * (words[:-1] | np.uint64(1))).sum(axis=1, dtype=np.uint64) + words[-1]
        for factor in MIXING:
            word = (word ^ (word >> SHIFT)) * factor
        return word ^ word >> SHIFT

    def _choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        word, legal = self._hashed(observations), masks != 0
        # The bias of the remainder is below the number of actions over 2**64.
        pick = (word % legal.sum(axis=1).astype(np.uint64)).astype(np.int64)
        return np.argmax(np.cumsum(legal, axis=1) > pick[:, None], axis=1)
