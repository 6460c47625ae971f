"""Positions, moves and expected results of the rule tests."""

import pytest

pytest.register_assert_rewrite("tests.table.case")  # so that a failed case shows both sides
