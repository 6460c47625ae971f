"""Choices of many games at once, by compiled code in as many threads as torch has."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import torch

from vitienv.agents import Agent
from vitienv.agents.champions import Champions
from vitienv.agents.mlp import Mlp
from vitienv.agents.network import Network, PolicyPrior
from vitienv.agents.policy import PolicyAgent
from vitienv.agents.query import PolicyPriorError
from vitienv.core.networks.network import draw
from vitienv.training.selfplay.threads import together

AT_ONCE = 32  # rows of a piece of work, at least: few enough for the threads to end together
PIECES = 4  # of a work, for each thread, where there are many rows: a piece holds Python's lock for a moment

Teacher = Network | Mlp | Champions
Seconds = dict[str, float]  # by what was done
Work = Callable[[np.ndarray], Seconds]


def do(tasks: Iterable[tuple[Work, np.ndarray]]) -> Seconds:
    """Each work on its rows, in pieces; returns the time that passed, by what was done."""
    began, pieces = time.perf_counter(), []
    for work, rows in tasks:
        size = max(AT_ONCE, -(-len(rows) // (PIECES * torch.get_num_threads())))
        pieces += [partial(work, rows[i : i + size]) for i in range(0, len(rows), size)]
    found = together(pieces)
    passed, spent = time.perf_counter() - began, defaultdict[str, float](float)
    for seconds in found:
        for name, value in seconds.items():
            spent[name] += value
    whole = sum(spent.values()) or 1.0
    return {name: passed * value / whole for name, value in spent.items()}


def can_be_asked_in_parts(bot: Agent) -> bool:
    """Whether several threads may ask it at once: heuristic bots, and networks that draw nothing."""
    if isinstance(bot, PolicyAgent):
        return bot.deterministic and bot.network is not None
    return hasattr(bot, "explain")


class Step:
    """What is decided in one step of all envs: an entry for each that is asked for.

    seen (envs, observed numbers) int16 and masks (envs, actions) int8 are what they show, chance (envs,) float64 is
    what draws. Of it come prior_scores (envs, prior_width) int16, actions (envs,) int64, log_probs and values (envs,)
    float32, and best (envs,) int64, the most probable actions. failed: returns the error for a failed prior.
    """

    def __init__(
        self, seen: np.ndarray, masks: np.ndarray, prior_width: int, chance: np.ndarray,
        failed: Callable[[PolicyPriorError, int], Exception],
    ) -> None:  # fmt: skip
        self.seen, self.masks, self.chance, self._failed = seen, masks, chance, failed
        n = len(seen)
        self.prior_scores, self.actions, self.best = (
            np.empty((n, prior_width), np.int16), np.zeros(n, np.int64), np.empty(n, np.int64),
        )  # fmt: skip
        self.log_probs, self.values = np.empty(n, np.float32), np.empty(n, np.float32)

    def draw_by(self, network: Network) -> Work:
        """Actions by a network's probabilities."""

        def work(rows: np.ndarray) -> Seconds:
            began = time.perf_counter()
            seen, masks = self.seen[rows], self.masks[rows]
            self.prior_scores[rows] = prior_scores = self._prior_scores(network.policy_prior, rows)
            scored = time.perf_counter()
            logits, self.values[rows] = network.evaluate(seen, masks, prior_scores)
            actions, log_probs = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
            draw(logits, self.chance[rows], actions, log_probs)
            self.actions[rows], self.log_probs[rows] = actions, log_probs
            self.best[rows] = logits.argmax(axis=1)
            return {"policy_prior": scored - began, "network": time.perf_counter() - scored}

        return work

    def score_by(self, policy_prior: PolicyPrior) -> Work:
        """What a policy prior says."""

        def work(rows: np.ndarray) -> Seconds:
            began = time.perf_counter()
            self.prior_scores[rows] = self._prior_scores(policy_prior, rows)
            return {"policy_prior": time.perf_counter() - began}

        return work

    def _prior_scores(self, policy_prior: PolicyPrior, rows: np.ndarray) -> np.ndarray:
        try:
            return policy_prior(self.seen[rows], self.masks[rows])
        except PolicyPriorError as error:
            raise self._failed(error, int(rows[error.row])) from error

    def taught_by(self, network: Teacher, probabilities: np.ndarray) -> Work:
        """A network's best actions, and its probabilities into (envs, actions)."""

        def work(rows: np.ndarray) -> Seconds:
            began = time.perf_counter()
            logits, _ = network.evaluate(self.seen[rows], self.masks[rows])
            likely = np.exp(logits - logits.max(axis=1, keepdims=True))
            probabilities[rows] = likely / likely.sum(axis=1, keepdims=True)
            self.actions[rows] = logits.argmax(axis=1)
            return {"members": time.perf_counter() - began}

        return work

    def draw_for(self, network: Network) -> Work:
        """Actions of a past self in the league, drawn by its probabilities."""

        def work(rows: np.ndarray) -> Seconds:
            began = time.perf_counter()
            actions = np.empty(len(rows), np.int64)
            prior_scores = self._prior_scores(network.policy_prior, rows)
            logits, _ = network.evaluate(self.seen[rows], self.masks[rows], prior_scores)
            draw(logits, self.chance[rows], actions, np.empty(len(rows), np.float32))
            self.actions[rows] = actions
            return {"members": time.perf_counter() - began}

        return work

    def choose_by(self, choose: Callable[[np.ndarray], np.ndarray]) -> Work:
        """Actions of a bot in the league. choose: gives its actions for some rows."""

        def work(rows: np.ndarray) -> Seconds:
            began = time.perf_counter()
            self.actions[rows] = choose(rows)
            return {"members": time.perf_counter() - began}

        return work
