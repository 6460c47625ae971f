"""Operations of frames; their handlers are registered next to the functions."""

from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.operations import Operations


class FrameOp(IntConstants):
    """Operation of a frame on the stack."""

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
FLAG = (0, 1)  # bounds of a Boolean column
