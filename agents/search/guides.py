"""What guides a search: how likely each action is, and how good a leaf is for each seat.

A guide is a heuristic bot with playouts, or a network.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Protocol, Self

import numpy as np

from vitienv.agents.champions import is_quick_usual, quick_of
from vitienv.agents.network import Network
from vitienv.agents.protocol import agent_kernels, bind_agent
from vitienv.core.batch import Batch
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net


class Evaluator(Protocol):
    """A network, or what stands for one."""

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each of n observations what the viewing seat would do, and how good the game is for it.

        observations (n, observed numbers) int16; masks (n, actions) int8, all zeros where the viewer is not to act;
        both are valid during the call only. Returns log-probabilities (n, actions) of the legal actions, of which only
        differences are read (logits will do), and values (n,) from -1 to 1. A row's answer depends on the other rows by
        rounding at most.
        """
        ...


class Guide(Protocol):
    """What a search asks for.

    to_own: leaves are valued by `judge`, for the seat that searches and at its own decisions, or else by what each
    seat's position is worth. uniform: all actions are as likely. by_points: a position is worth its points. playout:
    how a leaf is played on, "heuristic", "quick", "policy", "random" or "none". temperature: logits are divided by it.
    scale: points ahead that count as clearly won.
    """

    to_own: bool
    uniform: bool
    by_points: bool
    playout: str
    temperature: float
    scale: float

    def bind(self, table: GameSpec) -> Self:
        """The guide of searches at tables of a definition."""
        ...

    def of_table(self, observation: np.ndarray) -> Self:
        """The guide of searches at the table of an observation."""
        ...

    @property
    def player(self) -> Net | None:
        """The network without a policy prior that plays leaves on; None where `play_on` does, or nobody."""
        ...

    def kernels_for(self) -> list[Any]:
        """See `Bot.kernels_for`."""
        ...

    def judge(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits (n, actions) of the legal actions, and values (n,) if leaves are valued so; see `Evaluator`."""
        ...

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """What the viewers' positions are worth, in points, (n,)."""
        ...

    def play_on(self, batch: Batch, rows: np.ndarray, last_rounds: np.ndarray, seats: np.ndarray) -> None:
        """Play games rows[k] to the end of last_rounds[k]; `to_own`, until seats[k] is to act."""
        ...


POINT = 100.0  # worth is in hundredths of a victory point
QUICK, POLICY = "quick", "policy"  # the playouts that need a network


class RuleGuide:
    """Priors of a rule bot, and playouts by it, at random or not at all."""

    to_own = False

    def __init__(self, bot: Any, playout: str, prior: bool, temperature: float, scale: float) -> None:
        """prior: else all actions are equally likely.

        temperature: the difference of scores, in hundredths of a point, that makes an action e times as likely.
        """
        self.bot = bot
        self.uniform = not prior or not hasattr(bot, "preferences")
        self.by_points = not hasattr(bot, "heuristic_values")
        self.playout = playout
        self.temperature = temperature
        self.scale = scale

    def bind(self, table: GameSpec) -> Self:
        """See `Guide`."""
        other = copy(self)
        other.bot = bind_agent(self.bot, table)
        return other

    def of_table(self, observation: np.ndarray) -> Self:
        """See `Guide`."""
        return self

    @property
    def player(self) -> Net | None:
        """See `Guide`."""
        return None

    def kernels_for(self) -> list[Any]:
        """See `Guide`."""
        asked = {
            "preferences": not self.uniform,
            "heuristic_values": not self.by_points,
            "act": self.playout == "heuristic",
        }
        return [loop for what, is_asked in asked.items() if is_asked for loop in agent_kernels(self.bot, what)]

    def judge(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Guide`."""
        return self.bot.preferences(observations, masks), np.zeros(len(masks))

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """See `Guide`."""
        return self.bot.heuristic_values(observations) / POINT

    def play_on(self, batch: Batch, rows: np.ndarray, last_rounds: np.ndarray, seats: np.ndarray) -> None:
        """See `Guide`."""
        play_by_rules(batch, rows, last_rounds, chooser_of(self.bot))


class NetworkGuide:
    """Priors and values of a network, after playouts or without.

    The network is asked for the searching seat alone, when that seat is to act; until then the others take their ways
    through the tree. Another seat's own value would not be the opposite: a network that learned against a weaker bot
    takes every seat for a winner, and a seat whose turn it is not for one it has never seen.
    """

    to_own = True
    uniform = False
    by_points = False
    scale = 1.0

    def __init__(self, network: Evaluator, temperature: float, playout: str, bot: Any, is_usual: bool = False) -> None:
        """playout: "heuristic", which is `bot`; "policy", by the network itself; "quick", by the small one that ships
        for this, or where none does as "policy"; or another of `Guide`'s. is_usual: nobody asked for that playout, so
        "quick" is "policy" at tables where the row of the small network says so."""
        self.network = network
        self.quick: Network | None = None
        self.temperature = temperature
        self.playout = playout
        self.bot = bot
        self.is_usual = is_usual

    def bind(self, table: GameSpec) -> Self:
        """See `Guide`; a network may say by `bind_agent` which it is at the tables of a definition."""
        other = copy(self)
        other.bot = bind_agent(self.bot, table)
        other.quick = quick_of(table) if self.playout == QUICK else None
        if hasattr(self.network, "bind_agent"):
            other.network = self.network.bind_agent(table)
        return other

    def of_table(self, observation: np.ndarray) -> Self:
        """See `Guide`; a network may say by `of_table` which it is at the table of an observation."""
        other = copy(self)
        if hasattr(self.network, "of_table"):
            other.network = self.network.of_table(observation)
        if self.is_usual and self.quick is not None and not is_quick_usual(self.quick.game_spec, observation):
            other.quick, other.playout = None, POLICY
        return other

    @property
    def player(self) -> Net | None:
        """See `Guide`; a network may say by `player` who plays on."""
        if self.quick is not None:
            return self.quick.net
        return getattr(self.network, "player", None) if self.playout in (QUICK, POLICY) else None

    def kernels_for(self) -> list[Any]:
        """See `Guide`; a network from elsewhere says nothing of what it compiles."""
        own = getattr(self.network, "kernels_for", None)
        plays_on = self.playout in (QUICK, POLICY) and (self.quick is None or self.is_usual)
        asked = ["evaluate"] + (["best"] if plays_on else [])
        loops = [] if own is None else [loop for what in asked for loop in own(what)]
        return loops + (agent_kernels(self.bot) if self.playout == "heuristic" else [])

    def judge(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Guide`."""
        return self.network.evaluate(observations, masks)

    def heuristic_values(self, observations: np.ndarray) -> np.ndarray:
        """See `Guide`: never asked for."""
        raise NotImplementedError

    def play_on(self, batch: Batch, rows: np.ndarray, last_rounds: np.ndarray, seats: np.ndarray) -> None:
        """See `Guide`."""
        bot = _Likeliest(self.network) if self.playout in (QUICK, POLICY) else chooser_of(self.bot)
        play_by_rules(batch, rows, last_rounds, bot)
        play_to(batch, rows, seats, bot)


class _Acting:
    """The choices of a bot that has no chooser of its own."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        actions[:] = self._bot.act(observations, masks)


class _Likeliest:
    """The choices of a network, for whoever is to act: what it says is most likely."""

    def __init__(self, network: Evaluator) -> None:
        self._best = getattr(network, "best", self._by_logits)
        self._network = network

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        actions[:] = self._best(observations, masks)

    def _by_logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits, _ = self._network.evaluate(observations, masks)
        return np.where(masks, logits, -np.inf).argmax(axis=1)


def chooser_of(bot: Any) -> Any:
    """What makes a bot's choices for many calls in a row: `choose(observations, masks, actions)` writes the last."""
    return bot.chooser() if hasattr(bot, "chooser") else _Acting(bot)


def play_by_rules(batch: Batch, rows: np.ndarray, last_rounds: np.ndarray, bot: Any) -> None:
    """Let a rule bot play all seats of games rows[k] until last_rounds[k] is over or the game is."""
    rounds = batch.game_spec.rounds(batch)
    while True:
        is_on = (batch.seats[rows] >= 0) & (rounds[rows] <= last_rounds)
        rows, last_rounds = rows[is_on], last_rounds[is_on]
        if len(rows) == 0:
            return
        play_once(batch, rows, bot)


def play_to(batch: Batch, rows: np.ndarray, seats: np.ndarray, bot: Any) -> None:
    """Let a rule bot play games rows[k] until seats[k] is to act, or the game is over."""
    while True:
        is_on = (batch.seats[rows] >= 0) & (batch.seats[rows] != seats)
        rows, seats = rows[is_on], seats[is_on]
        if len(rows) == 0:
            return
        play_once(batch, rows, bot)


def play_once(batch: Batch, rows: np.ndarray, bot: Any) -> None:
    """One decision by a rule bot in each of some games."""
    chosen = np.empty(len(rows), np.int64)
    bot.choose(batch.obs[rows], batch.masks[rows], chosen)
    batch.step_rows(rows, chosen)
