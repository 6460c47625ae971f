"""The board and the vineyard mat as numbers (Essential, Summer actions, Winter actions, Structures)."""

import numpy as np

from vitienv.viticulture.names import (
    ACT_BUILD_STRUCTURE,
    ACT_DRAW_ORDER,
    ACT_DRAW_VINE,
    ACT_FILL_ORDER,
    ACT_GIVE_TOUR,
    ACT_SELL,
    ACT_TRAIN_WORKER,
    N_BOARD_ACTIONS,
)

FIELD_CAPACITY = np.array([5, 6, 7], np.int64)
FIELD_PRICE = FIELD_CAPACITY
STRUCTURE_COST = np.array([2, 3, 2, 5, 4, 6, 4, 6], np.int64)
GRAPE_PRICE = np.array([1, 1, 1, 2, 2, 2, 3, 3, 3], np.int64)
TOUR_LIRA = 2
CART_LIRA = 1
TRAIN_PRICE = 4
WINES_PER_ACTION = 2
START_REGULAR_WORKERS = 2
GOAL_VP = 20

# Lowest value of each type of wine, and where its tiers begin.
WINE_LEAST = np.array([1, 1, 4, 7], np.int64)
MEDIUM_TIER = 4
LARGE_TIER = 7
ZYMOLOGIST_LEAST = 4

# What the bonus of a space is: the same act once more, or something gained.
BONUS_AGAIN = 0
BONUS_DRAW = 1
BONUS_LIRA = 2
BONUS_VP = 3
BONUS_OF_ACT = np.zeros(N_BOARD_ACTIONS, np.int64)
BONUS_OF_ACT[ACT_DRAW_VINE] = BONUS_DRAW
BONUS_OF_ACT[ACT_DRAW_ORDER] = BONUS_DRAW
BONUS_OF_ACT[ACT_GIVE_TOUR] = BONUS_LIRA
BONUS_OF_ACT[ACT_BUILD_STRUCTURE] = BONUS_LIRA
BONUS_OF_ACT[ACT_TRAIN_WORKER] = BONUS_LIRA
BONUS_OF_ACT[ACT_SELL] = BONUS_VP
BONUS_OF_ACT[ACT_FILL_ORDER] = BONUS_VP

N_ROWS = 7
ROW_VINE, ROW_ORDER, ROW_LIRA, ROW_VISITOR, ROW_VP, ROW_TEMPORARY = 2, 3, 4, 5, 6, 7
