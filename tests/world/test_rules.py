"""Every rule of World, W1 to W110, has its text on the page and a test that cites it, or a reason why there is none."""

import re
from pathlib import Path

from tests.toscana.test_rules import cited

HERE = Path(__file__).parent
RULES = [f"W{number}" for number in range(1, 111)]
UNTESTED = {
    "W10": "structure cards, Moor and Rhine visitors are not implemented",
    "W27": "the option `open_hands` of all rulesets; tests/engine/test_invariants.py",
    "W28": "talk is not part of the rules",
    "W29": "the wording of cards of the other rulesets; tests/cards",
    "W102": "nothing is carried from one game to the next",
    "W109": "an option of competitive games, which is not implemented",
    "W110": "left out on purpose",
}


def test_every_rule_is_cited_by_a_test():
    sources = [path.read_text(encoding="utf-8") for path in HERE.rglob("*.py") if path != Path(__file__)]
    assert set(RULES) - cited("\n".join(sources), "W") <= UNTESTED.keys()


def test_every_rule_is_in_the_docs():
    page = (HERE.parents[1] / "docs" / "world.md").read_text(encoding="utf-8")
    texts = dict(re.findall(r"^\* \*\*(W\d+)\*\* (.{15})", page, re.MULTILINE))
    assert list(texts) == RULES
