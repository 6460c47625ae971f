"""The bot of a team by heuristic bot: every legal action gets a score, and the best is taken."""

from __future__ import annotations

from vitienv.agents.viticulture.features import decision_of
from vitienv.agents.viticulture.loops import build
from vitienv.agents.world.features import LEVELS, POSITION, own_decision
from vitienv.agents.world.kernel_cache import cached
from vitienv.agents.world.scores import UNITS, read_position, score_team, worth_of
from vitienv.agents.world.weights import DTYPE
from vitienv.core.compiling.jit import jit
from vitienv.world.state import RULE_PARAMETERS
from vitienv.world.vocabulary import ACTIONS


@jit
def weights_for(o):
    """There is one set of weights."""
    return 0


@jit
def read(o, p, flat, w):
    """See `loops.read`."""
    read_position(o, p, flat)


@jit
def unit_of(o):
    """See `loops.unit`."""
    return UNITS[decision_of(o)] if own_decision(o) < 0 else 1


THUMB = {"which": weights_for, "read": read, "score": score_team, "worth": worth_of, "unit": unit_of}
RULES = build(__name__, cached, THUMB, RULE_PARAMETERS, ACTIONS, DTYPE, POSITION, LEVELS)
