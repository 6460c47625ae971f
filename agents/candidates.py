"""Candidate actions for logs: visits and values of a search, probabilities of a network, heuristic scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vitienv.agents.protocol import Agent, GameViews, bind_agent

MAX_CANDIDATES = 20  # per decision
DEFAULT_CANDIDATES = 5  # default in games with people
PACKAGE_PREFIX = "vitienv."
SCORE_UNIT = 100  # scores of heuristic bots are in hundredths of a point

Row = list[tuple[int, dict[str, float]]]  # actions, best first, with their numbers


class CandidateRecorder:
    """Wrapper of a bot that records candidate actions without changing its choices.

    candidates: after `act`, the best actions of each row, at most `limit`; None for a row without a choice and for bots
    that do not support it. Attributes of user-defined bots are not called, as their names may have other meanings.
    """

    def __init__(self, agent: Agent, limit: int) -> None:
        self.agent, self.limit, self.name = agent, limit, agent.name
        self.candidates: list[Row | None] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.agent, name)

    def act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None = None) -> np.ndarray:
        """Return the bot's choices; see `Agent.act`."""
        action_masks = np.asarray(action_masks)
        if games is not None:
            self.agent = bind_agent(self.agent, games.game_spec)
        self.candidates = [None] * len(action_masks)
        chooses = self._trusted_attribute("act") is not None  # an inherited `consider` may not match a custom `act`
        if chooses and (consider := self._trusted_attribute("consider")) is not None:
            actions, results = consider(observations, action_masks, games)
            for row, result in results.items():
                if len(result.actions) > 1:
                    self.candidates[row] = [
                        (int(action), {"visits": int(visits), "value": round(float(value), 3)})
                        for action, visits, value in zip(result.actions, result.visits, result.values, strict=True)
                    ][: self.limit]
            return actions
        actions = self.agent.act(observations, action_masks, games=games)
        named_scores = self._scores(observations, action_masks) if chooses else None
        if named_scores is not None:
            name, scores = named_scores
            for row in np.flatnonzero(action_masks.sum(axis=1) > 1):
                legal = np.flatnonzero(action_masks[row])
                best = legal[np.argsort(-scores[row, legal], kind="stable")][: self.limit]
                self.candidates[row] = [(int(action), {name: round(float(scores[row, action]), 3)}) for action in best]
        return actions

    def _scores(self, observations: np.ndarray, masks: np.ndarray) -> tuple[str, np.ndarray] | None:
        """Return the kind and the numbers (n, actions) of the legal actions; None if the bot has none."""
        network = self._trusted_attribute("network")
        if network is not None:
            logits = np.where(masks == 1, network.evaluate(np.asarray(observations), masks)[0], -np.inf)
            likely = np.exp(logits - logits.max(axis=1, keepdims=True))
            return "probability", likely / likely.sum(axis=1, keepdims=True)
        if (preferences := self._trusted_attribute("preferences")) is not None:
            return "score", preferences(observations, masks) / SCORE_UNIT
        return None

    def _trusted_attribute(self, name: str) -> Any:
        attribute = getattr(self.agent, name, None)
        return attribute if str(getattr(attribute, "__module__", "")).startswith(PACKAGE_PREFIX) else None

    def describe(self, row: int, name: Callable[[int], str]) -> list[dict[str, Any]] | None:
        """Return the best actions of a row as logged. name: returns an action's name."""
        candidates = self.candidates[row]
        return None if candidates is None else [{"action": name(action), **numbers} for action, numbers in candidates]
