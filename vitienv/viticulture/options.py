"""Viticulture's options, checked, and the numbers that each game carries for them.

A ruleset is a module with the players it allows, its own options, a check of them and its numbers.
"""

from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from vitienv.core import options as core
from vitienv.core.options import option
from vitienv.viticulture.rulesets import essential, original, solo
from vitienv.viticulture.state import RULE_PARAMETERS, Rule

MODULES: dict[str, ModuleType] = {"essential": essential, "solo": solo, "original": original}
OWN_OPTIONS = tuple(dict.fromkeys(name for module in MODULES.values() for name in module.OPTIONS))


@dataclass(frozen=True)
class Options(core.Options):
    """What a game is played with. ValueError names the option that is wrong and what would be right."""

    home: ClassVar[str] = "vitienv.viticulture.game_spec"
    RULESETS: ClassVar[tuple[str, ...]] = tuple(MODULES)
    FLAGS: ClassVar[tuple[str, ...]] = (
        *core.Options.FLAGS, "draft_parents", "friendly", "aggressive", "redraw_visitors",
    )  # fmt: skip
    LIMIT: ClassVar[str] = "max_years"

    ruleset: str = option("", '`"essential"`, `"solo"` (against the Automa, see [solo](solo.md)) or `"original"`')
    num_players: int = option(None, "2 to 6 seats; solo 1, with a stand-in 2; `None` takes the least")
    max_years: int | None = option(
        None, "the game is cut off after this year; that truncates, it does not terminate", is_asked=True
    )
    draft_parents: bool = option(
        False, "essential, solo: a variant: two mamas and two papas each, keep one of each", is_asked=True
    )
    friendly: bool = option(
        False, "essential: a variant: a bonus space only for its bonus, or if no other space of the action is free",
        is_asked=True,
    )  # fmt: skip
    sell_bonus: str = option(
        "point", 'essential, solo: the bonus of selling, `"point"` or `"lira"`', tuple(essential.SELL_BONUS)
    )
    difficulty: str = option(
        solo.NORMAL, 'solo: `"very_easy"`, `"easy"`, `"normal"`, `"hard"`, `"very_hard"`', solo.DIFFICULTIES, True
    )  # fmt: skip
    aggressive: bool = option(
        False, "solo: ahead of the Automa at the end of every year, or lost; at easy, normal and hard", is_asked=True
    )
    challenge: int | None = option(None, "solo: 1 to 8 of the campaign", is_asked=True)
    bonus_tokens: int = option(0, "solo: bonus action tokens in hand at the start")
    redraw_visitors: bool = option(
        False, "solo: visitors that help only through others stay in the decks and are redrawn"
    )
    automa_replacement: str | None = option(
        None, 'solo: `None` for the Automa; a second seat, `"rival"` under the solo rules, `"blocker"` that only blocks'
    )
    start_vp: int | None = option(None, "solo: points at the start; `None`: of the level and the challenge")
    start_lira: int | None = option(None, "solo: lira at the start, likewise")
    automa_vp: int | None = option(None, "solo: points of the Automa, likewise")
    regular_workers: int | None = option(None, "solo: the most regular workers, likewise")
    medium_wine_vp: int | None = option(None, "solo: points for a wine of the medium cellar, likewise")
    large_wine_vp: int | None = option(None, "solo: points for a wine of the large cellar, likewise")
    preset: str = option(
        original.SECOND_EDITION, 'original: `"second_edition"` or `"manual_literal"`', original.PRESETS, True
    )
    train_price: int | None = option(None, "original: lira for training a worker; `None`: of the preset")
    large_cellar_price: int | None = option(None, "original: lira for the large cellar, likewise")
    field_capacities: tuple[int, int, int] | None = option(None, "original: of the three fields, likewise")

    @property
    def _module(self) -> ModuleType:
        return MODULES[self.ruleset]

    def players(self) -> range:
        """How many seats: those of the ruleset, or the learner and a bot in the Automa's place."""
        return (
            range(2, 3)
            if self.automa_replacement is not None and "automa_replacement" in self._module.OPTIONS
            else self._module.PLAYERS
        )

    def hint_for_players(self) -> str:
        """A seat in the Automa's place is an option."""
        can_stand_in = "automa_replacement" in self._module.OPTIONS and self.automa_replacement is None
        return " (2 with automa_replacement)" if can_stand_in else ""

    def check_own(self) -> None:
        """Refuse what belongs to other rulesets, then what the ruleset itself finds wrong."""
        if isinstance(self.field_capacities, list):  # as JSON gives them
            object.__setattr__(self, "field_capacities", tuple(self.field_capacities))
        for own in fields(self):
            if own.name not in OWN_OPTIONS or getattr(self, own.name) == own.default:
                continue
            if own.name not in self._module.OPTIONS:
                homes = " and ".join(repr(name) for name, module in MODULES.items() if own.name in module.OPTIONS)
                given = f"{own.name} is {getattr(self, own.name)!r}"
                raise ValueError(f"{given}; it belongs to ruleset {homes}, not to {self.ruleset!r}")
        self._module.check(self)

    def to_dict(self) -> dict[str, Any]:
        """The options as plain JSON; those of other rulesets are left out."""
        own = self._module.OPTIONS
        return {name: value for name, value in super().to_dict().items() if name not in OWN_OPTIONS or name in own}

    def rules(self) -> np.ndarray:
        """The numbers that each game carries, (N_RULES,) int64."""
        rules = RULE_PARAMETERS.neutral()
        rules[Rule.NUM_PLAYERS] = self.num_players
        rules[Rule.MAX_YEARS] = self.max_years or 0
        rules[Rule.DRAFT_PARENTS] = self.draft_parents
        rules[Rule.FRIENDLY] = self.friendly
        rules[Rule.SKIP_FORCED] = self.skip_forced
        rules[Rule.OPEN_HANDS] = self.open_hands
        for rule, number in self._module.numbers(self).items():
            rules[rule] = number
        return rules

    @classmethod
    def among(cls, n_opponents: int, **options: Any) -> dict[str, Any]:
        """A bot beside the solo player stands in for the Automa, as a rival unless another form is named."""
        given = MODULES.get(options.get("ruleset", ""), essential)
        if n_opponents and "automa_replacement" in given.OPTIONS:
            return {"automa_replacement": solo.RIVAL, **options}
        return options


def rival_score(game: Any) -> int | None:
    """Where the Automa's marker stands; None in games without one."""
    return int(game.state.automa_vp) if game.state.rules[Rule.MARKER] else None


def outcome(game: Any) -> str | None:
    """How a game of the solo rules ended for seat 0: "win", "draw" or "loss"; None in games of equals."""
    if "automa_replacement" not in MODULES[game.options.ruleset].OPTIONS:
        return None
    marker = rival_score(game)
    ahead = game.scores[0] - (marker if marker is not None else game.scores[1])
    if game.state.lost or ahead < 0:
        return "loss"
    return "win" if ahead > 0 else "draw"
