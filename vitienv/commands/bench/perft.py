"""vitienv bench --perft: the number of action sequences of length N, counted on the batch."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.console import echo, print_json
from vitienv.core.batch import Batch
from vitienv.core.files import from_json, read_text
from vitienv.registry import canonical_name

if TYPE_CHECKING:
    from vitienv.core.options import Options
    from vitienv.game import Game

AT_ONCE = 2048  # games that are expanded together: memory grows with the depth only


def perft(start: Game, depth: int) -> dict[str, Any]:
    """Return the leaves after `depth` decisions as plain JSON, by first action and in all, and the speed."""
    batch, nodes, began = Batch(AT_ONCE, start.options), 0, time.perf_counter()

    def leaves(bytes_view: np.ndarray, masks: np.ndarray, depth: int) -> int:
        nonlocal nodes
        if depth == 0:
            return len(bytes_view)
        rows, actions = np.nonzero(masks)
        total, nodes = int((~masks.any(axis=1)).sum()), nodes + len(rows)  # games that are over, and their children
        for at in range(0, len(rows), AT_ONCE):
            part = rows[at : at + AT_ONCE]
            m = len(part)
            batch.bytes_view[:m] = bytes_view[part]
            batch.step_rows(np.arange(m), actions[at : at + AT_ONCE], observe=False)
            total += leaves(batch.bytes_view[:m].copy(), batch.masks[:m].copy(), depth - 1)
        return total

    bytes_view, counts = np.frombuffer(start.state.tobytes(), np.int8)[None], {}
    for first in np.flatnonzero(start.mask):
        mask = np.zeros_like(start.mask)[None]
        mask[0, first] = 1
        counts[start.game_spec.actions.name(int(first))] = leaves(bytes_view, mask, depth)
    seconds = time.perf_counter() - began
    return {"decisions": depth, "actions": counts, "leaves": sum(counts.values()), "nodes": nodes,
            "seconds": seconds, "nodes_per_second": nodes / seconds}  # fmt: skip


def show(position: Path | None, options: Options, seed: int, depth: int, json: bool) -> None:
    """Count from a position in a file, or from a new game, and print the counts. ValueError for a wrong file."""
    from vitienv.game import Game

    if position is None:
        start = Game.new(seed=seed, game=canonical_name(options.game_spec), **options.to_dict())
    else:
        try:
            content = from_json(read_text(position))
        except ValueError:
            raise ValueError(f"{position} is not a position in JSON") from None
        except OSError as error:
            raise ValueError(f"{position} cannot be read: {error.strerror}") from None
        start = Game.from_dict(content)
    if start.is_over:
        raise ValueError(f"the game of {position} is over; there is nothing to count")
    counts = perft(start, depth)
    if json:
        print_json(counts)
        return
    echo(repr(start))
    for name, leaves in counts["actions"].items():
        echo(f"{name} {leaves:,}")
    echo(f"{depth} decisions: {counts['leaves']:,} leaves")
    echo(f"{counts['nodes']:,} nodes in {counts['seconds']:.2f} s, {counts['nodes_per_second']:,.0f} nodes/s")
