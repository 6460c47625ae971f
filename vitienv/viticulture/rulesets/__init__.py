"""Rulesets as numbers: the options a user gives, checked, and the `rules` that each game carries."""

from dataclasses import asdict, dataclass, replace

import numpy as np

from vitienv.viticulture import board
from vitienv.viticulture.names import MAX_SEATS
from vitienv.viticulture.score import REWARDS
from vitienv.viticulture.state import N_RULES, SHORT, Rule

RULESETS = ("essential",)
MIN_PLAYERS = 2
# Spaces of each action that are in use, by number of players (Essential, Scaling the game).
SPACES = {2: 1, 3: 2, 4: 2, 5: 3, 6: 3}


@dataclass(frozen=True)
class Options:
    """What a game is played with. ValueError names the option that is wrong and what would be right.

    ruleset: "essential". num_players: 2 to 6. reward: "win", "rank" or "margin". max_years: the game is cut off
    (truncated) after this year; None for no limit. skip_forced: decisions with one legal action are taken by the
    engine. open_hands: observations show every hand. draft_parents: two mamas and two papas each, keep one of
    each. friendly: a bonus space only if its bonus is used, or if no other space of the action is free.
    """

    ruleset: str = "essential"
    num_players: int = 2
    reward: str = "win"
    max_years: int | None = None
    skip_forced: bool = False
    open_hands: bool = False
    draft_parents: bool = False
    friendly: bool = False

    def __post_init__(self) -> None:
        if self.ruleset not in RULESETS:
            raise ValueError(f"unknown ruleset {self.ruleset!r}; there is {', '.join(map(repr, RULESETS))}")
        if not _is_whole(self.num_players) or not MIN_PLAYERS <= self.num_players <= MAX_SEATS:
            allowed = f"a number from {MIN_PLAYERS} to {MAX_SEATS}"
            raise ValueError(f"num_players is {self.num_players!r}; it must be {allowed}")
        if self.reward not in REWARDS:
            raise ValueError(f"unknown reward {self.reward!r}; there is {', '.join(map(repr, REWARDS))}")
        if self.max_years is not None and (not _is_whole(self.max_years) or not 1 <= self.max_years <= SHORT):
            raise ValueError(f"max_years is {self.max_years!r}; it must be None or a number from 1 to {SHORT}")
        for name in ("skip_forced", "open_hands", "draft_parents", "friendly"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be True or False")

    @classmethod
    def of(cls, **options: object) -> "Options":
        """Options from keywords. TypeError names an unknown one."""
        unknown = sorted(set(options) - set(cls.__dataclass_fields__))
        if unknown:
            raise TypeError(f"unknown option {unknown[0]!r}; there is {', '.join(cls.__dataclass_fields__)}")
        return cls(**options)  # type: ignore[arg-type]

    def with_(self, **changes: object) -> "Options":
        """The same options with some changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """The options as plain JSON."""
        return asdict(self)

    def rules(self) -> np.ndarray:
        """The numbers that each game carries, (N_RULES,) int64."""
        rules = np.zeros(N_RULES, np.int64)
        rules[Rule.NUM_PLAYERS] = self.num_players
        rules[Rule.GOAL_VP] = board.GOAL_VP
        rules[Rule.MAX_YEARS] = self.max_years or 0
        rules[Rule.DRAFT_PARENTS] = self.draft_parents
        rules[Rule.FRIENDLY] = self.friendly
        rules[Rule.SKIP_FORCED] = self.skip_forced
        rules[Rule.OPEN_HANDS] = self.open_hands
        rules[Rule.SPACES] = SPACES[int(self.num_players)]
        return rules

    @property
    def reward_number(self) -> int:
        """The reward as the engine counts it."""
        return REWARDS.index(self.reward)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
