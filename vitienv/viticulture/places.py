"""Numbers of the places of workers and of `place:` actions.

A place is a space of the board, the crowd of an action, the cart, or the yoke of the seat.
"""

import numpy as np

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.enums import ACTS, AT_CROWD, N_BOARD_ACTIONS, N_SPACES, N_SUMMER_ACTIONS, Act, Season, Space
from vitienv.viticulture.vocabulary import ACTIONS, N_ACTIONS, N_PLACINGS, PLACINGS

NO_PLACING = -1
# `place:` action by board action and `Placing`; board action and `Placing` by number of the action.
PLACING = np.full((len(Act), N_PLACINGS), NO_PLACING, np.int64)
ACT_OF_PLACING = np.full(N_ACTIONS, NO_PLACING, np.int64)
PLACING_OF_ACTION = np.full(N_ACTIONS, NO_PLACING, np.int64)
for _name in ACTIONS.blocks["place"]:
    _, _act, _placing_name = _name.split(":", 2)
    _number, _placing = ACTIONS.number(_name), (ACTS.index(_act), PLACINGS.index(_placing_name))
    PLACING[_placing] = _number
    ACT_OF_PLACING[_number], PLACING_OF_ACTION[_number] = _placing


@jit
def first_act(season):
    """Return the first action of a season."""
    return 0 if season == Season.SUMMER else N_SUMMER_ACTIONS


@jit
def end_of_acts(season):
    """Return the end (exclusive) of the actions of a season."""
    return N_SUMMER_ACTIONS if season == Season.SUMMER else N_BOARD_ACTIONS


@jit
def place_of_space(act, space):
    """Return the place of a space."""
    return act * N_SPACES + space


@jit
def place_of_crowd(act):
    """Return the place for grande workers on a full action."""
    return AT_CROWD + act


@jit
def is_crowd(place):
    """Return whether a place of the board is a crowd."""
    return place >= AT_CROWD


@jit
def act_of_place(place):
    """Return the action of a place of the board."""
    return place - AT_CROWD if place >= AT_CROWD else place // N_SPACES


@jit
def space_of_place(place):
    """Return the space of a place that is not a crowd."""
    return place % N_SPACES


@jit
def is_bonus_place(place):
    return place < AT_CROWD and place % N_SPACES == Space.BONUS
