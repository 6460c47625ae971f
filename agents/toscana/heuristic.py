"""The all-round bot: a piece in every round, water where it pays, sales of what brings more now than later."""

from vitienv.agents.toscana.rule_agent import RuleAgent
from vitienv.agents.toscana.weights import Weights

HEURISTIC = Weights()


class HeuristicAgent(RuleAgent):
    """A solid player without a special plan: see `weights.Weights` for what it values."""

    def __init__(self) -> None:
        super().__init__("heuristic", HEURISTIC)
