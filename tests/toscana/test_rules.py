"""Each rule has a test, and is cited by what carries it out."""

import re

import pytest

from tests.toscana.rules import HERE, RULES, held_by
from tests.toscana.test_cases import CASES


def cited(text: str, letter: str = "T") -> set[str]:
    """Return the rules that a text cites; "T5, T7 to T9" cites T8 too."""
    pairs = re.findall(rf"\b{letter}(\d+)(?: to {letter}(\d+))?", text)
    return {f"{letter}{number}" for first, last in pairs for number in range(int(first), int(last or first) + 1)}


def test_each_rule_is_cited_by_its_code():
    """A reader finds a rule's code by its number."""
    sources = [path.read_text(encoding="utf-8") for path in (HERE.parents[1] / "vitienv" / "toscana").rglob("*.py")]
    assert {rule for rule in RULES if rule.startswith("T")} - cited("\n".join(sources)) == set()
    assert cited("T5, T7 to T9") == {"T5", "T7", "T8", "T9"}


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_has_a_test(rule):
    assert held_by(rule)
    assert any(case.rule == rule for case in CASES) == any(" [" in test for test in held_by(rule))


def test_each_case_cites_a_rule_or_a_ruling():
    assert {case.rule for case in CASES if not case.rule.startswith("O")} <= set(RULES)
