"""Options of Toscana and the rule parameters that encode them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from vitienv.core import options as core
from vitienv.core.options import listed, option
from vitienv.toscana.components import CHAMPAGNE, PARTS, numbers_of, read
from vitienv.toscana.enums import MAX_SEATS, MIN_SEATS, Good
from vitienv.toscana.state import RULE_PARAMETERS, Rule

PRINTED, PIECES = "printed", "pieces"
MAPS = (PRINTED, PIECES)


@dataclass(frozen=True)
class Options(core.Options):
    """Options of a game. Raises ValueError for an invalid option."""

    home: ClassVar[str] = "vitienv.toscana.game_spec"
    RULESETS: ClassVar[tuple[str, ...]] = ("toscana",)
    FLAGS: ClassVar[tuple[str, ...]] = (*core.Options.FLAGS, "player_trades", "start_on_water")
    LIMIT: ClassVar[str] = "max_rounds"
    FILES: ClassVar[tuple[str, ...]] = ("components",)

    max_rounds: int | None = option(None, "the game is truncated after this round", is_asked=True)
    map: str = option(PRINTED, '`"printed"`, or a variant: `"pieces"`, laid at random', MAPS, True)
    player_trades: bool = option(
        False, "a variant: seats may trade boxes with each other during their trading", is_asked=True
    )
    start_on_water: bool = option(True, "start workers may be placed on water squares")
    components: Mapping[str, Any] | None = field(default=None, hash=False, metadata={
        "meaning": "corrections of reconstructed numbers: a mapping or the path of a TOML file"
    })  # fmt: skip

    def players(self) -> range:
        return range(MIN_SEATS, MAX_SEATS + 1)

    def validate(self) -> None:
        if self.map not in MAPS:
            raise ValueError(f"unknown map {self.map!r}; expected one of: {listed(MAPS)}")
        if self.components is not None:
            object.__setattr__(self, "components", read(self.components))

    def rules(self) -> np.ndarray:
        """Return the rule parameters of each game, (N_RULES,) int64."""
        rules = RULE_PARAMETERS.neutral()
        rules[Rule.NUM_PLAYERS] = self.num_players
        rules[Rule.MAX_ROUNDS] = self.max_rounds or 0
        rules[Rule.SKIP_FORCED] = self.skip_forced
        rules[Rule.OPEN_HANDS] = self.open_hands
        rules[Rule.PLAYER_TRADES] = self.player_trades
        rules[Rule.START_ON_WATER] = self.start_on_water
        rules[Rule.MAP_OF_PIECES] = self.map == PIECES
        places = {row.name: int(RULE_PARAMETERS.numbers[row.name.upper()]) for row in RULE_PARAMETERS.rows}
        places[PARTS[CHAMPAGNE][0]] = int(Rule.SUPPLY + Good.CHAMPAGNE)
        for rule_parameter, numbers in numbers_of(self.components or {}).items():
            rules[places[rule_parameter] : places[rule_parameter] + len(numbers)] = numbers
        return rules
