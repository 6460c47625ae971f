"""World's operations, numbered after those of Viticulture; a row for a number of Viticulture replaces its row."""

from vitienv.core.compiling.namespaces import IntConstants, namespace
from vitienv.core.operations import Operations
from vitienv.viticulture.frames import FrameOp

FIRST = max(FrameOp) + 1


class WorldOp(IntConstants):
    """Operations that only World has."""

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


NUMBERS = namespace(f"{__name__}.NUMBERS", {op.name: int(op) for op in (*FrameOp, *WorldOp)})
WORLD_OPERATIONS = Operations(NUMBERS)
operation = WORLD_OPERATIONS.add
