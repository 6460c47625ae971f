"""The comparison with the Essential Edition is complete, and its tests exist."""

import ast
import re
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import pytest

from .differences import ROWS

HERE = Path(__file__).parent
NUMBER_OF_ROWS = 69


@lru_cache
def functions(file):
    path = HERE / file
    tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    return {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}


def citations_of(name):
    """Return the docstring of a test, or the rules of a list of cases; empty if it does not exist."""
    file, _, attribute = name.partition("::")
    if not attribute.isupper():
        return [functions(file)[attribute]] if attribute.startswith("test_") and attribute in functions(file) else []
    return sorted({case.rule for case in getattr(import_module(f"tests.original.{file[:-3]}"), attribute, ())})


def test_rows_are_complete_and_tested():
    """All 69 points, in order, with existing tests or a reason."""
    assert [row.number for row in ROWS] == list(range(1, NUMBER_OF_ROWS + 1))
    for row in ROWS:
        assert bool(row.tests) != bool(row.reasons), row
        assert all((row.rule, row.essential, row.original)), row
        for name in row.tests:
            assert citations_of(name), (row.number, name)


def cited_rows(text):
    """Return the row numbers that a docstring or a rule cites."""
    head = text.split(":")[0].replace(",", " ").split()
    numbers = {int(word) for word in [*head, *re.findall(r"\(row (\d+)\)", text)] if word.isdigit()}
    for k, word in enumerate(head):
        if word == "to":
            numbers |= set(range(int(head[k - 1]), int(head[k + 1]) + 1))
    return numbers


@pytest.mark.parametrize("row", ROWS, ids=[str(row.number) for row in ROWS])
def test_tests_cite_their_rows(row):
    """Each test or list of cases cites the rows that name it."""
    for name in row.tests:
        assert any(row.number in cited_rows(text) for text in citations_of(name)), name
