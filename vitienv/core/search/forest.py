"""The columns of the arrays in which the trees of a search and its simulations lie; see `core.search.simulate`."""

from vitienv.core.compiling.namespaces import Numbers

LONGEST = 128  # actions from the root that one simulation can remember


class Tree(Numbers):
    """Columns of trees. LAST_ROUND: beyond it the search looks no further. BUDGET: simulations at most. The last six
    are of a race, see `gumbel`: its rounds, who is left, how often each has been visited in rounds that are over,
    between which numbers of simulations this round lies, and an action that stays to the end, or -1."""

    ROOT = 0
    SEAT = 1
    LAST_ROUND = 2
    BUDGET = 3
    STARTED = 4
    DONE = 5
    KEY0 = 6
    KEY1 = 7
    ROUNDS = 8
    RACERS = 9
    EACH = 10
    SINCE = 11
    UNTIL = 12
    STAYS = 13
    ROUND = 14


class Slot(Numbers):
    """Columns of slots, each of which has one simulation under way. FRESH: it ends at a node without edges."""

    STATE = 0
    NODE = 1
    LENGTH = 2
    FRESH = 3


class State(Numbers):
    """What a slot is about, or what it waits for: from ROOT to BOTH for a row that is judged."""

    IDLE = 0
    ON_WAY = 1
    ROOT = 2  # the priors of the root, which is planted
    PRIORS = 3  # how likely the legal actions are
    VALUE = 4  # how good the game is for the viewer
    BOTH = 5
    WORTHS = 6  # what each seat's position is worth
    OUTSIDE = 7  # that somebody plays the game on
    PLAYED = 8  # nothing: the game has been played on


class How(Numbers):
    """How a search goes, as numbers. TO_OWN: leaves are valued for the searching seat alone, at its own decisions.
    UNIFORM: all actions are as likely. PLAYOUT: how leaves are played on. BY_POINTS: a position is worth its points.
    AGAINST_RIVAL: seat 0 plays against what is no seat. BORROW: priors of other seats are those of their actions
    elsewhere, at first. RACERS: so many actions race at the root, see `core.search.gumbel`; 0: no race. NOISY: they are
    drawn. TEAM: all seats have one value."""

    TO_OWN = 0
    UNIFORM = 1
    PLAYOUT = 2
    BY_POINTS = 3
    AGAINST_RIVAL = 4
    BORROW = 5
    RACERS = 6
    NOISY = 7
    TEAM = 8


class Playout(Numbers):
    """How leaves are played on. NETWORK: by what a network without a policy prior says is most likely."""

    NONE = 0
    RANDOM = 1
    OUTSIDE = 2
    NETWORK = 3


class Count(Numbers):
    """What calls leave to each other: nodes and edges made, rows asked of each kind, the slot to go on with."""

    NODES = 0
    EDGES = 1
    ROWS = 2
    VIEWS = 3
    GAMES = 4
    CURSOR = 5
