"""Compiled heuristic bot of a team: it takes the legal action with the best score."""

from __future__ import annotations

from vitienv.agents.viticulture.features import decision_of
from vitienv.agents.viticulture.loops import build
from vitienv.agents.world.features import LEVELS, POSITION, world_decision_of
from vitienv.agents.world.kernel_cache import cached
from vitienv.agents.world.scores import UNITS, read_position, score_team, worth_of
from vitienv.agents.world.weights import DTYPE
from vitienv.core.compiling.jit import jit
from vitienv.world.state import RULE_PARAMETERS
from vitienv.world.vocabulary import ACTIONS


@jit
def weights_for(o):
    """Return the index of the weights, of which a team has one set."""
    return 0


@jit
def read(o, p, flat, w):
    read_position(o, p, flat)


@jit
def unit_of(o):
    return UNITS[decision_of(o)] if world_decision_of(o) < 0 else 1


HEURISTIC = {"which": weights_for, "read": read, "score": score_team, "worth": worth_of, "unit": unit_of}
RULES = build(__name__, cached, HEURISTIC, RULE_PARAMETERS, ACTIONS, DTYPE, POSITION, LEVELS)
