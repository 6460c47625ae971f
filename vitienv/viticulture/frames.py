"""Operations of frames; their handlers are registered next to the functions in `ops/`."""

from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.operations import Operations


class FrameOp(IntConstants):
    """Operation of a frame on the stack. The first ones run automatically; from WAKE on a seat decides."""

    NONE = 0
    SETUP = 1
    YEAR = 2
    PLANNED = 3
    CARD = 4
    PARTS = 5
    OFFERS = 6
    TRAIN = 7
    IMPORT = 8
    GOVERN = 9
    WAKE = 10
    PARENT = 11
    GIFT = 12
    DECK = 13
    PLACE = 14
    BONUS = 15
    PLAY = 16
    BRANCH = 17
    ORDER = 18
    BUILD = 19
    PLANT = 20
    HARVEST = 21
    UPROOT = 22
    CARDS = 23
    SELL = 24
    MAKE = 25
    FILL = 26
    YOKE = 27
    GRAPE = 28
    WINE = 29
    BUY = 30
    SWAP = 31
    ASK = 32
    QUEEN = 33
    OFFER_CARDS = 34
    OPPONENTS = 35
    PLAN = 36
    RETRIEVE = 37
    MANAGE = 38
    ROOSTER = 39
    CARAVAN = 40
    PILES = 41
    TOKEN = 42
    MAMA = 43
    CHOOSE_VINE = 44


OPERATIONS = Operations(FrameOp)
operation = OPERATIONS.add
