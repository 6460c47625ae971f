"""Rollout buffer and advantages.

Decisions of the seats of a game interleave, and rewards come at its end, often after another seat's decision. So each
seat's decisions in a game form a separate trajectory. The last decision of an unfinished trajectory is carried over to
the next rollout until the seat's next decision or its result is known. Every decision is used exactly once, with its
true successor.
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
from vitienv.training.selfplay.gpu_envs import DeviceRows

SAVED_COLUMNS = ("observations", "masks", "prior_scores", "actions", "log_probs", "values")  # saved columns
INPUTS = ("observations", "masks", "prior_scores")  # inputs of the network


@dataclass(frozen=True)
class LinkResult:
    """Advantages and the decisions to learn from."""

    advantages: torch.Tensor  # (lambdas, steps, envs)
    is_learned: torch.Tensor  # (steps, envs) bool
    carried_advantages: torch.Tensor  # (lambdas, envs, max seats)
    is_carried_learned: torch.Tensor  # (envs, max seats) bool


def link(
    values: torch.Tensor, seats: torch.Tensor, is_learner: torch.Tensor, rewards: torch.Tensor, ended: torch.Tensor,
    carried_values: torch.Tensor, carried: torch.Tensor, gamma: float, gae_lambdas: Sequence[float],
) -> LinkResult:  # fmt: skip
    """Return the generalised advantage estimates along each seat's decisions, for each lambda.

    values, seats, is_learner, ended (steps, envs): value and seat of each decision, whether it is the learner's, and
    whether it ended the game: 0, TERMINATED or TRUNCATED. rewards (steps, envs, max seats). carried_values, carried
    (envs, max seats): values and presence of carried decisions. gamma and gae_lambdas apply per decision of a seat. A
    truncated game is bootstrapped from the value of the seat's last decision, as its last state is overwritten. All are
    tensors of one device; nothing waits for it.
    """
    (steps, envs), max_seats, device = values.shape, rewards.shape[2], values.device
    decay = torch.tensor([gamma * gae_lambda for gae_lambda in gae_lambdas], dtype=torch.float32, device=device)[
        :, None
    ]
    env_indices, last = torch.arange(envs, device=device), steps - 1

    # Step of each seat's next decision and of each game's end; `steps` if after the rollout.
    decides = torch.full((envs, max_seats), steps, device=device)
    ends = torch.full((envs,), steps, device=device)
    next_decision, next_end = torch.empty_like(seats), torch.empty_like(seats)
    for t in range(last, -1, -1):
        ends = next_end[t] = torch.where(ended[t] != 0, t, ends)
        at = seats[t][:, None]
        following_step = next_decision[t] = decides.gather(1, at)[:, 0]
        decides.scatter_(1, at, torch.where(is_learner[t], t, following_step)[:, None])

    def follow(
        next_step: torch.Tensor, end: torch.Tensor, env: torch.Tensor, seat: torch.Tensor, value: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the next decision's flat index, whether it is in the same game and a target is known, TD error."""
        has_next = (next_step <= end) & (next_step < steps)
        next_index, end_index = next_step.clamp(max=last) * envs + env, end.clamp(max=last) * envs + env
        result = torch.where(
            ended.flatten()[end_index] == TRUNCATED, gamma * value, rewards.flatten()[end_index * max_seats + seat]
        )
        is_known = has_next | (end < steps)
        target = torch.where(has_next, gamma * values.flatten()[next_index], result)
        return next_index, has_next, is_known, torch.where(is_known, target - value, 0.0)

    next_index, has_next, is_known, error = follow(next_decision, next_end, env_indices, seats, values)
    advantages = torch.zeros((len(decay), steps, envs), device=device)
    flat = advantages.flatten(1)
    for t in range(last, -1, -1):
        advantages[:, t] = error[t] + torch.where(has_next[t], decay * flat[:, next_index[t]], 0.0)
    next_index, carried_has_next, was_known, carried_errors = follow(
        decides, ends[:, None], env_indices[:, None], torch.arange(max_seats, device=device), carried_values
    )
    decayed = decay[:, :, None] * flat[:, next_index.flatten()].unflatten(1, (envs, max_seats))
    return LinkResult(
        advantages,
        is_learner & is_known,
        carried_errors + torch.where(carried_has_next, decayed, 0.0),
        carried & was_known,
    )


class Rollout:
    """Decisions of `num_steps` steps of all envs, on the learner's device.

    Rows 0 to `first` - 1 contain carried decisions; row first + t * envs + i is step t of env i.
    observations (rows, features) int16, masks (rows, actions) int8, prior_scores (rows, prior_width) int16,
    actions (rows,) int64, log_probs (rows,) float32 of the actions, values (rows,) float32.
    """

    def __init__(
        self, game: GameSpec, num_steps: int, players: np.ndarray, prior_width: int, device: torch.device,
        rewards_on_device: bool = False,
    ) -> None:  # fmt: skip
        """rewards_on_device: whether the games, and so the rewards, are on the device."""
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
        self.is_learner = np.zeros((num_steps, self.num_envs), bool)
        self.ended = np.zeros((num_steps, self.num_envs), np.int8)
        self.rewards = torch.zeros(
            (num_steps, self.num_envs, game.max_seats), device=device if rewards_on_device else torch.device("cpu")
        )  # fmt: skip
        # Row of each carried decision, or -1.
        self.carried = torch.full((self.num_envs, game.max_seats), -1, device=device)
        self._teacher_probs: torch.Tensor | None = None
        self.is_on_cpu = device.type == "cpu"
        if not self.is_on_cpu:  # pinned host buffers of the games
            self._host = [torch.zeros((self.num_envs, n), dtype=kind).pin_memory()
                          for n, kind in ((game.observation.n, torch.int16), (game.actions.n, torch.int8))]  # fmt: skip

    def teacher_probs(self) -> torch.Tensor:
        """Return the buffer of a teacher's probabilities, (rows, actions) float16."""
        if self._teacher_probs is None:
            self._teacher_probs = torch.zeros(self.masks.shape, dtype=torch.float16, device=self.masks.device)
        return self._teacher_probs

    def rows(self, t: int) -> slice:
        """Return the rows of a step."""
        return slice(self.first + t * self.num_envs, self.first + (t + 1) * self.num_envs)

    def observe(self, envs: Any, t: int) -> tuple[Any, Any]:
        """Write observations and masks of step t; return them as arrays (envs, ...), or as `DeviceRows` on a device."""
        rows = self.rows(t)
        if envs.is_on_device:
            envs.observe(self.observations[rows], self.masks[rows])
            return DeviceRows(self.observations[rows]), DeviceRows(self.masks[rows])
        if self.is_on_cpu:
            observations, masks = self.observations[rows].numpy(), self.masks[rows].numpy()
            envs.observe(observations, masks)
            return observations, masks
        observations, masks = (tensor.numpy() for tensor in self._host)
        envs.observe(observations, masks)
        self.observations[rows].copy_(self._host[0], non_blocking=True)
        self.masks[rows].copy_(self._host[1], non_blocking=True)
        return observations, masks

    def store_seats(self, t: int, envs: np.ndarray, seats: np.ndarray) -> None:
        """Store the seats of step t, and that the decisions in `envs` (k,) int64 are the learner's."""
        self.is_learner[t], self.seats[t] = False, seats
        self.is_learner[t, envs] = True

    def store(self, t: int, envs: np.ndarray, seats: np.ndarray, step: Step) -> None:
        """Store the seats of step t and the learner's decisions in `envs` (k,) int64."""
        self.store_seats(t, envs, seats)
        rows = self.first + t * self.num_envs + envs
        for name in ("prior_scores", "actions", "log_probs", "values"):
            buffer, column = getattr(self, name), getattr(step, name)[envs]
            if self.is_on_cpu:
                buffer.numpy()[rows] = column  # torch's threads would spin and slow the acting threads
            else:
                buffer[torch.from_numpy(rows).to(buffer.device)] = torch.from_numpy(column).to(buffer.device)

    def inputs(self, rows: Any) -> tuple[torch.Tensor, ...]:
        """Return the inputs of the network of some rows: observations, masks and prior_scores."""
        return tuple(getattr(self, name)[rows] for name in INPUTS)

    def link(self, gamma: float, *gae_lambdas: float) -> tuple[torch.Tensor, ...]:
        """Return the rows to learn from (k,) int64, and for each lambda their advantages (k,), on the device."""
        device, shape = self.values.device, (self.num_steps, self.num_envs)
        seats, is_learner, ended = (
            torch.from_numpy(array).to(device) for array in (self.seats, self.is_learner, self.ended)
        )
        is_carried = self.carried >= 0
        carried_values = torch.where(is_carried, self.values[self.carried.clamp(min=0)], 0.0)
        self._links = linked = link(
            self.values[self.first :].view(shape), seats.long(), is_learner, self.rewards.to(device), ended,
            carried_values, is_carried, gamma, gae_lambdas,
        )  # fmt: skip
        is_carried_learned, is_learned = linked.is_carried_learned, linked.is_learned
        rows = torch.cat([self.carried[is_carried_learned], self.first + torch.nonzero(is_learned.flatten())[:, 0]])
        return rows, *torch.cat(
            [linked.carried_advantages[:, is_carried_learned], linked.advantages[:, is_learned]], dim=1
        )

    def carry_over(self) -> None:
        """Move the decisions that were not learned from to the first rows, before the next rollout."""
        device, is_learned = self.values.device, self._links.is_learned
        carried_rows = torch.where(self._links.is_carried_learned, -1, self.carried)
        steps, envs = torch.nonzero(torch.from_numpy(self.is_learner).to(device) & ~is_learned, as_tuple=True)
        seats = torch.from_numpy(self.seats).to(device)[steps, envs].long()
        carried_rows[envs, seats] = self.first + steps * self.num_envs + envs
        is_waiting = carried_rows >= 0
        rows = carried_rows[is_waiting]
        for buffer in (getattr(self, name) for name in SAVED_COLUMNS):
            buffer[: len(rows)] = buffer[rows]  # indexing copies first
        self.carried = torch.where(is_waiting, is_waiting.flatten().cumsum(0).view_as(carried_rows) - 1, -1)

    def state(self) -> dict[str, Any]:
        """Return the carried decisions, after `carry_over`."""
        n = int((self.carried >= 0).sum())
        return {name: getattr(self, name)[:n].cpu().clone() for name in SAVED_COLUMNS} | {
            "carried": self.carried.cpu().clone()
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore `state`."""
        self.carried.copy_(state["carried"])
        for name in SAVED_COLUMNS:
            getattr(self, name)[: len(state[name])] = state[name]


@dataclass(frozen=True)
class Sample:
    """Training sample: `rows` (k,) of a rollout with advantages, returns and weights (k,).

    explained: explained variance of the returns.
    """

    source: Rollout
    rows: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    weights: torch.Tensor
    explained_variance: float

    def __len__(self) -> int:
        return len(self.rows)
