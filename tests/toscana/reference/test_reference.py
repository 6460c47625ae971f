"""The engine against the referee: all that one whole action can lead to, at positions reached and made up."""

from random import Random

import numpy as np
import pytest

from tests.toscana.reference import rulebook
from tests.toscana.reference.engine import Explorer
from tests.toscana.reference.positions import KINDS, OTHER, SHIPPED, made_up, reached, start_position

POSITIONS = 100_000  # of the long test
FEW = 400  # decisions tried of one position in the quick test, whose referee is plain Python


class Comparison:
    """Compares sets of positions, and counts."""

    def __init__(self, rules, most=None):
        self.rules, self.most = rules, most
        self.ours, self.theirs, self.seen = (rulebook.new_bag() for _ in range(3))
        self.explorer = Explorer(rules)
        self.compared = self.outcomes = 0

    def check(self, record, marks=SHIPPED):
        """AssertionError shows the first position that only one of the two reaches."""
        self.rules.clear(self.theirs)
        if not self.explorer.whole_step(record, self.theirs, self.most):
            return
        before = self.explorer.row_of(record)
        self.rules.whole_step(before, marks, self.ours, self.seen)
        if self.ours.count[1] or self.theirs.count[1]:
            return
        for one, other, name in ((self.ours, self.theirs, "referee"), (self.theirs, self.ours, "engine")):
            wanted = self.rules.missing(one, other)
            assert not wanted, f"only the {name} reaches {self._told(wanted, record, before, marks)}"
        self.compared += 1
        self.outcomes += int(self.ours.count[0])

    def _told(self, wanted, record, before, marks):
        """How a position differs from the one before."""
        for bag in (self.ours, self.theirs):
            bag.wanted[0] = wanted
            bag.example[:] = 0
        self.rules.whole_step(before, marks, self.ours, self.seen)
        self.rules.clear(self.theirs)
        self.explorer.whole_step(record, self.theirs)
        after = self.ours.example + self.theirs.example  # one of the two is zeros
        changed = np.flatnonzero(after != before)
        return {rulebook.called(int(at)): (int(before[at]), int(after[at])) for at in changed}, before.tolist()


def positions(seed, n, most_water=5):
    """n records, and the marks of their tiles: half reached, half made up."""
    chance = Random(seed)
    for record in reached(chance, n // 2):
        yield record, SHIPPED
    for i in range(n - n // 2):
        if i % 40 == 0:
            yield start_position(chance), SHIPPED
            continue
        record, is_other = made_up(chance, KINDS[i % len(KINDS)], most_water)
        yield record, OTHER if is_other else SHIPPED


def test_engine_and_referee_reach_the_same():
    comparison = Comparison(rulebook, FEW)
    for record, marks in positions(seed=1, n=120, most_water=2):
        comparison.check(record, marks)
    assert comparison.compared >= 40


@pytest.mark.slow
def test_engine_and_referee_reach_the_same_from_very_many_positions():
    comparison = Comparison(rulebook.compiled())
    for part in range(POSITIONS // 1000):
        for record, marks in positions(seed=100 + part, n=1000):
            comparison.check(record, marks)
    assert comparison.compared >= 0.99 * POSITIONS
