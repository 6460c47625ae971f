"""The nodes of a Ray cluster: who is there, who went away, who is slow."""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from typing import Any

from vitienv.core.text_utils import in_one_line

POLL = 2.0  # seconds between two looks at the nodes
SLOW = 3.0  # times as long as the middle node: such a node is named
JUDGED_AFTER = 3  # parts of a node


class Nodes:
    """Looks at them, and times their parts."""

    def __init__(self, ray: Any) -> None:
        self._ray, self._looked = ray, 0.0
        self._alive = self.alive()
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._named: set[str] = set()

    def alive(self) -> dict[str, str]:
        """The names of the nodes that can play, by their numbers."""
        return {
            node["NodeID"]: _called(node) for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }  # fmt: skip

    def look(self) -> None:
        """Name the nodes that are gone, now and then."""
        if time.monotonic() - self._looked < POLL:
            return
        self._looked, now = time.monotonic(), self.alive()
        for number in self._alive.keys() - now.keys():
            say(f"node {self._alive[number]} is gone; its parts are played again elsewhere")
        self._alive = now

    def note(self, done: Any) -> None:
        """Note how long a part took, and name a node that is much slower than the middle one."""
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
    """What a node is called: its machine, and the start of its number, as a machine may be several."""
    return f"{node.get('NodeName') or node['NodeManagerAddress']}/{node['NodeID'][:8]}"


def say(line: str) -> None:
    print(f"vitienv: {in_one_line(line)}", file=sys.stderr, flush=True)
