"""Distil a search into a network: label positions with a fixed teacher, then train the network on the labels.

    python studies/distil.py generate runs/labels --network two --table 2 --seed 1 --waves 200
    python studies/distil.py train runs/labels runs/distilled.safetensors --network two

`generate` plays games with the network. A decision is open if the network's best action has a probability below 99 %;
a quarter of the open decisions is searched by the network's own search. A sample of the others is stored with the
network's policy, as an anchor. Each wave of 256 games is one file (at two seats 3,600 labels, 15 s of one core), and
files of other seeds add up: run one process per core. `train` holds out one game in 20 and reports the divergence of
the policy from the targets of these games.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vitienv.agents import GameViews
from vitienv.agents.champions import digest_of, path_of
from vitienv.agents.network import Network, read_network
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.searcher import SearchResult, search
from vitienv.agents.seeding import game_seeds
from vitienv.core.batch import Batch, make_key
from vitienv.core.networks.network import draw
from vitienv.registry import game_spec
from vitienv.training.selfplay.network import PolicyValue, load_network, save_network

WAVE = 256  # games that are searched in parallel
OPEN_PROB, OPEN_SHARE, ANCHOR_SHARE = 0.99, 0.25, 0.06
PRUNE_MARGIN, VALUE_SCALE, PRIOR_VISITS = 4.6, 0.005, 5.0
TARGET_ACTIONS = 8
HELD_OUT = 20  # one game in this number
MINIBATCH, LEARNING_RATES, WEIGHT_DECAY, VALUE_COEF = 2048, (3e-4, 1e-5), 1e-4, 0.25
AVERAGED_STEPS = 50
SETTINGS = "settings.json"
ARRAYS = ("observations", "masks", "actions", "policies", "values", "results", "is_searched")


def softmax(logits: np.ndarray) -> np.ndarray:
    """Return probabilities by row; a logit of minus infinity has none."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def target_of(result: SearchResult, prior_visits: float) -> np.ndarray:
    """Return the policy target (k,) of a search: the prior, improved by the searched values.

    prior_visits: of the search, whose values it shrinks towards the value of the root. The target shrinks them by
    `PRIOR_VISITS` visits instead and divides them by `VALUE_SCALE`.
    """
    visits, priors, values = (np.asarray(x, float) for x in (result.visits, result.priors, result.values))
    is_visited = visits > 0
    weights = priors[is_visited] / visits[is_visited]
    root = (weights * values[is_visited] * (visits[is_visited] + prior_visits)).sum()
    root /= priors[is_visited].sum() + prior_visits * weights.sum()
    gains = np.where(is_visited, (values - root) * (visits + prior_visits) / (visits + PRIOR_VISITS), 0.0)
    return softmax(np.log(priors + 1e-12) + gains / VALUE_SCALE)


def top_actions(actions: np.ndarray, policy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the most probable actions (TARGET_ACTIONS,) int16, -1 for padding, and their shares, which add up to 1."""
    order = np.argsort(-policy, kind="stable")[:TARGET_ACTIONS]
    numbers, shares = np.full(TARGET_ACTIONS, -1, np.int16), np.zeros(TARGET_ACTIONS, np.float32)
    numbers[: len(order)], shares[: len(order)] = actions[order], policy[order] / policy[order].sum()
    numbers[shares == 0] = -1
    return numbers, shares


def play_wave(
    network: Network, bot: IsmctsAgent, options: Any, first_seed: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Play a wave of games and return its samples: arrays of equal length by name, with the `games` they are from."""
    limits = replace(bot.limits, is_noisy=True, prune_margin=PRUNE_MARGIN)
    batch = Batch(WAVE, options)
    batch.start(np.concatenate([make_key(seed) for seed in game_seeds(first_seed, range(WAVE))]))
    views, samples, decisions, num_open = GameViews(batch, np.arange(WAVE)), [], 0, 0

    def add(row: int, actions: np.ndarray, policy: np.ndarray, value: float, is_searched: bool) -> None:
        inputs = batch.obs[row].copy(), batch.masks[row].copy()
        samples.append((*inputs, *top_actions(actions, policy), value, is_searched, row, int(batch.seats[row])))

    while len(rows := batch.active_rows()):
        logits, values = network.evaluate(batch.obs[rows], batch.masks[rows])
        policy = softmax(logits)
        is_open = policy.max(axis=1) < OPEN_PROB
        decisions, num_open = decisions + len(rows), num_open + int(is_open.sum())
        draws = rng.random(len(rows))
        for i in np.flatnonzero(~is_open & (draws < ANCHOR_SHARE)):
            add(rows[i], np.arange(policy.shape[1]), policy[i], values[i], False)
        searched = rows[is_open & (draws < OPEN_SHARE)]
        if len(searched):
            seeds = rng.integers(0, 2**32, (len(searched), 2), dtype=np.uint32)
            results = search(batch.obs[searched], batch.masks[searched], views, searched, seeds, bot.guide, limits)
            for row, result in zip(searched, results, strict=True):
                if result.simulations and len(result.actions) > 1:
                    add(row, result.actions, target_of(result, limits.prior_visits), result.value, True)
        actions, log_probs = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
        draw(logits, rng.random(len(rows)), actions, log_probs)
        batch.actions[rows] = actions
        batch.step()
    columns = [np.array(column) for column in zip(*samples, strict=True)]
    *inputs, actions, policies, values, is_searched, games, seats = columns
    results = batch.rewards[games, seats].astype(np.float32)
    arrays = (*inputs, actions, policies, values.astype(np.float32), results, is_searched)
    return dict(zip(ARRAYS, arrays, strict=True)) | {"games": games, "counts": np.array([decisions, num_open])}


def options_of(game: Any, table: str, teacher: Network) -> Any:
    """Return the options of a table, with the reward that the teacher predicts."""
    options = game.options.of(**game.tables[table])
    reward = "margin" if teacher.knows_margin and options.num_players == 1 else "win"
    return game.options.of(**game.tables[table] | {"skip_forced": True, "reward": reward, "max_years": 30})


def generate(directory: Path, network: Path, table: str, simulations: int, seed: int, waves: int) -> None:
    """Write one file of samples for each wave; files that exist are not computed again.

    table: tables of the ladder, separated by commas, which take turns.
    """
    game, tables = game_spec(), table.split(",")
    mix = ",".join(f"{name}:{number}" for name, number in Counter(tables).items())
    settings = {"weights": digest_of(network), "mix": mix, "simulations": simulations}
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / SETTINGS
    if file.exists() and json.loads(file.read_text()) != settings:
        raise SystemExit(f"{directory} has samples with other settings: {file.read_text().strip()}")
    file.write_text(json.dumps(settings) + "\n")
    teacher = read_network(network, game)
    bot = IsmctsAgent(simulations, policy=str(network), playout="quick")
    options = [options_of(game, name, teacher) for name in tables]
    start, total = time.monotonic(), 0
    for wave in range(waves):
        file = directory / f"{seed}-{wave}.npz"
        if file.exists():
            continue
        sequence = np.random.SeedSequence([seed, wave])
        first_seed, rng = int(sequence.generate_state(1)[0]), np.random.default_rng(sequence)
        samples: dict[str, Any] = play_wave(teacher, bot, options[wave % len(tables)], first_seed, rng)
        part = file.with_suffix(".part.npz")
        np.savez_compressed(part, **samples)
        part.replace(file)
        total += int(samples["is_searched"].sum())
        decisions, num_open = samples["counts"]
        per_hour = total / (time.monotonic() - start) * 3600
        print(f"wave {wave}: {num_open / decisions:.3f} open, {total} labels, {per_hour:.0f} an hour", flush=True)


class Samples:
    """All samples of a directory in memory, and the losses of a network on them."""

    def __init__(self, directory: Path, network: PolicyValue) -> None:
        files = sorted(file for file in directory.glob("*.npz") if not file.name.endswith(".part.npz"))
        if not files:
            raise SystemExit(f"{directory} has no samples")
        self.settings = json.loads((directory / SETTINGS).read_text())
        self.settings["waves_by_seed"] = Counter(file.name.partition("-")[0] for file in files)
        parts = [np.load(file) for file in files]
        self.arrays = {name: np.concatenate([part[name] for part in parts]) for name in ARRAYS}
        games = np.concatenate([WAVE * number + part["games"] for number, part in enumerate(parts)])
        is_held_out, is_searched = games % HELD_OUT == 0, self.arrays["is_searched"]
        self.training, self.anchors = (np.flatnonzero(~is_held_out & x) for x in (is_searched, ~is_searched))
        self.held_out = {"": np.flatnonzero(is_held_out & is_searched)}
        self.held_out["anchor_"] = np.flatnonzero(is_held_out & ~is_searched)
        self.network = network

    def losses(self, rows: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the mean divergence from the targets, the value's mean squared error, and the top-1 accuracy."""
        arrays = [self.arrays[name][rows] for name in ARRAYS[:-1]]
        prior = torch.from_numpy(self.network.policy_prior(*arrays[:2]))
        observations, masks, actions, policies, values, results = map(torch.from_numpy, arrays)
        logits, predicted = self.network(observations, masks, prior)
        target = torch.zeros_like(logits)
        target.scatter_add_(1, actions.long().clamp(min=0), torch.where(actions >= 0, policies, 0.0))
        divergence = torch.special.xlogy(target, target) - target * torch.log_softmax(logits, 1).clamp(min=-50)
        error = (predicted - (values + results) / 2).square().mean()
        return divergence.sum(1).mean(), error, (logits.argmax(1) == target.argmax(1)).float().mean()

    def report(self) -> dict[str, float]:
        """Return the losses on the held-out games, of searched decisions and of anchors."""
        row: dict[str, float] = {}
        for kind, rows in self.held_out.items():
            chunks = np.array_split(rows, max(1, len(rows) // 4096))
            with torch.no_grad():
                losses = np.array([[float(x) for x in self.losses(chunk)] for chunk in chunks])
            means = np.average(losses, axis=0, weights=[len(chunk) for chunk in chunks]).round(5).tolist()
            names = ("divergence", "value_error", "agreement")
            row |= {f"{kind}{name}": mean for name, mean in zip(names, means, strict=True)}
        return row


def train(directory: Path, out: Path, network: Path, passes: int, threads: int, extrapolation: float = 1.0) -> None:
    """Train a copy of the teacher's network on its samples and save it.

    The saved weights are those of the teacher plus `extrapolation` times the difference to the mean of the last steps:
    trained on noisy targets, the weights may fall short of the optimum or overshoot it.
    """
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    learner = load_network(network)
    samples, rng = Samples(directory, learner), np.random.default_rng(0)
    if samples.settings["weights"] != digest_of(network):
        raise SystemExit(f"the samples of {directory} are not of {network}")
    size = min(MINIBATCH, len(samples.training), len(samples.anchors))
    steps, curve = passes * (len(samples.training) // size), [{"pass": 0.0, **samples.report()}]
    optimizer = torch.optim.AdamW(learner.parameters(), lr=LEARNING_RATES[0], weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, LEARNING_RATES[1] / LEARNING_RATES[0], steps)
    average = torch.optim.swa_utils.AveragedModel(learner)
    print(f"{len(samples.training)} labels, {len(samples.anchors)} anchors\n{json.dumps(curve[0])}", flush=True)
    for number in range(passes):
        order = rng.permutation(samples.training)
        for step in range(len(order) // size):
            loss = torch.zeros(())
            for rows in (order[step * size : (step + 1) * size], rng.choice(samples.anchors, size, replace=False)):
                divergence, error, _ = samples.losses(rows)
                loss = loss + divergence + VALUE_COEF * error
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            if number * (len(order) // size) + step >= steps - AVERAGED_STEPS:
                average.update_parameters(learner)
        curve.append({"pass": number + 1.0, **samples.report()})
        print(json.dumps(curve[-1]), flush=True)
    start, mean = load_network(network).state_dict(), average.module.state_dict()
    learner.load_state_dict({key: torch.lerp(value, mean[key], extrapolation) for key, value in start.items()})
    curve.append({"pass": passes + 0.5, **samples.report()})  # the saved weights
    print(json.dumps(curve[-1]), flush=True)
    trained = {"method": "distillation", "decisions": len(samples.training), "curve": curve}
    trained["settings"] = samples.settings | {"passes": passes, "extrapolation": extrapolation}
    save_network(out, learner, trained | {"before": read_network(network).metadata["trained"]})


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description="Distil a search into a network.")
    commands = parser.add_subparsers(dest="command", required=True)
    for command in ("generate", "train"):
        subparser = commands.add_parser(command)
        subparser.add_argument("directory", type=Path, help="directory of the samples")
        subparser.add_argument("--network", default="two", help="the teacher: a bundled network or a file of weights")
    commands.choices["generate"].add_argument("--table", default="2", help="tables of the ladder: solo,solo/hard")
    commands.choices["generate"].add_argument("--simulations", type=int, default=32, help="simulations per label")
    commands.choices["generate"].add_argument("--seed", type=int, default=0)
    commands.choices["generate"].add_argument("--waves", type=int, default=200, help="number of files")
    commands.choices["train"].add_argument("out", type=Path, help="file of the new network")
    commands.choices["train"].add_argument("--passes", type=int, default=4)
    commands.choices["train"].add_argument("--threads", type=int, default=2)
    commands.choices["train"].add_argument(
        "--extrapolation", type=float, default=1.0, help="1 saves the trained weights"
    )
    return parser


def main() -> None:
    arguments = vars(parser().parse_args())
    bundled = path_of(arguments["network"], game_spec())
    arguments["network"] = bundled if bundled.exists() else Path(arguments["network"])
    (generate if arguments.pop("command") == "generate" else train)(**arguments)


if __name__ == "__main__":
    main()
