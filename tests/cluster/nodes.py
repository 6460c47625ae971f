"""Nodes of a cluster on this machine, each with processes of its own."""

from pathlib import Path

from ray.cluster_utils import Cluster

NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
# Ray asks every node every three seconds; five answers that are missing, and it is gone.
OFTEN = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 300}


def cluster_of(nodes, **changes):
    """A cluster of a head that plays nothing, and of so many nodes. changes: to `NODE`."""
    head = {**NODE, "num_cpus": 0, "include_dashboard": False, "_system_config": OFTEN}
    made = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(nodes):
        made.add_node(**NODE | changes)
    made.wait_for_nodes()
    return made


def working_on(node, *kinds):
    """The processes of some kinds on a node, by their number."""
    found, titles = [], tuple(f"ray::{kind}".encode() for kind in kinds)
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = path.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            if path.joinpath("cmdline").read_bytes().startswith(titles):
                found += [int(path.name)] if int(parent) == node.all_processes["raylet"][0].process.pid else []
        except OSError:
            continue
    return found
