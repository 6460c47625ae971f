"""A network that the learner is held near while it plays itself, so that it does not forget what it imitated.

Its divergence is a part of the loss whose weight falls: AlphaStar's players were held near what they had learned from
people (Vinyals and others 2019), and a weight that falls makes it a start and no bound (Schmitt and others 2018).
"""

from __future__ import annotations

import numpy as np
import torch

from vitienv.agents.policy import PolicyAgent
from vitienv.agents.seeding import make_bot
from vitienv.training.selfplay.acting import Step, do


class Teacher:
    """A bot that gives probabilities to actions."""

    def __init__(self, bot: str, game: str) -> None:
        """ValueError if there is no such bot, or if it is no learner's network."""
        made = make_bot(bot, 0, game)
        if not isinstance(made, PolicyAgent) or made.network is None:
            raise ValueError(f"teacher is {bot!r}; it must be a network of self-play, such as policy:champion")
        self._network = made.network

    def __call__(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """The probabilities of actions, (n, actions) float16 where the observations (n, observed numbers) are."""
        seen, legal = observations.cpu().numpy(), masks.cpu().numpy()
        told = np.empty(legal.shape, np.float16)
        step = Step(seen, legal, 0, np.empty(len(seen)), lambda error, _: error)
        do([(step.taught_by(self._network, told), np.arange(len(seen)))])
        return torch.from_numpy(told).to(observations.device)


def divergence(taught: torch.Tensor, log_probs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Kullback and Leibler's, of a policy (n, actions) from what is taught, weighted mean of the rows."""
    taught = taught.float()
    return (weights * (torch.xlogy(taught, taught) - taught * log_probs).sum(dim=1)).sum()
