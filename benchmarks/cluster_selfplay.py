"""What self-play on Ray costs beside the loop of one process, on the same cores, turn by turn.

    python benchmarks/cluster_selfplay.py [UPDATES [ROUNDS [LEARNERS]]]

Prints one line of JSON for each run: decisions of the learner for a second of the processors, all processes together,
and by the clock; the first updates, which compile and fill what is empty, are not counted. With more than one learner,
these have a turn too, each with an actor.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cluster import MARK, processes

from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.train import train_selfplay
from vitienv.training.watch import Watch

SKIPPED = 3  # updates


def measured(on: str, updates: int, threads: int, learners: int = 0) -> None:
    """A training of so many updates, looked at after each."""
    points: list[tuple[float, float, int]] = []
    tell = Watch.tell

    def look(watch: Watch, learner: Any, *rest: Any) -> None:
        tell(watch, learner, *rest)
        spent = sum(each[0] for each in processes().values())
        points.append((time.monotonic(), spent, learner.processes.count * learner.decisions))

    Watch.tell = look  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as folder:
            done = train_selfplay(
                Path(folder) / "run", updates=SKIPPED + updates, on=on, threads=threads, device="cpu",
                evaluation_games=0, progress=False, learners=learners, actors=learners,
            )  # fmt: skip
    finally:
        Watch.tell = tell  # type: ignore[method-assign]
    (began, spent, first), (ended, all_spent, last) = points[SKIPPED - 1], points[-1]
    row = {
        "on": on, "learners": max(1, learners), "decisions": last - first,
        "a_processor_second": round((last - first) / (all_spent - spent)),
        "a_second": round((last - first) / (ended - began)), "cores": round((all_spent - spent) / (ended - began), 2),
        **{name: done[name] for name in ("time", "actors", "staleness", "dropped") if name in done},
    }  # fmt: skip
    print(json.dumps(row), flush=True)


def main() -> None:
    """Both places in turn, and how large a sample is."""
    updates, rounds, learners = (int(args) for args in (*sys.argv[1:], *("8", "2", "1")[len(sys.argv) - 1 :]))
    os.environ.update([MARK.split("=")])
    learner = Learner(Settings(num_envs=64), Processes("cpu"))
    learner.play()
    sample = learner.sample()
    size = sum(column.nbytes for column in sample.columns().values())
    told = {"decisions": learner.decisions, "learned_from": len(sample), "bytes_of_each": round(size / len(sample))}
    print(json.dumps(told | {"MB_a_thousand_decisions": round(size / 1e3 / learner.decisions, 2)}), flush=True)
    for _ in range(rounds):
        measured("local", updates, 2)
        for number in sorted({1, learners}):
            measured("ray", updates, 1, number)


if __name__ == "__main__":
    main()
