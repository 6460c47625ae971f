"""The opponents of self-play: the learner itself, its past selves, and heuristic bot.

In a share of the games (`share`) one seat, drawn by lot, is the learner's and each other seat is a member's; in the
others the learner has all seats. Members that the learner does not beat yet are met more often.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from vitienv.agents import Agent
from vitienv.agents.network import Network
from vitienv.agents.seeding import make_bots
from vitienv.core.batch import TRUNCATED
from vitienv.registry import canonical_name
from vitienv.training.selfplay.acting import Step, Work, can_be_asked_in_parts
from vitienv.training.selfplay.envs import Envs, Stepped
from vitienv.training.selfplay.network import PolicyValue

LEARNER = -1
MEMORY = 300.0  # games over which a result against a member is averaged
FLOOR = 0.05  # so that no member is forgotten


class League:
    """The members, the results against them, and who controls each seat of each env.

    seating (envs, most seats): LEARNER or the number of a member. scores (members,): the share of pairs of seats in
    which the learner ranked above the member, ties counting half; games (members,): over how many pairs.
    """

    def __init__(self, bots: Sequence[str], share: float, past: int, at_once: int, envs: Envs, seed: int) -> None:
        """past: how many past selves are kept at most. at_once: how many of them play at a time, each being a batch of
        its own. seed: of the seating here; the choice of past selves depends on `seed_of_all` alone."""
        self.names = list(bots)
        self.bots: list[Agent] = make_bots(bots, seed, canonical_name(envs.game_spec))
        self.share, self.past, self.at_once = share, past, at_once
        self.selves: list[PolicyValue] = []
        self.players: list[Network] = []  # the same, to be played
        self.scores, self.games = np.full(len(bots), 0.5), np.zeros(len(bots))
        self.active = np.arange(len(bots))
        self.envs = envs
        self.seating = np.full((envs.n, envs.game_spec.max_seats), LEARNER)
        self._chance = np.random.default_rng([seed, 1])
        self._won, self._met = np.zeros(0), np.zeros(0)
        self._clear()
        self.seat(np.arange(envs.n))

    def __len__(self) -> int:
        return len(self.names)

    def _clear(self) -> None:
        self._won, self._met = np.zeros(len(self)), np.zeros(len(self))

    def weights(self) -> np.ndarray:
        """How often each member is drawn, before normalising, (members,)."""
        return (1 - self.scores) ** 2 + FLOOR

    def seat(self, envs: np.ndarray) -> None:
        """Draw who sits where in the new games of these envs."""
        n = len(envs)
        self.seating[envs] = LEARNER
        is_mixed = (self._chance.random(n) < self.share) & (self.envs.players[envs] > 1)
        weights = self.weights()[self.active]
        if not len(self.active):
            return
        size = (n, self.seating.shape[1])
        drawn = self.active[self._chance.choice(len(self.active), size=size, p=weights / weights.sum())]
        own = (self._chance.random(n) * self.envs.players[envs]).astype(np.int64)
        drawn[np.arange(n), own] = LEARNER
        self.seating[envs[is_mixed]] = drawn[is_mixed]

    def after(self, stepped: Stepped) -> None:
        """Note the results of the games that ended and seat their successors."""
        over = np.flatnonzero(stepped.ended)
        if not len(over):
            return
        rows = over[stepped.ended[over] != TRUNCATED]
        seating = self.seating[rows]
        is_there = np.arange(self.seating.shape[1]) < self.envs.players[rows, None]
        is_member = (seating != LEARNER) & is_there
        mixed = is_member.any(axis=1)
        rows, seating, is_member = rows[mixed], seating[mixed], is_member[mixed]
        own = (seating == LEARNER).argmax(axis=1)
        ranks = stepped.ranks[rows]
        mine = ranks[np.arange(len(rows)), own][:, None]
        result = np.where(mine < ranks, 1.0, np.where(mine == ranks, 0.5, 0.0))
        np.add.at(self._won, seating[is_member], result[is_member])
        np.add.at(self._met, seating[is_member], 1.0)
        self.seat(over)

    def tally(self, summed: Any = None) -> None:
        """Take the results since the last call into the scores. summed: adds up arrays of all processes."""
        won, met = (self._won, self._met) if summed is None else (summed(self._won), summed(self._met))
        kept = np.minimum(self.games, np.maximum(MEMORY - met, 0))
        total = kept + met
        self.scores = np.where(met > 0, (self.scores * kept + won) / np.maximum(total, 1), self.scores)
        self.games = total
        self._clear()

    def remember(self, network: PolicyValue, name: str) -> None:
        """Add the learner as it is now. When the league is full, the younger of the two past selves that are closest
        in age goes: the oldest one stays, and the others spread over the run."""
        if self.past < 1:
            return
        first = len(self.bots)
        if len(self.selves) >= self.past:
            ages = np.array([int(self.names[first + i].partition("@")[2]) for i in range(len(self.selves))])
            self._drop(0 if len(ages) < 2 else 1 + int(np.diff(ages).argmin()))
        self._add(copy.deepcopy(network), name)
        self._clear()

    def _add(self, network: PolicyValue, name: str) -> None:
        frozen = network.eval().requires_grad_(False)
        self.selves.append(frozen)
        self.players.append(frozen.compiled())
        self.names.append(name)
        self.scores, self.games = np.append(self.scores, 0.5), np.append(self.games, 0.0)

    def _drop(self, number: int) -> None:
        at = len(self.bots) + number
        del self.selves[number], self.players[number], self.names[at]
        self.scores, self.games = np.delete(self.scores, at), np.delete(self.games, at)
        # Games against the one that goes are played on by its successor in the list.
        self.seating = np.where(self.seating > at, self.seating - 1, self.seating)
        self.seating[self.seating >= len(self.names)] = len(self.names) - 1
        self.active = np.arange(len(self.bots))

    def choose_active(self, seed_of_all: Sequence[int]) -> None:
        """Draw the past selves that new games are played against; the same in every process."""
        chance = np.random.default_rng([*seed_of_all, 2])
        first, n = len(self.bots), min(self.at_once, len(self.selves))
        weights = self.weights()[first:]
        drawn: Any = chance.choice(len(self.selves), size=n, replace=False, p=weights / weights.sum()) if n else []
        self.active = np.concatenate([np.arange(first), first + np.sort(np.asarray(drawn, np.int64))])

    def controllers(self) -> np.ndarray:
        """The member or learner that decides now in each env, (envs,)."""
        return self.seating[np.arange(self.envs.n), self.envs.seats]

    def past_self(self, number: int) -> PolicyValue:
        """The network of a member that is a past self."""
        return self.selves[number - len(self.bots)]

    def works(self, who: np.ndarray, step: Step) -> list[tuple[Work, np.ndarray]]:
        """The remaining work of the members' choices of a step: heuristic bots and past selves may be asked in parts.

        who (envs,): who decides, below 0 no member. Other bots, which may have chance of their own, have been asked
        when this returns.
        """
        left = []
        for number in np.flatnonzero(np.bincount(who[who >= 0])).tolist():  # neither the learner nor nobody
            rows = np.flatnonzero(who == number)
            if number >= len(self.bots):
                left.append((step.draw_for(self.players[number - len(self.bots)]), rows))
                continue
            bot = self.bots[number]
            work = step.choose_by(partial(self.envs.ask, bot))
            if can_be_asked_in_parts(bot):
                left.append((work, rows))
            else:
                work(rows)
        return left

    def standing(self) -> dict[str, float]:
        """The learner's score against each member that it has met."""
        return {name: float(self.scores[i]) for i, name in enumerate(self.names) if self.games[i] > 0}

    def state(self) -> dict[str, Any]:
        """The changing state without the seating, which each process has for itself."""
        return {
            "names": self.names[len(self.bots) :],
            "selves": [network.state_dict() for network in self.selves],
            "scores": torch.from_numpy(self.scores), "games": torch.from_numpy(self.games),
            "active": torch.from_numpy(self.active),
        }  # fmt: skip

    def local_state(self) -> dict[str, Any]:
        """What is this process's own."""
        return {"seating": torch.from_numpy(self.seating.copy()), "chance": self._chance.bit_generator.state}

    def restore(self, state: dict[str, Any], seats: dict[str, Any] | None, like: PolicyValue) -> None:
        """Put back what `state` and `own_state` gave. like: a network of the same architecture and device."""
        self.names[len(self.bots) :] = state["names"]
        self.selves, self.players = [], []
        for saved in state["selves"]:
            network = copy.deepcopy(like).eval().requires_grad_(False)
            network.load_state_dict(saved)
            self.selves.append(network)
            self.players.append(network.compiled())
        self.scores, self.games = state["scores"].numpy().copy(), state["games"].numpy().copy()
        self.active = state["active"].numpy().copy()
        self._clear()
        if seats is not None:
            self.seating = seats["seating"].numpy().copy()
            self._chance.bit_generator.state = seats["chance"]
