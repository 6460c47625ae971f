"""Weights of the heuristic bots, in hundredths of a victory point by default."""

from dataclasses import astuple, dataclass, fields
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class Weights:
    """A strategy; the defaults are those of the all-round bot."""

    # Expected length of the game.
    expected_years: int = 10
    year_per_point: int = 29  # hundredths of a year per missing point of the leader

    # Money: each lira up to 4, 8, 14, and above; the value fades towards the end of the game.
    lira_low: int = 42
    lira_mid: int = 16
    lira_high: int = 5
    lira_rich: int = 6
    lira_fade: int = 751  # hundredths of a year before the end at which fading starts
    residual_year: int = 40  # residual payment of 1, per later year

    # Value per later year.
    worker_year: int = 64
    worker_less: int = 1  # discount of each worker beyond three
    windmill_year: int = 43
    tasting_year: int = 30
    cottage_year: int = 51
    yoke_year: int = 1
    trellis_year: int = 21
    irrigation_year: int = 10
    medium_year: int = 14
    large_year: int = 5
    field_open: int = 7  # an unsold field

    # Cards in hand.
    summer_card: int = 14
    winter_card: int = 37
    visitor_less: int = 11  # discount of each further visitor of the same deck
    over_limit: int = 15  # penalty per card above the hand limit
    vine_card: int = 16  # any vine card
    vine_share: int = 56  # percent of the value when planted
    vine_locked: int = 42  # percent of that while a structure is missing
    order_card: int = 0  # any order card

    # Values of fields, grapes and wines without an order.
    field_year: int = 19  # percent of the value of its grapes, per later year
    field_crowd: int = 54  # percent of each further grape of all fields
    grape: int = 26
    grape_value: int = 8
    wine: int = 52
    wine_value: int = 10
    blush: int = 37
    blush_value: int = 12
    sparkling: int = 139
    sparkling_value: int = 14
    token_less: int = 74  # percent of each further token without an order

    # Percent of the value of an order by the origin of its wines.
    from_wine: int = 95
    from_grape: int = 59
    from_field: int = 28
    from_nothing: int = -5
    ageing: int = 24  # discount per year of ageing
    no_cellar: int = 63  # percent while a cellar is missing

    # Wake-up rows and unknown cards.
    row_1: int = -2
    row_2: int = 57
    row_3: int = 23
    row_4: int = 19
    row_5: int = 38
    row_6: int = 281
    row_7: int = 32
    row_late: int = 11  # discount per row and opponent
    draw_vine: int = 49  # percent of the average gain of a card
    draw_order: int = 52
    draw_less: int = 94  # percent of each further card of the same move

    # Placing workers.
    grande: int = 24  # value of saving the grande worker
    save: int = 131  # percent of the gain of a worker in winter that a summer action must exceed
    place_least: int = -11  # minimum gain of a placement in winter
    contest: int = 28  # percent bonus for the last space of a contested action
    bonus_space: int = 14  # bonus of a bonus space
    plant_more: int = -4  # bonuses of actions, for strategies
    tour_more: int = 11
    visitor_more: int = 3
    make_more: int = 7
    fill_more: int = 65
    train_more: int = 5
    build_more: int = 1
    token: int = 60  # value of a bonus action token of the solo game
    temporary_early: int = 10  # the temporary worker in an early year of the solo game
    urgent: int = 150  # per missing point of the year against the aggressive Automa
    rival: int = 42  # percent of an opponent's gain, deducted from offers


WEIGHTS_DTYPE = np.dtype([(field.name, "i8") for field in fields(Weights)])


@lru_cache(maxsize=256)
def records(*weights: Weights) -> np.ndarray:
    """Return sets of weights as a record array for kernels, cached."""
    return np.array([astuple(row) for row in weights], WEIGHTS_DTYPE).view(np.recarray)
