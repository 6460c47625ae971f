"""Heuristic bots: all legal actions are scored, and the best is played.

A score is the value of the seat's position after the action (`value.py`), with the weights of a strategy
(`weights.py`). The input is the observation and mask of the seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.agents.protocol import Bot, GameViews
from vitienv.agents.viticulture import choices as c
from vitienv.agents.viticulture.drawing import estimate_draws
from vitienv.agents.viticulture.features import POSITION, decision_of, has_last_year, read_position, read_rules
from vitienv.agents.viticulture.kernel_cache import cached
from vitienv.agents.viticulture.loops import build
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.openings import score_parents, score_rows
from vitienv.agents.viticulture.placing import score_placings, score_token
from vitienv.agents.viticulture.value import position_value
from vitienv.agents.viticulture.weights import WEIGHTS_DTYPE, Weights, records
from vitienv.core.compiling.jit import jit
from vitienv.core.game_spec import GameSpec
from vitienv.viticulture.game_spec import GAME_SPEC
from vitienv.viticulture.handlers import DECISIONS, Decision
from vitienv.viticulture.state import RULE_PARAMETERS
from vitienv.viticulture.vocabulary import ACTIONS, N_ACTIONS, Move

LEVELS = 20  # stack of simulated positions
# Scores of some decisions are ranks: the value of a difference of 1.
UNITS = np.ones(len(DECISIONS), np.int64)
UNITS[[Decision.CHOOSE_WINE, Decision.RETRIEVE_WORKER, Decision.SWAP_VINES]] = 50, 30, 30


@jit
def score_actions(p, flat, w, o, mask, scores):
    """Fill `scores` (N_ACTIONS,) for the legal actions."""
    for action in range(N_ACTIONS):
        scores[action] = FAR_BELOW
    decision = decision_of(o)
    if c.MAY_DRAW[decision] == 1:
        estimate_draws(p, flat, w, o)
    if decision == Decision.PLACE_WORKER:
        score_placings(p, flat, w, o, mask, scores)
        return
    current_value = position_value(p, flat, 0, w)
    scores[Move.DONE] = 0
    if decision == Decision.WAKE_UP or decision == Decision.MOVE_ROOSTER:
        score_rows(p, flat, w, o, mask, scores)
    elif decision == Decision.CHOOSE_MAMA or decision == Decision.CHOOSE_PAPA or decision == Decision.PAPA_GIFT:
        score_parents(p, flat, w, o, decision, scores)
    elif decision == Decision.TAKE_BONUS or decision == Decision.REDRAW_MAMA:
        scores[Move.YES] = 1
    elif decision == Decision.SPEND_TOKEN:
        score_token(p, flat, w, o, scores)
    elif decision == Decision.CHOOSE_OPTION:
        c.score_options(p, flat, w, o, mask, current_value, scores)
    elif decision == Decision.BUILD_STRUCTURE:
        c.score_structures(p, flat, w, o, mask, current_value, scores)
    elif decision == Decision.MAKE_WINE:
        c.score_making(p, flat, w, o, mask, current_value, scores)
    elif decision == Decision.OFFER:
        c.score_offer(p, flat, w, o, current_value, scores)
    elif decision == Decision.YOKE:
        scores[Move.OPTION + 1] = 1
    elif decision == Decision.CHOOSE_WINE or decision == Decision.DISCARD_WINE or decision == Decision.AGE_WINE:
        c.score_wines(p, flat, w, o, decision, mask, scores)
    elif decision == Decision.PLANT_FIELD or decision == Decision.HARVEST_FIELD or decision == Decision.UPROOT_FIELD:
        c.score_fields(p, flat, w, o, decision, mask, current_value, scores)
    elif decision == Decision.SELL:
        c.score_fields(p, flat, w, o, decision, mask, current_value, scores)
        c.score_grapes(p, flat, w, o, decision, mask, current_value, scores)
    elif decision == Decision.CHOOSE_GRAPE or decision == Decision.DISCARD_GRAPE or decision == Decision.BUY_GRAPE:
        c.score_grapes(p, flat, w, o, decision, mask, current_value, scores)
    elif c.ABOUT_CARDS[decision] == 1:
        c.score_cards(p, flat, w, o, decision, mask, current_value, scores)
    elif decision != Decision.SWAP_VINES:
        c.score_table(p, flat, w, o, decision, mask, current_value, scores)


@jit
def weights_for(o):
    """Return 1 for the weights of games with a fixed number of years."""
    return 1 if has_last_year(o) else 0


@jit
def read(o, p, flat, w):
    """Read an observation into the first position, and the rules into all."""
    read_rules(o, p)
    read_position(o, p[0], w)


@jit
def unit_of(o):
    """See `loops.unit`."""
    return UNITS[decision_of(o)]


SCORING = {"which": weights_for, "read": read, "score": score_actions, "worth": position_value, "unit": unit_of}
RULES = build(__name__, cached, SCORING, RULE_PARAMETERS, ACTIONS, WEIGHTS_DTYPE, POSITION, LEVELS)


class RuleAgent(Bot):
    """Deterministic heuristic bot with a set of weights."""

    rules = RULES

    def __init__(self, name: str, weights: Weights, solo: Weights | None = None, table: GameSpec = GAME_SPEC) -> None:
        """solo: weights for games with a fixed number of years. table: see `Bot`."""
        super().__init__(name, table)
        self.weights = weights
        self.solo = weights if solo is None else solo

    def supports(self, table: GameSpec) -> bool:
        """Return whether the kernels are for a table's rule parameters."""
        return table.rule_parameters is self.rules.rule_parameters

    def kernels_for(self, method: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        loops = {"act": self.rules.choose, "heuristic_values": self.rules.compute_values}
        return [loops.get(method, self.rules.compute_prior_scores)]

    def records(self) -> np.ndarray:
        """Return the weights as records for kernels."""
        return records(self.weights, self.solo)

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self._choose(observations, action_masks, 1)[0]

    def preferences(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return scores minus the best score of the row, (n, actions) int16, in hundredths of a point; 0 if illegal.

        Scores that are ranks are scaled to this unit approximately.
        """
        return self.prior_scores(observations, masks)[:, :-1]

    def prior_scores(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return `preferences`, and the value of the viewer's position clipped to MAX_VALUE, (n, actions + 1) int16."""
        prior_scores = np.empty((len(observations), len(self.rules.actions) + 1), np.int16)
        rows = self._validate(observations, masks, must_choose=False)
        self.rules.compute_prior_scores(*self.prior_arguments(*rows, prior_scores))
        return prior_scores

    def prior_arguments(self, observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray) -> tuple[Any, ...]:
        """Return the arguments of `compute_prior_scores` for validated rows."""
        scores = np.zeros(len(self.rules.actions), np.int64)
        return observations, masks, self.records(), *self.rules.scratch(), scores, prior_scores

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """Return the values of the viewers' positions in hundredths of a victory point, (n,) int64."""
        values = np.zeros(len(observations), np.int64)
        self.rules.compute_values(
            self._validate_observations(observations), self.records(), *self.rules.scratch(), values
        )
        return values

    def chooser(self) -> Chooser:
        """Return a `Chooser` for repeated calls."""
        return Chooser(self)

    def explain(self, observation: np.ndarray, mask: np.ndarray) -> dict[str, int]:
        """Return the scores of the legal actions of one observation by name, best first.

        Scores are in hundredths of a victory point; only differences are meaningful.
        """
        scores = self._choose(*self._validate(observation[None], mask[None]), 1)[1][0]
        best_first = sorted(np.flatnonzero(mask), key=lambda action: -scores[action])
        actions = self.rules.actions
        return {actions.name(int(action)): int(scores[action]) for action in best_first}

    def _choose(self, observations: np.ndarray, masks: np.ndarray, num_rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Return actions (n,) and scores (num_rows, actions): of all rows, or of the last choice."""
        scores = np.zeros((num_rows, len(self.rules.actions)), np.int64)
        actions = np.empty(len(observations), np.int64)
        self.rules.choose(observations, masks, self.records(), *self.rules.scratch(), scores, actions)
        return actions, scores


class Chooser:
    """Repeated choices of a bot with preallocated arrays."""

    def __init__(self, bot: RuleAgent) -> None:
        self._choose, self._weights = bot.rules.choose, bot.records()
        self._scratch = bot.rules.scratch()
        self._scores = np.zeros((1, len(bot.rules.actions)), np.int64)

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Write the choices into actions (n,) int64."""
        self._choose(observations, masks, self._weights, *self._scratch, self._scores, actions)
