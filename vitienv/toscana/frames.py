"""The operations of the game: their numbers. What each does stands as a row beside its verbs."""

from vitienv.core.compiling.namespaces import Numbers
from vitienv.core.operations import Operations


class FrameOp(Numbers):
    """What a frame on the stack does."""

    NONE = 0
    ROUND = 1
    START_WORKER = 2
    TURN = 3
    HIRE = 4
    LOBBY = 5
    MR_ROSE = 6
    PLACE_WATER = 7
    MAKE = 8
    TRADE = 9
    OFFER = 10
    ANSWER = 11
    TASTE = 12


OPERATIONS = Operations(FrameOp)
operation = OPERATIONS.add
FLAG = (0, 1)  # the bounds of a column that says yes or no
