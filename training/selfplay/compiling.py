"""Compiles all that a training needs, under one progress bar, before its time begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.networks import NetworkEvaluator
from vitienv.agents.seating import make_bots
from vitienv.core.networks.network import draw
from vitienv.core.networks.sparse import by_column, count, listed, multiply
from vitienv.games import definition
from vitienv.training.measure.match import warm_up
from vitienv.training.selfplay.network import Architecture, PolicyValue


class Learning:
    """A bot that does with a network what a learner and its measurements do."""

    name = "learner"

    def __init__(self, network: PolicyValue) -> None:
        self._learned, self.network = network, network.compiled()

    def compiled(self) -> list[Any]:
        """See `Bot.compiled`."""
        played = [loop for what in ("best", "evaluate") for loop in self.network.compiled(what)]
        return [draw, count, listed, by_column, multiply, *played]

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Any = None) -> np.ndarray:
        """Its most probable actions, after it has drawn some and learned from them."""
        n, advice = len(masks), self.network.adviser(observations, masks)
        logits, _ = self.network.evaluate(observations, masks, advice)
        draw(logits, np.zeros(n), np.empty(n, np.int64), np.empty(n, np.float32))
        given = (torch.from_numpy(each.copy()) for each in (observations, masks, advice))
        _, values = self._learned(*given)
        values.sum().backward()
        return self.network.best(observations, masks)


def compile_for(settings: Any, bots: Iterable[str]) -> None:
    """Compile what a learner with such settings, its games, searches and measurements, and these bots need."""
    made = Learning(PolicyValue(Architecture(1, settings.blocks, advice=settings.advice), settings.game))
    named = make_bots(dict.fromkeys([*bots, *getattr(settings, "league", ())]), 0, settings.game)
    if (playout := getattr(settings, "playout", None)) is not None:
        searching = IsmctsAgent(1, game=settings.game)
        named.append(searching.use_network(NetworkEvaluator(made.network), playout=playout))
    warm_up([*named, made], definition(settings.game), others=made.compiled())
