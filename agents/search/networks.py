"""Evaluators of trained networks for searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.agents.champions import Champions, HeuristicFallback
from vitienv.agents.network import Network
from vitienv.agents.policy import AnyNetwork, load_networks
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net
from vitienv.core.search.simulate import value_of_lead
from vitienv.registry import DEFAULT

SHARP = 2.0  # lower than `core.search.simulate.SHARP`, as the margin is an expectation


class NetworkEvaluator:
    """A network of the learners with values from -1 (lost) to 1 (won), also where it was trained on the margin."""

    def __init__(self, network: AnyNetwork | HeuristicFallback) -> None:
        self.network = network

    def bind_agent(self, table: GameSpec) -> NetworkEvaluator:
        """Return the evaluator for tables of a spec."""
        return NetworkEvaluator(self.network.bind(table)) if isinstance(self.network, Champions) else self

    def kernels_for(self, method: str) -> list[Any]:
        """See `Network.kernels_for`."""
        return self.network.kernels_for(method) if isinstance(self.network, Network | Champions) else []

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Evaluator.evaluate`."""
        network = self.network
        logits, values = network.evaluate(observations, masks)
        score, layout = network.game_spec.lead, network.game_spec.observation
        if network.knows_margin and score is not None and score.rival_parameter is not None:
            rule_parameter = network.game_spec.rule_parameter(score.rival_parameter)
            is_solo = np.asarray(observations)[:, layout.start("rules") + rule_parameter] == 1
            values = np.where(is_solo, value_of_lead(values.astype(np.float64) * score.unit, SHARP), values)
        return logits, values

    def of_table(self, observation: np.ndarray) -> NetworkEvaluator:
        """Return the evaluator for the table of an observation."""
        if not isinstance(self.network, Champions):
            return self
        ((network, _),) = self.network.parts(observation[None])
        return NetworkEvaluator(network)

    @property
    def player(self) -> Net | None:
        """The network for playouts in the kernel; None with a policy prior or for other evaluators."""
        network = self.network
        return network.net if isinstance(network, Network) and not network.policy_prior.width else None

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        return self.network.best(observations, masks)


def load_evaluator(path: str, game: str | GameSpec = DEFAULT) -> NetworkEvaluator:
    """Load a network from a file, or "champion". ValueError if there is none or it does not fit."""
    return NetworkEvaluator(load_networks(path, game))
