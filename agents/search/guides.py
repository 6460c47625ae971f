"""Guides of a search: priors, values of leaves and playouts, of a heuristic bot or a network."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Protocol, Self, TypeAlias

import numpy as np

from vitienv.agents.champions import is_quick_default, rollout_network
from vitienv.agents.network import Network
from vitienv.agents.protocol import agent_kernels, bind_agent
from vitienv.core.batch import Batch
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net


class Evaluator(Protocol):
    """Protocol of a network."""

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return log-probabilities or logits (n, actions) of the legal actions, and values (n,) from -1 to 1.

        observations (n, features) int16; masks (n, actions) int8, all zeros where the viewer is not to act;
        both are valid during the call only. Rows are independent up to rounding.
        """
        ...


POINT = 100.0  # heuristic values are in hundredths of a point
QUICK, POLICY = "quick", "policy"  # playouts by a network

# Writes the choices for observations and masks into an array of actions.
Chooser: TypeAlias = Callable[[np.ndarray, np.ndarray, np.ndarray], None]


class Guide:
    """Base class of priors, values and playouts for a search.

    own_seat_only: leaves are valued by `evaluate` at decisions of the searching seat, otherwise by `heuristic_values`
    of all seats. uniform: all actions have the same prior. by_points: values are points. playout: "heuristic", "quick",
    "policy", "random" or "none". temperature: divides logits. scale: lead in points that counts as won.
    """

    own_seat_only = False
    uniform = False
    by_points = False
    temperature = 1.0
    scale = 1.0

    def __init__(self, bot: Any, playout: str) -> None:
        self.bot = bot
        self.playout = playout

    def bind(self, table: GameSpec) -> Self:
        """Return the guide for tables of a spec."""
        other = copy(self)
        other.bot = bind_agent(self.bot, table)
        return other

    def of_table(self, observation: np.ndarray) -> Self:
        """Return the guide for the table of an observation."""
        return self

    @property
    def player(self) -> Net | None:
        """Network for playouts in the kernel, without a policy prior; None with `play_on` or without playouts."""
        return None

    def kernels_for(self) -> list[Any]:
        """See `Bot.kernels_for`."""
        raise NotImplementedError

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return logits (n, actions) of the legal actions, and values (n,) if `own_seat_only`; see `Evaluator`."""
        raise NotImplementedError

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """Return the heuristic values of the viewers' positions in points, (n,), unless `own_seat_only`."""
        raise NotImplementedError

    def play_on(self, batch: Batch, rows: np.ndarray, last_rounds: np.ndarray, seats: np.ndarray) -> None:
        """Play games rows[k] to the end of last_rounds[k]; if `own_seat_only`, then until seats[k] is to act."""
        rounds, choose = batch.game_spec.round_numbers(batch), self._chooser()
        while True:
            is_waiting = (batch.seats[rows] != seats) & self.own_seat_only
            is_unfinished = (batch.seats[rows] >= 0) & ((rounds[rows] <= last_rounds) | is_waiting)
            rows, last_rounds, seats = rows[is_unfinished], last_rounds[is_unfinished], seats[is_unfinished]
            if len(rows) == 0:
                return
            actions = np.empty(len(rows), np.int64)
            choose(batch.obs[rows], batch.masks[rows], actions)
            batch.step_rows(rows, actions)

    def _chooser(self) -> Chooser:
        return make_chooser(self.bot)


class RuleGuide(Guide):
    """Guide with priors and values of a heuristic bot."""

    def __init__(self, bot: Any, playout: str, prior: bool, temperature: float, scale: float) -> None:
        """prior: False for uniform priors. temperature: score difference, in 1/100 point, of a factor e."""
        super().__init__(bot, playout)
        self.uniform = not prior or not hasattr(bot, "preferences")
        self.by_points = not hasattr(bot, "heuristic_values")
        self.temperature = temperature
        self.scale = scale

    def kernels_for(self) -> list[Any]:
        """See `Guide`."""
        is_called = {
            "preferences": not self.uniform,
            "heuristic_values": not self.by_points,
            "act": self.playout == "heuristic",
        }
        return [
            loop for method, condition in is_called.items() if condition for loop in agent_kernels(self.bot, method)
        ]

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Guide`."""
        return self.bot.preferences(observations, masks), np.zeros(len(masks))

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """See `Guide`."""
        return self.bot.heuristic_values(observations) / POINT


class NetworkGuide(Guide):
    """Guide with priors and values of a network.

    The network evaluates only decisions of the searching seat: games without playouts continue in the tree until then.
    Values of other seats are not the opposite: a network trained against weaker bots considers every seat a winner, and
    it has not seen seats that are not to act.
    """

    own_seat_only = True

    def __init__(self, network: Evaluator, playout: str, bot: Any, is_default: bool = False) -> None:
        """playout: as of `Guide`. is_default: "quick" becomes "policy" at tables where it is not the default."""
        super().__init__(bot, playout)
        self.network = network
        self.quick: Network | None = None
        self.is_default = is_default

    def bind(self, table: GameSpec) -> Self:
        """See `Guide`; calls the network's optional `bind_agent(table)`."""
        other = super().bind(table)
        other.quick = rollout_network(table) if self.playout == QUICK else None
        if hasattr(self.network, "bind_agent"):
            other.network = self.network.bind_agent(table)
        return other

    def of_table(self, observation: np.ndarray) -> Self:
        """See `Guide`; calls the network's optional `of_table(observation)`."""
        other = copy(self)
        if hasattr(self.network, "of_table"):
            other.network = self.network.of_table(observation)
        if self.is_default and self.quick is not None and not is_quick_default(self.quick.game_spec, observation):
            other.quick, other.playout = None, POLICY
        return other

    @property
    def player(self) -> Net | None:
        """See `Guide`; the network's optional `player` by default."""
        if self.quick is not None:
            return self.quick.net
        return getattr(self.network, "player", None) if self.playout in (QUICK, POLICY) else None

    def kernels_for(self) -> list[Any]:
        """See `Guide`; empty for user-defined networks."""
        kernels_for = getattr(self.network, "kernels_for", None)
        plays_on = self.playout in (QUICK, POLICY) and (self.quick is None or self.is_default)
        methods = ["evaluate"] + (["best"] if plays_on else [])
        loops = [] if kernels_for is None else [loop for method in methods for loop in kernels_for(method)]
        return loops + (agent_kernels(self.bot) if self.playout == "heuristic" else [])

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Guide`."""
        return self.network.evaluate(observations, masks)

    def _chooser(self) -> Chooser:
        return _greedy_chooser(self.network) if self.playout in (QUICK, POLICY) else super()._chooser()


def make_chooser(bot: Any) -> Chooser:
    """Return a function for repeated choices of a bot."""
    if hasattr(bot, "chooser"):
        return bot.chooser().choose

    def choose(observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        actions[:] = bot.act(observations, masks)

    return choose


def _greedy_chooser(network: Any) -> Chooser:
    def choose(observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        if hasattr(network, "best"):
            actions[:] = network.best(observations, masks)
        else:
            logits, _ = network.evaluate(observations, masks)
            actions[:] = np.where(masks, logits, -np.inf).argmax(axis=1)

    return choose
