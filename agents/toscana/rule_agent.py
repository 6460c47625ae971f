"""Bots by heuristic bot: every legal action gets a score by weights that are the bot's strategy, and the best is taken.

The seat's observation and mask are all that is read.
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

WORST = -30_000  # what is worse than this below the best counts as this
# A search, and a network, hear of scores in hundredths of a point, of which a game has some twenty.
MONEY_PER_POINT = 4
ORDER = 10  # scores of a turn say what comes first rather than how much it matters: so many count as one

TYPES = {
    "int16[:, ::1]": "observations told prior_scores",
    "int8[:, ::1]": "masks",
    "weights": "w weights",
    "int64[:, ::1]": "scores",
    "int64[::1]": "plan wet made actions out",
}
cached = partial(
    compiler(KERNELS, Path(__file__).resolve().parent, ("heuristic", "pieces", "market")),
    types=TYPES,
    records={"weights": WEIGHTS_DTYPE},
)


@cached
def choose(observations, masks, w, scores, plan, wet, made, actions):
    """The best legal action of each row, the lowest number among equals, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8, w: a record of weights; plan (crossroads,), wet
    (squares,), made (goods,) int64 are scratch, and so is scores (1, N_ACTIONS) int64; with (n, N_ACTIONS) it gets the
    scores of every row.
    """
    for i in range(len(observations)):
        mask, row = masks[i], scores[i % len(scores)]
        score_actions(observations[i], w, mask, row, plan, wet, made)
        best = -1
        for action in range(N_ACTIONS):
            if mask[action] and (best < 0 or row[action] > row[best]):
                best = action
        actions[i] = best


@cached
def prefer(observations, masks, w, scores, plan, wet, made, told):
    """The score of each legal action behind the best of its row, into told (n, N_ACTIONS) int16; the rest as of
    `choose`."""
    for i in range(len(observations)):
        mask, row = masks[i], scores[0]
        score_actions(observations[i], w, mask, row, plan, wet, made)
        best = FAR_BELOW
        for action in range(N_ACTIONS):
            if mask[action]:
                best = max(best, row[action])
        unit = MONEY_PER_POINT * (ORDER if observations[i, At.DECISION + Decision.TAKE_ACTION] else 1)
        for action in range(N_ACTIONS):
            told[i, action] = max(WORST, (row[action] - best) // unit) if mask[action] else 0


@cached
def compute_prior_scores(observations, masks, weights, scores, plan, wet, made, prior_scores):
    """Write the scores of all rows into prior_scores (n, N_ACTIONS + 1) int16; see `RuleAgent.prior_scores`. weights: a
    record; the rest as of `choose`."""
    for i in range(len(observations)):
        mask, row, heard = masks[i], scores[0], prior_scores[i]
        score_actions(observations[i], weights, mask, row, plan, wet, made)
        best = FAR_BELOW
        for action in range(N_ACTIONS):
            if mask[action]:
                best = max(best, row[action])
        for action in range(N_ACTIONS):
            heard[action] = max(WORST, row[action] - best) if mask[action] else 0
        points = position_value(observations[i], weights) // MONEY_PER_POINT
        heard[N_ACTIONS] = max(WORST, min(-WORST, points * MONEY_PER_POINT))


@cached
def reckon_worths(observations, w, out):
    """What the viewer's own position is worth, into out (n,) int64."""
    for i in range(len(observations)):
        out[i] = position_value(observations[i], w) // MONEY_PER_POINT


class RuleAgent(Bot):
    """A bot that follows a set of weights. The same observation always gives the same choice."""

    def __init__(self, name: str, weights: Weights) -> None:
        super().__init__(name, GAME_SPEC)
        self.weights = weights

    def supports(self, table: GameSpec) -> bool:
        """Whether its heuristic bots are those of a table's rule parameters."""
        return table.rule_parameters is GAME_SPEC.rule_parameters

    def kernels_for(self, what: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        loops = {"act": choose, "heuristic_values": reckon_worths, "prior_scores": compute_prior_scores}
        return [loops.get(what, prefer)]

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self._choose(observations, action_masks, 1)[0]

    def preferences(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The score of each legal action behind the best of its row, (n, N_ACTIONS) int16, never above 0, in hundredths
        of money; about as much where scores are an order only. 0 where illegal."""
        told = np.empty((len(observations), N_ACTIONS), np.int16)
        prefer(*self._asked(observations, masks, must_choose=False), record(self.weights), *scratch(1), told)
        return told

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """What the viewing seat's own position is worth, in hundredths of money, (n,) int64."""
        found = np.zeros(len(observations), np.int64)
        reckon_worths(self._seen(observations), record(self.weights), found)
        return found

    def prior_scores(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return (n, N_ACTIONS + 1) int16 for a network: the score of each legal action behind the best of
        its row, never above 0, and last the worth of the seat's position; in hundredths of money."""
        prior_scores = np.empty((len(observations), N_ACTIONS + 1), np.int16)
        compute_prior_scores(*self.prior_arguments(*self._asked(observations, masks, must_choose=False), prior_scores))
        return prior_scores

    def prior_arguments(self, seen: np.ndarray, legal: np.ndarray, prior_scores: np.ndarray) -> tuple[Any, ...]:
        """Return the arguments of `compute_prior_scores` for validated rows."""
        return seen, legal, record(self.weights), *scratch(1), prior_scores

    def explain(self, observation: np.ndarray, mask: np.ndarray) -> dict[str, int]:
        """Why: the score of each legal action of one observation by its name, the best first."""
        scores = self._choose(*self._asked(observation[None], mask[None]), 1)[1][0]
        best_first = sorted(np.flatnonzero(mask), key=lambda action: -scores[action])
        return {ACTIONS.name(int(action)): int(scores[action]) for action in best_first}

    def chooser(self) -> Chooser:
        """What makes its choices for many calls in a row."""
        return Chooser(self)

    def _choose(self, observations: np.ndarray, masks: np.ndarray, kept: int) -> tuple[np.ndarray, np.ndarray]:
        """The actions (n,), and the scores (kept, N_ACTIONS) of all rows, or of the last if kept is 1."""
        own, actions = scratch(kept), np.empty(len(observations), np.int64)
        choose(observations, masks, record(self.weights), *own, actions)
        return actions, own[0]


def scratch(kept: int) -> tuple[np.ndarray, ...]:
    """Scores (kept, N_ACTIONS), and room for plans of water; of its own for each call, so that threads can share a
    bot."""
    return np.zeros((kept, N_ACTIONS), np.int64), *(np.zeros(n, np.int64) for n in (N_CROSSROADS, N_SQUARES, N_GOODS))


class Chooser:
    """A rule bot's compiled choice with its working space, which is made once for many calls."""

    def __init__(self, bot: RuleAgent) -> None:
        self.weights = record(bot.weights)
        self.scratch = scratch(1)

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Write the bot's choices into actions (n,) int64."""
        choose(observations, masks, self.weights, *self.scratch, actions)
