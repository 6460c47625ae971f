"""Where the self-play learner's time goes, and how fast the network alone would be on the same shapes.

    python studies/loop_profile.py --threads 2 --num-envs 256

What it prints is what `profile` returns.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from vitienv.training.selfplay.acting import AT_ONCE
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.threads import together


def profile(settings: Settings, updates: int = 4, device: str = "auto") -> dict[str, Any]:
    """Play and learn for some updates, then push the same numbers of rows through the network without any game.

    Returns decisions a second of the learner (`loop`) and of the network (`alone`), their ratio, the shares of the
    loop's time by what was done, and how many cores the loop had on average (`cores`), fewer than threads on a machine
    that does other work too.
    """
    # Both learn from every decision: what the learner leaves out is no speed of its loop.
    learner = Learner(replace(settings, warm=0), Processes(device))
    learner.update()  # what is compiled or allocated on first use
    learner.seconds.clear()
    decisions, spent, bare, busy = learner.decisions, 0.0, 0.0, 0.0
    for _ in range(updates):
        # One after the other, so that a machine that others use too slows both alike.
        before, began, cpu = learner.decisions, time.perf_counter(), time.process_time()
        learner.update()
        played, busy = time.perf_counter(), busy + time.process_time() - cpu
        _alone(learner, learner.decisions - before)
        spent += played - began
        bare += time.perf_counter() - played
    decisions = learner.decisions - decisions
    shares = {name: round(seconds / spent, 3) for name, seconds in learner.seconds.items()}
    return {
        "loop": round(decisions / spent), "alone": round(decisions / bare), "ratio": round(bare / spent, 3),
        "shares": shares | {"rest": round(1 - sum(learner.seconds.values()) / spent, 3)},
        "cores": round(busy / spent, 2), "num_envs": learner.envs.n, "threads": torch.get_num_threads(),
        "device": str(learner.processes.device),
        "parameters": learner.network.n_parameters(),
    }  # fmt: skip


def _alone(learner: Learner, decisions: int) -> None:
    """The forward passes of playing that many decisions, and the descent over them, on rows that lie ready."""
    settings, rollout = learner.settings, learner.rollout
    network = copy.deepcopy(learner.network)
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    at_once = max(1, round(decisions / settings.num_steps))
    given, playing = [part.cpu().numpy() for part in rollout.given(slice(at_once))], network.compiled()
    pieces = [[part[i : i + AT_ONCE] for part in given] for i in range(0, at_once, AT_ONCE)]
    for _ in range(settings.num_steps):
        together([partial(playing.evaluate, *piece) for piece in pieces])
    parts = max(1, round(decisions / settings.minibatch_size))
    minibatch = rollout.given(slice(decisions // parts))
    for _ in range(settings.update_epochs * parts):
        logits, values = network(*minibatch)
        optimizer.zero_grad()
        (torch.log_softmax(logits, dim=1)[:, 0].mean() + values.square().mean()).backward()
        optimizer.step()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--num-envs", type=int, default=Settings.num_envs)
    parser.add_argument("--hidden", type=int, default=Settings.hidden)
    parser.add_argument("--league-share", type=float, default=Settings.league_share)
    parser.add_argument("--updates", type=int, default=4)
    parser.add_argument("--device", default="auto")
    settings: dict[str, Any] = vars(parser.parse_args())
    threads, updates, device = settings.pop("threads"), settings.pop("updates"), settings.pop("device")
    if threads is not None:
        torch.set_num_threads(threads)
    print(json.dumps(profile(Settings(**settings), updates, device), indent=2))


if __name__ == "__main__":
    main()
