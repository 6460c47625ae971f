"""How much of the policy's gradient is signal, and how much is chance, for several lambdas of the advantages.

    python studies/gradient_signal.py runs/mine/agent.safetensors --mix 2:1 --updates 12
    python studies/gradient_signal.py two --updates 12    # the network for two that ships

The gradients of several updates are compared without learning in between: what they have in common is signal, though
the errors of the value are common to them too; what differs is noise. Advantages are normalised, as in learning.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from vitienv.agents.champions import files_in, path_of
from vitienv.games import definition
from vitienv.training.selfplay.learner import Learner, Settings, normalised
from vitienv.training.selfplay.network import load_network
from vitienv.training.selfplay.processes import Processes

LAMBDAS = (0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.97, 1.0)


def signal(learner: Learner, updates: int, lambdas: Sequence[float] = LAMBDAS) -> list[dict[str, float]]:
    """Play `updates` rollouts; for each lambda the squared lengths of the mean gradient (`signal`) and of what one
    update's differs from it (`noise`), both without bias, their `ratio`, and the advantages' standard deviation
    (`spread`). The signal of few updates may come out negative: then there is too little to be seen."""
    if updates < 2:
        raise ValueError(f"updates is {updates}; it takes at least 2 to tell signal from noise")
    gradients: dict[float, list[torch.Tensor]] = {gae_lambda: [] for gae_lambda in lambdas}
    spreads: dict[float, float] = dict.fromkeys(lambdas, 0.0)
    for number in range(updates + 1):
        learner.play()
        rows, *linked = learner.rollout.link(learner.settings.gamma, *lambdas)
        for gae_lambda, advantages in zip(lambdas, linked, strict=True):
            if number > 0:  # in the first, all games are at their beginnings
                spreads[gae_lambda] += float(advantages.std()) / updates
                gradients[gae_lambda].append(_gradient(learner, rows, normalised(advantages)))
        learner.rollout.carry()
    return [
        {"lambda": each, "spread": spreads[each], **_parts(torch.stack(gradients[each]))} for each in lambdas
    ]  # fmt: skip


def _gradient(learner: Learner, rows: torch.Tensor, advantages: torch.Tensor) -> torch.Tensor:
    """The gradient of the mean of log-probability times advantage, all parameters in one row."""
    network, rollout = learner.network, learner.rollout
    network.zero_grad()
    for part in torch.arange(len(rows)).split(learner.settings.minibatch_size):
        logits, _ = network(*rollout.given(rows[part]))
        log_probs = torch.log_softmax(logits, dim=1).gather(1, rollout.actions[rows[part]][:, None])[:, 0]
        ((log_probs * advantages[part]).sum() / len(rows)).backward()
    found = [p.grad.flatten() for p in learner.parameters if p.grad is not None]
    return torch.cat(found).cpu().clone()


def _parts(gradients: torch.Tensor) -> dict[str, float]:
    """gradients (updates, parameters): the squared length of their common part and of the rest, without bias."""
    n = len(gradients)
    total = float(gradients.square().sum(dim=1).mean())
    common = (n * float(gradients.mean(dim=0).square().sum()) - total) / (n - 1)
    return {"signal": common, "noise": total - common, "ratio": common / (total - common)}


def weights_of(told: str) -> Path:
    """The file of weights meant: a path, or the name of a network that ships. ValueError if there is neither."""
    game = definition()
    if Path(told).is_file():
        return Path(told)
    shipped = files_in(game) if game.champions else []
    if told not in shipped:
        raise ValueError(f"there is no file {told!r}; the networks that ship are {', '.join(shipped)}")
    return path_of(told, game)


def main() -> None:
    """The command."""
    try:
        _main()
    except ValueError as error:
        sys.exit(f"gradient_signal: {error}")


def _main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("weights", help="a network of the self-play learner, .safetensors, or one that ships by name")
    parser.add_argument("--mix", default="2:1", help="tables and their shares, as of vitienv train")
    parser.add_argument("--league-share", type=float, default=0.9, help="share of the games against heuristic")
    parser.add_argument("--num-envs", type=int, default=384, help="games at once")
    parser.add_argument("--num-steps", type=int, default=128, help="decisions of each in an update")
    parser.add_argument("--updates", type=int, default=12)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    args: dict[str, Any] = vars(parser.parse_args())
    weights, updates, device = args.pop("weights"), args.pop("updates"), args.pop("device")
    settings = replace(Settings(league=("heuristic",), past=0), **args)
    learner = Learner(settings, Processes(device), load_network(weights_of(weights)))
    for row in signal(learner, updates):
        print(json.dumps({name: float(f"{value:.3g}") for name, value in row.items()}))


if __name__ == "__main__":
    main()
