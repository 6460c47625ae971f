"""Kernels of heuristic bots, compiled with the scoring functions of each game.

`build` replaces the functions under "Scoring functions" by those of a game, like `core.kernel.build`.
"""

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.core.action_spec import ActionSpec
from vitienv.core.rule_parameters import RuleParameters

MIN_SCORE = -30_000  # scores are clipped to fit int16
MAX_VALUE = 30_000

# Scoring functions, defined by each game. w is a record of weights.

N_ACTIONS = 0


def which(o):
    """Return the index of the weights for an observation."""


def read(o, p, flat, w):
    """Read an observation into position 0 of p, and the rules into all positions."""


def score(p, flat, w, o, mask, scores):
    """Fill `scores` (N_ACTIONS,) for the legal actions."""


def worth(p, flat, at, w):
    """Return the value of position `at` in hundredths of a victory point."""


def unit(o):
    """Return the value of a difference of 1 between scores that are ranks."""


# Kernels.


def choose(observations, masks, weights, p, flat, scores, actions):
    """Write the best legal action of each row, ties to the lowest index, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8, weights: records indexed by `which`; p (levels,)
    records of positions, also as flat (levels, words), are scratch. scores (n, N_ACTIONS) int64 receive the scores of
    rows with a choice; with (1, N_ACTIONS) each row overwrites the last.
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


def compute_values(observations, weights, p, flat, out):
    """Write the values of the viewers' positions in hundredths of a victory point into out (n,) int64."""
    for i in range(len(observations)):
        o = observations[i]
        w = weights[which(o)]
        read(o, p, flat, w)
        out[i] = worth(p, flat, 0, w)


def compute_prior_scores(observations, masks, weights, p, flat, scores, prior_scores):
    """Write prior_scores (n, N_ACTIONS + 1) int16; see `RuleAgent.prior_scores` and `choose`.

    scores (N_ACTIONS,) int64 is scratch.
    """
    for i in range(len(observations)):
        o, mask, row_scores = observations[i], masks[i], prior_scores[i]
        w = weights[which(o)]
        read(o, p, flat, w)
        row_scores[N_ACTIONS] = max(-MAX_VALUE, min(MAX_VALUE, worth(p, flat, 0, w)))
        legal = 0
        for action in range(N_ACTIONS):
            row_scores[action] = 0
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
                row_scores[action] = max(MIN_SCORE, step * (scores[action] - best))


LOOPS = (choose, compute_prior_scores, compute_values)
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
    """Kernels for games with some rule parameters; `position` is the record of `levels` positions of `words` int32."""

    choose: Callable
    compute_prior_scores: Callable
    compute_values: Callable
    rule_parameters: RuleParameters
    actions: ActionSpec
    position: np.dtype
    levels: int
    words: int

    def scratch(self) -> tuple[np.recarray, np.ndarray]:
        """Return arrays for simulated positions; new for each call, so that threads can share a bot."""
        flat = np.zeros((self.levels, self.words), np.int32)
        return flat.view(self.position)[:, 0].view(np.recarray), flat


def build(
    module: str, cached: Callable, functions: Mapping[str, Callable], rule_parameters: RuleParameters,
    actions: ActionSpec, weights: np.dtype, position: np.dtype, levels: int,
) -> Rules:  # fmt: skip
    """Compile the kernels with the scoring functions of a game.

    module: of the caller. cached: see `agents.kernel_cache.compiler`. functions: scoring functions by name. weights,
    position: dtypes of their records.
    """
    names: dict[str, Any] = {**globals(), **functions, "N_ACTIONS": len(actions), "__name__": module}
    records = {"weights": weights, "position": position}
    kernels = {
        loop.__name__: cached(FunctionType(loop.__code__, names, loop.__name__), TYPES, records) for loop in LOOPS
    }
    return Rules(
        **kernels,
        rule_parameters=rule_parameters,
        actions=actions,
        position=position,
        levels=levels,
        words=position.itemsize // 4,
    )
