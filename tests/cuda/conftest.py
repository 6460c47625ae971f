"""Fixtures of the tests for GPUs."""

import pytest

from tests.cuda.simulated import Simulated


@pytest.fixture(autouse=True)
def no_progress_messages():
    """Enables progress messages, as kernels compile for minutes in `make test-cuda`."""


@pytest.fixture(scope="session")
def simulated():
    """A simulated device, whose kernels are compiled once."""
    return Simulated()
