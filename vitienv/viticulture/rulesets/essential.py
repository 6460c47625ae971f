"""Viticulture Essential Edition for 2 to 6 players: the numbers from which the other rulesets differ."""

from typing import TYPE_CHECKING

from vitienv.viticulture.board import Bonus
from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.names import N_ROWS, REGULAR_WORKERS_MAX, Space
from vitienv.viticulture.state import MAMAS, NO_AUTOMA, NOT_FIXED, PAPAS, SHORT, Rule

if TYPE_CHECKING:
    from vitienv.viticulture.rulesets import Options

PLAYERS = range(2, 7)
OPTIONS = ("draft_parents", "friendly")

GOAL_VP = 20
LEFT_SPACES, MIDDLE_SPACES, RIGHT_SPACES = 1 << Space.LEFT, 1 << Space.BONUS, 1 << Space.RIGHT
# Spaces of each action that are in use, by number of players (Essential, Scaling the game).
SPACES = {1: LEFT_SPACES, 2: LEFT_SPACES}
SPACES |= dict.fromkeys((3, 4), LEFT_SPACES | MIDDLE_SPACES)
SPACES |= dict.fromkeys((5, 6), LEFT_SPACES | MIDDLE_SPACES | RIGHT_SPACES)

# Trellis, irrigation, yoke, windmill, cottage, tasting room, medium cellar, large cellar (Essential, Structures).
STRUCTURE_COST = (2, 3, 2, 5, 4, 6, 4, 6)
FIELD_CAPACITY = (5, 6, 7)
# Draw a vine, tour, build, play a summer visitor, sell, plant (Essential, Summer actions); draw an order, harvest,
# train, play a winter visitor, make wine, fill an order (Essential, Winter actions).
BONUS_OF_ACT = (
    Bonus.DRAW, Bonus.LIRA, Bonus.LIRA, Bonus.AGAIN, Bonus.VP, Bonus.AGAIN,
    Bonus.DRAW, Bonus.AGAIN, Bonus.LIRA, Bonus.AGAIN, Bonus.AGAIN, Bonus.VP,
)  # fmt: skip


def check(options: "Options") -> None:
    """Nothing to add to what is checked for all rulesets."""


def numbers(options: "Options") -> dict[int, int]:
    """The ruleset's numbers, by place in the rules."""
    return {
        Rule.GOAL_VP: GOAL_VP,
        Rule.SPACES: SPACES[int(options.num_players)],
        Rule.CARD_SET: CardSet.ALL,
        Rule.PARENTS: MAMAS | PAPAS,
        Rule.FIXED_LIRA: NOT_FIXED,
        Rule.TRAIN_PRICE: 4,
        Rule.STAFF_MAX: REGULAR_WORKERS_MAX,
        Rule.FIELDS_PER_HARVEST: 1,
        Rule.CART_IN_SUMMER: 1,
        Rule.FIELD_TRADE: 1,
        Rule.TASTING_NEEDS_WINE: 1,
        Rule.ORDERS: 1,
        Rule.VP_CAP: SHORT,
        Rule.TIE_BREAKS: 1,
        Rule.VP_IN_PLAY: 1,
        Rule.AUTOMA_LEAST: NO_AUTOMA,
        Rule.LAST_ORGANIZER_ROW: N_ROWS,
        **table(Rule.STRUCTURE_COST, STRUCTURE_COST),
        **table(Rule.FIELD_CAPACITY, FIELD_CAPACITY),
        **table(Rule.BONUS_OF_ACT, BONUS_OF_ACT),
    }


def table(first: Rule, values: tuple[int, ...]) -> dict[int, int]:
    """The numbers of a table, one place after the other."""
    return {int(first) + i: value for i, value in enumerate(values)}
