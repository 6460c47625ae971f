"""Intervals of a report: of shares and of means, where the seats of a seed are not independent."""

import numpy as np
import pandas as pd
import pytest

from vitienv.training.measure.ratings import Z, wilson
from vitienv.training.report.intervals import means, shares, student


def test_quantiles_of_student():
    for freedom, value in ((1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert student(freedom) == pytest.approx(value, abs=0.01)


def test_shares_reckon_with_dependent_seats():
    """Whole seeds that win or lose together count as one observation each; independent ones as they are."""
    together = pd.DataFrame({"what": "a", "seed_number": np.repeat(range(50), 4), "win": np.repeat([0.0, 1.0], 100)})
    alone = pd.DataFrame({"what": "a", "seed_number": range(200), "win": [0.0, 1.0] * 100})
    (wide,), (narrow,) = shares(together, ["what"], "win").itertuples(), shares(alone, ["what"], "win").itertuples()
    assert (wide.n, wide.seeds, wide.share) == (200, 50, 0.5)
    assert (wide.low, wide.high) == pytest.approx(wilson(25, 50), abs=0.01)
    assert (narrow.low, narrow.high) == pytest.approx(wilson(100, 200), abs=0.005)


def test_intervals_of_few_seeds_are_wider():
    """Two seeds with a win and a loss each: the four seats tell, by Student's t, as much as a tenth of one."""
    few = pd.DataFrame({"what": "a", "seed_number": [0, 0, 1, 1], "win": [0.0, 1.0, 0.0, 1.0]})
    (row,) = shares(few, ["what"], "win").itertuples()
    effective = 4 * (Z / 12.706) ** 2
    assert (row.low, row.high) == pytest.approx(wilson(effective / 2, effective))


def test_shares_without_spread():
    never = pd.DataFrame({"what": "a", "seed_number": np.repeat(range(5), 4), "win": 0.0})
    (row,) = shares(never, ["what"], "win").itertuples()
    assert (row.low, row.high) == wilson(0, 5)
    (row,) = shares(never[never["seed_number"] == 0], ["what"], "win").itertuples()
    assert (row.low, row.high) == (0.0, 1.0)


@pytest.mark.parametrize("seeds", [6, 30])
def test_intervals_hold_what_they_promise(seeds):
    """Of 150 samples whose seeds differ in their chances, about 95 % of the intervals hold the truth."""
    random = np.random.default_rng(5)
    chance = random.beta(2.0, 4.0, (150, seeds))
    rows = pd.DataFrame(
        {
            "sample": np.repeat(np.arange(150), seeds * 8),
            "seed_number": np.tile(np.repeat(np.arange(seeds), 8), 150),
            "win": (random.random((150, seeds, 8)) < chance[:, :, None]).reshape(-1).astype(float),
        }
    )
    found = shares(rows, ["sample"], "win")
    assert 0.92 <= ((found["low"] <= 1 / 3) & (found["high"] >= 1 / 3)).mean() <= 1.0
    hits = []
    for _, sample in rows.groupby("sample"):
        (row,) = means(sample.assign(what="a"), ["what"], "win", pd.Series(8, index=range(seeds))).itertuples()
        hits.append(row.low <= 1 / 3 <= row.high)
    assert 0.91 <= np.mean(hits) <= 0.99


def test_means_count_seats_without_a_row():
    """Seed 2 has seats and no row: its seats count as 0."""
    rows = pd.DataFrame({"what": ["a", "a", "a", "b"], "seed_number": [0, 0, 1, 1], "points": [3.0, 1.0, 2.0, 5.0]})
    table = means(rows, ["what"], "points", pd.Series({0: 2, 1: 2, 2: 2}))
    assert table["mean"].tolist() == [1.0, 5 / 6]
    per_seed = np.array([4.0, 2.0, 0.0]) - 2.0
    half = 4.303 * np.sqrt((per_seed**2).sum() * 3 / 2) / 6
    assert table["high"].iloc[0] - 1.0 == pytest.approx(half) == pytest.approx(1.0 - table["low"].iloc[0])
