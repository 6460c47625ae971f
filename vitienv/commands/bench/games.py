"""The games that `vitienv bench` steps, and what it measures of a table beside the usual one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from vitienv.core.batch import Batch, keys_of
from vitienv.games import definition

if TYPE_CHECKING:
    from vitienv.core.options import Options

# A batch is measured with games at all their stages: snapshots of some games, taken on their way.
SOURCES, SNAPSHOTS, STEPS_BETWEEN = 64, 64, 16
BATCHES = (64, 1024)


def beside(options: Options, seed: int) -> dict[str, list[Callable[[], int]]]:
    """What is measured, by its name: a step of each game at this table and at the usual one with as many seats, of the
    game that this one varies if it does, each returning the decisions taken. Nothing if there is none, or it is this
    one."""
    varied = options.definition.varies
    kind = options if varied is None else definition(varied).options
    try:
        usual = kind.of(num_players=options.num_players)
    except ValueError:
        return {}
    if usual == options:
        return {}
    steps: dict[str, list[Callable[[], int]]] = {}
    for n in BATCHES:
        batches = [games_under_way(table, n, seed) for table in (options, usual)]
        for told, observe in (("mask and observation", True), ("mask", False)):
            name = f"a decision beside one at the usual table, batch of {n}, {told}"
            steps[name] = [partial(batch.step_random, observe=observe) for batch in batches]
    return steps


def games_under_way(options: Options, n: int, seed: int, threads: int = 1) -> Batch:
    """A batch of n games from their first year to their last one, each with chance of its own."""
    sources = Batch(SOURCES, options)
    sources.start(keys_of(seed, SOURCES), observe=False)
    snapshots = []
    for _ in range(SNAPSHOTS):
        for _ in range(STEPS_BETWEEN):
            sources.step_random(observe=False)
        snapshots.append(sources.octets.copy())
    batch = Batch(n, sources.options, num_threads=threads)
    order = np.random.default_rng(seed).permutation(SOURCES * SNAPSHOTS)
    batch.octets[:] = np.concatenate(snapshots)[np.resize(order, n)]
    batch.keys[:] = keys_of(seed + 1, n)
    batch.games.key[:] = batch.keys
    batch.refresh(observe=False)
    return batch


def decisions_per_game(options: Options, seed: int) -> float:
    """How many decisions a random game takes, in the mean."""
    batch = Batch(SOURCES, options)
    batch.start(keys_of(seed, SOURCES), observe=False)
    return batch.play_out() / SOURCES
