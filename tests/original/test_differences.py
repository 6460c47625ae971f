"""The list of differences is whole, and what it names is there."""

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
    """What each test of a file of this folder says, by its name."""
    path = HERE / file
    tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    return {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}


def said_by(name):
    """What a test, or each rule of a list of cases, says of the rows that it shows; nothing if it is not there."""
    file, _, wanted = name.partition("::")
    if not wanted.isupper():
        return [functions(file)[wanted]] if wanted.startswith("test_") and wanted in functions(file) else []
    return sorted({case.rule for case in getattr(import_module(f"tests.original.{file[:-3]}"), wanted, ())})


def test_every_row_is_there_and_shown():
    """Each of the 69 points once, in order, with tests that exist or with a reason why there are none."""
    assert [row.number for row in ROWS] == list(range(1, NUMBER_OF_ROWS + 1))
    for row in ROWS:
        assert bool(row.tests) != bool(row.reasons), row
        assert all((row.rule, row.essential, row.original)), row
        for name in row.tests:
            assert said_by(name), (row.number, name)


def cited(said):
    """The numbers of rows that a test or a rule cites."""
    head = said.split(":")[0].replace(",", " ").split()
    numbers = {int(word) for word in [*head, *re.findall(r"\(row (\d+)\)", said)] if word.isdigit()}
    for k, word in enumerate(head):
        if word == "to":
            numbers |= set(range(int(head[k - 1]), int(head[k + 1]) + 1))
    return numbers


@pytest.mark.parametrize("row", ROWS, ids=[str(row.number) for row in ROWS])
def test_a_row_is_cited_by_its_tests(row):
    """The tests that a row names, or cases of a list, say so, so that a reader finds the way back."""
    for name in row.tests:
        assert any(row.number in cited(said) for said in said_by(name)), name
