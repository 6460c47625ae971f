"""World's options and the rule parameters of a game (World, Overview; General setup)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from vitienv.core import options as core
from vitienv.core.options import SHORT, option
from vitienv.viticulture.options import check_choices
from vitienv.viticulture.state import Rule
from vitienv.world.components import read
from vitienv.world.enums import CONTINENTS, EVENTS_IN_GAME
from vitienv.world.state import RULE_PARAMETERS, WorldRule
from vitienv.world.tables import DEFAULT, Tables, tables

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec

EVENTS = ORDERED, SHUFFLED = ("ordered", "shuffled")
PARENTS = NEW_ALONE, MIXED = ("world", "mixed")
TRAINING = OUT, HATS = ("out", "hats")
PARTNERS = BURATTINO, NO_PARTNER = ("burattino", "none")
MANY_SEATS = 4  # minimum for two spaces per action (W11)


@dataclass(frozen=True)
class Options(core.Options):
    """Options of a game. Raises ValueError for an invalid one."""

    home: ClassVar[str] = "vitienv.world.game_spec"
    RULESETS: ClassVar[tuple[str, ...]] = ("world",)
    LIMIT: ClassVar[str] = "max_years"
    FILES: ClassVar[tuple[str, ...]] = ("components",)
    SAYS_NONE: ClassVar[tuple[str, ...]] = ("partner",)

    num_players: int = option(None, "1 to 6 seats; `None` is 2")
    max_years: int | None = option(None, "the game is truncated after this year", is_asked=True)
    continent: str = option(CONTINENTS[0], ", ".join(f'`"{name}"`' for name in CONTINENTS), CONTINENTS, True)
    events: str = option(ORDERED, '`"ordered"`, cards 1 to 6, or `"shuffled"`, six random ones', EVENTS, True)
    parents: str = option(
        NEW_ALONE, '`"world"`, red and blue cards, or `"mixed"` with the original ones', PARENTS, True
    )
    training_visitors: str = option(
        OUT, 'visitors that train: `"out"` of the game, or they remove `"hats"`', TRAINING, True
    )
    partner: str | None = option(
        None, 'one seat, by default the first: `"burattino"`, simulated, or `"none"`', PARTNERS, True
    )  # fmt: skip
    vp_each: int | None = option(None, "points that every seat must reach; other numbers are for study")
    years: int | None = option(None, "number of years, 1 to 6 (the deck has six events); fewer are for study")
    influence_start: int | None = option(None, "start of the token; other numbers are for study")
    components: Mapping[str, Any] | None = field(default=None, hash=False, metadata={
        "meaning": "corrections of reconstructed data: a mapping or the path of a TOML file"
    })  # fmt: skip

    def players(self) -> range:
        """Return the supported numbers of seats (W2)."""
        return range(1, 7)

    def default_num_players(self) -> int:
        """Return the default number of seats."""
        return 2

    def validate(self) -> None:
        """Raise ValueError for an invalid option."""
        check_choices(self)
        self.check_number("vp_each", 0, 1000)
        self.check_number("years", 1, EVENTS_IN_GAME)
        self.check_number("influence_start", 0, 100)
        if self.partner is not None and self.num_players != 1:
            raise ValueError(f"partner must be None with {self.num_players} seats, got {self.partner!r}")
        if self.components is not None:
            object.__setattr__(self, "components", read(self.components))
        if self.events == SHUFFLED and not self.tables.may_shuffle[CONTINENTS.index(self.continent)]:
            raise ValueError(f"events must be 'ordered' on {self.continent!r}, got 'shuffled'")
        end = self.tables.numbers["influence_end"]
        if self.influence_start is not None and self.influence_start > end:
            raise ValueError(f"influence_start must be at most {end}, the end of the track, got {self.influence_start}")

    @property
    def tables(self) -> Tables:
        """The data of the game."""
        return DEFAULT if self.components is None else tables(self.components)

    def rules(self) -> np.ndarray:
        """Return the rule parameters, int64 (W2, W3, W11, W13, W16, W18, W24, W103)."""
        data, seats = self.tables, int(self.num_players)
        printed = data.numbers
        spaces = "alone" if seats == 1 else "many" if seats >= MANY_SEATS else "few"
        names = ("influence_end", "vp_each", "over_achieve_at", "yellow_hats", "blue_hats", "hand_limit")
        numbers = {
            Rule.NUM_PLAYERS: seats,
            Rule.MAX_YEARS: self.max_years or 0,
            Rule.SKIP_FORCED: self.skip_forced,
            Rule.OPEN_HANDS: self.open_hands,
            Rule.GOAL_VP: SHORT,  # no early end
            Rule.TIE_BREAKS: 0,
            Rule.LAST_YEAR: printed["last_year"] if self.years is None else self.years,
            Rule.START_VP: printed["start_vp"],
            WorldRule.CONTINENT: CONTINENTS.index(self.continent),
            WorldRule.SHUFFLED: int(self.events == SHUFFLED),
            WorldRule.MIXED_PARENTS: int(self.parents == MIXED),
            WorldRule.PARTNER: int(seats == 1 and self.partner != NO_PARTNER),
            WorldRule.TRAINERS: int(self.training_visitors == HATS),
            WorldRule.SPACES_EACH: printed[f"spaces_{spaces}"],
            WorldRule.START_INFLUENCE: data.start_influence[seats]
            if self.influence_start is None
            else self.influence_start,
            **{WorldRule[name.upper()]: printed[name] for name in (*names, "tiles_a_year", "ovals_a_year")},
            WorldRule.OVER_ACHIEVE_GAIN: printed["over_achieve_gain"],
        }
        if self.vp_each is not None:
            numbers[WorldRule.VP_EACH] = self.vp_each
        rules = RULE_PARAMETERS.neutral()
        for rule, number in numbers.items():
            rules[rule] = number
        return rules

    @property
    def game_spec(self) -> "GameSpec":
        """The game specification; custom data have their own kernels."""
        return import_module(self.home).spec_for(self.tables)
