"""The numbers of a heuristic bot: what things are worth, in hundredths of money unless said otherwise."""

from dataclasses import astuple, dataclass, fields
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class Weights:
    """A strategy as data. The defaults are those of the all-round bot; others change some."""

    # Boxes. A box more is worth the less the more there are: percent of the price to come, from the first box on.
    share_1: int = 98
    share_2: int = 96
    share_3: int = 89
    share_4: int = 77
    share_5: int = 85
    water_first: int = 656  # the first box of water; it brings about two boxes of wine
    water_less: int = 61  # less for each further one
    water_wanted: int = 5  # boxes of water that are wanted for the next round
    water_cost: int = 62  # percent of its worth that water costs which is used at once
    fee: int = 516  # a box that pays the next piece, beyond its price
    third_fee: int = 0  # the first box of each good while the next piece is the third winemaster, besides
    service_fee: int = 0  # a box that pays a service, likewise

    # Pieces and their squares.
    pieces_wanted: int = 7  # how many are hired, of seven
    hire_until: int = 1  # rounds to come in which a piece must still make wine; the third winemaster is paid at once
    price_least: int = 257  # what a box of a square is taken for at least
    water_worker: int = 355  # a water square for a worker, and for a winemaster, at least
    water_master: int = 261
    abandoned_square: int = 361  # an abandoned square that makes something
    abandoned_box: int = 226
    near: int = 120  # each own square that can share its water, up to three
    service_square: int = 0  # a square of rose or champagne, which pay services
    winemaster_square: int = 0  # one of white, which pays winemasters
    same: int = 53  # less for each own square of the same kind

    # Actions, services, tastings.
    make_least: int = 0  # what winemaking must bring beyond a box for passing
    rose: int = 49  # a price moved by Mr Rose, for each box held
    sign_held: int = 80  # a recommendation, for each box held
    sign_later: int = 85  # and for each round to come
    service: int = 0  # hiring a service as such
    own: int = 10  # in tastings: boxes held, against the boxes of all others
    plus: int = -1  # a plus as such

    # A sale that ends the game, by whether somebody else has more.
    end_ahead: int = 1000
    end_behind: int = -1000

    # What a position is worth for a search: boxes that own squares make in a round to come, percent of their price.
    square_round: int = 60


WEIGHTS_DTYPE = np.dtype([(field.name, "i8") for field in fields(Weights)])


@lru_cache(maxsize=256)
def record(weights: Weights) -> np.record:
    """Weights as a record, as the compiled rules take them."""
    return np.array([astuple(weights)], WEIGHTS_DTYPE).view(np.recarray)[0]
