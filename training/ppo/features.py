"""Feature extractor that compresses counts to a common scale."""

from __future__ import annotations

import torch
from gymnasium.spaces import Box
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class CompressedFeatures(BaseFeaturesExtractor):
    """Features sign(x) * log(1 + |x|): flags are unchanged, 40 lira become 3.7.

    hidden: width of a first tanh layer shared by policy and value, 0 for none. It has most of the weights, so
    sharing it saves nearly half of the training time.
    """

    def __init__(self, observation_space: Box, hidden: int = 0) -> None:
        num_features = int(observation_space.shape[0])
        super().__init__(observation_space, features_dim=hidden or num_features)
        self.first = torch.nn.Linear(num_features, hidden) if hidden else None

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return features (n, observation) float32, or (n, hidden) with a first layer."""
        numbers = observations.float()
        scaled = numbers.abs().log1p_().copysign_(numbers)
        return scaled if self.first is None else torch.tanh(self.first(scaled))
