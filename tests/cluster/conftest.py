"""Ray has an environment of its own (`make test-cluster`); elsewhere nothing is collected."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("ray") else ["test_*.py", "nodes.py"]


@pytest.fixture(scope="session")
def nodes():
    """A cluster of a head that plays nothing, and of two nodes that do, connected once: processes stay warm."""
    from tests.cluster.nodes import cluster_of
    from vitienv.training.cluster import executor as cluster

    made = cluster_of(2)
    with cluster.connected(made.address):
        yield made
    made.shutdown()


@pytest.fixture
def backend(nodes):
    return f"ray:{nodes.address}"
