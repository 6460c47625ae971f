"""Legality of board actions and their bonuses (rulings 1.6, 1.7, 8.15)."""

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import Bonus
from vitienv.viticulture.ops import board, cellar, draw, harvest, money, orders, vineyard, visitors, workers, yoke  # noqa: F401
from vitienv.viticulture.ops.workers import take_worker
from vitienv.viticulture.places import place_of_crowd
from vitienv.viticulture.state import Rule

board.check()
needs_of_act = board.dispatch("needs", otherwise="True")  # NOTHING is needed
with_bonus_of_act = board.dispatch("with_bonus", otherwise="True")


@jit
def act_possible(g, seat, act, extra_lira):
    """Return whether a board action has at least a minimal effect (ruling 1.6)."""
    return needs_of_act(act, g, seat, extra_lira)


@jit
def bonus_possible(g, seat, act):
    """Return whether an action and its bonus are both possible (Essential, Friendly variant; ruling 8.15)."""
    return with_bonus_of_act(act, g, seat)


@jit
def bonus_of(g, act):
    """Return the bonus of an action."""
    return int(g.rules[Rule.BONUS_OF_ACT + act])


@jit
def may_spend_token(g, seat, act):
    """Return whether a bonus action token can be spent on an action (Essential, Bonus action tokens; ruling 9.3)."""
    if g.rules[Rule.BONUS_TOKENS] == 0 or g.bonus_tokens[seat] == 0 or bonus_of(g, act) == Bonus.NONE:
        return False
    return bonus_of(g, act) != Bonus.DRAW or bonus_possible(g, seat, act)


@jit
def try_placing(g, seat, act, grande):
    """Return whether an action is possible after placing a worker of this kind, which is then no longer free."""
    place = int(g.turn_place)
    worker = take_worker(g, seat, grande)
    g.turn_place = place_of_crowd(act)
    possible = act_possible(g, seat, act, 0)
    g.turn_place = place
    g.free[seat, worker] += 1
    return possible
