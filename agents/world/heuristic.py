"""Heuristic bot of World: it plays for the team, or for the points of its seat."""

import numpy as np

from vitienv.agents.viticulture.rule_agent import RuleAgent
from vitienv.agents.world.strategies import SELFISH, TEAM
from vitienv.agents.world.team import RULES
from vitienv.agents.world.weights import record
from vitienv.core.game_spec import GameSpec
from vitienv.registry import game_spec


class HeuristicAgent(RuleAgent):
    """Heuristic bot with `weights.TeamWeights`; with `team=False` it values only the points of its seat."""

    rules = RULES

    def __init__(self, team: bool = True, game: str | GameSpec = "world") -> None:
        name = "heuristic" if team else "heuristic (own points)"
        super().__init__(name, TEAM if team else SELFISH, None, game_spec(game))
        if not self.supports(self.table):
            raise ValueError(f"agent 'heuristic' does not support {self.table.title}")

    def records(self) -> np.ndarray:
        """See `RuleAgent.records`."""
        return record(self.weights)
