"""Viticulture Essential Edition for 2 to 6 players: the neutral numbers of `state.LEVERS`."""

from typing import TYPE_CHECKING

from vitienv.core.options import listed
from vitienv.viticulture.board import Bonus
from vitienv.viticulture.enums import Act, Space
from vitienv.viticulture.state import Rule

if TYPE_CHECKING:
    from vitienv.viticulture.options import Options

PLAYERS = range(2, 7)
OPTIONS = ("draft_parents", "friendly", "sell_bonus")
SELL_BONUS = {"point": Bonus.VP, "lira": Bonus.LIRA}  # R7.19

LEFT_SPACES, MIDDLE_SPACES, RIGHT_SPACES = 1 << Space.LEFT, 1 << Space.BONUS, 1 << Space.RIGHT
# Spaces of each action that are in use, by number of players (Essential, Scaling the game).
SPACES = {1: LEFT_SPACES, 2: LEFT_SPACES}
SPACES |= dict.fromkeys((3, 4), LEFT_SPACES | MIDDLE_SPACES)
SPACES |= dict.fromkeys((5, 6), LEFT_SPACES | MIDDLE_SPACES | RIGHT_SPACES)


def check(options: "Options") -> None:
    """ValueError for a `sell_bonus` that is not one of the two."""
    if options.sell_bonus not in SELL_BONUS:
        raise ValueError(f"unknown sell_bonus {options.sell_bonus!r}; expected one of: {listed([*SELL_BONUS])}")


def numbers(options: "Options") -> dict[int, int]:
    """The ruleset's numbers, by place in the rules."""
    return {
        Rule.SPACES: SPACES[int(options.num_players)],
        Rule.BONUS_OF_ACT + Act.SELL_GRAPES_OR_FIELD: SELL_BONUS[options.sell_bonus],
    }


def table(first: int, values: tuple[int, ...]) -> dict[int, int]:
    """The numbers of a table, one place after the other."""
    return {int(first) + i: value for i, value in enumerate(values)}
