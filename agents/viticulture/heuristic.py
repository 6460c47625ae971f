"""The all-round bot: plants for the orders in hand, trains early, plays visitors by their gain."""

from dataclasses import replace
from typing import Any

from vitienv.agents.protocol import Bot
from vitienv.agents.registry import make_agent
from vitienv.agents.viticulture.rule_agent import RuleAgent
from vitienv.agents.viticulture.weights import Weights
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, game_spec

HEURISTIC = Weights()
# Tuned on common seeds at the levels normal and hard: 0.2 and 0.4 points more than HEURISTIC.
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
    """Heuristic bot without a special strategy; see `weights.Weights`.

    At tables of a derived game it is the heuristic bot of that game.
    """

    NAME = "heuristic"

    def __init__(self, game: str | GameSpec = DEFAULT) -> None:
        super().__init__(self.NAME, HEURISTIC, SOLO, game_spec(game))
        if not super().supports(self.table):
            raise ValueError(f"agent {self.NAME!r} does not support {self.table.title}")

    def supports(self, table: GameSpec) -> bool:
        """See `RuleAgent.supports`."""
        return super().supports(table) or (table.base_game == self.game and self.NAME in table.agents)

    def _rebound(self, table: GameSpec) -> Bot:
        if super().supports(table):
            return super()._rebound(table)
        other: Any = make_agent(self.NAME, game=table)
        return other
