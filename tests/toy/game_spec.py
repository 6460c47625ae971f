"""Definition of the toy game."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from tests.toy import rules
from vitienv.core import options
from vitienv.core.action_spec import ActionSpec
from vitienv.core.fields import Field, Visibility, empty_record, record_dtype
from vitienv.core.frames import FRAME_WIDTH
from vitienv.core.game_spec import GameSpec, LeadFeatures, RoundSpec
from vitienv.core.kernel import build
from vitienv.core.observation_spec import Feature, ObservationSpec

SEATS, DEPTH = 3, 4
FIELDS = (
    Field("key", (2,), "u4", 0, 2**32 - 1, Visibility.HIDDEN, "chance key", empty=0),
    Field("chance", (2,), "u4", 0, 2**32 - 1, Visibility.HIDDEN, "words used: of the deck, of random choices", empty=0),
    Field(
        "rules", (len(rules.RULE_PARAMETERS),), "i2", 0, options.SHORT, Visibility.PUBLIC, "rule parameters", empty=0
    ),
    Field("frames", (DEPTH, FRAME_WIDTH), "i2", -options.SHORT, options.SHORT, Visibility.ENGINE, "pending", empty=0),
    Field("depth", (), "i1", 0, DEPTH, Visibility.ENGINE, "pending frames", empty=0),
    Field("status", (), "i1", 0, 2, Visibility.PUBLIC, "playing, over, truncated", empty=0),
    Field("turn", (), "i1", 0, rules.LAST_ROUND, Visibility.PUBLIC, "from 1", empty=0),
    Field("points", (SEATS,), "i1", 0, rules.LAST_ROUND, Visibility.PUBLIC, "points", empty=0),
    Field("hand", (SEATS,), "i1", 0, rules.CARDS, Visibility.PRIVATE, "the card, 0 none", empty=0),
    Field("deck", (rules.CARDS,), "i1", 0, 1, Visibility.HIDDEN, "cards in the deck", empty=1),
)
ACTIONS = ActionSpec({"choice": ["keep", "draw"]})
OBSERVATION = ObservationSpec([
    Feature("round", (1,), "the round", 0, rules.LAST_ROUND),
    Feature("card", (1,), "the own card", 0, rules.CARDS, unit=10),
    Feature("points", (SEATS,), "points, the viewer's first", 0, rules.LAST_ROUND),
    Feature("present", (SEATS,), "seats taken", 0, 1),
])  # fmt: skip


@dataclass(frozen=True)
class Options(options.Options):
    home: ClassVar[str] = __name__
    RULESETS: ClassVar[tuple[str, ...]] = ("plain",)
    LIMIT: ClassVar[str] = "max_rounds"

    max_rounds: int | None = options.option(None, "cut off after this round")

    def players(self) -> range:
        return range(2, SEATS + 1)

    def rules(self) -> np.ndarray:
        return np.array([self.num_players, self.skip_forced, self.max_rounds or 0], np.int64)


KERNELS = build(__name__, Path(__file__).resolve().parent, (), rules.OPERATIONS, rules.RULE_PARAMETERS, {
    "N_ACTIONS": ACTIONS.n, "N_OBSERVATION": OBSERVATION.n, "EMPTY": empty_record(FIELDS), "POLICY_STREAM": 1,
    "score_of": rules.points_of,
    **{name: getattr(rules, name) for name in ("new_game", "observe", "rank_of", "reward_of", "redeal_hidden")},
})  # fmt: skip
GAME_SPEC = GameSpec(
    name="toy",
    title="High card",
    options=Options,
    fields=FIELDS,
    dtype=record_dtype(FIELDS),
    actions=ACTIONS,
    observation=OBSERVATION,
    operations=rules.OPERATIONS,
    max_seats=SEATS,
    kernels=KERNELS,
    rounds=RoundSpec("turn", "round"),
    rule_parameters=rules.RULE_PARAMETERS,
    lead=LeadFeatures("points", "present", unit=5.0),
    tables={"2": {"num_players": 2}, "3": {"num_players": 3}},
)
