"""Bots by heuristic bot: every legal action gets a score, and the best is taken.

A score is what the seat's own position would be worth after the action (`worth.py`), by weights that are the bot's
strategy (`weights.py`). The seat's observation and mask are all that is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.agents.protocol import Bot, GameViews
from vitienv.agents.viticulture import choices as c
from vitienv.agents.viticulture.drawing import reckon_draws
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

LEVELS = 20  # positions imagined one on top of the other
# Scores of some decisions say what comes first and not how much it matters: what one step of them counts for.
UNITS = np.ones(len(DECISIONS), np.int64)
UNITS[[Decision.CHOOSE_WINE, Decision.RETRIEVE_WORKER, Decision.SWAP_VINES]] = 50, 30, 30


@jit
def score_actions(p, flat, w, o, mask, scores):
    """Fill `scores` (N_ACTIONS,) for the legal actions of one observation."""
    for action in range(N_ACTIONS):
        scores[action] = FAR_BELOW
    decision = decision_of(o)
    if c.MAY_DRAW[decision] == 1:
        reckon_draws(p, flat, w, o)
    if decision == Decision.PLACE_WORKER:
        score_placings(p, flat, w, o, mask, scores)
        return
    now = position_value(p, flat, 0, w)
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
        c.score_options(p, flat, w, o, mask, now, scores)
    elif decision == Decision.BUILD_STRUCTURE:
        c.score_structures(p, flat, w, o, mask, now, scores)
    elif decision == Decision.MAKE_WINE:
        c.score_making(p, flat, w, o, mask, now, scores)
    elif decision == Decision.OFFER:
        c.score_offer(p, flat, w, o, now, scores)
    elif decision == Decision.YOKE:
        scores[Move.OPTION + 1] = 1
    elif decision == Decision.CHOOSE_WINE or decision == Decision.DISCARD_WINE or decision == Decision.AGE_WINE:
        c.score_wines(p, flat, w, o, decision, mask, scores)
    elif decision == Decision.PLANT_FIELD or decision == Decision.HARVEST_FIELD or decision == Decision.UPROOT_FIELD:
        c.score_fields(p, flat, w, o, decision, mask, now, scores)
    elif decision == Decision.SELL:
        c.score_fields(p, flat, w, o, decision, mask, now, scores)
        c.score_grapes(p, flat, w, o, decision, mask, now, scores)
    elif decision == Decision.CHOOSE_GRAPE or decision == Decision.DISCARD_GRAPE or decision == Decision.BUY_GRAPE:
        c.score_grapes(p, flat, w, o, decision, mask, now, scores)
    elif c.ABOUT_CARDS[decision] == 1:
        c.score_cards(p, flat, w, o, decision, mask, now, scores)
    elif decision != Decision.SWAP_VINES:
        c.score_table(p, flat, w, o, decision, mask, now, scores)


@jit
def weights_for(o):
    """The second weights are those for games of a fixed number of years."""
    return 1 if has_last_year(o) else 0


@jit
def read(o, p, flat, w):
    """Read an observation into the first position, and the game's rules into all."""
    read_rules(o, p)
    read_position(o, p[0], w)


@jit
def unit_of(o):
    """See `loops.unit`."""
    return UNITS[decision_of(o)]


THUMB = {"which": weights_for, "read": read, "score": score_actions, "worth": position_value, "unit": unit_of}
RULES = build(__name__, cached, THUMB, RULE_PARAMETERS, ACTIONS, WEIGHTS_DTYPE, POSITION, LEVELS)


class RuleAgent(Bot):
    """A bot that follows a set of weights. The same observation always gives the same choice."""

    rules = RULES

    def __init__(self, name: str, weights: Weights, solo: Weights | None = None, table: GameSpec = GAME_SPEC) -> None:
        """solo: other weights for the solo game, which has a fixed number of years. table: see `Bot`."""
        super().__init__(name, table)
        self.weights = weights
        self.solo = weights if solo is None else solo

    def supports(self, table: GameSpec) -> bool:
        """Whether its heuristic bots are those of a table's rule parameters."""
        return table.rule_parameters is self.rules.rule_parameters

    def kernels_for(self, what: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        loops = {"act": self.rules.choose, "heuristic_values": self.rules.reckon_worths}
        return [loops.get(what, self.rules.compute_prior_scores)]

    def records(self) -> np.ndarray:
        """The weights as its rules take them."""
        return records(self.weights, self.solo)

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self._choose(observations, action_masks, 1)[0]

    def preferences(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The score of each legal action behind the best of its row, (n, actions) int16, never above 0.

        In hundredths of a victory point; about as much where scores are an order only. 0 where illegal.
        """
        return self.prior_scores(observations, masks)[:, :-1]

    def prior_scores(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """`preferences`, and last what the viewing seat's own position is worth, at most MOST_WORTH either way: all
        that a network hears of the bot, (n, actions + 1) int16."""
        prior_scores = np.empty((len(observations), len(self.rules.actions) + 1), np.int16)
        rows = self._asked(observations, masks, must_choose=False)
        self.rules.compute_prior_scores(*self.prior_arguments(*rows, prior_scores))
        return prior_scores

    def prior_arguments(self, seen: np.ndarray, legal: np.ndarray, prior_scores: np.ndarray) -> tuple[Any, ...]:
        """Return the arguments of `compute_prior_scores` for validated rows."""
        scores = np.zeros(len(self.rules.actions), np.int64)
        return seen, legal, self.records(), *self.rules.scratch(), scores, prior_scores

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """What the viewing seat's own position is worth, in hundredths of a victory point, (n,) int64."""
        found = np.zeros(len(observations), np.int64)
        seen = self._seen(observations)
        self.rules.reckon_worths(seen, self.records(), *self.rules.scratch(), found)
        return found

    def chooser(self) -> Chooser:
        """What makes its choices for many calls in a row."""
        return Chooser(self)

    def explain(self, observation: np.ndarray, mask: np.ndarray) -> dict[str, int]:
        """Why: the score of each legal action of one observation by its name, the best first.

        Scores are in hundredths of a victory point; only their differences mean something.
        """
        scores = self._choose(*self._asked(observation[None], mask[None]), 1)[1][0]
        best_first = sorted(np.flatnonzero(mask), key=lambda action: -scores[action])
        actions = self.rules.actions
        return {actions.name(int(action)): int(scores[action]) for action in best_first}

    def _choose(self, observations: np.ndarray, masks: np.ndarray, kept: int) -> tuple[np.ndarray, np.ndarray]:
        """The actions (n,), and the scores (kept, actions) of all rows, or of the last with a choice if kept is 1."""
        scores = np.zeros((kept, len(self.rules.actions)), np.int64)
        actions = np.empty(len(observations), np.int64)
        self.rules.choose(observations, masks, self.records(), *self.rules.scratch(), scores, actions)
        return actions, scores


class Chooser:
    """A rule bot's compiled choice with its working space, which is made once for many calls at its tables."""

    def __init__(self, bot: RuleAgent) -> None:
        self._choose, self._weights = bot.rules.choose, bot.records()
        self._scratch = bot.rules.scratch()
        self._scores = np.zeros((1, len(bot.rules.actions)), np.int64)

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Write the bot's choices into actions (n,) int64."""
        self._choose(observations, masks, self._weights, *self._scratch, self._scores, actions)
