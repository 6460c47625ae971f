"""Heuristic bots: all legal actions are scored with the weights of a strategy; the best is played.

The input is the observation and mask of the seat.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.kernel_cache import compiler
from vitienv.agents.protocol import Bot, GameViews
from vitienv.agents.toscana.scores import FAR_BELOW, score_actions
from vitienv.agents.toscana.value import position_value
from vitienv.agents.toscana.weights import WEIGHTS_DTYPE, Weights, record
from vitienv.core.game_spec import GameSpec
from vitienv.toscana.enums import N_CROSSROADS, N_GOODS, N_SQUARES
from vitienv.toscana.game_spec import GAME_SPEC
from vitienv.toscana.handlers import Decision
from vitienv.toscana.kernel import KERNELS
from vitienv.toscana.observation import At
from vitienv.toscana.vocabulary import ACTIONS, N_ACTIONS

MIN_SCORE = -30_000  # lower scores are clipped to fit int16
# Searches and networks use hundredths of a point.
MONEY_PER_POINT = 4
ORDER_UNIT = 10  # scores of a turn are ranks; this difference counts as one

TYPES = {
    "int16[:, ::1]": "observations preferences prior_scores",
    "int8[:, ::1]": "masks",
    "weights": "w weights",
    "int64[:, ::1]": "scores",
    "int64[::1]": "plan watered boxes_made actions out",
}
cached = partial(
    compiler(KERNELS, Path(__file__).resolve().parent, ("heuristic", "pieces", "market")),
    types=TYPES,
    records={"weights": WEIGHTS_DTYPE},
)


@cached
def choose(observations, masks, w, scores, plan, watered, boxes_made, actions):
    """Write the best legal action of each row, ties to the lowest index, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8, w: record of weights. scores (n, N_ACTIONS) int64
    receives all scores; with (1, N_ACTIONS) it is scratch, like plan (crossroads,), watered (squares,) and boxes_made
    (goods,) int64.
    """
    for i in range(len(observations)):
        mask, row = masks[i], scores[i % len(scores)]
        score_actions(observations[i], w, mask, row, plan, watered, boxes_made)
        best = -1
        for action in range(N_ACTIONS):
            if mask[action] and (best < 0 or row[action] > row[best]):
                best = action
        actions[i] = best


@cached
def prefer(observations, masks, w, scores, plan, watered, boxes_made, preferences):
    """Write scores minus the best score of each row into preferences (n, N_ACTIONS) int16; see `choose`."""
    for i in range(len(observations)):
        mask, row = masks[i], scores[0]
        score_actions(observations[i], w, mask, row, plan, watered, boxes_made)
        best = FAR_BELOW
        for action in range(N_ACTIONS):
            if mask[action]:
                best = max(best, row[action])
        unit = MONEY_PER_POINT * (ORDER_UNIT if observations[i, At.DECISION + Decision.TAKE_ACTION] else 1)
        for action in range(N_ACTIONS):
            preferences[i, action] = max(MIN_SCORE, (row[action] - best) // unit) if mask[action] else 0


@cached
def compute_prior_scores(observations, masks, weights, scores, plan, watered, boxes_made, prior_scores):
    """Write prior_scores (n, N_ACTIONS + 1) int16; see `RuleAgent.prior_scores` and `choose`."""
    for i in range(len(observations)):
        mask, row, row_scores = masks[i], scores[0], prior_scores[i]
        score_actions(observations[i], weights, mask, row, plan, watered, boxes_made)
        best = FAR_BELOW
        for action in range(N_ACTIONS):
            if mask[action]:
                best = max(best, row[action])
        for action in range(N_ACTIONS):
            row_scores[action] = max(MIN_SCORE, row[action] - best) if mask[action] else 0
        points = position_value(observations[i], weights) // MONEY_PER_POINT
        row_scores[N_ACTIONS] = max(MIN_SCORE, min(-MIN_SCORE, points * MONEY_PER_POINT))


@cached
def compute_values(observations, w, out):
    """Write the value of the viewer's position into out (n,) int64."""
    for i in range(len(observations)):
        out[i] = position_value(observations[i], w) // MONEY_PER_POINT


class RuleAgent(Bot):
    """Deterministic heuristic bot with a set of weights."""

    def __init__(self, name: str, weights: Weights) -> None:
        super().__init__(name, GAME_SPEC)
        self.weights = weights

    def supports(self, table: GameSpec) -> bool:
        """Return whether a table has Toscana's rule parameters."""
        return table.rule_parameters is GAME_SPEC.rule_parameters

    def kernels_for(self, method: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        loops = {"act": choose, "heuristic_values": compute_values, "prior_scores": compute_prior_scores}
        return [loops.get(method, prefer)]

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self._choose(observations, action_masks, 1)[0]

    def preferences(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return scores minus the best of the row, (n, N_ACTIONS) int16, in about 1/100 point; 0 if illegal."""
        preferences = np.empty((len(observations), N_ACTIONS), np.int16)
        prefer(*self._validate(observations, masks, must_choose=False), record(self.weights), *scratch(1), preferences)
        return preferences

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """Return the values of the viewers' positions in hundredths of a point, (n,) int64."""
        values = np.zeros(len(observations), np.int64)
        compute_values(self._validate_observations(observations), record(self.weights), values)
        return values

    def prior_scores(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return `preferences` and the value of the position, (n, N_ACTIONS + 1) int16, in hundredths of money."""
        prior_scores = np.empty((len(observations), N_ACTIONS + 1), np.int16)
        compute_prior_scores(
            *self.prior_arguments(*self._validate(observations, masks, must_choose=False), prior_scores)
        )
        return prior_scores

    def prior_arguments(self, observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray) -> tuple[Any, ...]:
        """Return the arguments of `compute_prior_scores` for validated rows."""
        return observations, masks, record(self.weights), *scratch(1), prior_scores

    def explain(self, observation: np.ndarray, mask: np.ndarray) -> dict[str, int]:
        """Return the scores of the legal actions of one observation by name, best first."""
        scores = self._choose(*self._validate(observation[None], mask[None]), 1)[1][0]
        best_first = sorted(np.flatnonzero(mask), key=lambda action: -scores[action])
        return {ACTIONS.name(int(action)): int(scores[action]) for action in best_first}

    def chooser(self) -> Chooser:
        """Return a `Chooser` for repeated calls."""
        return Chooser(self)

    def _choose(self, observations: np.ndarray, masks: np.ndarray, num_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Return actions (n,) and scores (num_rows, N_ACTIONS): of all rows, or of the last if num_rows is 1."""
        arrays, actions = scratch(num_rows), np.empty(len(observations), np.int64)
        choose(observations, masks, record(self.weights), *arrays, actions)
        return actions, arrays[0]


def scratch(num_rows: int) -> tuple[np.ndarray, ...]:
    """Return arrays for scores and plans of water; new for each call, so that threads can share a bot."""
    return np.zeros((num_rows, N_ACTIONS), np.int64), *(
        np.zeros(n, np.int64) for n in (N_CROSSROADS, N_SQUARES, N_GOODS)
    )


class Chooser:
    """Repeated choices of a bot with preallocated arrays."""

    def __init__(self, bot: RuleAgent) -> None:
        self.weights = record(bot.weights)
        self.scratch = scratch(1)

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Write the choices into actions (n,) int64."""
        choose(observations, masks, self.weights, *self.scratch, actions)
