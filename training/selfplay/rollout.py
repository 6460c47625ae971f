"""What was played since the last update, and the advantage of every decision.

Decisions of the seats of a game interleave, and a seat's reward comes when the game ends, often after another seat's
decision. So each seat's decisions in a game are a trajectory of their own. The last decision of a trajectory that is
not over when a rollout ends is not learned from yet: it is carried over, and learned from once the seat's next
decision, or its result, is known. Every decision is learned from exactly once, with its true successor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from vitienv.core.batch import TRUNCATED
from vitienv.core.game_spec import GameSpec
from vitienv.training.selfplay.acting import Step
from vitienv.training.selfplay.gpu_envs import Fetched

KEPT = ("observations", "masks", "prior_scores", "actions", "log_probs", "values")  # of each decision
GIVEN = ("observations", "masks", "prior_scores")  # what the network takes in


@dataclass(frozen=True)
class Linked:
    """advantages (lambdas, steps, envs), learned (steps, envs) bool; the same of the carried decisions (lambdas, envs,
    most seats) and (envs, most seats)."""

    advantages: torch.Tensor
    learned: torch.Tensor
    carried_advantages: torch.Tensor
    carried_learned: torch.Tensor


def link(
    values: torch.Tensor, seats: torch.Tensor, own: torch.Tensor, rewards: torch.Tensor, ended: torch.Tensor,
    carried_values: torch.Tensor, carried: torch.Tensor, gamma: float, gae_lambdas: Sequence[float],
) -> Linked:  # fmt: skip
    """Generalised advantages along each seat's own decisions, one for each lambda.

    values, seats, own, ended (steps, envs): of the decision taken at each step, whether it is the learner's, and
    whether it ended the game, TERMINATED or TRUNCATED. rewards (steps, envs, most seats). carried_values and carried
    (envs, most seats): decisions from before the rollout whose successor was not known yet. gamma and gae_lambdas count
    in a seat's own decisions. After a truncation the value of the seat's last decision stands for what would have come:
    the game that was cut off is gone by then. All are tensors of one device, which nothing here waits for.
    """
    (steps, envs), most, where = values.shape, rewards.shape[2], values.device
    fade = torch.tensor([gamma * one for one in gae_lambdas], dtype=torch.float32, device=where)[:, None]
    every, last = torch.arange(envs, device=where), steps - 1

    # When each seat decides next, and when each game ends next: `steps` where the rollout does not say.
    decides = torch.full((envs, most), steps, device=where)
    ends = torch.full((envs,), steps, device=where)
    next_decision, next_end = torch.empty_like(seats), torch.empty_like(seats)
    for t in range(last, -1, -1):
        ends = next_end[t] = torch.where(ended[t] != 0, t, ends)
        at = seats[t][:, None]
        later = next_decision[t] = decides.gather(1, at)[:, 0]
        decides.scatter_(1, at, torch.where(own[t], t, later)[:, None])

    def follow(
        after: torch.Tensor, end: torch.Tensor, env: torch.Tensor, seat: torch.Tensor, value: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Of some decisions: where the next one stands in a flat rollout, whether it is of the same game, whether that
        or a result is known, and by how much it differs from the value."""
        is_followed = (after <= end) & (after < steps)
        follower, over = after.clamp(max=last) * envs + env, end.clamp(max=last) * envs + env
        result = torch.where(ended.flatten()[over] == TRUNCATED, gamma * value, rewards.flatten()[over * most + seat])
        is_known = is_followed | (end < steps)
        then = torch.where(is_followed, gamma * values.flatten()[follower], result)
        return follower, is_followed, is_known, torch.where(is_known, then - value, 0.0)

    follower, is_followed, is_known, error = follow(next_decision, next_end, every, seats, values)
    advantages = torch.zeros((len(fade), steps, envs), device=where)
    flat = advantages.flatten(1)
    for t in range(last, -1, -1):
        advantages[:, t] = error[t] + torch.where(is_followed[t], fade * flat[:, follower[t]], 0.0)
    follower, was_followed, was_known, old = follow(
        decides, ends[:, None], every[:, None], torch.arange(most, device=where), carried_values
    )
    faded = fade[:, :, None] * flat[:, follower.flatten()].unflatten(1, (envs, most))
    return Linked(advantages, own & is_known, old + torch.where(was_followed, faded, 0.0), carried & was_known)


class Rollout:
    """The decisions of some steps of all envs, on the learner's device.

    Rows 0 to `first` - 1 are for carried decisions, row first + t * envs + i is step t of env i.
    observations (rows, observed numbers) int16, masks (rows, actions) int8, prior_scores (rows, prior_width) int16,
    actions (rows,) int64, log_probs (rows,) float32, the logarithm of the probability with
    which the action was chosen, values (rows,) float32.
    """

    def __init__(
        self, game: GameSpec, num_steps: int, players: np.ndarray, prior_width: int, device: torch.device,
        are_there: bool = False,
    ) -> None:  # fmt: skip
        """are_there: whether the games lie on the device too, and so do rewards while they are played."""
        self.num_steps, self.num_envs = num_steps, len(players)
        self.first = int(players.sum())
        rows = self.first + num_steps * self.num_envs
        self.observations = torch.zeros((rows, game.observation.n), dtype=torch.int16, device=device)
        self.masks = torch.zeros((rows, game.actions.n), dtype=torch.int8, device=device)
        self.prior_scores = torch.zeros((rows, prior_width), dtype=torch.int16, device=device)
        self.actions = torch.zeros(rows, dtype=torch.int64, device=device)
        self.log_probs = torch.zeros(rows, dtype=torch.float32, device=device)
        self.values = torch.zeros(rows, dtype=torch.float32, device=device)
        self.seats = np.zeros((num_steps, self.num_envs), np.int8)
        self.own = np.zeros((num_steps, self.num_envs), bool)
        self.ended = np.zeros((num_steps, self.num_envs), np.int8)
        self.rewards = torch.zeros(
            (num_steps, self.num_envs, game.max_seats), device=device if are_there else torch.device("cpu")
        )  # fmt: skip
        # The row of each carried decision, -1 for none.
        self.carried = torch.full((self.num_envs, game.max_seats), -1, device=device)
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
        for name in ("prior_scores", "actions", "log_probs", "values"):
            kept, decided = getattr(self, name), getattr(step, name)[envs]
            if self.is_on_cpu:
                kept.numpy()[rows] = decided  # torch's threads would spin on, beside those that act
            else:
                kept[torch.from_numpy(rows).to(kept.device)] = torch.from_numpy(decided).to(kept.device)

    def given(self, rows: Any) -> tuple[torch.Tensor, ...]:
        """What the network takes in: observations, masks and prior_scores of some rows."""
        return tuple(getattr(self, name)[rows] for name in GIVEN)

    def link(self, gamma: float, *gae_lambdas: float) -> tuple[torch.Tensor, ...]:
        """The rows to learn from (k,) int64, and for each lambda their advantages (k,), on the device."""
        device, shape = self.values.device, (self.num_steps, self.num_envs)
        seats, own, ended = (torch.from_numpy(one).to(device) for one in (self.seats, self.own, self.ended))
        is_carried = self.carried >= 0
        old = torch.where(is_carried, self.values[self.carried.clamp(min=0)], 0.0)
        self._linked = linked = link(
            self.values[self.first :].view(shape), seats.long(), own, self.rewards.to(device), ended, old, is_carried,
            gamma, gae_lambdas,
        )  # fmt: skip
        was, now = linked.carried_learned, linked.learned
        rows = torch.cat([self.carried[was], self.first + torch.nonzero(now.flatten())[:, 0]])
        return rows, *torch.cat([linked.carried_advantages[:, was], linked.advantages[:, now]], dim=1)

    def carry(self) -> None:
        """Keep the decisions that were not learned from, before the next rollout is written over this one."""
        device, learned = self.values.device, self._linked.learned
        waiting = torch.where(self._linked.carried_learned, -1, self.carried)
        steps, envs = torch.nonzero(torch.from_numpy(self.own).to(device) & ~learned, as_tuple=True)
        seats = torch.from_numpy(self.seats).to(device)[steps, envs].long()
        waiting[envs, seats] = self.first + steps * self.num_envs + envs
        where = waiting >= 0
        rows = waiting[where]
        for kept in (getattr(self, name) for name in KEPT):
            kept[: len(rows)] = kept[rows]  # indexing copies before anything is written
        self.carried = torch.where(where, where.flatten().cumsum(0).view_as(waiting) - 1, -1)

    def state(self) -> dict[str, Any]:
        """The carried decisions, after `carry`."""
        n = int((self.carried >= 0).sum())
        return {name: getattr(self, name)[:n].cpu().clone() for name in KEPT} | {"carried": self.carried.cpu().clone()}

    def restore(self, state: dict[str, Any]) -> None:
        """Put back what `state` gave."""
        self.carried.copy_(state["carried"])
        for name in KEPT:
            getattr(self, name)[: len(state[name])] = state[name]


@dataclass(frozen=True)
class Sample:
    """The decisions that are learned from: `rows` (k,) of a rollout, and of each its
    advantage, its return and its weight (k,). explained: the share of the returns' variance that the values said."""

    source: Rollout
    rows: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    weights: torch.Tensor
    explained: float

    def __len__(self) -> int:
        return len(self.rows)
