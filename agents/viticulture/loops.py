"""The compiled loops of heuristic bot: written once, and compiled with the heuristic bots of each game.

`build` puts a game's own in the place of what stands under "A game's heuristic bots", as `core.kernel.build` does.
"""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.core.action_spec import ActionSpec
from vitienv.core.rule_parameters import RuleParameters

WORST = -30_000  # what is worse than this below the best counts as this
MOST_WORTH = 30_000

# A game's heuristic bots: what each game gives under these names. w is a record of weights.

N_ACTIONS = 0


def which(o):
    """The number of the weights for an observation."""


def read(o, p, flat, w):
    """Read an observation into position 0 of p, and what all positions have alike."""


def score(p, flat, w, o, mask, scores):
    """Fill `scores` (N_ACTIONS,) for the legal actions of one observation."""


def worth(p, flat, at, w):
    """What position `at` is worth, in hundredths of a victory point."""


def unit(o):
    """What one step of a score counts for, where scores say what comes first and not how much it matters."""


# The loops.


def choose(observations, masks, weights, p, flat, scores, actions):
    """The best legal action of each row, the lowest number among equals, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8, weights: records, one for each number of `which`;
    p (levels,) records of positions with their numbers flat (levels, words) are scratch. scores (n, N_ACTIONS) int64
    get the scores of rows with a choice; with (1, N_ACTIONS) each row is written over the last.
    """
    for i in range(len(observations)):
        o, mask, row = observations[i], masks[i], scores[i % len(scores)]
        w = weights[which(o)]
        first, legal = -1, 0
        for action in range(N_ACTIONS):
            if mask[action]:
                legal += 1
                if first < 0:
                    first = action
        best = first
        if legal > 1:
            read(o, p, flat, w)
            score(p, flat, w, o, mask, row)
            for action in range(N_ACTIONS):
                if mask[action] and row[action] > row[best]:
                    best = action
        actions[i] = best


def reckon_worths(observations, weights, p, flat, out):
    """What the viewer's own position is worth, in hundredths of a victory point, into out (n,) int64.

    observations, weights, p, flat: as of `choose`.
    """
    for i in range(len(observations)):
        o = observations[i]
        w = weights[which(o)]
        read(o, p, flat, w)
        out[i] = worth(p, flat, 0, w)


def compute_prior_scores(observations, masks, weights, p, flat, scores, prior_scores):
    """Write the scores of all rows into prior_scores (n, N_ACTIONS + 1) int16; see `RuleAgent.prior_scores`.

    scores (N_ACTIONS,) int64 is scratch; the rest as of `choose`.
    """
    for i in range(len(observations)):
        o, mask, heard = observations[i], masks[i], prior_scores[i]
        w = weights[which(o)]
        read(o, p, flat, w)
        heard[N_ACTIONS] = max(-MOST_WORTH, min(MOST_WORTH, worth(p, flat, 0, w)))
        legal = 0
        for action in range(N_ACTIONS):
            heard[action] = 0
            legal += mask[action]
        if legal < 2:
            continue
        score(p, flat, w, o, mask, scores)
        best = FAR_BELOW
        for action in range(N_ACTIONS):
            if mask[action]:
                best = max(best, scores[action])
        step = unit(o)
        for action in range(N_ACTIONS):
            if mask[action]:
                heard[action] = max(WORST, step * (scores[action] - best))


LOOPS = (choose, compute_prior_scores, reckon_worths)
TYPES = {
    "int16[:, ::1]": "observations prior_scores",
    "int8[:, ::1]": "masks",
    "weights[::1]": "weights",
    "position[::1]": "p",
    "int32[:, ::1]": "flat",
    "int64[:, ::1]": "scores",
    "int64[::1]": "actions compute_prior_scores.scores out",
}


class Rules(NamedTuple):
    """The compiled heuristic bots for games of some rule parameters; see `choose`, `compute_prior_scores` and
    `reckon_worths`. position: the record in which moves are tried, `levels` of them, `words` numbers each."""

    choose: Callable
    compute_prior_scores: Callable
    reckon_worths: Callable
    rule_parameters: RuleParameters
    actions: ActionSpec
    position: np.dtype
    levels: int
    words: int

    def scratch(self) -> tuple[np.recarray, np.ndarray]:
        """Room for imagined positions and their numbers; of its own for each call, so that threads can share a bot."""
        flat = np.zeros((self.levels, self.words), np.int32)
        return flat.view(self.position)[:, 0].view(np.recarray), flat


def build(
    module: str, cached: Callable, thumb: Mapping[str, Callable], rule_parameters: RuleParameters, actions: ActionSpec,
    weights: np.dtype, position: np.dtype, levels: int,
) -> Rules:  # fmt: skip
    """The loops with a game's heuristic bots.

    module: the one that calls this. cached: see `agents.kernel_cache.compiler`. thumb: the functions above, by their
    names. weights, position: dtypes of the records that these functions take.
    """
    names: dict[str, Any] = {**globals(), **thumb, "N_ACTIONS": len(actions), "__name__": module}
    records = {"weights": weights, "position": position}
    made = {loop.__name__: cached(FunctionType(loop.__code__, names, loop.__name__), TYPES, records) for loop in LOOPS}
    return Rules(
        **made,
        rule_parameters=rule_parameters,
        actions=actions,
        position=position,
        levels=levels,
        words=position.itemsize // 4,
    )
