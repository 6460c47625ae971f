"""Processes with NumPy and Numba, shared by the tests."""

import pytest

from tests.command import Forked


@pytest.fixture(scope="package")
def numba():
    with Forked(["numpy", "numba"], {"NUMBA_DISABLE_JIT": "1"}) as process:
        yield process
