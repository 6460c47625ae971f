"""Teacher network: a KL penalty keeps the learner near it, so that imitated behaviour is not forgotten.

AlphaStar used such a penalty towards its human-trained policy (Vinyals et al. 2019); a decaying weight makes it a
kickstart instead of a bound (Schmitt et al. 2018).
"""

from __future__ import annotations

import numpy as np
import torch

from vitienv.agents.policy import MaskableNetwork, PolicyAgent
from vitienv.agents.seeding import make_bot
from vitienv.training.selfplay.acting import Step, run_tasks


class Teacher:
    """Network that returns action probabilities. ValueError for an unknown bot or one of another kind."""

    def __init__(self, bot: str, game: str) -> None:
        agent = make_bot(bot, 0, game)
        if not isinstance(agent, PolicyAgent) or isinstance(agent.network, MaskableNetwork):
            raise ValueError(f"teacher must be a network of self-play, such as policy:champion, got {bot!r}")
        self._network = agent.network

    def __call__(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return action probabilities (n, actions) float16 on the device of the observations (n, features)."""
        features, legal = observations.cpu().numpy(), masks.cpu().numpy()
        probabilities = np.empty(legal.shape, np.float16)
        step = Step(features, legal, 0, np.empty(len(features)), lambda error, _: error)
        run_tasks([(step.teacher_work(self._network, probabilities), np.arange(len(features)))])
        return torch.from_numpy(probabilities).to(observations.device)


def divergence(teacher_probs: torch.Tensor, log_probs: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the weighted mean KL divergence of a policy (n, actions) from the teacher's."""
    teacher_probs = teacher_probs.float()
    return (weights * (torch.xlogy(teacher_probs, teacher_probs) - teacher_probs * log_probs).sum(dim=1)).sum()
