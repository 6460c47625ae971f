"""How a network takes in an observation: counts of very different size brought to one scale."""

from __future__ import annotations

import torch
from gymnasium.spaces import Box
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class CompressedFeatures(BaseFeaturesExtractor):
    """sign(x) * log(1 + |x|) of every number: flags stay flags, 40 lira become 3.7."""

    def __init__(self, observation_space: Box) -> None:
        super().__init__(observation_space, features_dim=int(observation_space.shape[0]))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, observation) of any number type to the same shape in float32."""
        numbers = observations.float()
        return torch.sign(numbers) * torch.log1p(torch.abs(numbers))
