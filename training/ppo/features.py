"""How a network takes in an observation: counts of very different size brought to one scale."""

from __future__ import annotations

import torch
from gymnasium.spaces import Box
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class CompressedFeatures(BaseFeaturesExtractor):
    """sign(x) * log(1 + |x|) of every number: flags stay flags, 40 lira become 3.7.

    hidden: the width of a first layer with tanh that policy and value share; 0 for none. It is where most of the
    weights are, so sharing it saves nearly half of what learning costs.
    """

    def __init__(self, observation_space: Box, hidden: int = 0) -> None:
        seen = int(observation_space.shape[0])
        super().__init__(observation_space, features_dim=hidden or seen)
        self.first = torch.nn.Linear(seen, hidden) if hidden else None

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, observation) of any number type to (n, observation), or with a first layer (n, hidden), in float32."""
        numbers = observations.float()
        scaled = numbers.abs().log1p_().copysign_(numbers)
        return scaled if self.first is None else torch.tanh(self.first(scaled))
