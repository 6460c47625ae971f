"""The all-round bot of Toscana."""

from vitienv.agents.toscana.rule_agent import RuleAgent
from vitienv.agents.toscana.weights import Weights

HEURISTIC = Weights()


class HeuristicAgent(RuleAgent):
    """Heuristic bot without a special strategy; see `weights.Weights`."""

    def __init__(self) -> None:
        super().__init__("heuristic", HEURISTIC)
