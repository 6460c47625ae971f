"""How fast data sets are written and read: decisions a second of processor time, on one core.

    python benchmarks/data_sets.py [--games N] [--rounds N]

The time to write excludes the bots' thinking: the processor time inside `act` is subtracted. Two random bots play, so
that the games are long and varied. The file is read from the page cache.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from functools import partial
from pathlib import Path

import vitienv
from vitienv.agents.random_agent import RandomAgent
from vitienv.training.evaluation import data_sets

thought = 0.0


def timed(act):
    """`act` with the same answers; its time is added to `thought`."""

    def wrapped(*given, **named):
        global thought
        began = time.process_time()
        try:
            return act(*given, **named)
        finally:
            thought += time.process_time() - began

    return wrapped


def main() -> None:
    """Write and read in turn, and print what each round took."""
    global thought
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=384)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    RandomAgent.act = timed(RandomAgent.act)
    data_sets.write(data_sets.Settings(("random",), games=2), tempfile.mkdtemp() + "/warm")  # compiled, imported
    settings = data_sets.Settings(("random", "random:seed=3"), games=chosen.games, chunk_size=128)
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory() as folder:
            thought, began = 0.0, time.process_time()
            card = data_sets.write(settings, Path(folder) / "set")
            spent, rows = time.process_time() - began, sum(card["parts"])
            size = sum(path.stat().st_size for path in (Path(folder) / "set").iterdir())
            phrases = [f"{rows:,} decisions, {size / rows:.0f} bytes each; written {rows / (spent - thought):,.0f}/s "
                    f"(with the bots {rows / spent:,.0f}/s)"]  # fmt: skip
            data = vitienv.data.read(Path(folder) / "set")
            for name, work in (
                ("arrays, in batches", partial(all, map(bool, data.batches()))),
                ("arrays, all at once", data.arrays),
                ("tensors, all at once", data.tensors),
            ):
                began, wall = time.process_time(), time.perf_counter()
                work()
                spent, wall = time.process_time() - began, time.perf_counter() - wall
                phrases.append(f"read as {name} {rows / spent:,.0f}/s (by the clock {rows / wall:,.0f}/s)")
        print("; ".join(phrases), flush=True)


if __name__ == "__main__":
    main()
