"""W65 to W67: the bonus of every pair and every triple of ovals against a walk along the arrows."""

from itertools import combinations, permutations

import numpy as np
import pytest

from tests.world.cases.changes import LETTERS, OVALS
from vitienv.core.compiling.static_checks import plain
from vitienv.world.ops.tiles import bonus_oval

from .places import STEPS, walk


def check(ovals: dict[str, str]) -> None:
    """Compare the bonuses of a board at the letters of its ovals."""
    state = np.zeros(1, [("oval_on", "i1", (len(LETTERS),))]).view(np.recarray)[0]
    state.oval_on[:] = [OVALS.index(ovals[letter]) if letter in ovals else -1 for letter in LETTERS]
    for letter in ovals:
        bonus = plain(bonus_oval)(state, LETTERS.index(letter))
        assert (None if bonus < 0 else OVALS[bonus]) == walk(letter, ovals), (letter, ovals)


@pytest.mark.parametrize("n", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_bonus_of_ovals(n):
    for ovals in combinations(OVALS, n):
        if n == 1 or set(ovals) & set(STEPS):
            for letters in permutations(LETTERS, n):
                check(dict(zip(letters, ovals, strict=True)))


def test_bonus_on_boards_full_of_ovals():
    rng, ovals = np.random.default_rng(3), [*STEPS, *STEPS, "vp", "lira"]
    for _ in range(400):
        letters = rng.choice(list(LETTERS), rng.integers(3, 13), replace=False)
        check({str(letter): str(rng.choice(ovals)) for letter in letters})
