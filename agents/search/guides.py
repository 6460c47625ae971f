"""What guides a search: how likely each action is, and how good a leaf is for each seat.

A guide is a rule of thumb with playouts, or a network. Both give logits for the actions at a node and values of leaves.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from vitienv.agents import choices as c
from vitienv.agents.rules import LEVELS, RuleAgent, choose
from vitienv.agents.search.standing import final_values, seen_by, values
from vitienv.agents.view import AT_DECISION, N_DECISIONS, POSITION, WORDS
from vitienv.agents.weights import records
from vitienv.viticulture.batch import Batch
from vitienv.viticulture.kernel import LEAVE, PLAYOUT, RANDOM, STEP
from vitienv.viticulture.names import MAX_SEATS
from vitienv.viticulture.state import OVER, PLAYING, TRUNCATED, Rule
from vitienv.viticulture.vocabulary import N_ACTIONS

LOWEST = -30.0  # logits are not below this, the best having 0
# Decisions whose scores say what comes first and not how much it matters, with what one step of them counts for.
DECISION_PART = slice(AT_DECISION, AT_DECISION + N_DECISIONS)
UNITS = {c.CHOOSE_WINE: 50.0, c.RETRIEVE_WORKER: 30.0, c.SWAP_VINES: 30.0}


class Evaluator(Protocol):
    """A network, or what stands for one."""

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each of n observations what the viewing seat would do, and how good the game is for it.

        observations (n, N_OBSERVATION) int16; masks (n, N_ACTIONS) int8, all zeros where the viewer is not to act.
        Returns log-probabilities (n, N_ACTIONS) of the legal actions, of which only differences are read (logits
        will do), and values (n,) from -1 to 1. A row's answer must not depend on the other rows.
        """
        ...


class Guide(Protocol):
    """What a search asks for."""

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """(n, N_ACTIONS) float64, 0 for the best legal action of each row and less for the others."""
        ...

    def values(self, batch: Batch, rows: np.ndarray, last_year: int) -> np.ndarray:
        """(len(rows), MAX_SEATS) float64 from -1 to 1; the games may be played on, to the end of `last_year`."""
        ...


class RuleGuide:
    """Priors of a rule bot, and playouts by it, at random or not at all."""

    def __init__(self, bot: RuleAgent, playout: str, prior: bool, temperature: float, scale: float) -> None:
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
        found = np.zeros((len(masks), N_ACTIONS))
        if not self.prior:
            return found
        scratch, action = Scratch(self.bot), np.empty(1, np.int64)
        for i in range(len(masks)):
            scores = scratch.choose(observations[i : i + 1], masks[i : i + 1], action)
            decision = int(observations[i, DECISION_PART].argmax())
            found[i] = scores * (UNITS.get(decision, 1.0) / self.temperature)
        return below_best(found, masks)

    def values(self, batch: Batch, rows: np.ndarray, last_year: int) -> np.ndarray:
        """See `Guide`."""
        if self.playout == "heuristic":
            play_by_rules(batch, rows, last_year, Scratch(self.bot))
        elif self.playout == "random":
            play_at_random(batch, rows, last_year)
        return values(batch, rows, self.bot, self.scale)


class NetworkGuide:
    """Priors and values of a network; nothing is played out."""

    def __init__(self, network: Evaluator, temperature: float) -> None:
        """temperature: log-probabilities are divided by it."""
        self.network = network
        self.temperature = temperature

    def logits(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """See `Guide`."""
        logs, _ = self.network.evaluate(observations, masks)
        return below_best(np.asarray(logs, np.float64) / self.temperature, masks)

    def values(self, batch: Batch, rows: np.ndarray, last_year: int) -> np.ndarray:
        """See `Guide`. Every seat is asked for its own view; with two seats one is, the other has the opposite."""
        found = np.zeros((len(rows), MAX_SEATS))
        seats = batch.options.num_players
        is_over = batch.games.status[rows] == OVER
        if is_over.any():
            found[is_over, :seats] = final_values(batch, rows[is_over])
        going_on = rows[~is_over]
        if len(going_on) == 0:
            return found
        own = np.zeros((len(going_on), seats))
        for seat in range(seats if seats > 2 else 1):
            viewers = np.full(len(going_on), seat, np.int8)
            seen = seen_by(batch, going_on, viewers)
            masks = np.where((batch.seats[going_on] == seat)[:, None], batch.masks[going_on], 0).astype(np.int8)
            own[:, seat] = np.clip(self.network.evaluate(seen, masks)[1], -1, 1)
        if seats == 2:
            own[:, 1] = -own[:, 0]
        found[~is_over, :seats] = own
        return found


class Scratch:
    """A rule bot's compiled choice with its working space, which is made once for many calls."""

    def __init__(self, bot: RuleAgent) -> None:
        self.weights = records(bot.weights, bot.solo)
        self.flat = np.zeros((LEVELS, WORDS), np.int32)
        self.positions = self.flat.view(POSITION)[:, 0].view(np.recarray)
        self.scores = np.zeros(N_ACTIONS, np.int64)

    def choose(self, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Write the bot's choices into actions (n,) int64; returns the scores of the last row (N_ACTIONS,)."""
        choose(observations, masks, self.weights, self.positions, self.flat, self.scores, actions)
        return self.scores


def below_best(logits: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The same logits with 0 for the best legal action of each row, and none below LOWEST."""
    best = np.where(masks != 0, logits, -np.inf).max(axis=1, keepdims=True)
    return np.maximum(logits - best, LOWEST)


def play_by_rules(batch: Batch, rows: np.ndarray, last_year: int, bot: Scratch) -> None:
    """Let a rule bot play all seats of some games until `last_year` is over or the game is."""
    games = batch.games.view(np.ndarray)
    status, years = games["status"], games["year"]
    while True:
        rows = rows[(status[rows] == PLAYING) & (years[rows] <= last_year)]
        if len(rows) == 0:
            return
        chosen = np.empty(len(rows), np.int64)
        bot.choose(batch.obs[rows], batch.masks[rows], chosen)
        batch.actions.fill(LEAVE)
        batch.actions[rows] = chosen
        batch.step()


def play_at_random(batch: Batch, rows: np.ndarray, last_year: int) -> None:
    """Play some games at random until `last_year` is over or the game is; the kernel does it in one call.

    The kernel plays all games of a batch that go on, so the others are paused meanwhile.
    """
    games = batch.games
    others = np.ones(len(games), bool)
    others[rows] = False
    others |= games.status != PLAYING
    status = games.status.copy()
    limits = games.rules[:, Rule.MAX_YEARS].copy()
    games.status[others] = TRUNCATED
    games.rules[:, Rule.MAX_YEARS] = np.where(limits > 0, np.minimum(limits, last_year), last_year)
    over_already = games.year > last_year
    games.status[over_already & ~others] = TRUNCATED
    batch.run(STEP | RANDOM | PLAYOUT)
    games.rules[:, Rule.MAX_YEARS] = limits
    games.status[others] = status[others]
