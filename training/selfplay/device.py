"""Choices of many games at once by networks on a GPU: one go for each network, while bots think on the host."""

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
    network: PolicyValue, inputs: tuple[torch.Tensor, ...], chance: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """As `core.networks.network.draw`, on the network's device and for n rows at once.

    inputs: what `PolicyValue` takes in; chance (n,) float64. Returns actions (n,) int64, the logarithms of their
    probabilities and values (n,) float32, and the most probable actions (n,) int64.
    """
    logits, values = network(*inputs)
    log_probs = torch.log_softmax(logits, dim=1)
    sums = log_probs.double().exp().cumsum(dim=1)
    total = sums[:, -1:]
    actions = ((sums <= chance[:, None] * total) & (sums < total)).sum(dim=1)  # rounded, chance times total may be it
    return actions, log_probs.gather(1, actions[:, None])[:, 0], values, logits.argmax(dim=1)


def decide(
    network: PolicyValue, league: League, starts: Starts, rollout: Rollout, t: int, who: np.ndarray, step: Step
) -> Seconds:
    """Everybody's actions at step t. who (envs,): who decides; returns the seconds spent, by kind of work.

    The rollout keeps all actions on the device, and of the learner's decisions the rest. They stand in the step too,
    unless the games are on the device.
    """
    at, spent, envs = rollout.rows(t), defaultdict[str, float](float), league.envs
    is_network = (who == LEARNER) | (who >= len(league.bots))
    members = np.where(is_network, LEARNER, who)
    if isinstance(envs, DeviceEnvs):  # before anything is handed to the device: the copies wait for what is
        _ask_meanwhile(envs, league, members, step)
    _add(spent, _score_by_prior(network, rollout, t, step, np.flatnonzero(is_network)))
    began = time.perf_counter()
    inputs = rollout.given(at)
    chance = torch.from_numpy(step.chance).to(inputs[0].device)
    for number in (np.flatnonzero(np.bincount(who[is_network] - LEARNER)) + LEARNER).tolist():
        rows = torch.from_numpy(np.flatnonzero(who == number)).to(chance.device)
        player = network if number == LEARNER else league.past_self(number)
        actions, log_probs, values, _ = draw(player, tuple(part[rows] for part in inputs), chance[rows])
        rollout.actions[at].index_copy_(0, rows, actions)
        if number == LEARNER:
            rollout.log_probs[at].index_copy_(0, rows, log_probs)
            rollout.values[at].index_copy_(0, rows, values)
    handed = time.perf_counter()
    if not envs.is_on_device:
        _add(spent, do(league.works(members, step)))
    starts.choose(who, step)
    asked = time.perf_counter()
    if envs.is_on_device:
        hosted = np.flatnonzero(~is_network)
        chosen = torch.from_numpy(step.actions[hosted]).to(chance.device)
        rollout.actions[at].index_copy_(0, torch.from_numpy(hosted).to(chance.device), chosen)
    else:
        step.actions[is_network] = rollout.actions[at].cpu().numpy()[is_network]
    spent["network"] += handed - began + time.perf_counter() - asked
    return spent


def _ask_meanwhile(envs: DeviceEnvs, league: League, members: np.ndarray, step: Step) -> None:
    """Where bots decide, members (envs,) at least 0: what they answered in the step before, or else the game is left
    alone while they think."""
    asked = np.flatnonzero(members >= 0)
    step.actions[asked] = envs.answers[asked]
    thinking = asked[envs.answers[asked] == LEAVE]
    envs.answers[asked] = LEAVE
    who = np.full_like(members, LEARNER)
    who[thinking] = members[thinking]

    def think() -> None:
        do(league.works(who, step))
        envs.answers[thinking] = step.actions[thinking]

    if len(thinking):
        envs.hold(thinking, think)


def learn_from(
    network: PolicyValue, rollout: Rollout, t: int, step: Step, right: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Keep the actions (envs,) that are right at step t; returns what the network draws and what it finds best, (envs,)
    int64."""
    at = rollout.rows(t)
    _score_by_prior(network, rollout, t, step, np.arange(len(right)))
    chance = torch.from_numpy(step.chance).to(rollout.values.device)
    drawn, _, rollout.values[at], best = draw(network, rollout.given(at), chance)
    rollout.actions[at].copy_(torch.from_numpy(right))
    return drawn.cpu().numpy(), best.cpu().numpy()


def _score_by_prior(network: PolicyValue, rollout: Rollout, t: int, step: Step, rows: np.ndarray) -> Seconds:
    if not network.policy_prior.width:
        return {}
    spent = do([(step.score_by(network.policy_prior), rows)])
    rollout.prior_scores[rollout.rows(t)].copy_(torch.from_numpy(step.prior_scores))
    return spent


def _add(spent: Seconds, more: Seconds) -> None:
    for name, seconds in more.items():
        spent[name] += seconds
