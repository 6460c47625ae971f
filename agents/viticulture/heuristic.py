"""The all-round bot: plants for the orders in hand, trains early, plays visitors by what they bring."""

from dataclasses import replace

import numpy as np

from vitienv.agents.viticulture.rule_agent import RuleAgent, Rules
from vitienv.agents.viticulture.weights import Weights
from vitienv.core.definition import Definition
from vitienv.viticulture.observation import OBSERVATION

HEURISTIC = Weights()
# Found by trying changes on common seeds at the levels normal and hard: 0.2 and 0.4 points more than the above.
SOLO = replace(
    HEURISTIC,
    lira_high=8,
    lira_rich=10,
    lira_fade=761,
    residual_year=47,
    worker_less=-2,
    tasting_year=36,
    cottage_year=63,
    yoke_year=2,
    trellis_year=27,
    large_year=6,
    field_open=11,
    summer_card=15,
    winter_card=34,
    over_limit=7,
    vine_locked=57,
    sparkling=161,
    sparkling_value=12,
    from_grape=73,
    ageing=16,
    row_3=17,
    row_4=23,
    draw_order=33,
    grande=29,
    save=82,
    place_least=-8,
    make_more=6,
)


class HeuristicAgent(RuleAgent):
    """A solid player without a special plan: see `weights.Weights` for what it values.

    At a table of World it plays for the team; team: else for its own points alone, see `world.strategies`.
    """

    def __init__(self, team: bool = True) -> None:
        super().__init__("heuristic" if team else "heuristic (own points)", HEURISTIC, SOLO)
        self.team = team

    def knows(self, table: Definition) -> bool:
        """See `RuleAgent.knows`."""
        return super().knows(table) or table.rule_of_thumb == "heuristic"

    def rules_of(self, observations: np.ndarray) -> tuple[Rules, np.ndarray]:
        """See `RuleAgent.rules_of`. World's are loaded when they are first asked for."""
        if observations.shape[1] == OBSERVATION.n:
            return super().rules_of(observations)
        from vitienv.agents.viticulture.world.strategies import SELFISH, TEAM
        from vitienv.agents.viticulture.world.team import RULES as OF_A_TEAM
        from vitienv.agents.viticulture.world.weights import record

        return OF_A_TEAM, record(TEAM if self.team else SELFISH)
