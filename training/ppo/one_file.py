"""Masked PPO in one file, in CleanRL's manner: self-play over `vitienv.make_vec`, to read and to change.

    python -m vitienv.training.ppo --minutes 3 --out ppo.safetensors
    vitienv evaluate policy:ppo.safetensors --opponents heuristic --games 400

One network decides for all seats and learns from all their decisions. It is written as numbers alone and is a bot like
any other. `vitienv train` has what is left out here: checkpoints, a league of opponents, several machines.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import vitienv
from vitienv.agents.mlp import save_mlp
from vitienv.training.evaluation.match import play
from vitienv.training.intervals import wilson

ILLEGAL = -1e9  # the logit of an action that the mask forbids


def arg(default: Any, text: str) -> Any:
    """A setting with its help."""
    return field(default=default, metadata={"help": text})


@dataclass
class Args:
    """The settings. Raises ValueError if the decisions of a rollout cannot be split into the minibatches."""

    minutes: float = arg(3.0, "how long to learn; the measuring comes on top")
    out: str = arg("ppo.safetensors", "the file of the network, for policy:FILE")
    game: str = arg("viticulture", "viticulture or toscana")
    num_players: int = arg(2, "seats at the table")
    max_years: int = arg(30, "games are cut off after this year: those of beginners would not end")
    seed: int = arg(1, "of the games, the network and its choices")
    num_envs: int = arg(64, "games at once")
    num_steps: int = arg(128, "decisions in each game between two updates")
    hidden: int = arg(256, "width of the two layers")
    learning_rate: float = arg(4e-4, "of Adam")
    gamma: float = arg(0.998, "discount, from one decision of a seat to its next")
    gae_lambda: float = arg(0.95, "of the generalised advantage estimate")
    update_epochs: int = arg(3, "passes over a rollout")
    minibatch_size: int = arg(2048, "decisions in one step of gradient descent")
    clip_coef: float = arg(0.2, "how far the policy may move in an update")
    ent_coef: float = arg(0.01, "weight of the entropy")
    vf_coef: float = arg(0.5, "weight of the value's error")
    max_grad_norm: float = arg(0.5, "longest gradient")
    eval_minutes: float = arg(1.0, "between two measurements against random")
    eval_games: int = arg(200, "games of a measurement")

    def __post_init__(self) -> None:
        if self.num_envs * self.num_steps % self.minibatch_size:
            rows = f"{self.num_envs} * {self.num_steps}"
            raise ValueError(f"minibatch_size is {self.minibatch_size}; it must divide num_envs * num_steps = {rows}")


class Agent(nn.Module):
    """Two shared layers, the logits of the actions, and the expected reward of the seat that looks."""

    def __init__(self, n_observed: int, n_actions: int, hidden: int) -> None:
        super().__init__()
        self.shared = nn.ModuleList([_layer(n_observed, hidden), _layer(hidden, hidden)])
        self.actor, self.critic = _layer(hidden, n_actions, 0.01), _layer(hidden, 1, 1.0)

    def forward(self, features: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """features (n, observed numbers) float32, masks (n, actions) bool: the policy, and the values (n,)."""
        x = features
        for layer in self.shared:
            x = torch.tanh(layer(x))
        logits = self.actor(x).masked_fill(~masks, ILLEGAL)
        return Categorical(logits=logits, validate_args=False), self.critic(x)[:, 0]

    def save(self, path: str, trained: dict[str, Any], game: str) -> None:
        """Write it for `policy:FILE`. trained: how it came about."""

        def tower(head: nn.Linear) -> list[tuple[np.ndarray, np.ndarray]]:
            layers: list[Any] = [*self.shared, head]
            return [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in layers]

        save_mlp(Path(path), tower(self.actor), tower(self.critic), trained, vitienv.game_spec(game))


def _layer(n_in: int, n_out: int, gain: float = 2**0.5) -> nn.Linear:
    layer = nn.Linear(n_in, n_out)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def compressed(observations: np.ndarray) -> torch.Tensor:
    """Observations (n, observed numbers) int16 at one scale, as `policy:FILE` takes them: new numbers, float32."""
    numbers = torch.from_numpy(observations).float()
    return torch.sign(numbers) * torch.log1p(torch.abs(numbers))


def advantages(
    rewards: torch.Tensor, ended: torch.Tensor, seats: torch.Tensor, values: torch.Tensor, last: torch.Tensor,
    gamma: float, gae_lambda: float,
) -> torch.Tensor:  # fmt: skip
    """Generalised advantage estimates of decisions (steps, games), each seat's from its own next decision.

    rewards (steps, games, seats); ended (steps, games) bool; seats, values (steps, games): who decided, and what it
    expected; last (games, seats): what each seat expects after the last step. The reward of a game that is cut off is
    what each seat expects of its end.
    """
    advantage = torch.zeros_like(values)
    ahead, coming, gained = last.clone(), torch.zeros_like(last), torch.zeros_like(last)  # of each seat's next decision
    for t in reversed(range(len(values))):
        over = ended[t]
        ahead[over], coming[over], gained[over] = 0.0, 0.0, rewards[t][over]
        who = seats[t][:, None]
        delta = gained.gather(1, who)[:, 0] + gamma * ahead.gather(1, who)[:, 0] - values[t]
        advantage[t] = delta + gamma * gae_lambda * coming.gather(1, who)[:, 0]
        ahead.scatter_(1, who, values[t][:, None])
        coming.scatter_(1, who, advantage[t][:, None])
        gained.scatter_(1, who, 0.0)
    return advantage


def learn(args: Args) -> Agent:
    """Play and learn for so many minutes, and write the network."""
    torch.manual_seed(args.seed)
    torch.set_flush_denormal(True)  # rewards are mostly zero, and denormal numbers are slow
    limit = vitienv.game_spec(args.game).options.LIMIT  # max_years, or max_rounds
    table: dict[str, Any] = {"game": args.game, "num_players": args.num_players, limit: args.max_years}
    vec = vitienv.make_vec(num_envs=args.num_envs, skip_forced=True, final_obs=True, **table)
    shape, n_actions = (args.num_steps, args.num_envs), int(vec.single_action_space.n)
    agent = Agent(vec.single_observation_space.shape[0], n_actions, args.hidden)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    features = torch.zeros((*shape, vec.single_observation_space.shape[0]))
    masks = torch.zeros((*shape, n_actions), dtype=torch.bool)
    actions, seats = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape, dtype=torch.int64)
    logprobs, values, ended = torch.zeros(shape), torch.zeros(shape), torch.zeros(shape, dtype=torch.bool)
    rewards = torch.zeros((*shape, args.num_players))

    def measure() -> None:
        agent.save(args.out, {"method": "training/ppo/one_file.py", "reward": "win", "decisions": decisions}, args.game)
        wins = won_against_random(args)
        low, high = wilson(wins.sum(), len(wins))
        print(
            f"{decisions:,} decisions, {decisions / max(learning, 1e-9):,.0f} a second; wins {wins.mean():.1%} "
            f"({low:.1%} to {high:.1%}) of {len(wins)} games against random",
            flush=True,
        )

    # What `reset` and `step` return is the environment's own and is overwritten by the next step: copied at once.
    observations, info = vec.reset(seed=args.seed)
    decisions, learning, measured_at = 0, 0.0, 0.0
    while learning < 60 * args.minutes:
        began = time.perf_counter()
        for t in range(args.num_steps):
            features[t], masks[t] = compressed(observations), torch.from_numpy(info["action_mask"].astype(np.bool_))
            seats[t] = torch.from_numpy(info["seat"].astype(np.int64))
            with torch.no_grad():
                policy, values[t] = agent(features[t], masks[t])
                actions[t] = policy.sample()
                logprobs[t] = policy.log_prob(actions[t])
            observations, given, terminated, truncated, info = vec.step(actions[t].numpy())
            rewards[t], ended[t] = torch.from_numpy(given), torch.from_numpy(terminated | truncated)
            if truncated.any():  # bootstrap by what each seat sees of the end
                seen = np.concatenate(info["final_obs"][truncated])
                with torch.no_grad():
                    expected = agent(compressed(seen), torch.ones(len(seen), n_actions, dtype=torch.bool))[1]
                rewards[t][torch.from_numpy(truncated)] = args.gamma * expected.view(-1, args.num_players)
        with torch.no_grad():
            views = [vec.observe(np.full(args.num_envs, seat)) for seat in range(args.num_players)]
            last = torch.stack([agent(compressed(one), masks[0])[1] for one in views], dim=1)
        gained = advantages(rewards, ended, seats, values, last, args.gamma, args.gae_lambda)
        update(agent, optimizer, args, *(x.flatten(0, 1) for x in (features, masks, actions, logprobs, values, gained)))
        decisions += args.num_envs * args.num_steps
        learning += time.perf_counter() - began
        if learning - measured_at >= 60 * args.eval_minutes:
            measure()
            measured_at = learning
    if measured_at < learning:
        measure()
    return agent


def update(
    agent: Agent, optimizer: torch.optim.Optimizer, args: Args, features: torch.Tensor, masks: torch.Tensor,
    actions: torch.Tensor, logprobs: torch.Tensor, values: torch.Tensor, gained: torch.Tensor,
) -> None:  # fmt: skip
    """Some passes over a rollout; all tensors have a row for each decision."""
    returns = gained + values
    for _ in range(args.update_epochs):
        for rows in torch.randperm(len(actions)).split(args.minibatch_size):
            policy, value = agent(features[rows], masks[rows])
            ratio = (policy.log_prob(actions[rows]) - logprobs[rows]).exp()
            advantage = gained[rows]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
            loss = -torch.min(ratio * advantage, clipped * advantage).mean()
            loss += args.vf_coef * 0.5 * (value - returns[rows]).square().mean()
            loss -= args.ent_coef * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()


def won_against_random(args: Args) -> np.ndarray:
    """The share that the written network won of each of some games (games,), in every seat in turn."""
    options = vitienv.game_spec(args.game).options
    table = options.of(num_players=args.num_players, skip_forced=True, **{options.LIMIT: args.max_years})
    games, seats = np.arange(args.eval_games), np.arange(args.eval_games) % args.num_players
    seating = np.where(np.arange(args.num_players) == seats[:, None], 0, 1)
    bots = [vitienv.make_agent(name, game=args.game) for name in (f"policy:{args.out}", "random")]
    return play(table, [int(game) for game in games], seating, bots).wins[games, seats]


def main() -> None:
    """The command line: each setting is an option."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for one in fields(Args):
        told = f"{one.metadata['help']} ({one.default})"
        name = "--" + one.name.replace("_", "-")
        parser.add_argument(name, dest=one.name, type=type(one.default), default=one.default, help=told)
    try:
        learn(Args(**vars(parser.parse_args())))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
