"""The all-round bot: plants for the orders in hand, trains early, plays visitors by what they bring."""

from vitienv.agents.rules import RuleAgent
from vitienv.agents.weights import Weights

HEURISTIC = Weights()


class HeuristicAgent(RuleAgent):
    """A solid player without a special plan: see `weights.Weights` for what it values."""

    def __init__(self) -> None:
        super().__init__("heuristic", HEURISTIC)
