"""Rulesets as numbers: the options a user gives, checked, and the `rules` that each game carries.

A ruleset is a module with the players it allows, its own options, a check of them and its numbers.
"""

from dataclasses import asdict, dataclass, fields, replace
from types import ModuleType

import numpy as np

from vitienv.viticulture.rulesets import essential, original, solo
from vitienv.viticulture.score import REWARDS
from vitienv.viticulture.state import N_RULES, SHORT, Rule

MODULES: dict[str, ModuleType] = {"essential": essential, "solo": solo, "original": original}
RULESETS = tuple(MODULES)
OWN_OPTIONS = tuple(dict.fromkeys(name for module in MODULES.values() for name in module.OPTIONS))
FLAGS = ("skip_forced", "open_hands", "draft_parents", "friendly", "aggressive", "redraw_visitors")


@dataclass(frozen=True)
class Options:
    """What a game is played with. ValueError names the option that is wrong and what would be right.

    ruleset: "essential", "solo" or "original". num_players: 2 to 6, 1 for solo; None takes the least. reward: "win",
    "rank" or "margin". max_years: the game is cut off (truncated) after this year; None for no limit. skip_forced:
    decisions with one legal action are taken by the engine. open_hands: observations show every hand.

    Variants. draft_parents (essential, solo): two mamas and two papas each, keep one of each. friendly (essential): a
    bonus space only if its bonus is used, or if no other space of the action is free.

    Solo. difficulty: "very_easy" to "very_hard". aggressive: the Automa scores every year. challenge: 1 to 8 of the
    campaign. bonus_tokens: bonus action tokens at the start. redraw_visitors: visitors that help only through others
    stay in the decks and are redrawn. stand_in: None for the Automa, "rival" for a second seat under the solo rules,
    "blocker" for a second seat whose workers only block. start_vp, start_lira, automa_vp, regular_workers,
    medium_wine_vp, large_wine_vp: None for those of the level and the challenge.

    Original edition. preset: "second_edition" or "manual_literal". train_price, large_cellar_price, field_capacities
    (three numbers): None for those of the preset.
    """

    ruleset: str = "essential"
    num_players: int = None  # type: ignore[assignment]
    reward: str = "win"
    max_years: int | None = None
    skip_forced: bool = False
    open_hands: bool = False
    draft_parents: bool = False
    friendly: bool = False
    difficulty: str = solo.NORMAL
    aggressive: bool = False
    challenge: int | None = None
    bonus_tokens: int = 0
    redraw_visitors: bool = False
    stand_in: str | None = None
    start_vp: int | None = None
    start_lira: int | None = None
    automa_vp: int | None = None
    regular_workers: int | None = None
    medium_wine_vp: int | None = None
    large_wine_vp: int | None = None
    preset: str = original.SECOND_EDITION
    train_price: int | None = None
    large_cellar_price: int | None = None
    field_capacities: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        if self.ruleset not in RULESETS:
            raise ValueError(f"unknown ruleset {self.ruleset!r}; there is {', '.join(map(repr, RULESETS))}")
        self._check_players()
        if self.reward not in REWARDS:
            raise ValueError(f"unknown reward {self.reward!r}; there is {', '.join(map(repr, REWARDS))}")
        self.check_number("max_years", 1, SHORT)
        for name in FLAGS:
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be True or False")
        if isinstance(self.field_capacities, list):  # as JSON gives them
            object.__setattr__(self, "field_capacities", tuple(self.field_capacities))
        self._check_own()
        MODULES[self.ruleset].check(self)

    def _check_players(self) -> None:
        """Fill in the number of players, or refuse it."""
        allowed = range(2, 3) if self.ruleset == "solo" and self.stand_in is not None else MODULES[self.ruleset].PLAYERS
        if self.num_players is None:
            object.__setattr__(self, "num_players", allowed.start)
        if not _is_whole(self.num_players) or self.num_players not in allowed:
            right = f"a number from {allowed.start} to {allowed.stop - 1}" if len(allowed) > 1 else str(allowed.start)
            hint = " (2 with a stand_in)" if self.ruleset == "solo" and self.stand_in is None else ""
            given = f"num_players is {self.num_players!r}"
            raise ValueError(f"{given}; for ruleset {self.ruleset!r} it must be {right}{hint}")

    def _check_own(self) -> None:
        """Refuse what belongs to other rulesets."""
        for field in fields(self):
            if field.name not in OWN_OPTIONS or getattr(self, field.name) == field.default:
                continue
            if field.name not in MODULES[self.ruleset].OPTIONS:
                homes = " and ".join(repr(name) for name, module in MODULES.items() if field.name in module.OPTIONS)
                given = f"{field.name} is {getattr(self, field.name)!r}"
                raise ValueError(f"{given}; it belongs to ruleset {homes}, not to {self.ruleset!r}")

    def check_number(self, name: str, low: int, high: int, is_optional: bool = True) -> None:
        """ValueError unless an option is a whole number in these bounds, or None where it is optional."""
        value = getattr(self, name)
        if value is None and is_optional:
            return
        if not _is_whole(value) or not low <= value <= high:
            none = "None or " if is_optional else ""
            raise ValueError(f"{name} is {value!r}; it must be {none}a number from {low} to {high}")

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
        """The options as plain JSON; those of other rulesets are left out."""
        own = MODULES[self.ruleset].OPTIONS
        found = {name: value for name, value in asdict(self).items() if name not in OWN_OPTIONS or name in own}
        if self.field_capacities is not None:
            found["field_capacities"] = list(self.field_capacities)
        return found

    def rules(self) -> np.ndarray:
        """The numbers that each game carries, (N_RULES,) int64."""
        rules = np.zeros(N_RULES, np.int64)
        rules[Rule.NUM_PLAYERS] = self.num_players
        rules[Rule.MAX_YEARS] = self.max_years or 0
        rules[Rule.DRAFT_PARENTS] = self.draft_parents
        rules[Rule.FRIENDLY] = self.friendly
        rules[Rule.SKIP_FORCED] = self.skip_forced
        rules[Rule.OPEN_HANDS] = self.open_hands
        for rule, number in MODULES[self.ruleset].numbers(self).items():
            rules[rule] = number
        return rules

    @property
    def reward_number(self) -> int:
        """The reward as the engine counts it."""
        return REWARDS.index(self.reward)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
