"""Viticulture Essential Edition for 2 to 6 players: the neutral rule parameters."""

from typing import TYPE_CHECKING

from vitienv.viticulture.board import Bonus
from vitienv.viticulture.cards import CardSet
from vitienv.viticulture.enums import Act, Space
from vitienv.viticulture.state import Rule

if TYPE_CHECKING:
    from vitienv.viticulture.options import Options

PLAYERS = range(2, 7)
OPTIONS = ("draft_parents", "friendly", "sell_bonus", "visitors")
SELL_BONUS = {"point": Bonus.VP, "lira": Bonus.LIRA}  # R7.19
VISITORS = {"all": CardSet.ALL, "train": CardSet.TRAIN, "held_out": CardSet.HELD_OUT}

LEFT_SPACES, MIDDLE_SPACES, RIGHT_SPACES = 1 << Space.LEFT, 1 << Space.BONUS, 1 << Space.RIGHT
# Spaces of each action in use, by number of players (Essential, Scaling the game).
SPACES = {1: LEFT_SPACES, 2: LEFT_SPACES}
SPACES |= dict.fromkeys((3, 4), LEFT_SPACES | MIDDLE_SPACES)
SPACES |= dict.fromkeys((5, 6), LEFT_SPACES | MIDDLE_SPACES | RIGHT_SPACES)


def numbers(options: "Options") -> dict[int, int]:
    """Return the rule parameters of the ruleset."""
    return {
        Rule.SPACES: SPACES[int(options.num_players)],
        Rule.CARD_SET: VISITORS[options.visitors],
        Rule.BONUS_OF_ACT + Act.SELL_GRAPES_OR_FIELD: SELL_BONUS[options.sell_bonus],
    }


def table(first: int, values: tuple[int, ...]) -> dict[int, int]:
    """Return a table as consecutive rule parameters."""
    return {int(first) + i: value for i, value in enumerate(values)}
