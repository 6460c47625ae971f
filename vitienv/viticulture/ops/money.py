"""Lira, victory points and residual payments."""

from vitienv.core.compiling.jit import jit
from vitienv.core.text_utils import count
from vitienv.viticulture.board import CART_LIRA, TOUR_LIRA
from vitienv.viticulture.cards.parts import PartOp
from vitienv.viticulture.enums import RESIDUAL_MAX, Act, Season, Structure, Used
from vitienv.viticulture.legality.predicates import can_gain_residual, can_gain_vp
from vitienv.viticulture.ops.board import board_action
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING, part
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import has_wine


@jit
def gain_lira(g, seat, n):
    """Receive n lira, or pay -n."""
    g.lira[seat] += n


part(
    PartOp.LIRA,
    needs=lambda g, seat, a, b, c: g.lira[seat] + a >= 0,
    does=lambda g, seat, a, b, c, result: gain_lira(g, seat, a),
    worth=BY_LOOKAHEAD,
    says=lambda n, b, c: f"receive {n} lira" if n > 0 else f"pay {-n} lira",
)


@jit
def gain_vp(g, seat, n):
    """Receive n victory points, or lose -n, and record a reached goal (Essential, Goal; ruling 8.10).

    The original edition has a cap; challenge 6 of the campaign counts no gains (Original, Scoring; Essential, Campaign
    play).
    """
    if n > 0 and g.rules[Rule.VP_IN_PLAY] == 0:
        return
    g.vp[seat] = min(int(g.vp[seat]) + n, int(g.rules[Rule.VP_CAP]))
    if g.vp[seat] >= g.rules[Rule.GOAL_VP]:
        g.goal_reached = 1


part(
    PartOp.POINTS,
    needs=lambda g, seat, a, b, c: can_gain_vp(g, seat, a),
    does=lambda g, seat, a, b, c, result: gain_vp(g, seat, a),
    worth=BY_LOOKAHEAD,
    says=lambda n, b, c: f"score {count(n, 'point')}" if n > 0 else f"lose {count(-n, 'point')}",
)


@jit
def gain_residual(g, seat, n):
    """Move on the residual payment tracker, up to 5 (Essential, Residual payments)."""
    g.residual[seat] = min(RESIDUAL_MAX, int(g.residual[seat]) + n)


def says_residual(n: int, at_limit_too: int, c: int) -> str:
    """Return the sentence of a part."""
    if n < 0:
        return f"lower your residual payments by {-n} lira a year"
    note = f" (they stay at {RESIDUAL_MAX} if they are there)" if at_limit_too else ""
    return f"raise your residual payments by {n} lira a year{note}"


part(
    PartOp.RESIDUAL,
    needs=lambda g, seat, a, b, c: can_gain_residual(g, seat, a, b),
    does=lambda g, seat, a, b, c, result: gain_residual(g, seat, a),
    worth=BY_LOOKAHEAD,
    says=says_residual,
)


@jit
def use_tasting_room(g, seat):
    """Score 1 VP for a worker on the tour with a wine in the cellar, once a year (Essential, Structures).

    The original edition requires no wine (Original, Structures).
    """
    is_ready = g.structures[seat, Structure.TASTING_ROOM] == 1 and g.used[seat, Used.TASTING_ROOM] == 0
    if is_ready and (g.rules[Rule.TASTING_NEEDS_WINE] == 0 or has_wine(g, seat, 1)):
        g.used[seat, Used.TASTING_ROOM] = 1
        gain_vp(g, seat, 1)


board_action(
    Act.GIVE_TOUR,
    needs=NOTHING,
    starts=lambda g, seat, again, must: gain_lira(g, seat, TOUR_LIRA),
    with_bonus=NOTHING,
    placed=use_tasting_room,
    worth=BY_LOOKAHEAD,
)
board_action(
    Act.GAIN_LIRA,
    needs=lambda g, seat, extra_lira: g.season == Season.WINTER or g.rules[Rule.CART_IN_SUMMER] == 1,
    starts=lambda g, seat, again, must: gain_lira(g, seat, CART_LIRA),
    with_bonus=NOTHING,
    worth=BY_LOOKAHEAD,
)
