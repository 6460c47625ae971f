"""The all-round bot: plants for the orders in hand, trains early, plays visitors by what they bring."""

from dataclasses import replace

import numpy as np

from vitienv.agents.viticulture.rule_agent import RuleAgent
from vitienv.agents.viticulture.weights import Weights
from vitienv.core.definition import Definition
from vitienv.games import DEFAULT, definition
from vitienv.viticulture.state import LEVERS

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

    def __init__(self, team: bool = True, game: str | Definition = DEFAULT) -> None:
        super().__init__("heuristic" if team else "heuristic (own points)", HEURISTIC, SOLO, definition(game))
        self.team = team
        if self.table.levers is not LEVERS:  # World's are loaded when somebody plays it
            from vitienv.agents.world.team import RULES

            self.rules = RULES
        if not super().knows(self.table):
            raise ValueError(f"agent 'heuristic' does not know the rules of {self.table.title}")

    def knows(self, table: Definition) -> bool:
        """See `RuleAgent.knows`."""
        from vitienv.world.state import LEVERS as OF_WORLD

        return table.levers is LEVERS or table.levers is OF_WORLD

    def records(self) -> np.ndarray:
        """See `RuleAgent.records`."""
        if self.rules.levers is LEVERS:
            return super().records()
        from vitienv.agents.world.strategies import SELFISH, TEAM
        from vitienv.agents.world.weights import record

        return record(TEAM if self.team else SELFISH)

    def _moved(self, table: Definition) -> "HeuristicAgent":
        return HeuristicAgent(self.team, table)
