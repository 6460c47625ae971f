"""Names and prose follow the style guide: no file has more hits of the linter than its limit."""

import pytest

from tests.prose import linter

EXAMPLES = [
    ("L1 opener", linter.DOCSTRING, "What a viewer sees of a game.", "Observation of one seat."),
    ("L2 fragment", linter.COMMENT, "of the ruleset", "Rules of the ruleset"),
    ("L3 stands", linter.PROSE, "the figure stands in a file", "the sum stands for it"),
    ("L4 tell", linter.ERROR, "the log tells another seed", "bots are told apart"),
    ("L5 go on", linter.PROSE, "the run goes on", "the run resumes"),
    ("L6 beside", linter.PROSE, "a table beside it", "a table next to it"),
    ("L7 rule of thumb", linter.PROSE, "the rule of thumb", "the heuristic bot"),
    ("L8 anew", linter.PROSE, "compiled anew", "recompiled"),
    ("L9 is no", linter.ERROR, "x is no legal action", "there is no such action"),
    ("L10 whole number", linter.ERROR, "a whole number", "an integer"),
    ("L11 so many", linter.PROSE, "of so many games", "of 100 games"),
    ("L12 there is LIST", linter.ERROR, "map is 'x'; there is {}", "unknown map {}; expected one of: {}"),
    ("L13 begun", linter.PROSE, "a run that was begun", "a run that was started"),
    ("L14 reckon", linter.PROSE, "reckoned by seed", "computed by seed"),
    ("L15 whoever", linter.PROSE, "whoever plays", "the player"),
    ("L16 fault", linter.PROSE, "a fault ended it", "an error ended it"),
    ("L20 retired", linter.PROSE, "observed numbers", "features"),
]


def test_no_file_has_more_hits_than_its_limit():
    limits, counts = linter.limits(), linter.counts()
    above = {
        name: f"{number} hits, at most {limits.get(name, 0)}"
        for name, number in counts.items()
        if number > limits.get(name, 0)
    }
    assert not above, "python -m tests.prose.linter FILE lists the hits"
    below = [name for name, limit in limits.items() if counts.get(name, 0) < limit]
    assert not below, "python -m tests.prose.linter --update lowers the limits"


@pytest.mark.parametrize("rule, kind, bad, good", EXAMPLES)
def test_each_phrase_rule_has_a_hit(rule, kind, bad, good):
    def names(text):
        return [hit.rule for hit in linter.phrase_hits(1, kind, text)]

    assert names(bad) == [rule] and names(good) == []


def test_every_phrase_rule_has_an_example():
    assert [rule.id for rule in linter.RULES] == [example[0] for example in EXAMPLES]


def test_vague_names_and_modules_are_hits(tmp_path):
    source = tmp_path / "told.py"
    source.write_text('def loaded(given):\n    found = given\n    found.own = f"{found}"\n')
    assert [(hit.line, hit.rule, hit.text) for hit in linter.hits(source)] == [
        (1, "L17 name", "given"),
        (1, "L18 module", "told"),
        (1, "L19 function", "loaded"),
        (2, "L17 name", "found"),
        (3, "L17 name", "own"),
    ]
