"""The engine against the reference: all results of an action, at reached and random positions."""

from random import Random

import numpy as np
import pytest

from tests.toscana.reference import rulebook
from tests.toscana.reference.engine import Explorer
from tests.toscana.reference.positions import KINDS, OTHER, SHIPPED, made_up, reached, start_position

NUM_POSITIONS = 100_000
MAX_STEPS = 400  # decisions of a position in the quick test


class Comparison:
    """Compares results and counts them."""

    def __init__(self, rules, max_steps=None):
        self.rules, self.most = rules, max_steps
        self.reference, self.engine, self.visited = (rulebook.new_bag() for _ in range(3))
        self.explorer = Explorer(rules)
        self.compared = self.outcomes = 0

    def check(self, record, marks=SHIPPED):
        """Raise AssertionError with the first result that only one of both reaches."""
        self.rules.clear(self.engine)
        if not self.explorer.whole_step(record, self.engine, self.most):
            return
        before = self.explorer.row_of(record)
        self.rules.whole_step(before, marks, self.reference, self.visited)
        if self.reference.count[1] or self.engine.count[1]:
            return
        bags = {"reference": self.reference, "engine": self.engine}
        for name, other in (("reference", "engine"), ("engine", "reference")):
            number = self.rules.missing(bags[name], bags[other])
            assert not number, f"only the {name} reaches {self._differences(number, record, before, marks)}"
        self.compared += 1
        self.outcomes += int(self.reference.count[0])

    def _differences(self, number, record, before, marks):
        """Return the changed columns of a result, and the position before."""
        for bag in (self.reference, self.engine):
            bag.example_number[0] = number
            bag.example[:] = 0
        self.rules.whole_step(before, marks, self.reference, self.visited)
        self.rules.clear(self.engine)
        self.explorer.whole_step(record, self.engine)
        after = self.reference.example + self.engine.example  # only one of both is not 0
        changed = np.flatnonzero(after != before)
        return {rulebook.called(int(at)): (int(before[at]), int(after[at])) for at in changed}, before.tolist()


def positions(seed, n, most_water=5):
    """Yield n states and the marks of their tiles, half of them reached."""
    rng = Random(seed)
    for record in reached(rng, n // 2):
        yield record, SHIPPED
    for i in range(n - n // 2):
        if i % 40 == 0:
            yield start_position(rng), SHIPPED
            continue
        record, is_other = made_up(rng, KINDS[i % len(KINDS)], most_water)
        yield record, OTHER if is_other else SHIPPED


def test_engine_equals_reference():
    comparison = Comparison(rulebook, MAX_STEPS)
    for record, marks in positions(seed=1, n=120, most_water=2):
        comparison.check(record, marks)
    assert comparison.compared >= 40


@pytest.mark.slow
def test_engine_equals_reference_long():
    comparison = Comparison(rulebook.compiled())
    for part in range(NUM_POSITIONS // 1000):
        for record, marks in positions(seed=100 + part, n=1000):
            comparison.check(record, marks)
    assert comparison.compared >= 0.99 * NUM_POSITIONS
