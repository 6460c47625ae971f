"""What these tests share."""

from importlib.util import find_spec

import pytest

from tests.cuda.simulated import Simulated

# The environment of `make test-cuda` has no torch; `make test` has.
collect_ignore = [] if find_spec("torch") else ["test_selfplay.py"]


@pytest.fixture(autouse=True)
def no_lines():
    """In place of the one that keeps lines away from all other tests: making kernels takes minutes, and
    `make test-cuda` shows how far it is."""


@pytest.fixture(scope="session")
def simulated():
    """A device without a card, whose kernels are made once."""
    return Simulated()
