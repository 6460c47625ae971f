"""vitienv bench --perft: number of action sequences of length N, counted with a batch."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.console import echo, print_json
from vitienv.core.batch import Batch
from vitienv.core.files import read_json
from vitienv.registry import canonical_name

if TYPE_CHECKING:
    from vitienv.core.options import Options
    from vitienv.game import Game

BATCH_SIZE = 2048  # nodes expanded together; memory grows only with the depth


def perft(start: Game, depth: int) -> dict[str, Any]:
    """Return the number of leaves after `depth` decisions, per first action and in total, and the speed."""
    batch, nodes, start_time = Batch(BATCH_SIZE, start.options), 0, time.perf_counter()

    def leaves(bytes_view: np.ndarray, masks: np.ndarray, depth: int) -> int:
        nonlocal nodes
        if depth == 0:
            return len(bytes_view)
        rows, actions = np.nonzero(masks)
        total, nodes = int((~masks.any(axis=1)).sum()), nodes + len(rows)  # finished games count as leaves
        for start_row in range(0, len(rows), BATCH_SIZE):
            part = rows[start_row : start_row + BATCH_SIZE]
            m = len(part)
            batch.bytes_view[:m] = bytes_view[part]
            batch.step_rows(np.arange(m), actions[start_row : start_row + BATCH_SIZE], observe=False)
            total += leaves(batch.bytes_view[:m].copy(), batch.masks[:m].copy(), depth - 1)
        return total

    bytes_view, counts = np.frombuffer(start.state.tobytes(), np.int8)[None], {}
    for first in np.flatnonzero(start.mask):
        mask = np.zeros_like(start.mask)[None]
        mask[0, first] = 1
        counts[start.game_spec.actions.name(int(first))] = leaves(bytes_view, mask, depth)
    seconds = time.perf_counter() - start_time
    return {"decisions": depth, "actions": counts, "leaves": sum(counts.values()), "nodes": nodes,
            "seconds": seconds, "nodes_per_second": nodes / seconds}  # fmt: skip


def show(position: Path | None, options: Options, seed: int, depth: int, json: bool) -> None:
    """Run perft from a position or a new game and print the counts. Raises ValueError for an invalid file."""
    from vitienv.game import Game

    if position is None:
        start = Game.new(seed=seed, game=canonical_name(options.game_spec), **options.to_dict())
    else:
        start = Game.from_dict(read_json(position))
    if start.is_over:
        raise ValueError(f"the game of {position} is over")
    counts = perft(start, depth)
    if json:
        print_json(counts)
        return
    echo(repr(start))
    for name, leaves in counts["actions"].items():
        echo(f"{name} {leaves:,}")
    echo(f"{depth} decisions: {counts['leaves']:,} leaves")
    echo(f"{counts['nodes']:,} nodes in {counts['seconds']:.2f} s, {counts['nodes_per_second']:,.0f} nodes/s")
