"""The baseline bot: uniformly random legal actions."""

from __future__ import annotations

import numpy as np

from vitienv.agents.protocol import Bot, GameViews
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, game_spec

# Finalizer of MurmurHash3 (64 bits).
MIXING = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))
SHIFT = np.uint64(33)
CHUNK_ROWS = 1024  # bounds the memory of widened observations


class RandomAgent(Bot):
    """Bot with uniformly random legal actions.

    The choice is a hash of the seed and the observation: it does not depend on other rows or earlier calls. Without a
    seed, a random one is used.
    """

    def __init__(self, seed: int | None = None, game: str | GameSpec = DEFAULT) -> None:
        if seed is not None and seed < 0:
            raise ValueError(f"seed must be None or a non-negative integer, got {seed}")
        super().__init__("random", game_spec(game))
        self._seed_sequence = np.random.SeedSequence(seed)
        self._words: dict[int, np.ndarray] = {}  # keyed by the length of observations

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        n = len(observations)
        actions = np.empty(n, np.int64)
        for low in range(0, n, CHUNK_ROWS):
            part = slice(low, low + CHUNK_ROWS)
            actions[part] = self._choose(observations[part], action_masks[part])
        return actions

    def shares(self, observations: np.ndarray) -> np.ndarray:
        """Return a number in [0, 1) for each row from the same hash, (n,) float64."""
        return (self._hash(observations) >> np.uint64(11)) * 2.0**-53

    def _hash(self, observations: np.ndarray) -> np.ndarray:
        widened = observations.astype(np.int64).view(np.uint64)
        length = observations.shape[1]
        if length not in self._words:
            self._words[length] = self._seed_sequence.generate_state(length + 1, np.uint64)
        words = self._words[length]
        word = (widened * (words[:-1] | np.uint64(1))).sum(axis=1, dtype=np.uint64) + words[-1]
        for factor in MIXING:
            word = (word ^ (word >> SHIFT)) * factor
        return word ^ word >> SHIFT

    def _choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        word, legal = self._hash(observations), masks != 0
        # The modulo bias is below the number of actions over 2**64.
        pick = (word % legal.sum(axis=1).astype(np.uint64)).astype(np.int64)
        return np.argmax(np.cumsum(legal, axis=1) > pick[:, None], axis=1)
