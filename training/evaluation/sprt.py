"""Generalized sequential probability ratio test: games are played until a challenger is known to be better, or not.

The test of fishtest, Stockfish's test framework: outcomes of a seed are multinomial (its "pentanomial" model, for any
number of seats), and the likelihoods are those of the most likely distributions with the two means that are compared
(Van den Bergh, "The generalized sequential probability ratio test", 2017). A sample is the outcome of one seed: the
challenger's score above an even share, over all its seats. Games on one seed depend on each other, seeds do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

ACCEPTED, REJECTED, OPEN = "accepted", "rejected", "open"
UNSEEN = 1e-3  # count of the best and the worst outcome before they occur
BISECTIONS = 60


@dataclass(frozen=True)
class Sprt:
    """The test that a mean is `effect_size` rather than 0.

    effect_size: the mean score above an even share at which the challenger counts as better, such as 0.05 for 55 % of
    the games of two. alpha: how often an equal one may be accepted; beta: how often one that is better by that much may
    be rejected.
    """

    effect_size: float = 0.05
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.effect_size < 1:
            raise ValueError(f"effect_size is {self.effect_size}; it must lie between 0 and 1")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} is {getattr(self, name)}; it must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the challenger is rejected and accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_ratio(self, samples: Sequence[float] | np.ndarray, players: int) -> float:
        """How much likelier the samples are if the mean is `effect_size` than if it is 0, as a logarithm.

        players: number of seats, which bounds the samples; 1 if each bot plays the seed alone. ValueError if no sample
        can be as large as `effect_size`.
        """
        worst, best = sample_range(players)
        if self.effect_size >= best:
            raise ValueError(f"better must be below {best:.3g} at {players} seats, got {self.effect_size}")
        values, counts = np.unique(np.asarray(samples, np.float64), return_counts=True)
        outcomes = np.unique([worst, *values, best])
        of_outcomes = np.zeros(len(outcomes))
        of_outcomes[np.searchsorted(outcomes, values)] = counts
        return float(log_ratios(of_outcomes[None], outcomes, self.effect_size)[0])

    def verdict(self, samples: Sequence[float] | np.ndarray, players: int) -> str:
        """ "accepted", "rejected", or "open": more games are needed."""
        low, high = self.bounds
        ratio = self.log_ratio(samples, players)
        return ACCEPTED if ratio >= high else REJECTED if ratio <= low else OPEN


def sample_range(players: int) -> tuple[float, float]:
    """Return the least and the greatest sample: every game lost, every game won."""
    return (-1.0, 1.0) if players == 1 else (-1 / players, 1 - 1 / players)


def log_ratios(counts: np.ndarray, outcomes: np.ndarray, effect_size: float) -> np.ndarray:
    """Return the log-likelihood ratios (tests,) of the means `effect_size` and 0.

    counts (tests, outcomes): how often each outcome occurred. outcomes: samples in ascending order, which include the
    worst and the best one.
    """
    is_extreme = np.isin(np.arange(len(outcomes)), (0, len(outcomes) - 1))
    seen = np.maximum(counts, UNSEEN * is_extreme)
    return (seen * (_log_tilt(seen, outcomes) - _log_tilt(seen, outcomes - effect_size))).sum(axis=1)


def _log_tilt(counts: np.ndarray, centred: np.ndarray) -> np.ndarray:
    """The logarithm (tests, outcomes) by which the observed frequencies are divided to have the mean 0.

    That is log(1 + x * centred), by the method of Lagrange; x is the root of a decreasing function.
    """
    low, high = (np.full(len(counts), -1 / end) for end in (centred.max(), centred.min()))
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        is_low = (counts * centred / (1 + x[:, None] * centred)).sum(axis=1) > 0
        low, high = np.where(is_low, x, low), np.where(is_low, high, x)
    return np.log1p(x[:, None] * centred)
