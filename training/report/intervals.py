"""Rates and means with 95 % intervals that reckon with seats not being independent of each other.

The seats of one game depend on each other, and so do the games on one seed: the same bots play it in all seatings.
Seeds are independent. So the spread is measured between seeds (the cluster-robust variance of a ratio), and Student's t
stands in for the normal quantile, with one degree of freedom fewer than there are seeds.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from vitienv.training.measure.ratings import Z, wilson

if TYPE_CHECKING:
    import pandas as pd

EXACT_T = {1: 12.706, 2: 4.303, 3: 3.182}  # where the expansion is too rough


def student(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t, by the expansion of Cornish and Fisher (within 0.01 from 4 on)."""
    if freedom in EXACT_T:
        return EXACT_T[freedom]
    z, v = Z, float(freedom)
    first = (z**3 + z) / (4 * v)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    return z + first + second + third


def shares(rows: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """The mean of a share in each group of rows: columns n, seeds, share, low, high.

    rows: the columns `by`, `seed_number` and `value`, which is from 0 to 1. The interval is Wilson's with the number
    of independent observations in place of n: n divided by how many times larger the variance between seeds is than
    that of n independent observations, but never more than n. Where all rows have the same share there is nothing to
    measure the dependence by, and each seed counts as one observation. One seed alone gives 0 to 1.
    """
    groups = rows.groupby(by, sort=True)[value]
    table = groups.agg(n="size", share="mean")
    residual = rows[value] - groups.transform("mean")
    per_seed = residual.groupby([*(rows[column] for column in by), rows["seed_number"]]).sum()
    squares = (per_seed**2).groupby(level=list(range(len(by)))).agg(["sum", "size"])
    table["seeds"] = squares["size"]
    bounds = [
        _wilson(*one)
        for one in zip(table["n"].tolist(), table["share"].tolist(), squares["sum"].tolist(), squares["size"].tolist())
    ]
    table["low"], table["high"] = [low for low, _ in bounds], [high for _, high in bounds]
    return table[["n", "seeds", "share", "low", "high"]]


def _wilson(n: int, share: float, squares: float, seeds: int) -> tuple[float, float]:
    """The interval of one share; squares: of the sums of the residuals of each seed."""
    if seeds < 2:
        return 0.0, 1.0
    if share <= 0.0 or share >= 1.0:
        return wilson(share * seeds, seeds)
    variance = squares * seeds / (seeds - 1) / n**2
    independent = share * (1 - share) / n
    effective = n / max(1.0, variance / independent) * (Z / student(seeds - 1)) ** 2
    p, z2 = share, Z * Z
    middle = (p + z2 / (2 * effective)) / (1 + z2 / effective)
    half = Z / (1 + z2 / effective) * sqrt(p * (1 - p) / effective + z2 / (4 * effective**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def means(rows: pd.DataFrame, by: list[str], value: str, seats: pd.Series) -> pd.DataFrame:
    """The sum of a value in each group for each seat that played: columns mean, low, high.

    rows: the columns `by`, `seed_number` and `value`. seats: how many seats played on each seed, so that seats with
    no row count as 0. The bounds are missing where there is one seed only.
    """
    per_seed = rows.groupby([*by, "seed_number"], sort=True)[value].sum()
    levels = list(range(len(by)))
    total, every = per_seed.groupby(level=levels).sum(), float(seats.sum())
    mean = total / every
    at_seed = seats.reindex(per_seed.index.get_level_values("seed_number")).to_numpy(np.float64)
    expected = mean.reindex(_without_seed(per_seed, by)).to_numpy() * at_seed
    # Seeds without a row in the group have the residual -expected.
    there = (per_seed - expected) ** 2 - expected**2
    squares = there.groupby(level=levels).sum() + mean**2 * float((seats.astype(np.float64) ** 2).sum())
    table = mean.to_frame("mean")
    if len(seats) < 2:
        return table.assign(low=np.nan, high=np.nan)
    half = student(len(seats) - 1) * np.sqrt(squares.clip(lower=0.0) * len(seats) / (len(seats) - 1)) / every
    return table.assign(low=mean - half, high=mean + half)


def _without_seed(per_seed: pd.Series, by: list[str]) -> pd.Index:
    index = per_seed.index.droplevel("seed_number")
    return index if len(by) > 1 else index.get_level_values(by[0])


def mean(values: np.ndarray) -> tuple[float, float]:
    """The mean of games (n,), which are independent, and half of its 95 % interval."""
    return float(values.mean()), student(len(values) - 1) * float(values.std(ddof=1)) / len(values) ** 0.5
