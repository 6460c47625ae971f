"""Lira, victory points and residual payments."""

from vitienv.core.jit import jit
from vitienv.viticulture.names import RESIDUAL_MAX, VP_FLOOR
from vitienv.viticulture.state import GOAL_VP, VP_CAP, VP_IN_PLAY


@jit
def gain_lira(g, seat, n):
    """Receive n lira, or pay -n."""
    g.lira[seat] += n


@jit
def gain_vp(g, seat, n):
    """Receive n victory points, or lose -n. Reaching the goal is remembered (Essential, Goal; ruling 8.10).

    The original edition has a cap; challenge 6 of the campaign counts no gains (Original, Scoring; Essential,
    Campaign play).
    """
    if n > 0 and g.rules[VP_IN_PLAY] == 0:
        return
    g.vp[seat] = min(int(g.vp[seat]) + n, int(g.rules[VP_CAP]))
    if g.vp[seat] >= g.rules[GOAL_VP]:
        g.goal_reached = 1


@jit
def can_gain_vp(g, seat, n):
    """A loss must fit above the floor as a whole (Essential, Game board setup, note 1)."""
    return g.vp[seat] + n >= VP_FLOOR


@jit
def gain_residual(g, seat, n):
    """Move on the residual payment tracker, at most to 5 (Essential, Residual payments)."""
    g.residual[seat] = min(RESIDUAL_MAX, int(g.residual[seat]) + n)
