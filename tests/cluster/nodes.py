"""Cluster of several nodes on this machine, each with its processes."""

from ray.cluster_utils import Cluster

NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
# Ray checks every node every three seconds; after five missing answers it is lost.
FREQUENT_CHECKS = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 300}


def cluster_of(num_nodes, **changes):
    """Return a cluster of a head without CPUs, and of nodes. changes: to `NODE`."""
    head = {**NODE, "num_cpus": 0, "include_dashboard": False, "_system_config": FREQUENT_CHECKS}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(num_nodes):
        cluster.add_node(**NODE | changes)
    cluster.wait_for_nodes()
    return cluster
