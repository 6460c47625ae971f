"""Learners on the nodes of a Ray cluster.

They are the processes of `training.selfplay.processes`, begun by Ray Train, each with actors of its own (`players`).
The first one tells after every update how far they are, and sends checkpoints. If one is lost, Ray Train begins all
anew: they go on from the last checkpoint that arrived.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vitienv.training.checkpoint import read_checkpoint
from vitienv.training.cluster.desk import Told
from vitienv.training.cluster.executor import naming_the_node, unpack
from vitienv.training.cluster.nodes import Nodes
from vitienv.training.cluster.players import Played, Player, Players, weights_of
from vitienv.training.run import FIRST_SECONDS
from vitienv.training.run_folder import WEIGHTS
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.rollout import Sample
from vitienv.training.selfplay.run import CHECKPOINT, FORMAT, decisions_of, write_run


@dataclass(frozen=True)
class Errand:
    """What a learner's process gets beside the checkpoint. luggage: a list with a reference to the luggage, since Ray
    would replace a bare reference by its object."""

    desk: Any
    luggage: Any
    settings: Settings
    device: str
    threads: int
    actors: int
    staleness: int
    checkpoint_seconds: float


def learn(errands: dict[str, Errand]) -> None:
    """A learner's process, which Ray Train begins, until the call is over."""
    import ray

    errand = errands["errand"]
    try:
        _learn(ray, errand)
    except (ValueError, OSError) as error:
        ray.get(errand.desk.fail.remote(error))
        raise


def _learn(ray: Any, errand: Errand) -> None:
    unpack(ray.get(errand.luggage[0]), ray.get_runtime_context().get_node_id())
    torch.set_num_threads(errand.threads)
    processes, settings, desk = Processes(errand.device), errand.settings, errand.desk
    begun = processes.from_first(ray.get(desk.begin.remote()) if processes.is_first else None)
    if begun is None:
        return
    checkpoint, times = begun
    saved = _read(checkpoint)
    learner = Learner(settings, processes, before=saved["before"], plays=False)
    learner.restore(saved["shared"], None)
    learner.decisions = decisions_of(saved) // processes.count

    def make(number: int) -> Any:
        actor = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(Player)
        return actor.remote(errand.luggage[0], settings, (times, processes.rank, number))

    def wanted() -> int:
        free = int(ray.cluster_resources().get("CPU", 0)) - processes.count * errand.threads
        return len(range(processes.rank, errand.actors or free, processes.count))

    nodes = Nodes(ray, desk.say.remote if processes.is_first else lambda line: None)
    players = Players(ray, make, wanted, errand.staleness, nodes, desk.say.remote)
    kept: dict[str, Any] = {}  # where the past selves' weights are
    share, saved_at, n_saved = 0.0, time.monotonic(), 0
    while share < 1:
        began = time.monotonic()
        learner.grow_older()
        past = learner.league.past_selves()
        kept = {name: kept.get(name) or [ray.put(weights_of(network))] for name, network in past.items()}
        work = learner.updates, ray.put(weights_of(learner.network)), learner.league.told(), kept
        played = players.gather(learner.updates, work)
        players.hand_out(work, len(played))  # beside the learning
        gathered = time.monotonic()
        means = _learn_from(learner, played, share)
        means |= {"actors": _total(processes, len(players)), "dropped": _total(processes, players.dropped)}
        seconds = {"waiting": gathered - began, "learning": time.monotonic() - gathered}
        news = Told(
            learner.updates, processes.count * learner.decisions, processes.count * learner.imitated, means,
            learner.report(), learner.league.standing(), seconds,
        )  # fmt: skip
        share = processes.from_first(ray.get(desk.tell.remote(news)) if processes.is_first else None)
        interval = min(FIRST_SECONDS, errand.checkpoint_seconds) if not n_saved else errand.checkpoint_seconds
        if processes.is_first and (share >= 1 or time.monotonic() - saved_at >= interval):
            ray.get(desk.keep.remote(_written(learner, saved["imitation"]), share >= 1))
            saved_at, n_saved = time.monotonic(), n_saved + 1


# A checkpoint is read and written in a folder of the node's.


@naming_the_node()
def _read(checkpoint: bytes) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
        path = Path(folder) / CHECKPOINT
        path.write_bytes(checkpoint)
        return read_checkpoint(path, FORMAT)


@naming_the_node()
def _written(learner: Learner, imitation: dict[str, Any]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
        write_run(Path(folder), learner, [], imitation)
        return {name: (Path(folder) / name).read_bytes() for name in (WEIGHTS, CHECKPOINT)}


def _learn_from(learner: Learner, played: list[Played], share: float) -> dict[str, float]:
    """An update on what the actors played; returns the means of what was optimised."""
    processes = learner.processes
    explained = sum(each.explained for each in played) / len(played)
    means = learner.learn(Sample.of([each.columns for each in played], explained, processes.device), share)
    means["staleness"] = sum(learner.updates - each.version for each in played) / len(played)
    for each in played:
        learner.league.note(each.results)
        for name, value in each.sums.items():
            learner.sums[name] += value
    learner.league.tally(processes.summed)
    learner.decisions += round(_total(processes, sum(each.decisions for each in played)) / processes.count)
    learner.updates += 1
    return means


def _total(processes: Processes, number: float) -> float:
    return float(processes.summed(np.array([number], float))[0])
