"""Tests with Ray run in a separate environment (`make test-cluster`); in others nothing is collected."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py", "nodes.py"]


@pytest.fixture(scope="session")
def nodes():
    """A cluster of a head without CPUs and two nodes, connected once, so that processes stay warm."""
    from tests.cluster.nodes import cluster_of
    from vitienv.training.cluster import executor as cluster

    ray_cluster = cluster_of(2)
    with cluster.connected(ray_cluster.address):
        yield ray_cluster
    ray_cluster.shutdown()


@pytest.fixture
def backend(nodes):
    return f"ray:{nodes.address}"
