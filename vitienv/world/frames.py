"""World's operations: their numbers, behind those of the other rulesets, and the rows of its own.

A row of a number that the others have too stands in the place of theirs; see `kernel.py`.
"""

from vitienv.core.compiling.namespaces import Numbers, namespace
from vitienv.core.operations import Operations
from vitienv.viticulture.frames import FrameOp

FIRST = max(FrameOp) + 1  # so that the others may get more


class WorldOp(Numbers):
    """What a frame does that the other rulesets do not have."""

    EFFECTS = FIRST
    TAKING = FIRST + 1
    OVAL_BONUS = FIRST + 2
    EVENT_OFFER = FIRST + 3
    FALL = FIRST + 4
    EXCHANGE = FIRST + 5
    TILE = FIRST + 6
    HAT = FIRST + 7
    SELL_WINE = FIRST + 8
    AGE_GRAPE = FIRST + 9
    GAIN_GRAPE = FIRST + 10
    BUY_STEPS = FIRST + 11
    BUY_ROW = FIRST + 12
    TRADE = FIRST + 13
    ANSWER = FIRST + 14
    TEAM = FIRST + 15
    PARTNER = FIRST + 16


NUMBERS = namespace(f"{__name__}.NUMBERS", {own.name: int(own) for own in (*FrameOp, *WorldOp)})
OWN = Operations(NUMBERS)
operation = OWN.add
