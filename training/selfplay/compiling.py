"""Compiles all that a training needs, under one progress bar, before its time begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.networks import NetworkEvaluator
from vitienv.agents.seeding import make_bots
from vitienv.core.networks.network import draw
from vitienv.core.networks.sparse import by_column, count, listed, multiply
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import warm_up
from vitienv.training.selfplay.network import Architecture, PolicyValue


class Learning:
    """A bot that does with a network what a learner and its measurements do."""

    name = "learner"

    def __init__(self, network: PolicyValue) -> None:
        self._learned, self.network = network, network.compiled()

    def kernels_for(self) -> list[Any]:
        """See `Bot.kernels_for`."""
        played = [loop for what in ("best", "evaluate") for loop in self.network.kernels_for(what)]
        return [draw, count, listed, by_column, multiply, *played]

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: Any = None) -> np.ndarray:
        """Its most probable actions, after it has drawn some and learned from them."""
        n, prior_scores = len(action_masks), self.network.policy_prior(observations, action_masks)
        logits, _ = self.network.evaluate(observations, action_masks, prior_scores)
        draw(logits, np.zeros(n), np.empty(n, np.int64), np.empty(n, np.float32))
        given = (torch.from_numpy(each.copy()) for each in (observations, action_masks, prior_scores))
        _, values = self._learned(*given)
        values.sum().backward()
        return self.network.best(observations, action_masks)


def compile_for(settings: Any, bots: Iterable[str]) -> None:
    """Compile what a learner with such settings, its games, searches and measurements, and these bots need."""
    made = Learning(PolicyValue(Architecture(1, settings.blocks, policy_prior=settings.policy_prior), settings.game))
    named = make_bots(dict.fromkeys([*bots, *getattr(settings, "league", ())]), 0, settings.game)
    if (playout := getattr(settings, "playout", None)) is not None:
        searching = IsmctsAgent(1, game=settings.game)
        named.append(searching.use_network(NetworkEvaluator(made.network), playout=playout))
    warm_up([*named, made], game_spec(settings.game), others=made.kernels_for())
