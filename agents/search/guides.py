"""What guides a search: how likely each action is, and how good a leaf is for each seat.

A guide is a rule of thumb with playouts, or a network. Both give logits for the actions at a node and values of leaves.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from vitienv.agents.search.standing import final_values, values
from vitienv.core.batch import OVER, PLAYING, TRUNCATED, Batch

LOWEST = -30.0  # logits are not below this, the best having 0


class Evaluator(Protocol):
    """A network, or what stands for one."""

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each of n observations what the viewing seat would do, and how good the game is for it.

        observations (n, observed numbers) int16; masks (n, actions) int8, all zeros where the viewer is not to act.
        Returns log-probabilities (n, actions) of the legal actions, of which only differences are read (logits
        will do), and values (n,) from -1 to 1. A row's answer depends on the other rows by rounding at most.
        """
        ...


class Guide(Protocol):
    """What a search asks for."""

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """(n, actions) float64, 0 for the best legal action of each row and less for the others."""
        ...

    def values(self, batch: Batch, rows: np.ndarray, last_round: int, seat: int) -> np.ndarray:
        """(len(rows), most seats) float64 from -1 to 1; the games may be played on, to the end of `last_round`.

        seat: who searches. For the other seats a guide may give the opposite of that seat's value.
        """
        ...


class RuleGuide:
    """Priors of a rule bot, and playouts by it, at random or not at all."""

    def __init__(self, bot: Any, playout: str, prior: bool, temperature: float, scale: float) -> None:
        """playout: "heuristic", "random" or "none". prior: else all actions are equally likely.

        temperature: the difference of scores, in hundredths of a point, that makes an action e times as likely.
        scale: points ahead that count as clearly won.
        """
        self.bot = bot
        self.playout = playout
        self.prior = prior
        self.temperature = temperature
        self.scale = scale

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Guide`."""
        if not self.prior or not hasattr(self.bot, "preferences"):
            return np.zeros(masks.shape)
        return below_best(self.bot.preferences(observations, masks) / self.temperature, masks)

    def values(self, batch: Batch, rows: np.ndarray, last_round: int, seat: int) -> np.ndarray:
        """See `Guide`."""
        play_on(batch, rows, last_round, self.playout, self.bot)
        return values(batch, rows, self.bot, self.scale)


class NetworkGuide:
    """Priors and values of a network, after playouts or without."""

    def __init__(self, network: Evaluator, temperature: float, playout: str, bot: Any) -> None:
        """temperature: log-probabilities are divided by it. playout: as of `RuleGuide`, by `bot`."""
        self.network = network
        self.temperature = temperature
        self.playout = playout
        self.bot = bot

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Guide`."""
        logs, _ = self.network.evaluate(observations, masks)
        return below_best(np.asarray(logs, np.float64) / self.temperature, masks)

    def values(self, batch: Batch, rows: np.ndarray, last_round: int, seat: int) -> np.ndarray:
        """See `Guide`. The network is asked for `seat` alone, when that seat is to act; until then the rule bot plays.

        Another seat's own value would not be the opposite: a network that learned against a weaker bot takes every
        seat for a winner, and a seat whose turn it is not for one it has never seen.
        """
        play_on(batch, rows, last_round, self.playout, self.bot)
        play_to(batch, rows, seat, chooser_of(self.bot))
        found = np.zeros((len(rows), batch.definition.max_seats))
        seats = batch.options.num_players
        is_over = batch.status[rows] == OVER
        if is_over.any():
            found[is_over, :seats] = final_values(batch, rows[is_over])
        going_on = rows[~is_over]
        if len(going_on):
            own = np.clip(self.network.evaluate(batch.obs[going_on], batch.masks[going_on])[1], -1, 1)
            found[~is_over, :seats] = np.where(np.arange(seats) == seat, own[:, None], -own[:, None])
        return found


class _Acting:
    """The choices of a bot that has no chooser of its own."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        actions[:] = self._bot.act(observations, masks)


def chooser_of(bot: Any) -> Any:
    """What makes a bot's choices for many calls in a row: `choose(observations, masks, actions)` writes the last."""
    return bot.chooser() if hasattr(bot, "chooser") else _Acting(bot)


def below_best(logits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The same logits with 0 for the best legal action of each row, and none below LOWEST."""
    best = np.where(masks != 0, logits, -np.inf).max(axis=1, keepdims=True)
    return np.maximum(logits - best, LOWEST)


def play_on(batch: Batch, rows: np.ndarray, last_round: int, playout: str, bot: Any) -> None:
    """Play some games to the end of `last_round` by a rule bot ("heuristic"), at "random", or not at all ("none")."""
    if playout == "heuristic":
        play_by_rules(batch, rows, last_round, chooser_of(bot))
    elif playout == "random":
        play_at_random(batch, rows, last_round)


def play_by_rules(batch: Batch, rows: np.ndarray, last_round: int, bot: Any) -> None:
    """Let a rule bot play all seats of some games until `last_round` is over or the game is."""
    rounds = batch.definition.rounds(batch)
    while True:
        rows = rows[(batch.seats[rows] >= 0) & (rounds[rows] <= last_round)]
        if len(rows) == 0:
            return
        play_once(batch, rows, bot)


def play_to(batch: Batch, rows: np.ndarray, seat: int, bot: Any) -> None:
    """Let a rule bot play some games until a seat is to act, or the game is over."""
    while True:
        rows = rows[(batch.seats[rows] >= 0) & (batch.seats[rows] != seat)]
        if len(rows) == 0:
            return
        play_once(batch, rows, bot)


def play_once(batch: Batch, rows: np.ndarray, bot: Any) -> None:
    """One decision by a rule bot in each of some games."""
    chosen = np.empty(len(rows), np.int64)
    bot.choose(batch.obs[rows], batch.masks[rows], chosen)
    batch.step_rows(rows, chosen)


def play_at_random(batch: Batch, rows: np.ndarray, last_round: int) -> None:
    """Play some games at random until `last_round` is over or the game is; the kernel does it in one call.

    The kernel plays all games of a batch that go on, so the others are paused meanwhile.
    """
    games, rounds = batch.games.view(np.ndarray), batch.definition.rounds(batch)
    status, cut_off = games["status"], games["rules"][:, batch.definition.lever(batch.definition.clock.limit)]
    others = np.ones(len(games), bool)
    others[rows] = False
    others |= status != PLAYING
    before, limits = status.copy(), cut_off.copy()
    status[others] = TRUNCATED
    cut_off[:] = np.where(limits > 0, np.minimum(limits, last_round), last_round)
    over_already = rounds > last_round
    status[over_already & ~others] = TRUNCATED
    batch.play_out()
    cut_off[:] = limits
    status[others] = before[others]
