"""A sequential test: games go on until it is clear enough that a challenger is better, or that it is not.

Wald's sequential probability ratio test in its normal approximation, as it is used to test changes of game engines. A
sample is what one seed gave: how much more the challenger scored there, over all seats, than an equal would have. Games
on one seed are not independent of each other, seeds are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

ACCEPTED, REJECTED, OPEN = "accepted", "rejected", "open"
LEAST_SAMPLES = 16  # before that the variance is not known well enough
LEAST_VARIANCE = 1e-3  # all samples alike: as if one in some hundred were not


@dataclass(frozen=True)
class Sprt:
    """The test that a mean is `better` rather than 0.

    better: the mean score above an even share at which the challenger counts as better, such as 0.05 for 55 % of the
    games of two. alpha: how often an equal one may be accepted; beta: how often one that is better by that much may be
    rejected.
    """

    better: float = 0.05
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.better < 1:
            raise ValueError(f"better is {self.better}; it must lie between 0 and 1")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} is {getattr(self, name)}; it must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the challenger is rejected and accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def log_ratio(self, samples: Sequence[float] | np.ndarray) -> float:
        """How much likelier the samples are if the mean is `better` than if it is 0, as a logarithm."""
        values = np.asarray(samples, np.float64)
        if len(values) < 2:
            return 0.0
        variance = max(float(values.var(ddof=1)), LEAST_VARIANCE)
        return float(len(values) * self.better * (values.mean() - self.better / 2) / variance)

    def verdict(self, samples: Sequence[float] | np.ndarray) -> str:
        """ "accepted", "rejected", or "open": more games are needed."""
        if len(samples) < LEAST_SAMPLES:
            return OPEN
        low, high = self.bounds
        ratio = self.log_ratio(samples)
        return ACCEPTED if ratio >= high else REJECTED if ratio <= low else OPEN
