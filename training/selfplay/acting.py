"""Batched action selection by compiled code in torch's number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import torch

from vitienv.agents import Agent
from vitienv.agents.champions import Champions
from vitienv.agents.mlp import Mlp
from vitienv.agents.network import Network, PolicyPrior
from vitienv.agents.policy import MaskableNetwork, PolicyAgent
from vitienv.agents.query import PolicyPriorError
from vitienv.core.networks.network import draw
from vitienv.training.selfplay.torch_threads import run_parallel

MIN_PIECE_ROWS = 32  # small enough for the threads to finish together
PIECES_PER_THREAD = 4  # large enough, as starting a piece takes the GIL

Teacher = Network | Mlp | Champions
Work = Callable[[np.ndarray], None]


def run_tasks(tasks: Iterable[tuple[Work, np.ndarray]]) -> None:
    """Run tasks on their rows in pieces."""
    pieces = []
    for work, rows in tasks:
        size = max(MIN_PIECE_ROWS, -(-len(rows) // (PIECES_PER_THREAD * torch.get_num_threads())))
        pieces += [partial(work, rows[i : i + size]) for i in range(0, len(rows), size)]
    run_parallel(pieces)


def is_thread_safe(bot: Agent) -> bool:
    """Return whether a bot is thread-safe: heuristic bots and deterministic networks."""
    if isinstance(bot, PolicyAgent):
        return bot.deterministic and not isinstance(bot.network, MaskableNetwork)
    return hasattr(bot, "explain")


class Step:
    """Decisions of one step of all envs.

    Inputs: observations (envs, features) int16, masks (envs, actions) int8, uniform (envs,) float64 in [0, 1).
    Outputs: prior_scores (envs, prior_width) int16, actions (envs,) int64, log_probs and values (envs,) float32, and
    best (envs,) int64, the most probable actions. prior_error: returns the error of a failed prior.
    """

    def __init__(
        self, observations: np.ndarray, masks: np.ndarray, prior_width: int, uniform: np.ndarray,
        prior_error: Callable[[PolicyPriorError, int], Exception],
    ) -> None:  # fmt: skip
        self.observations, self.masks, self.uniform, self._prior_error = observations, masks, uniform, prior_error
        n = len(observations)
        self.prior_scores, self.actions, self.best = (
            np.empty((n, prior_width), np.int16), np.zeros(n, np.int64), np.empty(n, np.int64),
        )  # fmt: skip
        self.log_probs, self.values = np.empty(n, np.float32), np.empty(n, np.float32)

    def play_learner(self, network: Network, rows: np.ndarray) -> None:
        """Sample actions from the learner's network."""
        self.score_by_prior(network.policy_prior, rows)
        logits, self.values[rows] = network.evaluate(self.observations[rows], self.masks[rows], self.prior_scores[rows])
        self.actions[rows], self.log_probs[rows] = self._sample(logits, rows)
        self.best[rows] = logits.argmax(axis=1)

    def score_by_prior(self, policy_prior: PolicyPrior, rows: np.ndarray) -> None:
        """Compute the scores of a policy prior."""
        try:
            self.prior_scores[rows] = policy_prior(self.observations[rows], self.masks[rows])
        except PolicyPriorError as error:
            raise self._prior_error(error, int(rows[error.row])) from error

    def _sample(self, logits: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        actions, log_probs = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
        draw(logits, self.uniform[rows], actions, log_probs)
        return actions, log_probs

    def play_teacher(self, network: Teacher, probabilities: np.ndarray, rows: np.ndarray) -> None:
        """Choose a network's best actions and write its probabilities (envs, actions)."""
        logits, _ = network.evaluate(self.observations[rows], self.masks[rows])
        exp_logits = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities[rows] = exp_logits / exp_logits.sum(axis=1, keepdims=True)
        self.actions[rows] = logits.argmax(axis=1)

    def play_snapshot(self, network: Network, rows: np.ndarray) -> None:
        """Sample actions from a snapshot in the league."""
        self.score_by_prior(network.policy_prior, rows)
        logits, _ = network.evaluate(self.observations[rows], self.masks[rows], self.prior_scores[rows])
        self.actions[rows], _ = self._sample(logits, rows)

    def play_bot(self, choose: Callable[[np.ndarray], np.ndarray], rows: np.ndarray) -> None:
        """Take a bot's actions. choose: returns its actions for some rows."""
        self.actions[rows] = choose(rows)
