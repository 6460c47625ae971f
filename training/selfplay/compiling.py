"""Compilation of all kernels of a training under one progress bar, before its clock starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.networks import NetworkEvaluator
from vitienv.agents.seeding import make_bots
from vitienv.core.networks.network import draw
from vitienv.core.networks.sparse import by_column, count, list_inputs, multiply
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import warm_up
from vitienv.training.selfplay.network import Architecture, PolicyValue


class Learning:
    """Bot that calls all kernels of a learner and its evaluations."""

    name = "learner"

    def __init__(self, network: PolicyValue) -> None:
        self._learned, self.network = network, network.compiled()

    def kernels_for(self) -> list[Any]:
        """See `Bot.kernels_for`."""
        played = [loop for method in ("best", "evaluate") for loop in self.network.kernels_for(method)]
        return [draw, count, list_inputs, by_column, multiply, *played]

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: Any = None) -> np.ndarray:
        """Sample actions, run a backward pass, and return the most probable actions."""
        n, prior_scores = len(action_masks), self.network.policy_prior(observations, action_masks)
        logits, _ = self.network.evaluate(observations, action_masks, prior_scores)
        draw(logits, np.zeros(n), np.empty(n, np.int64), np.empty(n, np.float32))
        inputs = (torch.from_numpy(array.copy()) for array in (observations, action_masks, prior_scores))
        _, values = self._learned(*inputs)
        values.sum().backward()
        return self.network.best(observations, action_masks)


def compile_for(settings: Any, bots: Iterable[str]) -> None:
    """Compile the kernels of a learner with these settings, its searches and evaluations, and these bots."""
    learner = Learning(PolicyValue(Architecture(1, settings.blocks, policy_prior=settings.policy_prior), settings.game))
    agents = make_bots(dict.fromkeys([*bots, *getattr(settings, "league", ())]), 0, settings.game)
    if (playout := getattr(settings, "playout", None)) is not None:
        searching = IsmctsAgent(1, game=settings.game)
        agents.append(searching.use_network(NetworkEvaluator(learner.network), playout=playout))
    warm_up([*agents, learner], game_spec(settings.game), extra_kernels=learner.kernels_for())
