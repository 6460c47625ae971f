"""Monitoring of the nodes of a Ray cluster: lost and slow nodes."""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from typing import Any

from vitienv.core.text_utils import in_one_line

SLOW_FACTOR = 3.0  # a node is slow if its median time is this many times that of the median node
MIN_PARTS = 3  # sample size required of a node


class Nodes:
    """Nodes of a cluster with the times of their parts."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._node_names = self.node_names()
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._reported: set[str] = set()

    def node_names(self) -> dict[str, str]:
        """Return the names of the nodes with CPUs by id."""
        return {
            node["NodeID"]: _node_name(node) for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }  # fmt: skip

    def poll(self) -> None:
        """Report lost nodes."""
        node_names = self.node_names()
        for number in self._node_names.keys() - node_names.keys():
            report(f"node {self._node_names[number]} was lost; other nodes repeat its parts")
        self._node_names = node_names

    def note(self, done: Any) -> None:
        """Record the time of a part, and report a slow node."""
        self._seconds[done.node].append(done.seconds)
        medians = {
            node: statistics.median(seconds) for node, seconds in self._seconds.items() if len(seconds) >= MIN_PARTS
        }
        if len(medians) < 2 or done.node not in medians or done.node in self._reported:
            return
        median = statistics.median(medians.values())
        if medians[done.node] > SLOW_FACTOR * median:
            self._reported.add(done.node)
            name, seconds = self._node_names.get(done.node, done.node[:8]), medians[done.node]
            report(f"node {name} is slow: {seconds:.1f} s per part, the median node {median:.1f} s")


def _node_name(node: dict[str, Any]) -> str:
    return f"{node.get('NodeName') or node['NodeManagerAddress']}/{node['NodeID'][:8]}"


def report(line: str) -> None:
    print(f"vitienv: {in_one_line(line)}", file=sys.stderr, flush=True)
