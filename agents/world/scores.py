"""Scores of all legal actions in World: Viticulture's heuristic bot, compiled with World's replacements."""

from vitienv.agents.viticulture import features, moves, rule_agent
from vitienv.agents.viticulture import value as viticulture_value
from vitienv.agents.viticulture.drawing import estimate_draws
from vitienv.agents.viticulture.features import ME, decision_of, read_hand
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.rule_agent import score_actions
from vitienv.agents.viticulture.value import position_value
from vitienv.agents.world import effects
from vitienv.agents.world.choices import (
    score_bought,
    score_gift,
    score_managed,
    score_retrieved,
    score_ring,
    score_world_decision,
)
from vitienv.agents.world.features import PARTNER, copy_position, read_seat, read_shared, share, world_decision_of
from vitienv.agents.world.placing import score_places
from vitienv.agents.world.value import NO_OTHERS, Aggregate, Row, goal_metric, rule_metric, team_value
from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.variants import Variant
from vitienv.viticulture import derived, tokens
from vitienv.viticulture.handlers import Decision
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move
from vitienv.world.goals import measure
from vitienv.world.ops import overrides
from vitienv.world.vocabulary import N_ACTIONS

REPLACEMENTS = (
    (features.copy_position, copy_position),
    (viticulture_value.position_value, team_value),
    (moves.put_vine, effects.world_put_vine),
    (moves.put_wine, effects.world_put_wine),
    (moves.give_wines, effects.world_give_wines),
    (moves.put_structure, effects.world_put_structure),
    (tokens.harvest, effects.world_harvest),
    (tokens.wine_slot, overrides.world_wine_slot),
    (derived.vine_allowed, overrides.world_vine_allowed),
)


@jit
def read_others(o, p, row, metric):
    """Aggregate a metric over the other seats: sum, minimum and maximum."""
    p[0].others[row, Aggregate.SUM] = p[0].others[row, Aggregate.MAX] = 0
    p[0].others[row, Aggregate.MIN] = NO_OTHERS
    if metric < 0:
        return
    for k in range(1, p[0].rules[Rule.NUM_PLAYERS]):
        read_seat(o, k, p[PARTNER])
        count = measure(p[PARTNER], ME, metric)
        p[0].others[row, Aggregate.SUM] += count
        p[0].others[row, Aggregate.MIN] = min(p[0].others[row, Aggregate.MIN], count)
        p[0].others[row, Aggregate.MAX] = max(p[0].others[row, Aggregate.MAX], count)


@jit
def read_observation(o, p, flat):
    """Fill position 0 and the shared fields of all positions from an observation."""
    read_shared(o, p)
    read_seat(o, 0, p[0])
    read_hand(o, p[0])
    read_others(o, p, Row.GOAL, goal_metric(p[0]))
    read_others(o, p, Row.RULE, rule_metric(p[0]))
    share(flat)


@jit
def score_decision(p, flat, w, o, mask, scores):
    """Fill `scores` (N_ACTIONS,) for the legal actions of one observation."""
    for action in range(N_ACTIONS):
        scores[action] = FAR_BELOW
    world_decision = world_decision_of(o)
    if world_decision >= 0:
        score_world_decision(p, flat, w, o, world_decision, mask, scores)
        return
    decision = decision_of(o)
    if decision == Decision.PLACE_WORKER:
        estimate_draws(p, flat, w, o)
        score_places(p, flat, w, o, mask, scores)
    elif decision == Decision.WAKE_UP:
        estimate_draws(p, flat, w, o)
        score_ring(p, flat, w, o, mask, position_value(p, flat, 0, w), scores)
    elif decision == Decision.PAPA_GIFT:
        score_gift(p, flat, w, o, scores)
    elif decision == Decision.BUY_GRAPE:
        score_bought(p, flat, w, mask, position_value(p, flat, 0, w), scores)
    elif decision == Decision.MANAGE_ACTION:
        estimate_draws(p, flat, w, o)
        score_managed(p, flat, w, o, mask, position_value(p, flat, 0, w), scores)
    elif decision == Decision.RETRIEVE_WORKER:
        score_retrieved(mask, scores)
    else:
        score_actions(p, flat, w, o, mask, scores)
        if decision == Decision.FILL_ORDER:
            scores[Move.DONE] = position_value(p, flat, 0, w)


variant = Variant(__name__, REPLACEMENTS)
read_position = variant(read_observation)
score_team = variant(score_decision)
worth_of = variant(position_value)
if variant.unused():
    raise ValueError(f"{variant.unused()[0]} has a replacement in World but is never called")
UNITS = rule_agent.UNITS
