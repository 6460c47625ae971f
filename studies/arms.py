"""Ablation: train several networks in turn, one update each, that differ in a few settings.

    python studies/arms.py results/arms/three-seats.json runs/three-seats --minutes 60

The JSON file contains the initial network (`start`: a weights file or a bundled network), the common settings, those of
each arm, and the `game` if it is not Viticulture. Training uses one thread and can be interrupted and resumed. An arm's
directory contains its checkpoint, its weights and their mean over the last updates (`mean.safetensors`). curve.csv
contains the training decisions and the win rates of the mean against evaluation opponents (`--games` each).
"""

from __future__ import annotations

import argparse
import copy
import csv
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from vitienv.agents.champions import path_of
from vitienv.agents.network import read_network
from vitienv.agents.policy import PolicyAgent
from vitienv.agents.seeding import make_bot
from vitienv.core.files import versions
from vitienv.registry import canonical_name, game_spec
from vitienv.training.checkpoint import read_checkpoint
from vitienv.training.eval_opponents import evaluate_against
from vitienv.training.evaluation.match import warm_up
from vitienv.training.run_dir import LAST, WEIGHTS
from vitienv.training.run_dir import copy as copy_file
from vitienv.training.selfplay.learner import Learner, Settings, anneal
from vitienv.training.selfplay.network import PolicyValue, load_network, save_network
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.train import CHECKPOINT, FORMAT, write_run

MEAN = "mean.safetensors"
SPAN = 50  # updates in the moving average of the weights
SECONDS = 120  # interval of checkpoints
COLUMNS = ("arm", "seconds", "updates", "decisions", "entropy", "kl", "clipped", "explained")


class Arm:
    """A learner, the mean of its weights, and its directory."""

    def __init__(self, folder: Path, settings: Settings, start: Path) -> None:
        self.folder, self.name = folder, folder.name
        file = folder / CHECKPOINT
        checkpoint = read_checkpoint(file, FORMAT) if file.exists() else None
        self.learner = Learner(settings, Processes("cpu"), load_network(start, game=settings.game))
        self.mean: PolicyValue = copy.deepcopy(self.learner.network)
        if checkpoint is not None:
            self.learner.restore(checkpoint["shared"], checkpoint["own"][0])
            self.mean = load_network(folder / MEAN, game=settings.game)
        self.decisions = 0 if checkpoint is None else sum(local_state["decisions"] for local_state in checkpoint["own"])
        self.evaluation = dict[str, float]()
        self.start_metadata = read_network(start, settings.game).metadata["trained"]

    def update(self, progress: float) -> None:
        """Run one update. progress: fraction of the planned decisions, from 0 to 1."""
        self.evaluation = self.learner.update(progress)
        self.decisions = self.learner.decisions
        weight = 1 / min(SPAN, self.learner.updates)
        with torch.no_grad():
            for old, new in zip(self.mean.parameters(), self.learner.network.parameters(), strict=True):
                old.lerp_(new, weight)

    def save(self) -> None:
        """Write the checkpoint and both networks."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_run(self.folder, self.learner, [self.learner.local_state()], {})
        copy_file(self.folder / LAST, self.folder / WEIGHTS)
        learner = self.learner
        metadata = metadata_of(learner.settings, self.decisions, learner.updates, self.start_metadata)
        save_network(self.folder / MEAN, self.mean, metadata)

    def bot(self) -> PolicyAgent:
        """Return the mean network, as saved, as a bot."""
        return PolicyAgent(str(self.folder / MEAN), game=self.learner.settings.game)


def metadata_of(settings: Settings, decisions: int, updates: int, start_metadata: Any) -> dict[str, Any]:
    """Return the training metadata of the averaged weights. start_metadata: that of the initial network."""
    return {
        "method": "selfplay", "mean of": SPAN, "settings": json.loads(json.dumps(asdict(settings))),
        "decisions": decisions, "imitated": 0, "updates": updates, "versions": versions(), "before": start_metadata,
    }  # fmt: skip


def settings_of(design: dict[str, Any], arm: str, start: Path) -> Settings:
    """Return the settings of an arm; the architecture is that of the initial weights."""
    settings = {**design["common"], **design["arms"][arm]}
    settings |= {"league": tuple(settings["league"])} if "league" in settings else {}
    game = design.get("game", "viticulture")
    architecture = load_network(start, game=game).architecture
    return replace(
        Settings(),
        game=game,
        hidden=architecture.hidden,
        blocks=architecture.blocks,
        shaping=architecture.lead,
        policy_prior=architecture.policy_prior,
        **settings,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("arms", type=Path, help="a JSON file: start, common, arms, decisions, eval_opponents, table")
    parser.add_argument("run", type=Path, help="run directory; resumed if it exists")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--games", type=int, default=400, help="games per opponent and evaluation")
    parser.add_argument("--every", type=float, default=10.0, help="minutes between evaluations")
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)
    design = json.loads(args.arms.read_text())
    game = game_spec(design.get("game", "viticulture"))
    start = Path(design["start"]) if Path(design["start"]).is_file() else path_of(design["start"], game)
    arms = [Arm(args.run / name, settings_of(design, name, start), start) for name in design["arms"]]
    options = game.options.of(**game.tables[design["table"]], **{game.options.LIMIT: 30})
    warm_up([make_bot(name, 0, canonical_name(game)) for name in design["eval_opponents"]], game)
    curve = args.run / "curve.csv"
    start_time = checkpoint = evaluate_time = time.monotonic()

    def note() -> None:
        is_new = not curve.exists()
        with curve.open("a", newline="") as file:
            writer = csv.DictWriter(file, [*COLUMNS, *design["eval_opponents"]], restval="")
            if is_new:
                writer.writeheader()
            for arm in arms:
                arm.save()
                row: dict[str, Any] = {"arm": arm.name, "seconds": round(time.monotonic() - start_time)}
                row |= {"updates": arm.learner.updates, "decisions": arm.decisions}
                row |= {name: round(arm.evaluation[name], 5) for name in COLUMNS if name in arm.evaluation}
                row |= {
                    name: evaluate_against(arm.bot(), name, options, args.games)["wins"]
                    for name in design["eval_opponents"]
                }
                writer.writerow(row)
                print(row, flush=True)

    while time.monotonic() - start_time < 60 * args.minutes:
        for arm in arms:
            arm.update(anneal(0.0, 1.0, min(1.0, arm.decisions / design["decisions"])))
        if time.monotonic() - checkpoint > SECONDS:
            for arm in arms:
                arm.save()
            checkpoint = time.monotonic()
        if time.monotonic() - evaluate_time > 60 * args.every:
            note()
            evaluate_time = time.monotonic()
    for arm in arms:
        arm.save()
    note()


if __name__ == "__main__":
    main()
