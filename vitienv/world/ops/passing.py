"""Passing: a seat's fall benefit after summer, and its year end after winter (W68, W69, W76 to W79)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push, set_stage
from vitienv.viticulture.cards.parts import ANY_DECK
from vitienv.viticulture.enums import Season
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.ops.cards import DISCARD_TO_LIMIT, TO_PILES
from vitienv.viticulture.ops.draw import hand_size
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.tokens import age_grapes, age_wines
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import Flag
from vitienv.world.frames import WorldOp, operation
from vitienv.world.goals import flag, hand_limit
from vitienv.world.ops.effects import effect_possible, start_effect
from vitienv.world.ops.workers import return_workers_of
from vitienv.world.rows import FALL_WAYS


@jit
def pass_season(g, seat):
    """Pass for the season; the seat's fall benefit or year end follows immediately."""
    g.passed[seat] = 1
    if g.season == Season.SUMMER:
        if can_have_fall_benefit(g, seat):
            push(g, WorldOp.FALL, seat, 1, 1, 0, 0, 0)
    else:
        end_year_of(g, seat)


@jit
def can_have_fall_benefit(g, seat):
    for i in range(len(FALL_WAYS)):
        if effect_possible(g, seat, FALL_WAYS[i], 0):
            return True
    return False


@jit
def legal_fall(g, t, mask):
    """Mark the possible benefits (O28)."""
    for i in range(len(FALL_WAYS)):
        if effect_possible(g, get(g, t, Frame.SEAT), FALL_WAYS[i], 0):
            mask[Move.OPTION + i] = 1


@jit
def apply_fall(g, t, action):
    seat = get(g, t, Frame.SEAT)
    pop(g)
    start_effect(g, seat, FALL_WAYS[action - Move.OPTION], 0, 0)


operation(WorldOp.FALL, "fall_benefit", legal=legal_fall, apply=apply_fall, shows=())


@jit
def end_year_of(g, seat):
    """Age grapes and wines, retrieve workers, pay residuals, then discard to the hand limit (W76, W78, W86)."""
    if flag(g, Flag.YEAR_END_GRAPES_DO_NOT_AGE) == 0:
        age_grapes(g, seat)
    age_wines(g, seat)
    return_workers_of(g, seat)
    gain_lira(g, seat, max(0, int(g.residual[seat]) - flag(g, Flag.RESIDUAL_PAYMENT_REDUCED_BY)))
    over = hand_size(g, seat) - hand_limit(g)
    if over > 0:
        set_stage(g, push(g, FrameOp.CARDS, seat, over, over, ANY_DECK, 0, TO_PILES), DISCARD_TO_LIMIT)
