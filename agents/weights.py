"""The numbers of a rule of thumb: what things are worth, in hundredths of a victory point unless said otherwise."""

from dataclasses import astuple, dataclass, fields

import numpy as np


@dataclass(frozen=True)
class Weights:
    """A strategy as data. The defaults are those of the all-round bot; others change some."""

    # How long the game goes on.
    expected_years: int = 8
    year_per_point: int = 35  # hundredths of a year for each point that the leader still lacks

    # Money: each lira up to 4, up to 8, up to 14, and beyond; all fade as the game ends.
    lira_low: int = 40
    lira_mid: int = 30
    lira_high: int = 16
    lira_rich: int = 6
    lira_fade: int = 250  # hundredths of a year before the end at which money begins to lose its worth
    residual_year: int = 22  # one step of residual payment, each later year

    # Things that pay every later year.
    worker_year: int = 60
    worker_less: int = 8  # less for each worker beyond three
    windmill_year: int = 35
    tasting_year: int = 45
    cottage_year: int = 45
    yoke_year: int = 8
    trellis_year: int = 12
    irrigation_year: int = 14
    medium_year: int = 18
    large_year: int = 6

    field_open: int = 28  # a field that has not been sold, each later year

    # Cards in hand.
    summer_card: int = 45
    winter_card: int = 55
    visitor_less: int = 6  # less for each further visitor of the same deck
    over_limit: int = 40  # each card above the hand limit
    vine_card: int = 15  # any vine card
    vine_share: int = 45  # percent of what it would bring if planted
    vine_locked: int = 55  # percent of that while a structure is missing
    order_card: int = 20  # any order card

    # What fields, grapes and wines are worth without an order for them.
    field_year: int = 50  # percent of the worth of its grapes, each later year
    field_crowd: int = 80  # percent that each further grape of all fields counts
    grape: int = 15
    grape_value: int = 12
    wine: int = 35
    wine_value: int = 16
    blush: int = 80
    blush_value: int = 18
    sparkling: int = 120
    sparkling_value: int = 18
    token_less: int = 85  # percent that each further token without an order counts

    # How much of an order's worth counts, in percent, by where its wines come from.
    from_wine: int = 80
    from_grape: int = 60
    from_field: int = 38
    from_nothing: int = 6
    ageing: int = 10  # less for each year that a token must still age
    no_cellar: int = 50  # percent while a cellar is missing

    # The choice of the year's wake-up row, and cards still unknown.
    row_1: int = 0
    row_2: int = 25
    row_3: int = 40
    row_4: int = 35
    row_5: int = 55
    row_6: int = 100
    row_7: int = 110
    row_late: int = 10  # less for each row, each opponent
    draw_vine: int = 100  # percent of what a vine or order brings on the average
    draw_order: int = 60
    draw_less: int = 75  # percent that each further one of the same move counts

    # Placing workers.
    grande: int = 15  # saving the grande worker for a full action
    save: int = 80  # percent of what a worker could do in winter that a summer action must bring
    place_least: int = 0  # a placing in winter that brings less is left out
    bonus_space: int = 5  # for a bonus space as such
    plant_more: int = 0  # strategies: extra for planting, tours, visitors, making wine, filling, training
    tour_more: int = 0
    visitor_more: int = 0
    make_more: int = 0
    fill_more: int = 30
    train_more: int = 0
    build_more: int = 0
    rival: int = 30  # percent of what an opponent gains that counts against an offer

    def record(self) -> np.ndarray:
        """The weights as a record array of one element, as the compiled rules take them."""
        return np.array([astuple(self)], WEIGHTS_DTYPE)


WEIGHTS_DTYPE = np.dtype([(field.name, "i8") for field in fields(Weights)])
