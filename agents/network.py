"""A trained network, evaluated by compiled code, and its file.

The file is in the safetensors format. Its metadata contain the architecture, the layout of observations and actions,
the game, and the training settings. `vitienv.training.selfplay.network` is the torch module.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.protocol import agent_kernels
from vitienv.agents.query import query_policy_prior
from vitienv.agents.weights import check_metadata, extend_tensors, read_tensors, shapes
from vitienv.core.files import from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net, best, evaluate, pack, room_for
from vitienv.registry import DEFAULT, game_spec
from vitienv.trust import check_regular

FORMAT = "vitienv-network-1"


class PolicyPrior:
    """A heuristic bot whose scores are added to a network's logits (residual policy learning)."""

    def __init__(self, name: str | None, game: GameSpec) -> None:
        """name: a heuristic bot, or None. ValueError for other bots."""
        from vitienv.agents.registry import check_untrusted_specs, make_agent

        if name is not None:
            check_untrusted_specs([name], "the network", game)
        bot: Any = None if name is None else make_agent(name, game=game)
        if bot is not None and not hasattr(bot, "prior_scores"):
            raise ValueError(f"policy prior must be a heuristic bot, got {name!r}")
        self._bot = bot
        self.width = 0 if bot is None else game.actions.n + 1

    def kernels_for(self) -> list[Any]:
        """See `Bot.kernels_for`."""
        return agent_kernels(self._bot, "prior_scores")

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return scores minus the best, and the value, in 1/100 point, (n, width) int16; raise PolicyPriorError."""
        if self._bot is None:
            return np.empty((len(masks), 0), np.int16)
        return query_policy_prior(self._bot, observations, masks)


class Network:
    """A network that evaluates batches of observations: logits of actions, and the value for the viewing seat."""

    def __init__(self, tensors: dict[str, np.ndarray], metadata: dict[str, Any], game: GameSpec) -> None:
        """tensors: by name; metadata: `architecture`, `layout` and `trained`. ValueError if invalid."""
        self.metadata = metadata
        self.game_spec = game
        self.policy_prior = PolicyPrior(metadata["architecture"].get("policy_prior"), game)
        self.net: Net = pack(tensors, metadata["architecture"], game)

    @property
    def knows_margin(self) -> bool:
        """Whether the value of a solo game is the margin in units of `LeadFeatures.unit`, not the result."""
        return self.metadata.get("trained", {}).get("settings", {}).get("solo_reward") == "margin"

    def kernels_for(self, method: str) -> list[Any]:
        """See `Bot.kernels_for`. method: "best" or "evaluate"."""
        return [best if method == "best" else evaluate, *self.policy_prior.kernels_for()]

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the action with the highest logit of each row, (n,) int64. ValueError for arrays of another shape."""
        obs, legal, prior_scores = self._validate(observations, masks, None)
        actions: np.ndarray = np.empty(len(obs), np.int64)
        best(self.net, obs, legal, prior_scores, actions, room_for(self.net))
        return actions

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return logits (n, actions), minus infinity where illegal, and values (n,), both float32.

        observations (n, features) and masks (n, actions) as the environments return them; prior_scores
        (n, actions + 1) int16, computed if None. A value is the expected result in units of the training
        reward. A row's results do not depend on other rows. ValueError for arrays of another shape.
        """
        obs, legal, prior_scores = self._validate(observations, masks, prior_scores)
        logits: np.ndarray = np.empty(legal.shape, np.float32)
        values: np.ndarray = np.empty(len(obs), np.float32)
        evaluate(self.net, obs, legal, prior_scores, logits, values, room_for(self.net))
        return logits, values

    def _validate(
        self, observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        obs, legal = np.require(observations, np.int16, ["C", "W"]), np.require(masks, np.int8, ["C", "W"])
        n, game = len(obs), self.game_spec
        if obs.shape != (n, game.observation.n) or legal.shape != (n, game.actions.n):
            expected = f"(n, {game.observation.n}) and (n, {game.actions.n})"
            raise ValueError(f"observations and masks must have shapes {expected}, got {obs.shape} and {legal.shape}")
        return obs, legal, self.policy_prior(obs, legal) if prior_scores is None else prior_scores


def read_network(path: str | Path, game: str | GameSpec = DEFAULT) -> Network:
    """Read a network from a .safetensors file. ValueError if it cannot be read or is of another game."""
    from safetensors import SafetensorError, safe_open

    try:
        check_regular(Path(path))
        file = safe_open(path, framework="numpy")
        metadata = file.metadata() or {}
        if metadata.get("format") != FORMAT:
            raise ValueError(f"format must be {FORMAT!r}, got {metadata.get('format')!r}")
        description = {name: from_json(metadata[name]) for name in ("architecture", "layout", "trained")}
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise ValueError(f"{str(path)!r} cannot be read as a network ({type(error).__name__}: {error})") from None
    table = game_spec(game)
    try:
        check_metadata(description, table)
        tensors = read_tensors(file, shapes(file, description))
        return Network(extend_tensors(tensors, description["layout"], table), description, table)
    except (SafetensorError, ValueError, KeyError) as error:
        raise ValueError(f"{str(path)!r} is not a valid network: {error}") from None
