"""Language of visitor rows: parts, combined by the modes in which a card is played.

A part is an operation with up to four numbers. A card is a list of branches (its numbered options), each a
list of parts, and a mode of choosing branches. `table` turns the rows into integer arrays.
"""

from typing import NamedTuple

import numpy as np

from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.enums import N_STRUCTURES, Deck, Structure

MAX_BRANCHES = 4
MAX_PARTS = 4
N_ARGUMENTS = 4


class PartOp(IntConstants):
    """Operation of a part; each has a rule function in `ops/`."""

    NONE = 0
    LIRA = 1
    POINTS = 2
    RESIDUAL = 3
    DRAW = 4
    BUILD = 5
    PLANT = 6
    HARVEST = 7
    MAKE = 8
    FILL = 9
    TRAIN = 10
    UPROOT = 11
    DISCARD = 12
    DISCARD_HAND = 13
    DISCARD_GRAPE = 14
    DISCARD_WINE = 15
    AGE_ALL = 16
    AGE_ONE = 17
    BUY_GRAPE = 18
    BUY_GRAPE_PAIR = 19
    PER = 20
    WHEN = 21
    SWAP_VINES = 22
    EACH_MAY = 23
    CHOOSE_OPPONENTS = 24
    IN_ANY_ORDER = 25
    IMPORT = 26
    PLAN = 27
    RETRIEVE = 28
    MOVE_ROOSTER = 29
    MANAGE = 30
    INNKEEPER = 31
    CARAVAN = 32
    QUEEN = 33
    NEEDS = 34


class Mode(IntConstants):
    """Mode of choosing the branches of a card."""

    ALL = 0  # one branch, no question
    ONE = 1  # exactly one
    BOTH_FOR_A_POINT = 2  # one, or both for 1 VP
    TWO = 3  # two different ones
    BY_SIGN = 4  # the first below 0 VP, else the second


class Fact(IntConstants):
    """Quantity counted by `per`."""

    EMPTY_FIELDS = 0
    PLANTED_FIELDS = 1
    STRUCTURES_OF_COST_4 = 2
    OPPONENTS_WITH_SIX_WORKERS = 3
    HAND_CARDS = 4


class Condition(IntConstants):
    """Condition of `when`, evaluated after the preceding part."""

    BUILT_COST_5_OR_6 = 0
    PLANTED_TOTAL_4 = 1
    SIX_VINES_PLANTED = 2
    THREE_VARIETIES_ON_FIELD = 3
    THREE_HARVESTED = 4
    SIX_STRUCTURES = 5
    EACH_SPARKLING = 6
    EACH_TYPE = 7
    MOST_VALUABLE_WINE = 8
    SIX_WORKERS = 9


class Offer(IntConstants):
    """Offers of a card to several players."""

    BANKER = 0
    HANDYMAN = 1
    VOLUNTEER_CREW = 2
    MENTOR = 3
    GUEST_SPEAKER = 4
    MOTIVATOR = 5
    SWINDLER = 6
    VENDOR = 7


class Reward(IntConstants):
    """Consequence for a chosen opponent: paid by the player (Wedding Party) or giving a card (Governor)."""

    PAY_TWO_LIRA = 0
    GIVE_SUMMER_VISITOR = 1


class Part(NamedTuple):
    op: PartOp
    a: int = 0
    b: int = 0
    c: int = 0


NO_PRICE = -1
ALL_STRUCTURES = (1 << N_STRUCTURES) - 1
WAIVE_STRUCTURES, WAIVE_LIMIT = 1, 2
MAY_SKIP = 1
AT_LIMIT_TOO = 1
VISITORS = (1 << Deck.SUMMER) | (1 << Deck.WINTER)
ANY_DECK = 15
NO_CELLARS_NEEDED = 1
AT_ONCE = 1


def gain(lira: int = 0, vp: int = 0) -> list[Part]:
    """Receive lira, victory points or both."""
    return [Part(PartOp.LIRA, lira)] * bool(lira) + [Part(PartOp.POINTS, vp)] * bool(vp)


def lose(lira: int = 0, vp: int = 0) -> list[Part]:
    """Pay lira, lose victory points or both; the loss must be possible in full."""
    return gain(-lira, -vp)


def residual(n: int, at_limit_too: bool = False) -> list[Part]:
    """Move on the residual payment tracker. At 5 a gain is illegal, unless `at_limit_too`."""
    return [Part(PartOp.RESIDUAL, n, AT_LIMIT_TOO * at_limit_too)]


def draw(vine: int = 0, order: int = 0, summer: int = 0, winter: int = 0) -> list[Part]:
    """Draw cards."""
    counts = {Deck.VINE: vine, Deck.SUMMER: summer, Deck.ORDER: order, Deck.WINTER: winter}
    return [Part(PartOp.DRAW, sum(count << (3 * deck) for deck, count in counts.items()))]


def build(discount: int = 0, price: int = NO_PRICE, only: tuple[Structure, ...] = ()) -> list[Part]:
    """Build a structure at a discount or a flat price, of those in `only` if given."""
    allowed = sum(1 << structure for structure in only) or ALL_STRUCTURES
    return [Part(PartOp.BUILD, discount, price, allowed)]


def next_cellar(discount: int = 0, price: int = NO_PRICE) -> list[Part]:
    """Build the medium cellar, or the large one if the medium one is built."""
    return build(discount, price, (Structure.MEDIUM_CELLAR, Structure.LARGE_CELLAR))


def plant(up_to: int = 1, waive: int = 0, optional: bool = False) -> list[Part]:
    """Plant vines, at least one unless `optional`."""
    return [Part(PartOp.PLANT, up_to, waive, MAY_SKIP * optional)]


def harvest(up_to: int = 1) -> list[Part]:
    """Harvest fields, at least one."""
    return [Part(PartOp.HARVEST, up_to)]


def make(up_to: int = 2, no_cellars_needed: bool = False) -> list[Part]:
    """Make wines, at least one; `no_cellars_needed`: of value 4 or more (Zymologist)."""
    return [Part(PartOp.MAKE, up_to, NO_CELLARS_NEEDED * no_cellars_needed)]


def fill() -> list[Part]:
    """Fill one wine order."""
    return [Part(PartOp.FILL)]


def train(price: int, at_once: bool = False) -> list[Part]:
    """Train one worker for `price` lira."""
    return [Part(PartOp.TRAIN, price, AT_ONCE * at_once)]


def uproot(n: int = 1) -> list[Part]:
    """Uproot n planted vines, then discard n vines from hand."""
    return [Part(PartOp.UPROOT, n)]


def discard(cards: int, decks: int = ANY_DECK) -> list[Part]:
    """Discard cards from hand."""
    return [Part(PartOp.DISCARD, cards, decks)]


def discard_wine(min_value: int = 1) -> list[Part]:
    """Discard a wine of at least this value."""
    return [Part(PartOp.DISCARD_WINE, min_value)]


def per(fact: Fact, lira: int = 0, vp: int = 0) -> list[Part]:
    """Receive lira or points for each counted item."""
    return [Part(PartOp.PER, fact, lira, vp)]


def when(condition: Condition, vp: int) -> list[Part]:
    """Receive points if the condition holds after the preceding part (or per sparkling wine or type)."""
    return [Part(PartOp.WHEN, condition, vp)]


def needs(condition: Condition) -> list[Part]:
    """Require a condition for the branch."""
    return [Part(PartOp.NEEDS, condition)]


def do(op: PartOp, a: int = 0) -> list[Part]:
    """Use an operation without a function in this module."""
    return [Part(op, a)]


class Visitor(NamedTuple):
    id: str
    mode: Mode
    branches: tuple[list[Part], ...]


def card(id: str, *parts: list[Part]) -> Visitor:
    """Return a card without options: all parts, in this order."""
    return Visitor(id, Mode.ALL, (sum(parts, []),))


def one_of(id: str, *branches: list[Part]) -> Visitor:
    """Return a card with exactly one option."""
    return Visitor(id, Mode.ONE, branches)


def one_or_both(id: str, first: list[Part], second: list[Part]) -> Visitor:
    """Return a card with one option, or both for 1 VP."""
    return Visitor(id, Mode.BOTH_FOR_A_POINT, (first, second))


def two_of(id: str, *branches: list[Part]) -> Visitor:
    """Return a card with two different options in any order."""
    return Visitor(id, Mode.TWO, branches)


def by_sign(id: str, below_zero: list[Part], else_: list[Part]) -> Visitor:
    """Return a card with the first option below 0 VP, else the second."""
    return Visitor(id, Mode.BY_SIGN, (below_zero, else_))


def in_any_order(first: list[Part], second: list[Part]) -> tuple[list[Part], list[Part], list[Part]]:
    """Return two compulsory halves in any order: the part that asks for the order, then the halves.

    The halves are stored as branches behind the selectable ones.
    """
    return [Part(PartOp.IN_ANY_ORDER)], first, second


class Tables(NamedTuple):
    """Visitor rows as arrays, by visitor (summer cards first)."""

    mode: np.ndarray  # (visitors,)
    n_branches: np.ndarray  # (visitors,) selectable branches
    parts: np.ndarray  # (visitors, MAX_BRANCHES, MAX_PARTS, N_ARGUMENTS): op, a, b, c


def table(rows: tuple[Visitor, ...]) -> Tables:
    """Return integer tables of the rows. Raises ValueError if a row is too long or duplicated."""
    if len({row.id for row in rows}) != len(rows):
        raise ValueError("rows must have different ids")
    parts = np.zeros((len(rows), MAX_BRANCHES, MAX_PARTS, N_ARGUMENTS), np.int64)
    n_branches = np.zeros(len(rows), np.int64)
    for i, row in enumerate(rows):
        if len(row.branches) > MAX_BRANCHES or any(len(branch) > MAX_PARTS for branch in row.branches):
            raise ValueError(f"{row.id} must have at most {MAX_BRANCHES} branches of {MAX_PARTS} parts")
        asks_order = any(part.op == PartOp.IN_ANY_ORDER for branch in row.branches for part in branch)
        n_branches[i] = len(row.branches) - 2 * asks_order
        for j, branch in enumerate(row.branches):
            for k, part in enumerate(branch):
                parts[i, j, k] = part
    return Tables(np.array([row.mode for row in rows], np.int64), n_branches, parts)
