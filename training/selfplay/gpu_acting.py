"""Batched action selection by networks on a GPU, while bots run on the host."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch

from vitienv.core.kernel import SKIP
from vitienv.training.selfplay.acting import Step, run_tasks
from vitienv.training.selfplay.gpu_envs import DeviceEnvs
from vitienv.training.selfplay.league import LEARNER, League
from vitienv.training.selfplay.network import PolicyValue
from vitienv.training.selfplay.rollout import Rollout


@torch.no_grad()
def draw(
    network: PolicyValue, inputs: tuple[torch.Tensor, ...], uniform: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Sample actions like `core.networks.network.draw`, on the network's device for n rows.

    inputs: those of `PolicyValue`. uniform (n,) float64 in [0, 1). Returns actions (n,) int64, their log
    probabilities and values (n,) float32, and the most probable actions (n,) int64.
    """
    logits, values = network(*inputs)
    log_probs = torch.log_softmax(logits, dim=1)
    sums = log_probs.double().exp().cumsum(dim=1)
    total = sums[:, -1:]
    actions = ((sums <= uniform[:, None] * total) & (sums < total)).sum(dim=1)  # uniform * total may round to total
    return actions, log_probs.gather(1, actions[:, None])[:, 0], values, logits.argmax(dim=1)


def decide(network: PolicyValue, league: League, rollout: Rollout, t: int, controllers: np.ndarray, step: Step) -> None:
    """Choose all actions of step t. controllers (envs,): see `League`.

    The rollout stores all actions on the device, and log probabilities and values of the learner's decisions. The
    actions are copied to the step unless the games are on the device.
    """
    step_rows, envs = rollout.rows(t), league.envs
    is_network = (controllers == LEARNER) | (controllers >= len(league.bots))
    members = np.where(is_network, LEARNER, controllers)
    if isinstance(envs, DeviceEnvs):  # before other work is queued on the device, for which the copies would wait
        _query_bots(envs, league, members, step)
    _score_by_prior(network, rollout, t, step, np.flatnonzero(is_network))
    inputs = rollout.inputs(step_rows)
    uniform = torch.from_numpy(step.uniform).to(inputs[0].device)
    for number in (np.flatnonzero(np.bincount(controllers[is_network] - LEARNER)) + LEARNER).tolist():
        rows = torch.from_numpy(np.flatnonzero(controllers == number)).to(uniform.device)
        player = network if number == LEARNER else league.snapshot_network(number)
        actions, log_probs, values, _ = draw(player, tuple(part[rows] for part in inputs), uniform[rows])
        rollout.actions[step_rows].index_copy_(0, rows, actions)
        if number == LEARNER:
            rollout.log_probs[step_rows].index_copy_(0, rows, log_probs)
            rollout.values[step_rows].index_copy_(0, rows, values)
    if envs.is_on_device:
        bot_rows = np.flatnonzero(~is_network)
        bot_actions = torch.from_numpy(step.actions[bot_rows]).to(uniform.device)
        rollout.actions[step_rows].index_copy_(0, torch.from_numpy(bot_rows).to(uniform.device), bot_actions)
    else:
        run_tasks(league.member_tasks(members, step))
        step.actions[is_network] = rollout.actions[step_rows].cpu().numpy()[is_network]


def _query_bots(envs: DeviceEnvs, league: League, members: np.ndarray, step: Step) -> None:
    """Take the actions that bots (members >= 0) computed in the previous step; pause the other games of bots."""
    bot_rows = np.flatnonzero(members >= 0)
    step.actions[bot_rows] = envs.answers[bot_rows]
    pending = bot_rows[envs.answers[bot_rows] == SKIP]
    envs.answers[bot_rows] = SKIP
    pending_members = np.full_like(members, LEARNER)
    pending_members[pending] = members[pending]

    def query() -> None:
        run_tasks(league.member_tasks(pending_members, step))
        envs.answers[pending] = step.actions[pending]

    if len(pending):
        envs.pause(pending, query)


def store_labels(
    network: PolicyValue, rollout: Rollout, t: int, step: Step, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Store the labels (envs,) of step t; return the network's sampled and its best actions, (envs,) int64."""
    step_rows = rollout.rows(t)
    _score_by_prior(network, rollout, t, step, np.arange(len(labels)))
    uniform = torch.from_numpy(step.uniform).to(rollout.values.device)
    sampled, _, rollout.values[step_rows], best = draw(network, rollout.inputs(step_rows), uniform)
    rollout.actions[step_rows].copy_(torch.from_numpy(labels))
    return sampled.cpu().numpy(), best.cpu().numpy()


def _score_by_prior(network: PolicyValue, rollout: Rollout, t: int, step: Step, rows: np.ndarray) -> None:
    if network.policy_prior.width:
        run_tasks([(partial(step.score_by_prior, network.policy_prior), rows)])
        rollout.prior_scores[rollout.rows(t)].copy_(torch.from_numpy(step.prior_scores))
