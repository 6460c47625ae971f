"""Monitoring of the nodes of a Ray cluster: lost and slow nodes."""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from typing import Any

from vitienv.core.text_utils import in_one_line

SLOW = 3.0  # a node is slow if its median time is this many times that of the median node
JUDGED_AFTER = 3  # minimum number of parts of a node


class Nodes:
    """Nodes of a cluster with the times of their parts."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._alive = self.alive()
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._named: set[str] = set()

    def alive(self) -> dict[str, str]:
        """Return the names of the nodes with CPUs by id."""
        return {
            node["NodeID"]: _called(node) for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }  # fmt: skip

    def look(self) -> None:
        """Report lost nodes."""
        alive = self.alive()
        for number in self._alive.keys() - alive.keys():
            say(f"node {self._alive[number]} is gone; its parts are played again elsewhere")
        self._alive = alive

    def note(self, done: Any) -> None:
        """Record the time of a part, and report a slow node."""
        self._seconds[done.node].append(done.seconds)
        judged = {node: statistics.median(all_) for node, all_ in self._seconds.items() if len(all_) >= JUDGED_AFTER}
        if len(judged) < 2 or done.node not in judged or done.node in self._named:
            return
        middle = statistics.median(judged.values())
        if judged[done.node] > SLOW * middle:
            self._named.add(done.node)
            name, seconds = self._alive.get(done.node, done.node[:8]), judged[done.node]
            say(f"node {name} is slow: {seconds:.1f} s a part, the middle node {middle:.1f} s")


def _called(node: dict[str, Any]) -> str:
    """Return the name of a node: its machine and a prefix of its id."""
    return f"{node.get('NodeName') or node['NodeManagerAddress']}/{node['NodeID'][:8]}"


def say(line: str) -> None:
    print(f"vitienv: {in_one_line(line)}", file=sys.stderr, flush=True)
