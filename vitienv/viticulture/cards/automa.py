"""Automa cards: board actions on which its workers are placed (Essential, Viticulture Automa, Automa cards).

Lines for the larger board are left out, as the rules of the base board require.
"""

from typing import NamedTuple

from vitienv.viticulture.enums import Act


class AutomaCard(NamedTuple):
    """Actions in printed order, which matters for the sixth worker of a year."""

    id: str
    summer: tuple[Act, ...]
    winter: tuple[Act, ...]


AUTOMA_CARDS = (
    AutomaCard("automa_01", (Act.DRAW_VINE, Act.GIVE_TOUR), ()),
    AutomaCard("automa_02", (Act.DRAW_VINE, Act.BUILD_STRUCTURE, Act.PLANT_VINE), (Act.MAKE_WINE,)),
    AutomaCard("automa_03", (Act.DRAW_VINE, Act.PLAY_SUMMER_VISITOR), (Act.PLAY_WINTER_VISITOR,)),
    AutomaCard("automa_04", (Act.GIVE_TOUR, Act.BUILD_STRUCTURE, Act.SELL_GRAPES_OR_FIELD), (Act.TRAIN_WORKER,)),
    AutomaCard("automa_05", (Act.GIVE_TOUR,), (Act.HARVEST_FIELD,)),
    AutomaCard("automa_06", (Act.BUILD_STRUCTURE,), (Act.DRAW_ORDER, Act.FILL_ORDER)),
    AutomaCard("automa_07", (Act.DRAW_VINE, Act.PLAY_SUMMER_VISITOR), ()),
    AutomaCard("automa_08", (Act.GIVE_TOUR, Act.PLANT_VINE), (Act.MAKE_WINE,)),
    AutomaCard(
        "automa_09",
        (Act.BUILD_STRUCTURE, Act.SELL_GRAPES_OR_FIELD, Act.PLAY_SUMMER_VISITOR),
        (Act.PLAY_WINTER_VISITOR,),
    ),
    AutomaCard("automa_10", (Act.PLANT_VINE, Act.SELL_GRAPES_OR_FIELD), (Act.TRAIN_WORKER,)),
    AutomaCard("automa_11", (Act.PLAY_SUMMER_VISITOR, Act.SELL_GRAPES_OR_FIELD), (Act.HARVEST_FIELD,)),
    AutomaCard("automa_12", (Act.PLANT_VINE,), (Act.DRAW_ORDER, Act.FILL_ORDER)),
    AutomaCard("automa_13", (Act.DRAW_VINE, Act.PLAY_SUMMER_VISITOR), (Act.DRAW_ORDER, Act.HARVEST_FIELD)),
    AutomaCard("automa_14", (Act.GIVE_TOUR, Act.SELL_GRAPES_OR_FIELD), (Act.DRAW_ORDER, Act.MAKE_WINE)),
    AutomaCard("automa_15", (Act.BUILD_STRUCTURE,), (Act.DRAW_ORDER, Act.PLAY_WINTER_VISITOR)),
    AutomaCard("automa_16", (), (Act.HARVEST_FIELD, Act.MAKE_WINE)),
    AutomaCard("automa_17", (), (Act.HARVEST_FIELD, Act.TRAIN_WORKER)),
    AutomaCard("automa_18", (Act.PLANT_VINE,), (Act.MAKE_WINE, Act.FILL_ORDER)),
    AutomaCard("automa_19", (Act.DRAW_VINE, Act.PLAY_SUMMER_VISITOR), (Act.PLAY_WINTER_VISITOR, Act.TRAIN_WORKER)),
    AutomaCard("automa_20", (Act.GIVE_TOUR, Act.SELL_GRAPES_OR_FIELD), (Act.PLAY_WINTER_VISITOR,)),
    AutomaCard("automa_21", (Act.BUILD_STRUCTURE,), (Act.PLAY_WINTER_VISITOR, Act.FILL_ORDER)),
    AutomaCard("automa_22", (), (Act.HARVEST_FIELD, Act.TRAIN_WORKER)),
    AutomaCard("automa_23", (), (Act.DRAW_ORDER, Act.TRAIN_WORKER, Act.FILL_ORDER)),
    AutomaCard("automa_24", (Act.PLANT_VINE,), (Act.MAKE_WINE, Act.FILL_ORDER)),
)
