"""Numbers of the board and the vineyard mat that no edition changes; the others are in `rulesets`."""

import numpy as np

from vitienv.core.compiling.namespaces import IntConstants

GRAPE_PRICE = np.array([1, 1, 1, 2, 2, 2, 3, 3, 3], np.int64)
TOUR_LIRA = 2
CART_LIRA = 1
WINES_PER_ACTION = 2
START_REGULAR_WORKERS = 2

# Minimum value by type of wine, and the first values of the tiers.
MIN_WINE_VALUE = np.array([1, 1, 4, 7], np.int64)
MEDIUM_TIER = 4
LARGE_TIER = 7
ZYMOLOGIST_MIN_VALUE = 4


class Bonus(IntConstants):
    """Bonus of a space: the same action again, a gain, or nothing."""

    AGAIN = 0
    DRAW = 1
    LIRA = 2
    VP = 3
    NONE = 4


class Row(IntConstants):
    """Rows of the wake-up chart by their rewards; the first gives only the first turn."""

    FIRST = 1
    VINE = 2
    ORDER = 3
    LIRA = 4
    VISITOR = 5
    VP = 6
    TEMPORARY = 7


# The Automa (Essential, Adjusting the difficulty, Difficulty levels; Aggressive variant).
AUTOMA_WORKERS_MAX = 6
AGGRESSIVE_TARGETS = np.array([-1, 0, 1, 4, 8, 13, 20], np.int64)
