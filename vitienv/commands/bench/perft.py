"""vitienv bench --perft: how many ways the next N decisions can go, counted on the batch."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.console import echo, print_json
from vitienv.core.batch import Batch
from vitienv.core.files import from_json, read_text
from vitienv.games import known_as

if TYPE_CHECKING:
    from vitienv.core.options import Options
    from vitienv.game import Game

AT_ONCE = 2048  # games that are expanded together: what lies in memory grows with the depth only


class Perft:
    """Counts leaves below a position: games after N decisions, or over before.

    leaves (actions,): by the first action. nodes: steps of single games so far.
    """

    def __init__(self, start: Game) -> None:
        self.leaves = np.zeros(start.definition.actions.n, np.int64)
        self.nodes = 0
        self._scratch = Batch(AT_ONCE, start.options)
        self._octets = np.frombuffer(start.record.tobytes(), np.int8)[None]
        self._mask = start.mask[None]

    def count(self, depth: int) -> None:
        """Expand all decisions up to `depth`, at least 1; each first action has its own column of leaves."""
        for first in np.flatnonzero(self._mask[0]):
            only = np.zeros_like(self._mask)
            only[0, first] = 1
            self.leaves[first] = self._below(self._octets, only, depth)

    def _below(self, octets: np.ndarray, masks: np.ndarray, depth: int) -> int:
        """The leaves below games (m, bytes) with their legal actions (m, actions)."""
        if depth == 0:
            return len(octets)
        over = int((~masks.any(axis=1)).sum())
        rows, actions = np.nonzero(masks)
        parts = (slice(at, at + AT_ONCE) for at in range(0, len(rows), AT_ONCE))
        return over + sum(self._below(*self._children(octets[rows[part]], actions[part]), depth - 1) for part in parts)

    def _children(self, octets: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Games after one action each, with their legal actions; copies, since the next step overwrites the batch."""
        m = len(octets)
        self._scratch.octets[:m] = octets
        self._scratch.step_rows(np.arange(m), actions, observe=False)
        self.nodes += m
        return self._scratch.octets[:m].copy(), self._scratch.masks[:m].copy()


def perft(start: Game, depth: int) -> dict[str, Any]:
    """Leaves after `depth` decisions as plain JSON, by first action and in all, and how fast they were counted."""
    counted, began = Perft(start), time.perf_counter()
    counted.count(depth)
    seconds = time.perf_counter() - began
    names = start.definition.actions
    return {
        "decisions": depth,
        "actions": {names.name(int(first)): int(counted.leaves[first]) for first in np.flatnonzero(start.mask)},
        "leaves": int(counted.leaves.sum()),
        "nodes": counted.nodes,
        "seconds": seconds,
        "nodes_per_second": counted.nodes / seconds,
    }


def start_of(position: Path | None, options: Options, seed: int) -> Game:
    """The game in a file of a position, or a new one with these options. ValueError if the file has none, or one that
    is over."""
    from vitienv.game import Game

    if position is None:
        return Game.new(seed=seed, game=known_as(options.definition), **options.to_dict())
    try:
        written = from_json(read_text(position))
    except ValueError:
        raise ValueError(f"{position} is not a position in JSON") from None
    except OSError as error:
        raise ValueError(f"{position} cannot be read: {error.strerror}") from None
    start = Game.from_dict(written)
    if start.is_over:
        raise ValueError(f"the game of {position} is over; there is nothing to count")
    return start


def show(position: Path | None, options: Options, seed: int, depth: int, json: bool) -> None:
    """Count from a file's position or a new game, and print the counts."""
    start = start_of(position, options, seed)
    counts = perft(start, depth)
    if json:
        print_json(counts)
        return
    echo(repr(start))
    for name, leaves in counts["actions"].items():
        echo(f"{name} {leaves:,}")
    echo(f"{depth} decisions: {counts['leaves']:,} leaves")
    echo(f"{counts['nodes']:,} nodes in {counts['seconds']:.2f} s, {counts['nodes_per_second']:,.0f} nodes/s")
