"""What a bot considered at a decision besides what it chose, for logs: a search says visits and values, a network
probabilities, a heuristic bot scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vitienv.agents.protocol import Agent, GameViews, bind_agent

MOST = 20  # actions that are kept of a decision
USUAL = 5  # of them in games with people
OURS = "vitienv."
HUNDRED = 100  # heuristic bots score in hundredths

Row = list[tuple[int, dict[str, float]]]  # actions, the best first, each with its numbers


class Considering:
    """A bot that also says what it considered.

    found: after `act`, for each row the best actions, at most `most`; None for a row without a choice, and for all rows
    of a bot that cannot say. The choices stay the same. A user's bot may have anything under the names that are called
    here, so it is not asked.
    """

    def __init__(self, agent: Agent, most: int) -> None:
        self.agent, self.most, self.name = agent, most, agent.name
        self.found: list[Row | None] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.agent, name)

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """The bot's choices; see `Agent.act`."""
        action_masks = np.asarray(action_masks)
        if games is not None:
            self.agent = bind_agent(self.agent, games.game_spec)
        self.found = [None] * len(action_masks)
        chooses = self._own("act") is not None  # otherwise what it has inherited would not tell of its choices
        if chooses and (consider := self._own("consider")) is not None:
            actions, found = consider(observations, action_masks, games)
            for row, one in found.items():
                if len(one.actions) > 1:
                    self.found[row] = [
                        (int(action), {"visits": int(visits), "value": round(float(value), 3)})
                        for action, visits, value in zip(one.actions, one.visits, one.values, strict=True)
                    ][: self.most]
            return actions
        actions = self.agent.act(observations, action_masks, games=games)
        told = self._scores(observations, action_masks) if chooses else None
        if told is not None:
            name, scores = told
            for row in np.flatnonzero(action_masks.sum(axis=1) > 1):
                legal = np.flatnonzero(action_masks[row])
                best = legal[np.argsort(-scores[row, legal], kind="stable")][: self.most]
                self.found[row] = [(int(action), {name: round(float(scores[row, action]), 3)}) for action in best]
        return actions

    def _scores(self, observations: np.ndarray, masks: np.ndarray) -> tuple[str, np.ndarray] | None:
        """What the bot says of all legal actions, (n, actions), and what that is; None if it cannot say."""
        network = self._own("network")
        if network is not None:
            logits = np.where(masks == 1, network.evaluate(np.asarray(observations), masks)[0], -np.inf)
            likely = np.exp(logits - logits.max(axis=1, keepdims=True))
            return "probability", likely / likely.sum(axis=1, keepdims=True)
        if (preferences := self._own("preferences")) is not None:
            return "score", preferences(observations, masks) / HUNDRED
        return None

    def _own(self, name: str) -> Any:
        """What the bot has by a name, if it is of this package; None otherwise."""
        found = getattr(self.agent, name, None)
        return found if str(getattr(found, "__module__", "")).startswith(OURS) else None

    def told(self, row: int, name: Callable[[int], str]) -> list[dict[str, Any]] | None:
        """The best actions of a row in the form of logs. name: gives an action's name."""
        found = self.found[row]
        return None if found is None else [{"action": name(action), **thought} for action, thought in found]
