"""Generalized sequential probability ratio test (SPRT) of a challenger against a champion.

As in fishtest, Stockfish's test framework: outcomes of a seed are multinomial (its "pentanomial" model, for any number
of seats), and the likelihoods are those of the most likely distributions with the two means (Van den Bergh, "The
generalized sequential probability ratio test", 2017). A sample is the outcome of one seed: the challenger's score above
an even share, over all seats. Games on one seed are dependent, seeds are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

ACCEPTED, REJECTED, OPEN = "accepted", "rejected", "open"
ERROR_RATE = 0.05  # probability of accepting under H0, and of rejecting under H1
BOUND = log((1 - ERROR_RATE) / ERROR_RATE)  # log-likelihood ratio of acceptance; that of rejection is its negative
UNSEEN = 1e-3  # pseudocount of the best and the worst outcome
BISECTIONS = 60


@dataclass(frozen=True)
class Sprt:
    """Test of a mean of `effect_size` (H1) against 0 (H0).

    effect_size: mean score above an even share, such as 0.05 for a win rate of 55 % between two players.
    """

    effect_size: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.effect_size < 1:
            raise ValueError(f"effect_size must be between 0 and 1, got {self.effect_size}")

    def log_ratio(self, samples: Sequence[float] | np.ndarray, players: int) -> float:
        """Return the log-likelihood ratio of the means `effect_size` and 0.

        players: number of seats, which bounds the samples; 1 for solo games. ValueError if `effect_size` is impossible.
        """
        worst, best = (-1.0, 1.0) if players == 1 else (-1 / players, 1 - 1 / players)  # possible samples
        if self.effect_size >= best:
            raise ValueError(f"effect_size must be below {best:.3g} for {players} seats, got {self.effect_size}")
        values, counts = np.unique(np.asarray(samples, np.float64), return_counts=True)
        outcomes = np.unique([worst, *values, best])
        of_outcomes = np.zeros(len(outcomes))
        of_outcomes[np.searchsorted(outcomes, values)] = counts
        return float(log_ratios(of_outcomes[None], outcomes, self.effect_size)[0])

    def verdict(self, samples: Sequence[float] | np.ndarray, players: int) -> str:
        """Return "accepted", "rejected", or "open" if more games are needed."""
        ratio = self.log_ratio(samples, players)
        return ACCEPTED if ratio >= BOUND else REJECTED if ratio <= -BOUND else OPEN


def log_ratios(counts: np.ndarray, outcomes: np.ndarray, effect_size: float) -> np.ndarray:
    """Return the log-likelihood ratios (tests,) of the means `effect_size` and 0.

    counts: (tests, outcomes). outcomes: ascending samples, including the worst and the best possible one.
    """
    is_extreme = np.isin(np.arange(len(outcomes)), (0, len(outcomes) - 1))
    smoothed = np.maximum(counts, UNSEEN * is_extreme)
    return (smoothed * (_log_tilt(smoothed, outcomes) - _log_tilt(smoothed, outcomes - effect_size))).sum(axis=1)


def _log_tilt(counts: np.ndarray, centred: np.ndarray) -> np.ndarray:
    """Return the log (tests, outcomes) of the factor by which frequencies are divided to get the mean 0.

    It is log(1 + x * centred) by Lagrange multipliers, where x is the root of a decreasing function.
    """
    low, high = (np.full(len(counts), -1 / end) for end in (centred.max(), centred.min()))
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        is_low = (counts * centred / (1 + x[:, None] * centred)).sum(axis=1) > 0
        low, high = np.where(is_low, x, low), np.where(is_low, high, x)
    return np.log1p(x[:, None] * centred)
