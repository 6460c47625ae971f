"""Speed of prebuilt kernels relative to Numba's code: random play, processor time, alternating runs.

    python benchmarks/prebuilt.py [--games toscana,world] [--pairs N]

Prints a line of JSON for each game and batch size: decisions per second of processor time of both, and the median,
fourth lowest and fourth highest ratio. Both play the same games in one process. Run `make kernels` first.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from statistics import median

from vitienv.core.batch import Batch, make_keys
from vitienv.core.compiling import jit, prebuilt
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import LOOPS
from vitienv.registry import game_names, game_spec

RUN_SECONDS = 0.4
SIZES = (64, 1)
WARMUP_STEPS = 100


def batches(game: GameSpec, size: int) -> tuple[Batch, Batch]:
    """Return batches with prebuilt kernels and with Numba's. ValueError if there are no prebuilt kernels."""
    sources = {source.function.__name__: source for source in jit.KERNELS if source.folder == game.kernels.folder}
    pair = []
    for is_prebuilt in (True, False):
        batch = Batch(size, game.options.of(num_players=4))
        loops = {}
        for name in LOOPS:
            kernel, refusal = prebuilt.find(sources[name])
            if kernel is None:
                raise ValueError(refusal)
            loops[name] = kernel if is_prebuilt else jit.dispatcher(sources[name])
        batch.kernels = replace(game.kernels, **loops)
        batch._arguments = batch._slices()
        batch.start(make_keys(0, size))
        for _ in range(WARMUP_STEPS):
            batch.step_random()
        pair.append(batch)
    return pair[0], pair[1]


def rate(batch: Batch) -> float:
    """Return decisions per second of processor time."""
    start, decisions = time.process_time(), 0
    while time.process_time() - start < RUN_SECONDS:
        for _ in range(10):
            decisions += batch.step_random()
    return decisions / (time.process_time() - start)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join(game_names()))
    parser.add_argument("--pairs", type=int, default=15)
    arguments = parser.parse_args()
    for name in arguments.games.split(","):
        for size in SIZES:
            ours, numbas = batches(game_spec(name), size)
            pairs = []
            for i in range(arguments.pairs):
                order = (ours, numbas) if i % 2 else (numbas, ours)
                rates = {id(batch): rate(batch) for batch in order}
                pairs.append((rates[id(ours)], rates[id(numbas)]))
            ratios = sorted(ours / numbas for ours, numbas in pairs)
            row = {"game": name, "batch": size, "prebuilt": round(median(pair[0] for pair in pairs)),
                   "numba": round(median(pair[1] for pair in pairs)), "ratio": round(median(ratios), 3),
                   "fourth_lowest": round(ratios[3], 3), "fourth_highest": round(ratios[-4], 3),
                   "level": prebuilt.level(name)}  # fmt: skip
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
