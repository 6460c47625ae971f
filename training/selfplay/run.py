"""What a run of self-play writes: the bot as it is now, and the checkpoint."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from vitienv.core.files import versions
from vitienv.training.checkpoint import read_checkpoint, write_checkpoint
from vitienv.training.run_dir import KINDS, LAST
from vitienv.training.selfplay.learner import Learner
from vitienv.training.selfplay.network import save_network

FORMAT = 2
CHECKPOINT = KINDS["selfplay"]
EVALUATIONS = 2  # checkpoints for one measurement


def write_run(
    folder: Path, learner: Learner, own: list[dict[str, Any]], imitation: dict[str, Any], seconds: float = 0.0
) -> None:
    """Write the last network, then the checkpoint, so that the network is not older. own: of each process. seconds: of
    the run so far."""
    whole = {"format": FORMAT, "shared": learner.state(), "own": own, "imitation": imitation, "before": learner.before,
             "seconds": seconds}  # fmt: skip
    save_network(folder / LAST, learner.average, about(learner))
    write_checkpoint(folder / CHECKPOINT, whole)


def decisions_in(folder: Path) -> int:
    """The learner's decisions up to the checkpoint of a run. ValueError if it is damaged or of another format."""
    return sum(own["decisions"] for own in read_checkpoint(folder / CHECKPOINT, FORMAT)["own"])


def about(learner: Learner) -> dict[str, Any]:
    """How the weights came about, for their file."""
    return {
        "method": "selfplay", "settings": json.loads(json.dumps(asdict(learner.settings))), "updates": learner.updates,
        "decisions": learner.processes.count * learner.decisions,
        "imitated": learner.processes.count * learner.imitated, "versions": versions(), "before": learner.before,
    }  # fmt: skip
