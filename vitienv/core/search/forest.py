"""Columns of the arrays of search trees and simulations; see `core.search.simulate`."""

from vitienv.core.compiling.namespaces import IntConstants

MAX_PATH = 128  # maximum length of a simulation, in actions from the root


class Tree(IntConstants):
    """Columns of trees.

    LAST_ROUND: horizon, a round of the game. BUDGET: maximum number of simulations. From ROUNDS on, sequential halving,
    see `gumbel`: number of rounds, remaining actions, visits of each in earlier rounds, first and last simulation of
    the current round, an action that is never eliminated or -1, current round.
    """

    ROOT = 0
    SEAT = 1
    LAST_ROUND = 2
    BUDGET = 3
    STARTED = 4
    DONE = 5
    KEY0 = 6
    KEY1 = 7
    ROUNDS = 8
    CANDIDATES = 9
    EACH = 10
    SINCE = 11
    UNTIL = 12
    STAYS = 13
    ROUND = 14


class Slot(IntConstants):
    """Columns of slots, which run one simulation each. FRESH: the simulation ends at a node without edges."""

    STATE = 0
    NODE = 1
    LENGTH = 2
    FRESH = 3


class State(IntConstants):
    """States of a slot; from ROOT to BOTH it waits for the evaluation of a row."""

    IDLE = 0
    ON_WAY = 1
    ROOT = 2  # waits for the priors of a new root
    PRIORS = 3  # waits for the priors of the legal actions
    VALUE = 4  # waits for the value of the viewer
    BOTH = 5
    WORTHS = 6  # waits for the heuristic values of all seats
    EXTERNAL = 7  # waits for a playout by the caller
    PLAYED = 8  # the playout has finished


class Config(IntConstants):
    """Options of a search.

    TO_OWN: evaluate leaves for the searching seat only, at its decisions. UNIFORM: uniform priors. PLAYOUT: see
    Playout. BY_POINTS: the value of a position is its points. AGAINST_RIVAL: seat 0 plays against the Automa. BORROW:
    initial priors of opponents are those of the same actions elsewhere in the tree. CANDIDATES: maximum number of
    considered actions at the root, see `core.search.gumbel`; 0 disables sequential halving. NOISY: sample them with
    Gumbel noise. TEAM: all seats share a value.
    """

    OWN_SEAT_ONLY = 0
    UNIFORM = 1
    PLAYOUT = 2
    BY_POINTS = 3
    AGAINST_RIVAL = 4
    BORROW = 5
    CANDIDATES = 6
    NOISY = 7
    TEAM = 8


class Playout(IntConstants):
    """Playouts from leaves. NETWORK: by the most likely actions of a network without a policy prior."""

    NONE = 0
    RANDOM = 1
    EXTERNAL = 2
    NETWORK = 3


class Count(IntConstants):
    """Counters between calls: allocated nodes and edges, requested rows of each kind, the slot to resume from."""

    NODES = 0
    EDGES = 1
    ROWS = 2
    VIEWS = 3
    GAMES = 4
    CURSOR = 5
