"""What weights that cards share bring: `python studies/traits.py`.

Networks with and without them imitate the rule of thumb for the same processor time, several seeds each, and play it:
how often each chooses as it does in its own games, how far its probabilities are from that, and what it wins.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from vitienv.agents.seating import make_bot, measuring_seeds
from vitienv.core.batch import Batch, key_of
from vitienv.core.english import markdown
from vitienv.games import definition
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.processes import Processes
from vitienv.training.watch import measure

BOT = definition().rule_of_thumb
SETTINGS: dict[str, Any] = {"mix": "2:1", "hidden": 128, "num_envs": 128, "num_steps": 32, "advice": None, "league": ()}
MOST_STEPS = 160  # of the games that are looked at
LOOKED_AT = 10**6  # the seed of those games


def examples(games: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations, masks and the bot's choices in its own games for two, those that are choices."""
    batch = Batch(games, definition().options.of(num_players=2, skip_forced=True))
    batch.start(np.concatenate([key_of(seed) for seed in measuring_seeds(LOOKED_AT, games)]))
    bot, steps = make_bot(BOT, 0), []
    for _ in range(MOST_STEPS):
        rows = batch.playing()
        if not len(rows):
            break
        batch.actions[rows] = bot.act(batch.obs[rows], batch.masks[rows])
        steps.append((batch.obs[rows].copy(), batch.masks[rows].copy(), batch.actions[rows].copy()))
        batch.step()
    seen, masks, actions = (np.concatenate(part) for part in zip(*steps, strict=True))
    return seen, masks, actions


def learned(seconds: float, settings: dict[str, Any]) -> tuple[Learner, float]:
    """A network that has imitated for so many seconds of processor time, and how many it really took."""
    learner, bot = Learner(Settings(**settings), Processes("cpu")), make_bot(BOT, 0)
    learner.imitate(bot, 0.0)  # compiles, and is the same for all
    began = time.process_time()
    while (passed := time.process_time() - began) < seconds:
        learner.imitate(bot, passed / seconds)
    return learner, passed


def judged(learner: Learner, held: tuple[np.ndarray, np.ndarray, np.ndarray], games: int) -> list[float]:
    """Agreement with the bot, cross entropy, and the share of games won against it, in hundredths but the second."""
    seen, masks, actions = held
    logits, _ = learner.network.compiled().evaluate(seen, masks)
    log_probs = torch.log_softmax(torch.from_numpy(logits), dim=1).numpy()
    options = learner.definition.options.of(num_players=2, skip_forced=True, max_years=30)
    wins = measure(learner.network, BOT, options, games)["wins"] if games else float("nan")
    agreed, chosen = logits.argmax(axis=1) == actions, log_probs[np.arange(len(actions)), actions]
    return [100 * float(agreed.mean()), -float(chosen.mean()), 100 * wins]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python studies/traits.py", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for each network")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, default=200, help="that each network plays against the bot; 0 for none")
    parser.add_argument("--num-envs", type=int, default=SETTINGS["num_envs"])
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)
    held = examples(max(8, args.games // 2))
    rows = []
    for seed in range(args.seeds):
        for traits in (False, True):
            settings = SETTINGS | {"seed": seed, "traits": traits, "num_envs": args.num_envs}
            learner, passed = learned(args.seconds, settings)
            score = judged(learner, held, args.games)
            rows.append([
                "shared" if traits else "plain", str(seed), f"{learner.imitated:,}", f"{passed:.0f}", f"{score[0]:.1f}",
                f"{score[1]:.3f}", f"{score[2]:.1f}",
            ])  # fmt: skip
            print(*rows[-1], flush=True)
    heads = ["weights", "seed", "decisions", "seconds", "agreement, %", "cross entropy", f"wins against {BOT}, %"]
    print(markdown(heads, rows))


if __name__ == "__main__":
    main()
