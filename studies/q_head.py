"""What a critic of actions takes from the noise of the policy's gradient.

    python studies/q_head.py two --rollouts 40 --measured 10

A network learns what each action is worth beyond the mean of the policy's draws, while the policy stays as it is. What
a draw was worth beyond that mean is luck, whose expectation is zero whatever the critic says: it may be taken out of
what follows a decision, and no bias comes with it. Of the own later draws, that gives Expected SARSA(lambda); in a game
of two whose rewards add up to zero the other seat's draws can be taken out too, as the critic tells them to that seat.

First a line for each rollout learned from; then, on rollouts that it has not seen, for each lambda and each estimate
the spread of the advantages, and signal and noise of the gradient, as of `gradient_signal`.
"""

from __future__ import annotations

import argparse
import copy
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from vitienv.agents.champions import path_of
from vitienv.core.batch import TRUNCATED
from vitienv.games import definition
from vitienv.training.selfplay.envs import TERMINATED
from vitienv.training.selfplay.learner import Learner, Settings, normalised
from vitienv.training.selfplay.network import PolicyValue, load_network
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.rollout import Rollout

ESTIMATES = {"returns": (False, False), "own draws taken out": (True, False), "all draws taken out": (True, True)}
AT_ONCE = 4096
LAMBDA_LEARNED = 0.9  # of the critic's targets
RATE = 3e-4
OPEN, FOLLOWED = 0, 3  # of a trajectory, seen from its end: nothing known yet; a later decision is known


def advantages(
    rollout: Rollout, luck: np.ndarray, gamma: float, gae_lambda: float, own: bool, others: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The advantages (steps, envs) and which of them are known, as of `rollout.link` without decisions carried over.
    luck (steps, envs) is taken out: own, that of the seat's later draws; others, that of the others' draws."""
    values = rollout.values[rollout.first :].numpy().reshape(rollout.num_steps, -1)
    steps, envs = values.shape
    seats = rollout.rewards.shape[2]
    every = np.arange(envs)
    after = np.zeros((envs, seats), np.int8)
    value, following, met = (np.zeros((envs, seats)) for _ in range(3))
    advantage, known = np.zeros((steps, envs)), np.zeros((steps, envs), bool)
    for t in range(steps - 1, -1, -1):
        over = np.flatnonzero(rollout.ended[t])
        after[over] = rollout.ended[t, over, None]
        value[over], following[over], met[over] = rollout.rewards[t, over].numpy(), 0.0, 0.0
        which = every, rollout.seats[t]
        kind = after[which]
        then = np.where(kind == TRUNCATED, values[t], value[which])
        then = np.where(kind == TERMINATED, then, gamma * then) + others * met[which]
        advantage[t] = np.where(kind == OPEN, 0.0, then - values[t] + gamma * gae_lambda * following[which])
        known[t] = kind != OPEN
        # What the seat that decides wins by luck, the others lose.
        met += np.where(np.arange(seats) == rollout.seats[t][:, None], 0.0, luck[t][:, None])
        after[which], value[which], met[which] = FOLLOWED, values[t], 0.0
        following[which] = advantage[t] - own * luck[t]
    return advantage, known


def beyond_the_mean(critic: PolicyValue, policy: PolicyValue, rollout: Rollout, rows: torch.Tensor) -> torch.Tensor:
    """What the actions of some rows are worth beyond the mean of the policy's draws, (k,)."""
    given = rollout.given(rows)
    with torch.no_grad():
        likely = torch.softmax(policy(*given)[0], dim=1)
    worths = critic(*given)[0].masked_fill(rollout.masks[rows] == 0, 0.0)
    return worths.gather(1, rollout.actions[rows][:, None])[:, 0] - (likely * worths).sum(dim=1)


class Study:
    """A policy that stays, its games, and a critic of actions."""

    def __init__(self, learner: Learner) -> None:
        self.learner, self.rollout = learner, learner.rollout
        self.critic = copy.deepcopy(learner.network)
        for parameter in self.critic.policy.parameters():
            torch.nn.init.zeros_(parameter)
        self.optimizer = torch.optim.Adam(self.critic.parameters(), lr=RATE)
        self.order = torch.Generator().manual_seed(learner.settings.seed)

    def play(self) -> None:
        """The next rollout; decisions whose successor lies beyond it are left out."""
        self.learner.play()
        self.rollout.carried[:] = -1

    def luck(self) -> np.ndarray:
        """The luck of the draws of this rollout, (steps, envs)."""
        rows = torch.arange(self.rollout.first, len(self.rollout.actions)).split(AT_ONCE)
        with torch.no_grad():
            parts = [beyond_the_mean(self.critic, self.learner.network, self.rollout, part) for part in rows]
        return torch.cat(parts).double().numpy().reshape(self.rollout.num_steps, -1)

    def learn(self) -> float:
        """Learn from this rollout; returns the share of the squared advantages that the critic had explained."""
        luck, settings = self.luck(), self.learner.settings
        advantage, known = advantages(self.rollout, luck, settings.gamma, LAMBDA_LEARNED, True, True)
        rows = torch.from_numpy(np.flatnonzero(known))
        right = torch.from_numpy(advantage.reshape(-1)).float()
        explained = 1 - ((advantage - luck)[known] ** 2).mean() / (advantage[known] ** 2).mean()
        for part in rows[torch.randperm(len(rows), generator=self.order)].split(settings.minibatch_size):
            worths = beyond_the_mean(self.critic, self.learner.network, self.rollout, part + self.rollout.first)
            self.optimizer.zero_grad()
            (worths - right[part]).square().mean().backward()
            self.optimizer.step()
        return float(explained)

    def gradient(self, found: np.ndarray, known: np.ndarray) -> torch.Tensor:
        """The gradient of the mean of log-probability times advantage, all parameters in one row."""
        network, rollout = self.learner.network, self.rollout
        rows = torch.from_numpy(np.flatnonzero(known))
        normal = normalised(torch.from_numpy(found.reshape(-1))[rows].float())
        network.zero_grad()
        for part in torch.arange(len(rows)).split(AT_ONCE):
            at = rows[part] + rollout.first
            logits, _ = network(*rollout.given(at))
            log_probs = torch.log_softmax(logits, dim=1).gather(1, rollout.actions[at][:, None])[:, 0]
            ((log_probs * normal[part]).sum() / len(rows)).backward()
        return torch.cat([p.grad.flatten() for p in self.learner.parameters if p.grad is not None]).clone()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("weights", help="a network of the self-play learner, .safetensors, or one that ships by name")
    parser.add_argument("--rollouts", type=int, default=40, help="that the critic learns from")
    parser.add_argument("--measured", type=int, default=10, help="rollouts that are measured then, at least 2")
    parser.add_argument("--num-envs", type=int, default=384)
    parser.add_argument("--num-steps", type=int, default=64)
    parser.add_argument("--lambdas", default="0.9,0.95", help="separated by commas")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    if args.measured < 2:
        parser.error(f"measured is {args.measured}; it takes at least 2 to tell signal from noise")
    torch.set_num_threads(1)
    file = Path(args.weights) if Path(args.weights).is_file() else path_of(args.weights, definition())
    settings = Settings(
        mix="2:1", num_envs=args.num_envs, num_steps=args.num_steps, league=(), past=0, league_share=0.0, seed=args.seed
    )  # fmt: skip
    study = Study(Learner(settings, Processes("cpu"), load_network(file)))
    for number in range(args.rollouts):
        study.play()
        print(json.dumps({"rollout": number, "told": round(study.learn(), 5)}), flush=True)
    lambdas = [float(word) for word in args.lambdas.split(",")]
    gradients: dict[tuple[float, str], list[torch.Tensor]] = {}
    spreads: dict[tuple[float, str], list[float]] = {}
    for _ in range(args.measured):
        study.play()
        luck = study.luck()
        for gae_lambda in lambdas:
            for name, (own, others) in ESTIMATES.items():
                advantage, known = advantages(study.rollout, luck, settings.gamma, gae_lambda, own, others)
                gradients.setdefault((gae_lambda, name), []).append(study.gradient(advantage, known))
                spreads.setdefault((gae_lambda, name), []).append(float(advantage[known].std()))
    for (gae_lambda, name), rows in gradients.items():
        every = torch.stack(rows).double()
        n, total = len(every), float(every.square().sum(dim=1).mean())
        signal = (n * float(every.mean(dim=0).square().sum()) - total) / (n - 1)
        about = {"spread": np.mean(spreads[gae_lambda, name]), "signal": signal, "noise": total - signal,
                 "ratio": signal / (total - signal)}  # fmt: skip
        rounded = {key: float(f"{value:.4g}") for key, value in about.items()}
        print(json.dumps({"lambda": gae_lambda, "estimate": name, **rounded}), flush=True)


if __name__ == "__main__":
    main()
