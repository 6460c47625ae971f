"""The list of rules is complete, and each test of it exists and says which rule it is of."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.toscana.rules import TESTS

HERE = Path(__file__).parent
FILES = ("setup", "turns", "hiring", "services", "winemaking", "trading", "round_end", "game_end", "examples")


@cache
def said() -> dict[str, str]:
    """The docstring of each test of a rule, by its file and name."""
    trees = {file: ast.parse((HERE / f"test_{file}.py").read_text(encoding="utf-8")) for file in FILES}
    return {
        f"{file}.{node.name.removeprefix('test_')}": ast.get_docstring(node) or ""
        for file, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_rule_and_every_example_is_listed():
    assert list(TESTS) == [f"T{i}" for i in range(1, 81)] + [f"E{i}" for i in range(1, 10)]


def cited(text: str) -> set[str]:
    """The rules that a text cites, those between two as well: "T5, T7 to T9"."""
    pairs = re.findall(r"\bT(\d+)(?: to T(\d+))?", text)
    return {f"T{number}" for first, last in pairs for number in range(int(first), int(last or first) + 1)}


def test_each_rule_is_cited_by_what_carries_it_out():
    """A reader finds a rule's code by its number."""
    sources = [path.read_text(encoding="utf-8") for path in (HERE.parents[1] / "vitienv" / "toscana").rglob("*.py")]
    assert {rule for rule in TESTS if rule.startswith("T")} - cited("\n".join(sources)) == set()
    assert cited("T5, T7 to T9") == {"T5", "T7", "T8", "T9"}


@pytest.mark.parametrize("rule", TESTS)
def test_each_has_a_test_that_says_so(rule):
    docs = said()
    assert TESTS[rule]
    for test in TESTS[rule]:
        assert re.match(rf"{rule}\b", docs[test]), f"{test} does not begin with {rule}"


def test_every_test_of_a_rule_is_listed():
    assert set(said()) == {test for tests in TESTS.values() for test in tests}
