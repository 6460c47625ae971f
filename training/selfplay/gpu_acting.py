"""Batched action selection by networks on a GPU, while bots run on the host."""

from __future__ import annotations

import time
from collections import defaultdict

import numpy as np
import torch

from vitienv.core.kernel import LEAVE
from vitienv.training.selfplay.acting import Seconds, Step, do
from vitienv.training.selfplay.gpu_envs import DeviceEnvs
from vitienv.training.selfplay.league import LEARNER, League
from vitienv.training.selfplay.network import PolicyValue
from vitienv.training.selfplay.rollout import Rollout
from vitienv.training.selfplay.starts import Starts


@torch.no_grad()
def draw(
    network: PolicyValue, inputs: tuple[torch.Tensor, ...], uniform: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Sample actions like `core.networks.network.draw`, on the network's device for n rows.

    inputs: those of `PolicyValue`. chance (n,) float64 uniform numbers. Returns actions (n,) int64, their log
    probabilities and values (n,) float32, and the most probable actions (n,) int64.
    """
    logits, values = network(*inputs)
    log_probs = torch.log_softmax(logits, dim=1)
    sums = log_probs.double().exp().cumsum(dim=1)
    total = sums[:, -1:]
    actions = ((sums <= uniform[:, None] * total) & (sums < total)).sum(dim=1)  # chance * total may round to total
    return actions, log_probs.gather(1, actions[:, None])[:, 0], values, logits.argmax(dim=1)


def decide(
    network: PolicyValue, league: League, starts: Starts, rollout: Rollout, t: int, controllers: np.ndarray, step: Step
) -> Seconds:
    """Choose all actions of step t; return the time spent by kind of work. who (envs,): controllers.

    The rollout stores all actions on the device, and log probabilities and values of the learner's decisions. The
    actions are copied to the step unless the games are on the device.
    """
    at, spent, envs = rollout.rows(t), defaultdict[str, float](float), league.envs
    is_network = (controllers == LEARNER) | (controllers >= len(league.bots))
    members = np.where(is_network, LEARNER, controllers)
    if isinstance(envs, DeviceEnvs):  # before other work is queued on the device, for which the copies would wait
        _ask_meanwhile(envs, league, members, step)
    _add(spent, _score_by_prior(network, rollout, t, step, np.flatnonzero(is_network)))
    start = time.perf_counter()
    inputs = rollout.given(at)
    uniform = torch.from_numpy(step.chance).to(inputs[0].device)
    for number in (np.flatnonzero(np.bincount(controllers[is_network] - LEARNER)) + LEARNER).tolist():
        rows = torch.from_numpy(np.flatnonzero(controllers == number)).to(uniform.device)
        player = network if number == LEARNER else league.past_self(number)
        actions, log_probs, values, _ = draw(player, tuple(part[rows] for part in inputs), uniform[rows])
        rollout.actions[at].index_copy_(0, rows, actions)
        if number == LEARNER:
            rollout.log_probs[at].index_copy_(0, rows, log_probs)
            rollout.values[at].index_copy_(0, rows, values)
    networks_end = time.perf_counter()
    if not envs.is_on_device:
        _add(spent, do(league.works(members, step)))
    starts.choose(controllers, step)
    tasks_end = time.perf_counter()
    if envs.is_on_device:
        bot_rows = np.flatnonzero(~is_network)
        bot_actions = torch.from_numpy(step.actions[bot_rows]).to(uniform.device)
        rollout.actions[at].index_copy_(0, torch.from_numpy(bot_rows).to(uniform.device), bot_actions)
    else:
        step.actions[is_network] = rollout.actions[at].cpu().numpy()[is_network]
    spent["network"] += networks_end - start + time.perf_counter() - tasks_end
    return spent


def _ask_meanwhile(envs: DeviceEnvs, league: League, members: np.ndarray, step: Step) -> None:
    """Use the answers of bots (envs with members >= 0) from the previous step, or hold the games while they think."""
    bot_rows = np.flatnonzero(members >= 0)
    step.actions[bot_rows] = envs.answers[bot_rows]
    thinking = bot_rows[envs.answers[bot_rows] == LEAVE]
    envs.answers[bot_rows] = LEAVE
    thinking_members = np.full_like(members, LEARNER)
    thinking_members[thinking] = members[thinking]

    def think() -> None:
        do(league.works(thinking_members, step))
        envs.answers[thinking] = step.actions[thinking]

    if len(thinking):
        envs.hold(thinking, think)


def learn_from(
    network: PolicyValue, rollout: Rollout, t: int, step: Step, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Store the labels (envs,) of step t; return the network's sampled and its best actions, (envs,) int64."""
    at = rollout.rows(t)
    _score_by_prior(network, rollout, t, step, np.arange(len(labels)))
    uniform = torch.from_numpy(step.chance).to(rollout.values.device)
    sampled, _, rollout.values[at], best = draw(network, rollout.given(at), uniform)
    rollout.actions[at].copy_(torch.from_numpy(labels))
    return sampled.cpu().numpy(), best.cpu().numpy()


def _score_by_prior(network: PolicyValue, rollout: Rollout, t: int, step: Step, rows: np.ndarray) -> Seconds:
    if not network.policy_prior.width:
        return {}
    spent = do([(step.score_by(network.policy_prior), rows)])
    rollout.prior_scores[rollout.rows(t)].copy_(torch.from_numpy(step.prior_scores))
    return spent


def _add(spent: Seconds, seconds_by_kind: Seconds) -> None:
    for name, seconds in seconds_by_kind.items():
        spent[name] += seconds
