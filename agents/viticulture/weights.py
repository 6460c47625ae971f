"""The numbers of a heuristic bot: what things are worth, in hundredths of a victory point unless said otherwise."""

from dataclasses import astuple, dataclass, fields
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class Weights:
    """A strategy as data. The defaults are those of the all-round bot; others change some."""

    # How long the game goes on.
    expected_years: int = 10
    year_per_point: int = 29  # hundredths of a year for each point that the leader still lacks

    # Money: each lira up to 4, up to 8, up to 14, and beyond; all fade as the game ends.
    lira_low: int = 42
    lira_mid: int = 16
    lira_high: int = 5
    lira_rich: int = 6
    lira_fade: int = 751  # hundredths of a year before the end at which money begins to lose its worth
    residual_year: int = 40  # one step of residual payment, each later year

    # Things that pay every later year.
    worker_year: int = 64
    worker_less: int = 1  # less for each worker beyond three
    windmill_year: int = 43
    tasting_year: int = 30
    cottage_year: int = 51
    yoke_year: int = 1
    trellis_year: int = 21
    irrigation_year: int = 10
    medium_year: int = 14
    large_year: int = 5
    field_open: int = 7  # a field that has not been sold, each later year

    # Cards in hand.
    summer_card: int = 14
    winter_card: int = 37
    visitor_less: int = 11  # less for each further visitor of the same deck
    over_limit: int = 15  # each card above the hand limit
    vine_card: int = 16  # any vine card
    vine_share: int = 56  # percent of what it would bring if planted
    vine_locked: int = 42  # percent of that while a structure is missing
    order_card: int = 0  # any order card

    # What fields, grapes and wines are worth without an order for them.
    field_year: int = 19  # percent of the worth of its grapes, each later year
    field_crowd: int = 54  # percent that each further grape of all fields counts
    grape: int = 26
    grape_value: int = 8
    wine: int = 52
    wine_value: int = 10
    blush: int = 37
    blush_value: int = 12
    sparkling: int = 139
    sparkling_value: int = 14
    token_less: int = 74  # percent that each further token without an order counts

    # How much of an order's worth counts, in percent, by where its wines come from.
    from_wine: int = 95
    from_grape: int = 59
    from_field: int = 28
    from_nothing: int = -5
    ageing: int = 24  # less for each year that a token must still age
    no_cellar: int = 63  # percent while a cellar is missing

    # The choice of the year's wake-up row, and cards still unknown.
    row_1: int = -2
    row_2: int = 57
    row_3: int = 23
    row_4: int = 19
    row_5: int = 38
    row_6: int = 281
    row_7: int = 32
    row_late: int = 11  # less for each row, each opponent
    draw_vine: int = 49  # percent of what a vine or order brings on the average
    draw_order: int = 52
    draw_less: int = 94  # percent that each further one of the same move counts

    # Placing workers.
    grande: int = 24  # saving the grande worker for a full action
    save: int = 131  # percent of what a worker could do in winter that a summer action must bring
    place_least: int = -11  # a placing in winter that brings less is left out
    contest: int = 28  # percent more for the last space of an action that an opponent wants too
    bonus_space: int = 14  # for a bonus space as such
    plant_more: int = -4  # strategies: extra for planting, tours, visitors, making wine, filling, training
    tour_more: int = 11
    visitor_more: int = 3
    make_more: int = 7
    fill_more: int = 65
    train_more: int = 5
    build_more: int = 1
    token: int = 60  # what a bonus action token of the solo game is kept for
    temporary_early: int = 10  # the temporary worker in an early year of the solo game
    urgent: int = 150  # for each point that is missing this year against the aggressive Automa
    rival: int = 42  # percent of what an opponent gains that counts against an offer


WEIGHTS_DTYPE = np.dtype([(field.name, "i8") for field in fields(Weights)])


@lru_cache(maxsize=256)
def records(*weights: Weights) -> np.ndarray:
    """Sets of weights as a record array, as the compiled rules take them.

    Made once for each choice of sets: bots ask for it at every call.
    """
    return np.array([astuple(each) for each in weights], WEIGHTS_DTYPE).view(np.recarray)
