"""What was played since the last update, and the advantage of every decision.

Decisions of the seats of a game interleave, and a seat's reward comes when the game ends, often after another seat's
decision. So each seat's decisions in a game are a trajectory of their own. The last decision of a trajectory that is
not over when a rollout ends is not learned from yet: it is carried over, and learned from once the seat's next
decision, or its result, is known. Every decision is learned from exactly once, with its true successor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from vitienv.core.batch import TRUNCATED
from vitienv.core.definition import Definition
from vitienv.training.selfplay.acting import Step
from vitienv.training.selfplay.card import Fetched
from vitienv.training.selfplay.envs import TERMINATED

KEPT = ("observations", "masks", "advice", "actions", "log_probs", "values")  # of each decision
GIVEN = ("observations", "masks", "advice")  # what the network takes in
OPEN, FOLLOWED = 0, 3  # of a trajectory, seen from its end: nothing known yet; a later decision is known


@dataclass(frozen=True)
class Linked:
    """advantages (steps, envs), learned (steps, envs) bool; the same of the carried decisions (envs, most seats)."""

    advantages: np.ndarray
    learned: np.ndarray
    carried_advantages: np.ndarray
    carried_learned: np.ndarray


def link(
    values: np.ndarray, seats: np.ndarray, own: np.ndarray, rewards: np.ndarray, ended: np.ndarray,
    carried_values: np.ndarray, carried: np.ndarray, gamma: float, gae_lambda: float,
) -> Linked:  # fmt: skip
    """Generalised advantages along each seat's own decisions.

    values, seats, own, ended (steps, envs): of the decision taken at each step, whether it is the learner's, and
    whether it ended the game, TERMINATED or TRUNCATED. rewards (steps, envs, most seats). carried_values and carried
    (envs, most seats): decisions from before the rollout whose successor was not known yet. gamma and gae_lambda count
    in a seat's own decisions. After a truncation the value of the seat's last decision stands for what would have come:
    the game that was cut off is gone by then.
    """
    steps, envs = values.shape
    most = rewards.shape[2]
    after = np.zeros((envs, most), np.int8)  # what follows a seat's decision
    value = np.zeros((envs, most), np.float32)  # of the decision that follows, or the result
    following = np.zeros((envs, most), np.float32)  # its advantage

    def advantage(which: Any, own_value: np.ndarray) -> np.ndarray:
        kind = after[which]
        then = np.where(kind == TERMINATED, value[which], gamma * np.where(kind == TRUNCATED, own_value, value[which]))
        return np.where(kind == OPEN, 0.0, then - own_value + gamma * gae_lambda * following[which]).astype(np.float32)

    advantages, learned = np.zeros((steps, envs), np.float32), np.zeros((steps, envs), bool)
    for t in range(steps - 1, -1, -1):
        over = np.flatnonzero(ended[t])
        after[over] = ended[t, over, None]
        value[over], following[over] = rewards[t, over], 0.0
        rows = np.flatnonzero(own[t])
        which = rows, seats[t, rows]
        advantages[t, rows] = found = advantage(which, values[t, rows])
        learned[t, rows] = after[which] != OPEN
        after[which], value[which], following[which] = FOLLOWED, values[t, rows], found
    return Linked(advantages, learned, advantage(..., carried_values), carried & (after != OPEN))


class Rollout:
    """The decisions of some steps of all envs, on the learner's device.

    Rows 0 to `first` - 1 are for carried decisions, row first + t * envs + i is step t of env i.
    observations (rows, observed numbers) int16, masks (rows, actions) int8, advice (rows, advised) int16, what the
    network's adviser says, actions (rows,) int64, log_probs (rows,) float32, the logarithm of the probability with
    which the action was chosen, values (rows,) float32.
    """

    def __init__(
        self, game: Definition, num_steps: int, players: np.ndarray, advised: int, device: torch.device
    ) -> None:
        self.num_steps, self.num_envs = num_steps, len(players)
        self.first = int(players.sum())
        rows = self.first + num_steps * self.num_envs
        self.observations = torch.zeros((rows, game.observation.n), dtype=torch.int16, device=device)
        self.masks = torch.zeros((rows, game.actions.n), dtype=torch.int8, device=device)
        self.advice = torch.zeros((rows, advised), dtype=torch.int16, device=device)
        self.actions = torch.zeros(rows, dtype=torch.int64, device=device)
        self.log_probs = torch.zeros(rows, dtype=torch.float32, device=device)
        self.values = torch.zeros(rows, dtype=torch.float32, device=device)
        self.seats = np.zeros((num_steps, self.num_envs), np.int64)
        self.own = np.zeros((num_steps, self.num_envs), bool)
        self.ended = np.zeros((num_steps, self.num_envs), np.int8)
        self.rewards = np.zeros((num_steps, self.num_envs, game.max_seats), np.float32)
        self.carried = np.full((self.num_envs, game.max_seats), -1, np.int64)  # the row of each carried decision
        self._taught: torch.Tensor | None = None
        self.is_on_cpu = device.type == "cpu"
        if not self.is_on_cpu:  # what the games write on their side of the bus
            self._host = [torch.zeros((self.num_envs, n), dtype=kind).pin_memory()
                          for n, kind in ((game.observation.n, torch.int16), (game.actions.n, torch.int8))]  # fmt: skip

    def taught(self) -> torch.Tensor:
        """The probabilities that a teacher gives to actions, (rows, actions) float16, to be written too."""
        if self._taught is None:
            self._taught = torch.zeros(self.masks.shape, dtype=torch.float16, device=self.masks.device)
        return self._taught

    def rows(self, t: int) -> slice:
        """The rows of a step."""
        return slice(self.first + t * self.num_envs, self.first + (t + 1) * self.num_envs)

    def look(self, envs: Any, t: int) -> tuple[Any, Any]:
        """Let the envs write what they show at step t; returns it as arrays (envs, ...) on the host, or as what fetches
        their rows."""
        rows = self.rows(t)
        if envs.is_on_device:
            envs.look(self.observations[rows], self.masks[rows])
            return Fetched(self.observations[rows]), Fetched(self.masks[rows])
        if self.is_on_cpu:
            seen, masks = self.observations[rows].numpy(), self.masks[rows].numpy()
            envs.look(seen, masks)
            return seen, masks
        seen, masks = (tensor.numpy() for tensor in self._host)
        envs.look(seen, masks)
        self.observations[rows].copy_(self._host[0], non_blocking=True)
        self.masks[rows].copy_(self._host[1], non_blocking=True)
        return seen, masks

    def note(self, t: int, envs: np.ndarray, seats: np.ndarray) -> None:
        """Note at step t whose decisions they are: those in the envs `own` (k,) int64 are the learner's."""
        self.own[t], self.seats[t] = False, seats
        self.own[t, envs] = True

    def keep(self, t: int, envs: np.ndarray, seats: np.ndarray, step: Step) -> None:
        """Note at step t whose decisions they are, and what the learner decided in the envs `own` (k,) int64."""
        self.note(t, envs, seats)
        rows = self.first + t * self.num_envs + envs
        for name in ("advice", "actions", "log_probs", "values"):
            kept, decided = getattr(self, name), getattr(step, name)[envs]
            if self.is_on_cpu:
                kept.numpy()[rows] = decided  # torch's threads would spin on, beside those that act
            else:
                kept[torch.from_numpy(rows).to(kept.device)] = torch.from_numpy(decided).to(kept.device)

    def given(self, rows: Any) -> tuple[torch.Tensor, ...]:
        """What the network takes in: observations, masks and advice of some rows."""
        return tuple(getattr(self, name)[rows] for name in GIVEN)

    def link(self, gamma: float, gae_lambda: float) -> tuple[torch.Tensor, torch.Tensor]:
        """The rows to learn from (k,) int64 and their advantages (k,), on the device."""
        values = self.values.cpu().numpy()
        played = values[self.first :].reshape(self.num_steps, self.num_envs)
        is_carried = self.carried >= 0
        old = np.where(is_carried, values[self.carried], 0).astype(np.float32)
        self._linked = linked = link(
            played, self.seats, self.own, self.rewards, self.ended, old, is_carried, gamma, gae_lambda
        )  # fmt: skip
        rows = np.concatenate([self.carried[linked.carried_learned], self.first + np.flatnonzero(linked.learned)])
        advantages = np.concatenate(
            [linked.carried_advantages[linked.carried_learned], linked.advantages[linked.learned]]
        )
        device = self.values.device
        return torch.from_numpy(rows).to(device), torch.from_numpy(advantages).to(device)

    def carry(self) -> None:
        """Keep the decisions that were not learned from, before the next rollout is written over this one."""
        waiting = np.where((self.carried >= 0) & ~self._linked.carried_learned, self.carried, -1)
        steps, envs = np.nonzero(self.own & ~self._linked.learned)
        waiting[envs, self.seats[steps, envs]] = self.first + steps * self.num_envs + envs
        where = waiting >= 0
        rows = torch.from_numpy(waiting[where]).to(self.values.device)
        for kept in (getattr(self, name) for name in KEPT):
            kept[: len(rows)] = kept[rows]  # indexing copies before anything is written
        self.carried = np.where(where, np.cumsum(where).reshape(where.shape) - 1, -1)

    def state(self) -> dict[str, Any]:
        """The carried decisions, after `carry`."""
        n = int((self.carried >= 0).sum())
        kept = {name: getattr(self, name)[:n].cpu().clone() for name in KEPT}
        return kept | {"carried": torch.from_numpy(self.carried.copy())}

    def restore(self, state: dict[str, Any]) -> None:
        """Put back what `state` gave."""
        self.carried = state["carried"].numpy().copy()
        for name in KEPT:
            getattr(self, name)[: len(state[name])] = state[name]


class Columns:
    """Decisions that were taken elsewhere, by name as in `Rollout`, on the learner's device."""

    def __init__(self, parts: Sequence[Mapping[str, np.ndarray]], device: torch.device) -> None:
        """parts: what `Sample.columns` gave, one after the other."""
        for name in parts[0]:
            setattr(self, name, torch.from_numpy(np.concatenate([part[name] for part in parts])).to(device))

    given = Rollout.given


@dataclass(frozen=True)
class Sample:
    """The decisions that are learned from: `rows` (k,) of `source`, a `Rollout` or `Columns`, and of each its
    advantage, its return and its weight (k,). explained: the share of the returns' variance that the values said."""

    source: Any
    rows: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    weights: torch.Tensor
    explained: float

    def __len__(self) -> int:
        return len(self.rows)

    def columns(self) -> dict[str, np.ndarray]:
        """The columns of the sample as arrays (k, ...)."""
        found = {name: getattr(self.source, name)[self.rows] for name in (*GIVEN, "actions", "log_probs")}
        found |= {name: getattr(self, name) for name in ("advantages", "returns", "weights")}
        return {name: value.cpu().numpy() for name, value in found.items()}

    @classmethod
    def of(cls, parts: Sequence[Mapping[str, np.ndarray]], explained: float, device: torch.device) -> Sample:
        """A sample from the `columns` of other processes."""
        source: Any = Columns(parts, device)
        rows = torch.arange(len(source.actions), device=device)
        return cls(source, rows, source.advantages, source.returns, source.weights, explained)
