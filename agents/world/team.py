"""The bot of a team by rule of thumb: every legal action gets a score, and the best is taken."""

from __future__ import annotations

from vitienv.agents.viticulture.moves import FAR_BELOW
from vitienv.agents.viticulture.rule_agent import MOST_WORTH, WORST, Rules
from vitienv.agents.viticulture.view import decision_of
from vitienv.agents.world.compiled import cached
from vitienv.agents.world.scores import UNITS, read_position, score_team, worth_of
from vitienv.agents.world.view import LEVELS, POSITION, WORDS, own_decision
from vitienv.world.state import LEVERS
from vitienv.world.vocabulary import ACTIONS, N_ACTIONS


@cached
def choose(observations, masks, weights, p, flat, scores, actions):
    """The best legal action of each row, the lowest number among equals, into actions (n,) int64.

    observations (n, N_OBSERVATION) int16, masks (n, N_ACTIONS) int8, weights (1,) a record; p (LEVELS,) records of
    POSITION with their numbers flat (LEVELS, WORDS) are scratch. scores (n, N_ACTIONS) int64 get the scores of rows
    with a choice; with (1, N_ACTIONS) each row is written over the last.
    """
    for i in range(len(observations)):
        o, mask, row = observations[i], masks[i], scores[i % len(scores)]
        first, legal = -1, 0
        for action in range(N_ACTIONS):
            if mask[action]:
                legal += 1
                if first < 0:
                    first = action
        best = first
        if legal > 1:
            read_position(o, p, flat)
            score_team(p, flat, weights[0], o, mask, row)
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
        read_position(observations[i], p, flat)
        out[i] = worth_of(p, flat, 0, weights[0])


@cached
def advise(observations, masks, weights, p, flat, scores, advice):
    """What the bot thinks of each row, into advice (n, N_ACTIONS + 1) int16; see `RuleAgent.advise`.

    scores (N_ACTIONS,) int64 is scratch; the rest as of `choose`.
    """
    for i in range(len(observations)):
        o, mask, told = observations[i], masks[i], advice[i]
        read_position(o, p, flat)
        told[N_ACTIONS] = max(-MOST_WORTH, min(MOST_WORTH, worth_of(p, flat, 0, weights[0])))
        legal = 0
        for action in range(N_ACTIONS):
            told[action] = 0
            legal += mask[action]
        if legal < 2:
            continue
        score_team(p, flat, weights[0], o, mask, scores)
        best = FAR_BELOW
        for action in range(N_ACTIONS):
            if mask[action]:
                best = max(best, scores[action])
        unit = UNITS[decision_of(o)] if own_decision(o) < 0 else 1
        for action in range(N_ACTIONS):
            if mask[action]:
                told[action] = max(WORST, unit * (scores[action] - best))


RULES = Rules(choose, advise, reckon_worths, LEVERS, ACTIONS, POSITION, LEVELS, WORDS)
