"""Bots by rule of thumb: every legal action gets a score, and the best is taken.

A score is what the seat's own position would be worth after the action (`worth.py`), by weights that are the bot's
strategy (`weights.py`). The seat's observation and mask are all that is read.
"""

from __future__ import annotations

import numpy as np

from vitienv.agents import choices as c
from vitienv.agents.compiled import announce_compilation, cached
from vitienv.agents.drawing import reckon_draws
from vitienv.agents.moves import FAR_BELOW
from vitienv.agents.openings import score_parents, score_rows
from vitienv.agents.placing import score_placings, score_token
from vitienv.agents.protocol import Views
from vitienv.agents.view import POSITION, WORDS, decision_of, has_last_year, read_position, read_rules
from vitienv.agents.weights import Weights, records
from vitienv.agents.worth import worth
from vitienv.core.jit import jit
from vitienv.viticulture.vocabulary import ACTIONS, DONE_ACTION, N_ACTIONS, OPTION, YES

LEVELS = 20  # positions imagined one on top of the other
_told = False


@jit
def score_actions(p, flat, w, o, mask, scores):
    """Fill `scores` (N_ACTIONS,) for the legal actions of one observation."""
    for action in range(N_ACTIONS):
        scores[action] = FAR_BELOW
    decision = decision_of(o)
    if c.MAY_DRAW[decision] == 1:
        reckon_draws(p, flat, w, o)
    if decision == c.PLACE_WORKER:
        score_placings(p, flat, w, o, mask, scores)
        return
    now = worth(p, flat, 0, w)
    scores[DONE_ACTION] = 0
    if decision == c.WAKE_UP or decision == c.MOVE_ROOSTER:
        score_rows(p, flat, w, o, mask, scores)
    elif decision >= c.CHOOSE_MAMA and decision <= c.PAPA_GIFTS:
        score_parents(p, flat, w, o, decision - c.CHOOSE_MAMA, scores)
    elif decision == c.TAKE_BONUS or decision == c.REDRAW_MAMA:
        scores[YES] = 1
    elif decision == c.SPEND_TOKEN:
        score_token(p, flat, w, o, scores)
    elif decision == c.CHOOSE_OPTION:
        c.score_options(p, flat, w, o, mask, now, scores)
    elif decision == c.BUILD_STRUCTURE:
        c.score_structures(p, flat, w, o, mask, now, scores)
    elif decision == c.MAKE_WINE:
        c.score_making(p, flat, w, o, mask, now, scores)
    elif decision == c.FILL_ORDER or decision == c.PLAY_VISITOR or decision == c.PLANT_VINE:
        c.score_cards(p, flat, w, o, decision, mask, now, scores)
    elif decision == c.OFFER:
        c.score_offer(p, flat, w, o, now, scores)
    elif decision == c.YOKES:
        scores[OPTION + 1] = 1
    elif decision == c.CHOOSE_WINE or decision == c.DISCARD_WINE or decision == c.AGE_WINE:
        c.score_wines(p, flat, w, o, decision, mask, scores)
    elif decision >= c.PLANT_FIELD and decision <= c.UPROOT_FIELD:
        c.score_fields(p, flat, w, o, decision, mask, now, scores)
    elif decision == c.SELL:
        c.score_fields(p, flat, w, o, decision, mask, now, scores)
        c.score_grapes(p, flat, w, o, decision, mask, now, scores)
    elif decision == c.CHOOSE_GRAPE or decision == c.DISCARD_GRAPE or decision == c.BUY_GRAPE:
        c.score_grapes(p, flat, w, o, decision, mask, now, scores)
    elif decision == c.UPROOT_VINE or decision == c.CHOOSE_CARD or decision == c.IMPORT_CARD:
        c.score_cards(p, flat, w, o, decision, mask, now, scores)
    elif (decision >= c.DISCARD_CARD and decision <= c.GIVE_CARD) or decision == c.CHOOSE_VINE:
        c.score_cards(p, flat, w, o, decision, mask, now, scores)
    elif decision != c.SWAP_VINES:
        c.score_table(p, flat, w, o, decision, mask, now, scores)


@cached
def choose(observations, masks, weights, p, flat, scores, actions):
    """The best legal action of each row, the lowest number among equals, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8, weights (2,) records, the second for games of a
    fixed number of years; p (LEVELS,) records of POSITION with their numbers flat (LEVELS, WORDS), and scores
    (N_ACTIONS,) int64 are scratch.
    """
    for i in range(len(observations)):
        o, mask = observations[i], masks[i]
        w = weights[1 if has_last_year(o) else 0]
        first, legal = -1, 0
        for action in range(N_ACTIONS):
            if mask[action]:
                legal += 1
                if first < 0:
                    first = action
        best = first
        if legal > 1:
            read_rules(o, p)
            read_position(o, p[0], w)
            score_actions(p, flat, w, o, mask, scores)
            for action in range(N_ACTIONS):
                if mask[action] and scores[action] > scores[best]:
                    best = action
        actions[i] = best


class RuleAgent:
    """A bot that follows a set of weights. The same observation always gives the same choice."""

    def __init__(self, name: str, weights: Weights, solo: Weights | None = None) -> None:
        """solo: other weights for the solo game, which has a fixed number of years."""
        self.name = name
        self.weights = weights
        self.solo = weights if solo is None else solo

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None = None) -> np.ndarray:
        """One legal action for each row; see `Agent.act`."""
        return self._choose(observations, masks)[0]

    def explain(self, observation: np.ndarray, mask: np.ndarray) -> dict[str, int]:
        """Why: the score of each legal action of one observation by its name, the best first.

        Scores are in hundredths of a victory point; only their differences mean something.
        """
        scores = self._choose(observation[None], mask[None])[1]
        best_first = sorted(np.flatnonzero(mask), key=lambda action: -scores[action])
        return {ACTIONS.name(int(action)): int(scores[action]) for action in best_first}

    def _choose(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The actions (n,), and the scores of the last row with a choice (N_ACTIONS,)."""
        global _told
        if not _told:
            _told = True
            announce_compilation()
        # Scratch of its own for each call, so that threads can share a bot.
        flat = np.zeros((LEVELS, WORDS), np.int32)
        positions = flat.view(POSITION)[:, 0].view(np.recarray)
        scores = np.zeros(N_ACTIONS, np.int64)
        actions = np.empty(len(observations), np.int64)
        rows, legal = np.require(observations, np.int16, ["C", "W"]), np.require(masks, np.int8, ["C", "W"])
        choose(rows, legal, records(self.weights, self.solo), positions, flat, scores, actions)
        return actions, scores
