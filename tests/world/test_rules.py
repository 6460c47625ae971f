"""The list of World's rules is complete, and each test that it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.world.rules import CASED, NONE, NOT_YET, OPEN, OPEN_NONE, TESTS
from tests.world.test_cases import CASES

HERE = Path(__file__).parent


@cache
def there() -> set[str]:
    """All tests of this folder and those in it; the cases of a rule are one."""
    names = {f"cases.{case.rule}:" for case in CASES}
    for path in HERE.rglob("test_*.py"):
        file = path.relative_to(HERE).with_suffix("").as_posix().replace("test_", "")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names.add(f"{file}.{node.name.removeprefix('test_')}")
    return names


def test_every_rule_stands_in_one_list():
    listed = [*TESTS, *NONE, *NOT_YET]
    assert sorted(listed, key=lambda rule: int(rule[1:])) == [f"W{i}" for i in range(1, 111)]
    assert all(NONE.values()) and all(NOT_YET.values())
    points = sorted([*OPEN, *OPEN_NONE], key=lambda point: int(point[1:]))
    assert points == [f"O{i}" for i in range(1, 51)] and all(OPEN_NONE.values())


def test_the_rules_that_cases_say_are_listed():
    assert set(CASED) == {case.rule for case in CASES} and len(set(CASED)) == len(CASED)


def test_every_rule_has_its_text_on_the_page():
    """In order, each once; a test cites no rule that a reader could not look up."""
    page = (HERE.parents[1] / "docs" / "world.md").read_text(encoding="utf-8")
    told = re.findall(r"^\* \*\*(W\d+)\*\* (.+)$", page, re.MULTILINE)
    assert [rule for rule, _ in told] == [f"W{i}" for i in range(1, 111)]
    assert [rule for rule, text in told if len(text) < 15] == []


@pytest.mark.parametrize("rule", [*TESTS, *OPEN])
def test_the_tests_of_a_rule_exist(rule):
    tests = (TESTS | OPEN)[rule]
    assert tests and not set(tests) - there()
