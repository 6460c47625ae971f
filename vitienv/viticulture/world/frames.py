"""World's operations: their numbers, behind those of the other rulesets, and the rows of its own.

A row of a number that the others have too stands in the place of theirs; see `kernel.py`.
"""

from vitienv.core.namespaces import Numbers, namespace
from vitienv.core.operations import Operations
from vitienv.viticulture.frames import FrameOp


class WorldOp(Numbers):
    """What a frame does that the other rulesets do not have."""

    EFFECTS = 45
    TAKING = 46
    OVAL_BONUS = 47
    EVENT_OFFER = 48
    FALL = 49
    EXCHANGE = 50
    TILE = 51
    HAT = 52
    SELL_WINE = 53
    AGE_GRAPE = 54
    GAIN_GRAPE = 55
    BUY_STEPS = 56
    BUY_ROW = 57
    TRADE = 58
    ANSWER = 59
    TEAM = 60
    PARTNER = 61


NUMBERS = namespace(f"{__name__}.NUMBERS", {own.name: int(own) for own in (*FrameOp, *WorldOp)})
OWN = Operations(NUMBERS)
operation = OWN.add
