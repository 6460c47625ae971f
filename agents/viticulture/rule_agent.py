"""Bots by rule of thumb: every legal action gets a score, and the best is taken.

A score is what the seat's own position would be worth after the action (`worth.py`), by weights that are the bot's
strategy (`weights.py`). The seat's observation and mask are all that is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from vitienv.agents.protocol import Bot, Views
from vitienv.agents.viticulture import choices as c
from vitienv.agents.viticulture.compiled import cached
from vitienv.agents.viticulture.drawing import reckon_draws
from vitienv.agents.viticulture.moves import FAR_BELOW
from vitienv.agents.viticulture.openings import score_parents, score_rows
from vitienv.agents.viticulture.placing import score_placings, score_token
from vitienv.agents.viticulture.view import (
    POSITION,
    WORDS,
    decision_of,
    has_last_year,
    read_position,
    read_rules,
)
from vitienv.agents.viticulture.weights import Weights, records
from vitienv.agents.viticulture.worth import worth
from vitienv.core.actions import ActionLayout
from vitienv.core.definition import Definition
from vitienv.core.jit import jit
from vitienv.core.rules import Levers
from vitienv.viticulture.definition import DEFINITION
from vitienv.viticulture.machine import DECISIONS, Decision
from vitienv.viticulture.state import LEVERS
from vitienv.viticulture.vocabulary import ACTIONS, N_ACTIONS, Move

LEVELS = 20  # positions imagined one on top of the other
# Scores of some decisions say what comes first and not how much it matters: what one step of them counts for.
UNITS = np.ones(len(DECISIONS), np.int64)
UNITS[[Decision.CHOOSE_WINE, Decision.RETRIEVE_WORKER, Decision.SWAP_VINES]] = 50, 30, 30
WORST = -30_000  # what is worse than this below the best counts as this
MOST_WORTH = 30_000


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
    now = worth(p, flat, 0, w)
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


@cached
def choose(observations, masks, weights, p, flat, scores, actions):
    """The best legal action of each row, the lowest number among equals, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8, weights (2,) records, the second for games of a
    fixed number of years; p (LEVELS,) records of POSITION with their numbers flat (LEVELS, WORDS) are scratch. scores
    (n, N_ACTIONS) int64 get the scores of rows with a choice; with (1, N_ACTIONS) each row is written over the last.
    """
    for i in range(len(observations)):
        o, mask, row = observations[i], masks[i], scores[i % len(scores)]
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
            score_actions(p, flat, w, o, mask, row)
            for action in range(N_ACTIONS):
                if mask[action] and row[action] > row[best]:
                    best = action
        actions[i] = best


@cached
def reckon_worths(observations, weights, p, flat, out):
    """What the viewer's own position is worth, in hundredths of a victory point, into out (n,) int64.

    observations, weights, p, flat: as of `choose`.
    """
    for i in range(len(observations)):
        o = observations[i]
        w = weights[1 if has_last_year(o) else 0]
        read_rules(o, p)
        read_position(o, p[0], w)
        out[i] = worth(p, flat, 0, w)


@cached
def advise(observations, masks, weights, p, flat, scores, advice):
    """What the bot thinks of each row, into advice (n, N_ACTIONS + 1) int16; see `RuleAgent.advise`.

    scores (N_ACTIONS,) int64 is scratch; the rest as of `choose`.
    """
    for i in range(len(observations)):
        o, mask, told = observations[i], masks[i], advice[i]
        w = weights[1 if has_last_year(o) else 0]
        read_rules(o, p)
        read_position(o, p[0], w)
        told[N_ACTIONS] = max(-MOST_WORTH, min(MOST_WORTH, worth(p, flat, 0, w)))
        legal = 0
        for action in range(N_ACTIONS):
            told[action] = 0
            legal += mask[action]
        if legal < 2:
            continue
        score_actions(p, flat, w, o, mask, scores)
        best = FAR_BELOW
        for action in range(N_ACTIONS):
            if mask[action]:
                best = max(best, scores[action])
        unit = UNITS[decision_of(o)]
        for action in range(N_ACTIONS):
            if mask[action]:
                told[action] = max(WORST, unit * (scores[action] - best))


class Rules(NamedTuple):
    """The compiled rules of thumb for games of some levers: what `RuleAgent` asks, see `choose`, `advise` and
    `reckon_worths`."""

    choose: Callable
    advise: Callable
    reckon_worths: Callable
    levers: Levers
    actions: ActionLayout
    position: np.dtype
    levels: int
    words: int

    def scratch(self) -> tuple[np.recarray, np.ndarray]:
        """Room for imagined positions and their numbers; of its own for each call, so that threads can share a bot."""
        flat = np.zeros((self.levels, self.words), np.int32)
        return flat.view(self.position)[:, 0].view(np.recarray), flat


RULES = Rules(choose, advise, reckon_worths, LEVERS, ACTIONS, POSITION, LEVELS, WORDS)


class RuleAgent(Bot):
    """A bot that follows a set of weights. The same observation always gives the same choice."""

    rules = RULES

    def __init__(
        self, name: str, weights: Weights, solo: Weights | None = None, table: Definition = DEFINITION
    ) -> None:
        """solo: other weights for the solo game, which has a fixed number of years. table: see `Bot`."""
        super().__init__(name, table)
        self.weights = weights
        self.solo = weights if solo is None else solo

    def knows(self, table: Definition) -> bool:
        """Whether its rules of thumb are those of a table's levers."""
        return table.levers is self.rules.levers

    def compiled(self, what: str = "act") -> list[Any]:
        """See `Bot.compiled`."""
        return [{"act": self.rules.choose, "worths": self.rules.reckon_worths}.get(what, self.rules.advise)]

    def records(self) -> np.ndarray:
        """The weights as its rules take them."""
        return records(self.weights, self.solo)

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None) -> np.ndarray:
        return self._choose(observations, masks, 1)[0]

    def preferences(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """How much worse than the best action of its row each legal one seems, (n, actions) int16, never above 0.

        In hundredths of a victory point, or what is about as much where scores are an order only. 0 where illegal.
        """
        return self.advise(observations, masks)[:, :-1]

    def advise(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """`preferences`, and last what the viewing seat's own position is worth, at most MOST_WORTH either way: all
        that a network hears of the bot, (n, actions + 1) int16."""
        n_actions = len(self.rules.actions)
        advice = np.empty((len(observations), n_actions + 1), np.int16)
        seen, legal = self._asked(observations, masks, must_choose=False)
        scores = np.zeros(n_actions, np.int64)
        self.rules.advise(seen, legal, self.records(), *self.rules.scratch(), scores, advice)
        return advice

    def worths(self, observations: np.ndarray) -> np.ndarray:
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
