"""Networks as guides of a search."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.agents.champions import Champions, HeuristicFallback
from vitienv.agents.mlp import Mlp
from vitienv.agents.network import Network
from vitienv.agents.policy import find_weights, load_model, load_networks
from vitienv.agents.search.guides import Evaluator
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net
from vitienv.core.search.simulate import worth_of_lead
from vitienv.registry import DEFAULT
from vitienv.threads import one_torch_thread

NEVER = -1e9  # the logarithm of no chance at all
SHARP = 2.0  # as `core.search.simulate.SHARP`, of a margin that is expected: a wider step


class MaskableEvaluator:
    """A MaskablePPO of sb3-contrib: its distribution over actions and its critic, whose unit is the reward.

    The critic's values are those of rewards from -1 to 1, as `reward="win"` gives them; larger ones are cut off.
    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Evaluator.evaluate`."""
        import torch

        policy = self._model.policy
        # Where nobody acts the distribution is not read, but it must not be without any action.
        legal = np.where(masks.any(axis=1, keepdims=True), masks, 1).astype(bool)
        with torch.no_grad(), one_torch_thread():
            seen, _ = policy.obs_to_tensor(np.asarray(observations))
            logits = policy.get_distribution(seen, action_masks=legal).distribution.logits
            values = policy.predict_values(seen)
        logs = np.where(legal, logits.cpu().numpy(), NEVER)
        return logs.astype(np.float64), values.cpu().numpy().reshape(-1).astype(np.float64)


class NetworkEvaluator:
    """Networks of the self-play learner, their values as the search takes them: 1 as good as won, -1 as good as lost.

    Against the Automa's marker a network may have learned the margin in points instead of the result.
    """

    def __init__(self, network: Network | Mlp | Champions | HeuristicFallback) -> None:
        self.network = network

    def bind_agent(self, table: GameSpec) -> NetworkEvaluator:
        """The evaluator for tables of a definition."""
        return NetworkEvaluator(self.network.bind(table)) if isinstance(self.network, Champions) else self

    def kernels_for(self, what: str) -> list[Any]:
        """See `Network.compiled`."""
        return [] if isinstance(self.network, Mlp | HeuristicFallback) else self.network.kernels_for(what)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Evaluator.evaluate`."""
        network = self.network
        logits, values = network.evaluate(observations, masks)
        score, seen = network.game_spec.lead, network.game_spec.observation
        if network.knows_margin and score is not None and score.rival_parameter is not None:
            rule_parameter = network.game_spec.rule_parameter(score.rival_parameter)
            alone = np.asarray(observations)[:, seen.start("rules") + rule_parameter] == 1
            values = np.where(alone, worth_of_lead(values.astype(np.float64) * score.unit, SHARP), values)
        return logits, values

    def of_table(self, observation: np.ndarray) -> NetworkEvaluator:
        """The evaluator for the table of one observation; it does not look for the network of each row."""
        if not isinstance(self.network, Champions):
            return self
        ((own, _),) = self.network.parts(observation[None])
        return NetworkEvaluator(own)

    @property
    def player(self) -> Net | None:
        """The network as compiled code takes it; None if a heuristic bot is at its side, or if it is another kind."""
        own = self.network
        return own.net if isinstance(own, Network) and not own.policy_prior.width else None

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Network.best`."""
        return self.network.best(observations, masks)


def load_evaluator(path: str, device: str = "cpu", game: str | GameSpec = DEFAULT) -> Evaluator:
    """The network in a file, or "champion". ValueError, in one line, if there is none or it does not fit."""
    own = load_networks(path, game)
    return MaskableEvaluator(load_model(find_weights(path), device, game)) if own is None else NetworkEvaluator(own)
