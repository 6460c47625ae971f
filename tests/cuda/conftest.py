"""What these tests share."""

import pytest

from tests.cuda.simulated import Simulated


@pytest.fixture(autouse=True)
def no_progress_messages():
    """In place of the one that keeps lines away from all other tests: making kernels takes minutes, and
    `make test-cuda` shows how far it is."""


@pytest.fixture(scope="session")
def simulated():
    """A device without a card, whose kernels are made once."""
    return Simulated()
