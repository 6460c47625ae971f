"""The board and the vineyard mat as numbers that no edition changes; the others are in `rulesets`."""

import numpy as np

GRAPE_PRICE = np.array([1, 1, 1, 2, 2, 2, 3, 3, 3], np.int64)
TOUR_LIRA = 2
CART_LIRA = 1
WINES_PER_ACTION = 2
START_REGULAR_WORKERS = 2

# Lowest value of each type of wine, and where its tiers begin.
WINE_LEAST = np.array([1, 1, 4, 7], np.int64)
MEDIUM_TIER = 4
LARGE_TIER = 7
ZYMOLOGIST_LEAST = 4

# What the bonus of a space is: the same act once more, something gained, or nothing.
BONUS_AGAIN = 0
BONUS_DRAW = 1
BONUS_LIRA = 2
BONUS_VP = 3
NO_BONUS = 4

ROW_VINE, ROW_ORDER, ROW_LIRA, ROW_VISITOR, ROW_VP, ROW_TEMPORARY = 2, 3, 4, 5, 6, 7

# The Automa (Essential, Adjusting the difficulty, Difficulty levels; Aggressive variant).
AUTOMA_WORKERS_MAX = 6
AGGRESSIVE_TARGETS = np.array([-1, 0, 1, 4, 8, 13, 20], np.int64)
