"""Papa cards, which also give the grande worker: lira, and a gift or more lira (Essential, Mamas and papas)."""

from typing import NamedTuple

from vitienv.viticulture.enums import N_STRUCTURES, Structure

GIFT_WORKER = N_STRUCTURES
GIFT_VICTORY_POINT = N_STRUCTURES + 1


class Papa(NamedTuple):
    """Papa. `gift`: a structure, GIFT_WORKER or GIFT_VICTORY_POINT; `gift_lira`: the alternative."""

    id: str
    lira: int
    gift: int
    gift_lira: int


PAPAS = (
    Papa("andrew", lira=4, gift=Structure.TRELLIS, gift_lira=2),
    Papa("christian", lira=3, gift=Structure.IRRIGATION, gift_lira=3),
    Papa("jay", lira=5, gift=Structure.YOKE, gift_lira=2),
    Papa("josh", lira=3, gift=Structure.MEDIUM_CELLAR, gift_lira=4),
    Papa("kozi", lira=2, gift=Structure.COTTAGE, gift_lira=4),
    Papa("matthew", lira=1, gift=Structure.WINDMILL, gift_lira=5),
    Papa("matt", lira=0, gift=Structure.TASTING_ROOM, gift_lira=6),
    Papa("paul", lira=5, gift=Structure.TRELLIS, gift_lira=1),
    Papa("stephan", lira=4, gift=Structure.IRRIGATION, gift_lira=2),
    Papa("steven", lira=6, gift=Structure.YOKE, gift_lira=1),
    Papa("joel", lira=4, gift=Structure.MEDIUM_CELLAR, gift_lira=3),
    Papa("raymond", lira=3, gift=Structure.COTTAGE, gift_lira=3),
    Papa("jerry", lira=2, gift=Structure.WINDMILL, gift_lira=4),
    Papa("trevor", lira=1, gift=Structure.TASTING_ROOM, gift_lira=5),
    Papa("rafael", lira=2, gift=GIFT_WORKER, gift_lira=4),
    Papa("gary", lira=3, gift=GIFT_WORKER, gift_lira=3),
    Papa("morten", lira=4, gift=GIFT_VICTORY_POINT, gift_lira=3),
    Papa("alan", lira=5, gift=GIFT_VICTORY_POINT, gift_lira=2),
)
