"""The one way to lay a table, to play from it and to describe the results."""

import pytest

pytest.register_assert_rewrite("tests.table.case")  # so that a failed case shows both sides
