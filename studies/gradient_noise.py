"""Where the noise of the policy's gradient comes from: chance, a seat's own drawn actions, or the others'.

    python studies/gradient_noise.py two --repeats 16

Games of two in self-play are played into their middle and kept there. From these starts the same number of decisions is
played again and again, and the gradient of seat 0's decisions is taken, as in learning. The starts, the chance to come,
the draws of seat 0 and those of the other seat decide such a rollout. Some of these are held, the others vary from one
repeat to the next: the difference of the gradients is the noise that the varied ones make.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vitienv.agents.champions import path_of
from vitienv.games import definition
from vitienv.training.selfplay.acting import do
from vitienv.training.selfplay.learner import Learner, Settings, normalised
from vitienv.training.selfplay.network import load_network
from vitienv.training.selfplay.processes import Processes

STARTS, CHANCE, OWN, OTHERS = SOURCES = ("starts", "chance", "own draws", "others' draws")
DESIGNS = (SOURCES, (CHANCE, OWN, OTHERS), (CHANCE,), (OWN,), (OTHERS,), (OWN, OTHERS), (CHANCE, OTHERS),
           (CHANCE, OWN))  # fmt: skip
BEFORE = 200  # steps from the deal to the starts: more than a game has, so that they lie in all years
Z = 1.96


class Replays:
    """Rollouts of a learner from starts that are kept."""

    def __init__(self, learner: Learner, seed: int) -> None:
        self.learner, self._seed = learner, seed
        self._starts: dict[int, Any] = {}

    def gradients(self, numbers: dict[str, int], lambdas: Sequence[float]) -> list[torch.Tensor]:
        """The gradient for each lambda. numbers: which starts, chance and draws, by SOURCES."""
        learner, rollout = self.learner, self.learner.rollout
        self._begin(numbers)
        first, others = (self._draws(source, numbers[source]) for source in (OWN, OTHERS))
        playing, everyone = learner.network.compiled(), np.arange(learner.envs.n)
        for t in range(rollout.num_steps):
            step = learner._look(t)
            seats = learner.envs.seats.copy()
            step.chance[:] = np.where(seats == 0, first.random(learner.envs.n), others.random(learner.envs.n))
            do([(step.draw_by(playing), everyone)])
            rollout.keep(t, np.flatnonzero(seats == 0), seats, step)
            learner._step(t, step.actions)
        vectors = []
        for gae_lambda in lambdas:
            rows, advantages = rollout.link(learner.settings.gamma, gae_lambda)
            vectors.append(self._gradient(rows, normalised(advantages)))
        return vectors

    def _draws(self, source: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, SOURCES.index(source), number])

    def _begin(self, numbers: dict[str, int]) -> None:
        """Put the games where these starts are, under this chance."""
        learner = self.learner
        learner.rollout.carried[:] = -1
        if numbers[STARTS] not in self._starts:
            draws = self._draws(STARTS, numbers[STARTS])
            for vec in learner.envs.vecs:
                vec.reset(seed=int(draws.integers(2**31)))
            self._refresh()
            playing, everyone = learner.network.compiled(), np.arange(learner.envs.n)
            for _ in range(BEFORE):
                step = learner._look(0)
                step.chance[:] = draws.random(learner.envs.n)
                do([(step.draw_by(playing), everyone)])
                learner._step(0, step.actions)
            self._starts = {numbers[STARTS]: learner.envs.state()}
        learner.envs.restore(self._starts[numbers[STARTS]])
        keys = self._draws(CHANCE, numbers[CHANCE])
        for vec in learner.envs.vecs:
            key = vec._batch.games.view(np.ndarray)["key"]
            key[:] = keys.integers(2**32, size=key.shape, dtype=np.uint32)
        self._refresh()

    def _refresh(self) -> None:
        for vec, part in zip(self.learner.envs.vecs, self.learner.envs.parts, strict=True):
            self.learner.envs.seats[part] = vec._batch.seats

    def _gradient(self, rows: torch.Tensor, advantages: torch.Tensor) -> torch.Tensor:
        """The gradient of the mean of log-probability times advantage, all parameters in one row."""
        network, rollout = self.learner.network, self.learner.rollout
        network.zero_grad()
        for part in torch.arange(len(rows)).split(4096):
            logits, _ = network(*rollout.given(rows[part]))
            log_probs = torch.log_softmax(logits, dim=1).gather(1, rollout.actions[rows[part]][:, None])[:, 0]
            ((log_probs * advantages[part]).sum() / len(rows)).backward()
        return torch.cat([p.grad.flatten() for p in self.learner.parameters if p.grad is not None]).clone()


def noise(gradients: Sequence[torch.Tensor]) -> tuple[float, float]:
    """The variance of gradients (repeats of one), summed over their numbers, and half of its 95 % interval."""
    rows = torch.stack(list(gradients)).double()
    away = (rows - rows.mean(dim=0)).square().sum(dim=1) * len(rows) / (len(rows) - 1)
    return float(away.mean()), Z * float(away.std()) / len(rows) ** 0.5


def main(arguments: Sequence[str] | None = None) -> None:
    """The command: a line for each design, with what varies in it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("weights", help="a network of the self-play learner, .safetensors, or one that ships by name")
    parser.add_argument("--repeats", type=int, default=16)
    parser.add_argument("--num-envs", type=int, default=256)
    parser.add_argument("--num-steps", type=int, default=128)
    parser.add_argument("--lambdas", default="0.9,0.95", help="separated by commas")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    if args.repeats < 2:
        parser.error(f"repeats is {args.repeats}; it takes at least 2 to see noise")
    torch.set_num_threads(1)
    file = Path(args.weights) if Path(args.weights).is_file() else path_of(args.weights, definition())
    settings = Settings(
        mix="2:1", num_envs=args.num_envs, num_steps=args.num_steps, league=(), past=0, league_share=0.0
    )  # fmt: skip
    replays = Replays(Learner(settings, Processes("cpu"), load_network(file)), args.seed)
    lambdas = [float(word) for word in args.lambdas.split(",")]
    for varied in DESIGNS:
        repeats = [
            replays.gradients({source: number if source in varied else 0 for source in SOURCES}, lambdas)
            for number in range(args.repeats)
        ]
        for i, gae_lambda in enumerate(lambdas):
            value, half = noise([each[i] for each in repeats])
            about = {"varied": ", ".join(varied), "lambda": gae_lambda, "noise": value, "half": half}
            print(json.dumps(about), flush=True)


if __name__ == "__main__":
    main()
