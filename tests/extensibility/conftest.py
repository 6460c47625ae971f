"""Programs on copies of the project, which share no more than what other people wrote."""

import pytest

from tests.command import Forked


@pytest.fixture(scope="package")
def numba():
    with Forked(["numpy", "numba"], {"NUMBA_DISABLE_JIT": "1"}) as made:
        yield made
