"""Monitoring of the nodes of a Ray cluster."""

from __future__ import annotations

import sys
from typing import Any

from vitienv.core.text_utils import in_one_line


class Nodes:
    """Nodes of a cluster."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._node_names = self.node_names()

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


def _node_name(node: dict[str, Any]) -> str:
    return f"{node.get('NodeName') or node['NodeManagerAddress']}/{node['NodeID'][:8]}"


def report(line: str) -> None:
    print(f"vitienv: {in_one_line(line)}", file=sys.stderr, flush=True)
