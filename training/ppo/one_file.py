"""Masked PPO in one file in the style of CleanRL: self-play in `vitienv.make_vec`.

    python -m vitienv.training.ppo --minutes 3 --out ppo.safetensors
    vitienv evaluate policy:ppo.safetensors --opponents heuristic --games 400

One network plays all seats and is trained on all decisions; its weights file is a bot. `vitienv train` adds
checkpoints, a league of opponents and training on several machines.
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

ILLEGAL = -1e9  # logit of illegal actions


def arg(default: Any, text: str) -> Any:
    """Return a field for a setting with its help text."""
    return field(default=default, metadata={"help": text})


@dataclass
class Args:
    """Settings. ValueError if a rollout cannot be divided into minibatches."""

    minutes: float = arg(3.0, "training time without evaluations")
    out: str = arg("ppo.safetensors", "file of the network, for policy:FILE")
    game: str = arg("viticulture", "viticulture or toscana")
    num_players: int = arg(2, "seats at the table")
    max_years: int = arg(30, "year, or round, after which a game is truncated")
    seed: int = arg(1, "seed of the games, the network and its actions")
    num_envs: int = arg(64, "games in parallel")
    num_steps: int = arg(128, "decisions per game and update")
    hidden: int = arg(256, "width of the two layers")
    learning_rate: float = arg(4e-4, "learning rate of Adam")
    gamma: float = arg(0.998, "discount between two decisions of a seat")
    gae_lambda: float = arg(0.95, "lambda of the generalised advantage estimation")
    update_epochs: int = arg(3, "epochs of an update")
    minibatch_size: int = arg(2048, "decisions in a gradient step")
    clip_coef: float = arg(0.2, "clip range of the probability ratio")
    ent_coef: float = arg(0.01, "weight of the entropy bonus")
    vf_coef: float = arg(0.5, "weight of the value loss")
    max_grad_norm: float = arg(0.5, "largest norm of the gradient")
    eval_minutes: float = arg(1.0, "minutes between two evaluations against random")
    eval_games: int = arg(200, "games of an evaluation")

    def __post_init__(self) -> None:
        if self.num_envs * self.num_steps % self.minibatch_size:
            rows = f"{self.num_envs} * {self.num_steps}"
            raise ValueError(f"minibatch_size must divide num_envs * num_steps = {rows}, got {self.minibatch_size}")


class Agent(nn.Module):
    """Network of two shared layers with action logits and the value of the current seat."""

    def __init__(self, n_observed: int, n_actions: int, hidden: int) -> None:
        super().__init__()
        self.shared = nn.ModuleList([_layer(n_observed, hidden), _layer(hidden, hidden)])
        self.actor, self.critic = _layer(hidden, n_actions, 0.01), _layer(hidden, 1, 1.0)

    def forward(self, features: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return policy and values (n,) of features (n, features) float32 and masks (n, actions) bool."""
        x = features
        for layer in self.shared:
            x = torch.tanh(layer(x))
        logits = self.actor(x).masked_fill(~masks, ILLEGAL)
        return Categorical(logits=logits, validate_args=False), self.critic(x)[:, 0]

    def save(self, path: str, trained: dict[str, Any], game: str) -> None:
        """Write the weights for `policy:FILE`. trained: training metadata."""

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
    """Return observations (n, features) int16 at the scale of `policy:FILE`, float32."""
    numbers = torch.from_numpy(observations).float()
    return torch.sign(numbers) * torch.log1p(torch.abs(numbers))


def advantages(
    rewards: torch.Tensor, ended: torch.Tensor, seats: torch.Tensor, values: torch.Tensor, last: torch.Tensor,
    gamma: float, gae_lambda: float,
) -> torch.Tensor:  # fmt: skip
    """Return the generalised advantage estimates (steps, games), along the decisions of each seat.

    rewards (steps, games, seats); ended (steps, games) bool; seats, values (steps, games): current seats and values;
    last (games, seats): values after the last step. Rewards of truncated games are bootstrapped values.
    """
    advantage = torch.zeros_like(values)
    ahead, coming, gained = last.clone(), torch.zeros_like(last), torch.zeros_like(last)  # each seat's next decision
    for t in reversed(range(len(values))):
        over = ended[t]
        ahead[over], coming[over], gained[over] = 0.0, 0.0, rewards[t][over]
        current_seats = seats[t][:, None]
        delta = gained.gather(1, current_seats)[:, 0] + gamma * ahead.gather(1, current_seats)[:, 0] - values[t]
        advantage[t] = delta + gamma * gae_lambda * coming.gather(1, current_seats)[:, 0]
        ahead.scatter_(1, current_seats, values[t][:, None])
        coming.scatter_(1, current_seats, advantage[t][:, None])
        gained.scatter_(1, current_seats, 0.0)
    return advantage


def learn(args: Args) -> Agent:
    """Train for `minutes` and write the network."""
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

    # Arrays returned by `reset` and `step` are overwritten by the next step, so they are copied.
    observations, info = vec.reset(seed=args.seed)
    decisions, learning, measured_at = 0, 0.0, 0.0
    while learning < 60 * args.minutes:
        start = time.perf_counter()
        for t in range(args.num_steps):
            features[t], masks[t] = compressed(observations), torch.from_numpy(info["action_mask"].astype(np.bool_))
            seats[t] = torch.from_numpy(info["seat"].astype(np.int64))
            with torch.no_grad():
                policy, values[t] = agent(features[t], masks[t])
                actions[t] = policy.sample()
                logprobs[t] = policy.log_prob(actions[t])
            observations, reward, terminated, truncated, info = vec.step(actions[t].numpy())
            rewards[t], ended[t] = torch.from_numpy(reward), torch.from_numpy(terminated | truncated)
            if truncated.any():  # bootstrap from the final observations of all seats
                final_observations = np.concatenate(info["final_obs"][truncated])
                with torch.no_grad():
                    expected = agent(
                        compressed(final_observations), torch.ones(len(final_observations), n_actions, dtype=torch.bool)
                    )[1]
                rewards[t][torch.from_numpy(truncated)] = args.gamma * expected.view(-1, args.num_players)
        with torch.no_grad():
            views = [vec.observe(np.full(args.num_envs, seat)) for seat in range(args.num_players)]
            last = torch.stack([agent(compressed(view), masks[0])[1] for view in views], dim=1)
        gained = advantages(rewards, ended, seats, values, last, args.gamma, args.gae_lambda)
        update(agent, optimizer, args, *(x.flatten(0, 1) for x in (features, masks, actions, logprobs, values, gained)))
        decisions += args.num_envs * args.num_steps
        learning += time.perf_counter() - start
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
    """Train on a rollout. All tensors have a row for each decision."""
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
    """Return the win shares (games,) of the written network, in every seat in turn."""
    options = vitienv.game_spec(args.game).options
    table = options.of(num_players=args.num_players, skip_forced=True, **{options.LIMIT: args.max_years})
    games, seats = np.arange(args.eval_games), np.arange(args.eval_games) % args.num_players
    seating = np.where(np.arange(args.num_players) == seats[:, None], 0, 1)
    bots = [vitienv.make_agent(name, game=args.game) for name in (f"policy:{args.out}", "random")]
    return play(table, [int(game) for game in games], seating, bots).wins[games, seats]


def main() -> None:
    """Run the command line, whose options are the settings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for setting in fields(Args):
        help_text = f"{setting.metadata['help']} ({setting.default})"
        name = "--" + setting.name.replace("_", "-")
        parser.add_argument(
            name, dest=setting.name, type=type(setting.default), default=setting.default, help=help_text
        )
    try:
        learn(Args(**vars(parser.parse_args())))
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
