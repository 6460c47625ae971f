"""Files of a self-play run: the last network and the checkpoint."""

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
EVALUATIONS = 2  # checkpoints per evaluation


def write_run(
    folder: Path, learner: Learner, local_states: list[dict[str, Any]], imitation: dict[str, Any], seconds: float = 0.0
) -> None:
    """Write the last network, then the checkpoint, so that the network is never older.

    local_states: local states of all processes. seconds: duration of the run so far.
    """
    whole = {"format": FORMAT, "shared": learner.state(), "own": local_states, "imitation": imitation,
             "before": learner.before, "seconds": seconds}  # fmt: skip
    save_network(folder / LAST, learner.average, about(learner))
    write_checkpoint(folder / CHECKPOINT, whole)


def decisions_in(folder: Path) -> int:
    """Return the learner's decisions up to a checkpoint. ValueError if it is damaged or of another format."""
    return sum(local_state["decisions"] for local_state in read_checkpoint(folder / CHECKPOINT, FORMAT)["own"])


def about(learner: Learner) -> dict[str, Any]:
    """Return the training metadata of a weights file."""
    return {
        "method": "selfplay", "settings": json.loads(json.dumps(asdict(learner.settings))), "updates": learner.updates,
        "decisions": learner.processes.count * learner.decisions,
        "imitated": learner.processes.count * learner.imitated, "versions": versions(), "before": learner.before,
    }  # fmt: skip
