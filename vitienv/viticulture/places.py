"""Where workers stand and how they get there: the numbers of places and of `place:` actions are made and read here.

A place is a space of the board, the crowd of an action, the cart, or one's own yoke.
"""

import numpy as np

from vitienv.core.compiling.jit import jit
from vitienv.viticulture.enums import ACTS, AT_CROWD, N_BOARD_ACTIONS, N_SPACES, N_SUMMER_ACTIONS, Act, Season, Space
from vitienv.viticulture.vocabulary import ACTIONS, N_ACTIONS, N_PLACINGS, PLACINGS

NO_PLACING = -1
# The `place:` action of an action of the board and a `Placing`; and both of an action's number.
PLACING = np.full((len(Act), N_PLACINGS), NO_PLACING, np.int64)
ACT_OF_PLACING = np.full(N_ACTIONS, NO_PLACING, np.int64)
HOW_OF_PLACING = np.full(N_ACTIONS, NO_PLACING, np.int64)
for _name in ACTIONS.blocks["place"]:
    _, _act, _how = _name.split(":", 2)
    _number, _placing = ACTIONS.number(_name), (ACTS.index(_act), PLACINGS.index(_how))
    PLACING[_placing] = _number
    ACT_OF_PLACING[_number], HOW_OF_PLACING[_number] = _placing


@jit
def first_act(season):
    """The first action of a season."""
    return 0 if season == Season.SUMMER else N_SUMMER_ACTIONS


@jit
def end_of_acts(season):
    """The number behind the last action of a season."""
    return N_SUMMER_ACTIONS if season == Season.SUMMER else N_BOARD_ACTIONS


@jit
def place_of_space(act, space):
    """The place that is a space of an action."""
    return act * N_SPACES + space


@jit
def place_of_crowd(act):
    """The place where grande workers stand beside the spaces of an action."""
    return AT_CROWD + act


@jit
def is_crowd(place):
    """Whether a place of the board is the crowd of an action."""
    return place >= AT_CROWD


@jit
def act_of_place(place):
    """The action of a place of the board."""
    return place - AT_CROWD if place >= AT_CROWD else place // N_SPACES


@jit
def space_of_place(place):
    """The space that a place is, if it is no crowd."""
    return place % N_SPACES


@jit
def is_bonus_place(place):
    return place < AT_CROWD and place % N_SPACES == Space.BONUS
