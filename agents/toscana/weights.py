"""Weights of the heuristic bots, in hundredths of money by default."""

from dataclasses import astuple, dataclass, fields
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class Weights:
    """A strategy; the defaults are those of the all-round bot."""

    # Boxes. The value of each further box is a lower percentage of the expected price.
    share_1: int = 98
    share_2: int = 96
    share_3: int = 89
    share_4: int = 77
    share_5: int = 85
    water_first: int = 656  # first box of water, for about two boxes of wine
    water_less: int = 61  # discount of each further box
    water_wanted: int = 5  # boxes of water for the next round
    water_cost: int = 62  # percent of the value of water used at once
    fee: int = 516  # bonus of a box that pays for the next piece
    third_fee: int = 0  # further bonus for the third winemaster
    service_fee: int = 0  # bonus of a box that pays for a service

    # Pieces and their squares.
    pieces_wanted: int = 7  # out of seven
    hire_until: int = 1  # minimum remaining rounds, except for the third winemaster
    price_least: int = 257  # minimum price of a box of a square
    water_worker: int = 355  # minimum value of a water square for a worker
    water_master: int = 261
    abandoned_square: int = 361  # a productive abandoned square
    abandoned_box: int = 226
    near: int = 120  # each square that can share its water, up to three
    service_square: int = 0  # bonus of squares of rosé and champagne
    winemaster_square: int = 0  # bonus of squares of white wine
    same: int = 53  # discount of each square of the same kind

    # Actions, services, tastings.
    make_least: int = 0  # minimum gain of winemaking over passing
    rose: int = 49  # price move of Mr Rosé, per box
    sign_held: int = 80  # recommendation, per box
    sign_later: int = 85  # recommendation, per remaining round
    service: int = 0  # bonus of hiring a service
    stock: int = 10  # tastings: weight of the viewer's boxes against those of all opponents
    plus: int = -1  # bonus of a plus

    # A sale that ends the game while ahead or behind.
    end_ahead: int = 1000
    end_behind: int = -1000

    # Values of positions: percent of the price of boxes in a later round.
    square_round: int = 60


WEIGHTS_DTYPE = np.dtype([(field.name, "i8") for field in fields(Weights)])


@lru_cache(maxsize=256)
def record(weights: Weights) -> np.record:
    """Return the weights as a record for kernels."""
    return np.array([astuple(weights)], WEIGHTS_DTYPE).view(np.recarray)[0]
