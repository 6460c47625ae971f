"""Options of Viticulture and the rule parameters that encode them.

A ruleset is a module with its numbers of players, its options, its rule parameters, and possibly a check.
"""

from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from vitienv.core import options as core
from vitienv.core.options import listed, option
from vitienv.viticulture.rulesets import essential, original, solo
from vitienv.viticulture.state import RULE_PARAMETERS, Rule

MODULES: dict[str, ModuleType] = {"essential": essential, "solo": solo, "original": original}
RULESET_OPTIONS = tuple(dict.fromkeys(name for module in MODULES.values() for name in module.OPTIONS))


@dataclass(frozen=True)
class Options(core.Options):
    """Options of a game. Raises ValueError for an invalid option."""

    home: ClassVar[str] = "vitienv.viticulture.game_spec"
    RULESETS: ClassVar[tuple[str, ...]] = tuple(MODULES)
    FLAGS: ClassVar[tuple[str, ...]] = (
        *core.Options.FLAGS, "draft_parents", "friendly", "aggressive", "redraw_visitors",
    )  # fmt: skip
    LIMIT: ClassVar[str] = "max_years"

    ruleset: str = option("", '`"essential"`, `"solo"` (against the Automa, see [solo](solo.md)) or `"original"`')
    num_players: int = option(None, "2 to 6 seats; solo 1, or 2 with `automa_replacement`; `None`: the minimum")
    max_years: int | None = option(None, "the game is truncated after this year", is_asked=True)
    draft_parents: bool = option(
        False, "essential, solo: variant: choose one of two mamas and one of two papas", is_asked=True
    )
    friendly: bool = option(
        False, "essential: variant: bonus spaces only for their bonus, or if no other space of the action is free",
        is_asked=True,
    )  # fmt: skip
    sell_bonus: str = option(
        "point", 'essential, solo: the bonus of selling, `"point"` or `"lira"`', tuple(essential.SELL_BONUS)
    )
    visitors: str = option(
        "all", 'essential: visitors in the decks, `"all"`, 60 to `"train"` with, or the other 16, `"held_out"`',
        tuple(essential.VISITORS),
    )  # fmt: skip
    difficulty: str = option(
        solo.NORMAL, 'solo: `"very_easy"`, `"easy"`, `"normal"`, `"hard"`, `"very_hard"`', solo.DIFFICULTIES, True
    )  # fmt: skip
    aggressive: bool = option(
        False, "solo: lost unless ahead of the Automa at the end of every year; at easy, normal and hard", is_asked=True
    )
    challenge: int | None = option(None, "solo: 1 to 8 of the campaign", is_asked=True)
    bonus_tokens: int = option(0, "solo: bonus action tokens in hand at the start")
    redraw_visitors: bool = option(
        False, "solo: keep visitors that act only through opponents in the decks and redraw them"
    )
    automa_replacement: str | None = option(
        None, 'solo: `None` for the Automa; a second seat, `"rival"` under solo rules, `"blocker"` that only blocks',
        solo.STAND_INS,
    )  # fmt: skip
    start_vp: int | None = option(None, "solo: starting points; `None`: set by difficulty and challenge")
    start_lira: int | None = option(None, "solo: starting lira; `None` as above")
    automa_vp: int | None = option(None, "solo: points of the Automa; `None` as above")
    regular_workers: int | None = option(None, "solo: maximum of regular workers; `None` as above")
    medium_wine_vp: int | None = option(None, "solo: points per wine in the medium cellar; `None` as above")
    large_wine_vp: int | None = option(None, "solo: points per wine in the large cellar; `None` as above")
    preset: str = option(
        original.SECOND_EDITION, 'original: `"second_edition"` or `"manual_literal"`', original.PRESETS, True
    )
    train_price: int | None = option(None, "original: price of a worker; `None`: set by the preset")
    large_cellar_price: int | None = option(None, "original: price of the large cellar; `None` as above")
    field_capacities: tuple[int, int, int] | None = option(
        None, "original: capacities of the three fields; `None` as above"
    )

    @property
    def _module(self) -> ModuleType:
        return MODULES[self.ruleset]

    def players(self) -> range:
        """Return the numbers of seats of the ruleset; 2 with `automa_replacement`."""
        return (
            range(2, 3)
            if self.automa_replacement is not None and "automa_replacement" in self._module.OPTIONS
            else self._module.PLAYERS
        )

    def hint_for_players(self) -> str:
        can_stand_in = "automa_replacement" in self._module.OPTIONS and self.automa_replacement is None
        return " (2 with automa_replacement)" if can_stand_in else ""

    def validate(self) -> None:
        """Raise ValueError for options of other rulesets and for invalid ones."""
        if isinstance(self.field_capacities, list):  # JSON has lists
            object.__setattr__(self, "field_capacities", tuple(self.field_capacities))
        for field in fields(self):
            if field.name not in RULESET_OPTIONS or getattr(self, field.name) == field.default:
                continue
            if field.name not in self._module.OPTIONS:
                homes = " and ".join(repr(name) for name, module in MODULES.items() if field.name in module.OPTIONS)
                value = getattr(self, field.name)
                raise ValueError(
                    f"{field.name} must be {field.default!r} in ruleset {self.ruleset!r}, got {value!r}; "
                    f"it belongs to ruleset {homes}"
                )
        check_choices(self)
        if hasattr(self._module, "check"):
            self._module.check(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the options as JSON values, without those of other rulesets."""
        ruleset_options = self._module.OPTIONS
        return {
            name: value
            for name, value in super().to_dict().items()
            if name not in RULESET_OPTIONS or name in ruleset_options
        }

    def rules(self) -> np.ndarray:
        """Return the rule parameters of each game, (N_RULES,) int64."""
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
    def with_opponents(cls, n_opponents: int, **options: Any) -> dict[str, Any]:
        """Return the options for some opponents: a bot in a solo game replaces the Automa, by default as a rival."""
        ruleset = MODULES.get(options.get("ruleset", ""), essential)
        if n_opponents and "automa_replacement" in ruleset.OPTIONS:
            return {"automa_replacement": solo.RIVAL, **options}
        return options


def check_choices(options: core.Options) -> None:
    """Raise ValueError for an unknown word of an option."""
    for field in fields(options):
        value, choices = getattr(options, field.name), field.metadata.get("choices")
        if choices and value != field.default and value not in choices:
            words = (None, *choices) if field.default is None else choices
            raise ValueError(f"unknown {field.name} {value!r}; expected one of: {listed(words)}")


def rival_score(game: Any) -> int | None:
    """Return the position of the Automa's marker, or None."""
    return int(game.state.automa_vp) if game.state.rules[Rule.MARKER] else None


def outcome(game: Any) -> str | None:
    """Return the result of a solo game for seat 0: "win", "draw" or "loss"; None for other rulesets."""
    if "automa_replacement" not in MODULES[game.options.ruleset].OPTIONS:
        return None
    marker = rival_score(game)
    margin = game.scores[0] - (marker if marker is not None else game.scores[1])
    if game.state.lost or margin < 0:
        return "loss"
    return "win" if margin > 0 else "draw"
