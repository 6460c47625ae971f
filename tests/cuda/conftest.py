"""Making kernels takes minutes, so here it is told of: `make test-cuda` shows it."""

import pytest


@pytest.fixture(autouse=True)
def no_lines():
    """In place of the one that keeps such lines away from all other tests."""
