"""Viticulture Essential Edition for 2 to 6 players: the neutral numbers of `state.LEVERS`."""

from typing import TYPE_CHECKING

from vitienv.viticulture.names import Space
from vitienv.viticulture.state import Rule

if TYPE_CHECKING:
    from vitienv.viticulture.options import Options

PLAYERS = range(2, 7)
OPTIONS = ("draft_parents", "friendly")

LEFT_SPACES, MIDDLE_SPACES, RIGHT_SPACES = 1 << Space.LEFT, 1 << Space.BONUS, 1 << Space.RIGHT
# Spaces of each action that are in use, by number of players (Essential, Scaling the game).
SPACES = {1: LEFT_SPACES, 2: LEFT_SPACES}
SPACES |= dict.fromkeys((3, 4), LEFT_SPACES | MIDDLE_SPACES)
SPACES |= dict.fromkeys((5, 6), LEFT_SPACES | MIDDLE_SPACES | RIGHT_SPACES)


def check(options: "Options") -> None:
    """Nothing to add to what is checked for all rulesets."""


def numbers(options: "Options") -> dict[int, int]:
    """The ruleset's numbers, by place in the rules."""
    return {Rule.SPACES: SPACES[int(options.num_players)]}


def table(first: int, values: tuple[int, ...]) -> dict[int, int]:
    """The numbers of a table, one place after the other."""
    return {int(first) + i: value for i, value in enumerate(values)}
