"""A trained network as a file of numbers, evaluated by compiled code: what it takes in, and how it is kept.

The file is in the safetensors format. Its metadata name the architecture, the layout of observations and actions
that the network was trained for, the game, and how it was trained. `vitienv.training.selfplay.network` is the same in
torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.protocol import agent_kernels
from vitienv.agents.query import query_policy_prior
from vitienv.agents.weights import check_about, extended, read_tensors, shapes, table_of
from vitienv.core.files import from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net, best, evaluate, packed, room_for
from vitienv.registry import DEFAULT, game_spec

FORMAT = "vitienv-network-1"


class PolicyPrior:
    """A heuristic bot at a network's side: the network learns where to depart from it, and by how much."""

    def __init__(self, name: str | None, game: GameSpec) -> None:
        """name: of the bot; None for nobody. ValueError if it is no heuristic bot."""
        from vitienv.agents.registry import check_told, make_agent

        if name is not None:
            check_told([name], "the network", game)
        bot: Any = None if name is None else make_agent(name, game=game)
        if bot is not None and not hasattr(bot, "prior_scores"):
            raise ValueError(f"policy prior must be a heuristic bot, got {name!r}")
        self._bot = bot
        self.width = 0 if bot is None else game.actions.n + 1

    def kernels_for(self) -> list[Any]:
        """See `Bot.kernels_for`."""
        return agent_kernels(self._bot, "prior_scores")

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """(n, width) int16: how much worse than the best each legal action seems, in hundredths of a point and never
        above 0, and last what the viewer's position is worth. PolicyPriorError names a bot that fails."""
        if self._bot is None:
            return np.empty((len(masks), 0), np.int16)
        return query_policy_prior(self._bot, observations, masks)


class Network:
    """Logits of the actions and the expected result of the viewing seat, for many observations at once."""

    def __init__(self, tensors: dict[str, np.ndarray], about: dict[str, Any], game: GameSpec) -> None:
        """tensors: by the names in the file; about: the metadata (`architecture`, `layout`, `trained`).

        ValueError if they make no network.
        """
        self.about = about
        self.game_spec = game
        self.policy_prior = PolicyPrior(about["architecture"].get("policy_prior"), game)
        self.net: Net = packed(tensors, about["architecture"], game)

    @property
    def knows_margin(self) -> bool:
        """Whether its value of a game alone is the margin, in units of `Lead.unit`, and not the result."""
        return self.about.get("trained", {}).get("settings", {}).get("solo_reward") == "margin"

    def kernels_for(self, what: str) -> list[Any]:
        """See `Bot.kernels_for`. what: "best" or "evaluate"."""
        return [best if what == "best" else evaluate, *self.policy_prior.kernels_for()]

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The action with the highest logit of each row, (n,) int64, whatever other rows there are.

        ValueError for arrays of another shape.
        """
        seen, legal, prior_scores = self._asked(observations, masks, None)
        actions: np.ndarray = np.empty(len(seen), np.int64)
        best(self.net, seen, legal, prior_scores, actions, room_for(self.net))
        return actions

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """logits (n, actions), minus infinity where illegal, and values (n,), both float32.

        observations (n, observed numbers) and masks (n, actions) as the environments return them; prior_scores
        (n, actions + 1) int16, computed if None. A value is the expected result of the game in units of the reward
        that the network was trained for. A row's numbers do not depend on other rows. ValueError for arrays of another
        shape.
        """
        seen, legal, prior_scores = self._asked(observations, masks, prior_scores)
        logits: np.ndarray = np.empty(legal.shape, np.float32)
        values: np.ndarray = np.empty(len(seen), np.float32)
        evaluate(self.net, seen, legal, prior_scores, logits, values, room_for(self.net))
        return logits, values

    def _asked(
        self, observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        seen, legal = np.require(observations, np.int16, ["C", "W"]), np.require(masks, np.int8, ["C", "W"])
        n, told = len(seen), self.game_spec
        if seen.shape != (n, told.observation.n) or legal.shape != (n, told.actions.n):
            asked = f"(n, {told.observation.n}) and (n, {told.actions.n})"
            raise ValueError(f"observations and masks have shapes {seen.shape} and {legal.shape}; they must be {asked}")
        return seen, legal, self.policy_prior(seen, legal) if prior_scores is None else prior_scores


def read_network(path: str | Path, game: str | GameSpec = DEFAULT) -> Network:
    """The network in a .safetensors file. ValueError, in one line, if it cannot be read or is of another game."""
    from safetensors import SafetensorError, safe_open

    try:
        file = safe_open(path, framework="numpy")
        metadata = file.metadata() or {}
        if metadata.get("format") != FORMAT:
            raise ValueError(f"its format is {metadata.get('format')!r}, not that of a network of this project")
        about = {name: from_json(metadata[name]) for name in ("architecture", "layout", "trained")}
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise ValueError(f"{str(path)!r} cannot be read as a network ({type(error).__name__}: {error})") from None
    made = table_of(about["layout"], game_spec(game))
    try:
        check_about(about, made)
        tensors = read_tensors(file, shapes(file, about))
        return Network(extended(tensors, about["layout"], made), about, made)
    except (SafetensorError, ValueError, KeyError) as error:
        raise ValueError(f"{str(path)!r} does not fit: {error}") from None
