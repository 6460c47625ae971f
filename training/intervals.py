"""95 % intervals of shares and means, from games clustered by seed.

Seats of one game depend on each other, and so do games on one seed, on which the same bots play in every seat. Seeds
are independent, so the variance is that between seeds (the cluster-robust variance of a ratio; Liang and Zeger 1986),
and the quantile is Student's t with one degree of freedom fewer than there are seeds.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

Z = 1.959963984540054  # two-sided 95 %
EXACT_T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}  # degrees of freedom at which the expansion is inaccurate
MIN_SEEDS = 10  # the variance between fewer seeds is unreliable
PRIOR_SEEDS = 10  # weight of the prior design effect 1, used if the estimate is below 1
Share = dict[str, Any]  # value, low, high (from 0 to 1) and seeds


def student(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's t (Cornish and Fisher's expansion, within 0.002 from 5 on)."""
    if freedom in EXACT_T:
        return EXACT_T[freedom]
    z, v = Z, float(freedom)
    first = (z**3 + z) / (4 * v)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    return z + first + second + third


def wilson(wins: float, n: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of n independent games; a shared win counts as a part of one."""
    if n == 0:
        return 0.0, 1.0
    p, z2 = wins / n, Z * Z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return 0.0 if wins == 0 else middle - half, 1.0 if wins == n else middle + half


def clustered_wilson(n: int, share: float, squares: float, seeds: int) -> tuple[float, float]:
    """Return Wilson's interval of a share of n observations on some seeds.

    squares: sum over seeds of the squared sum of residuals. The number of observations is divided by the design effect,
    the variance between seeds over that of independent observations. Below 1 (on each seed one bot wins what another
    loses) it is averaged with 1, which has the weight of PRIOR_SEEDS seeds. A share of 0 or 1 has no variance: each
    seed counts as one observation. One seed gives 0 to 1.
    """
    if seeds < 2:
        return 0.0, 1.0
    if share <= 0.0 or share >= 1.0:
        return wilson(share * seeds, seeds)
    effect = squares * seeds / (seeds - 1) / (n * share * (1 - share))
    if effect < 1.0:
        effect = ((seeds - 1) * effect + PRIOR_SEEDS) / (seeds - 1 + PRIOR_SEEDS)
    num_effective = n / effect * (Z / student(seeds - 1)) ** 2
    low, high = wilson(share * num_effective, num_effective)
    return max(0.0, low), min(1.0, high)


def clustered_share(values: np.ndarray, seeds: np.ndarray) -> Share:
    """Return the mean of shares (n,) from 0 to 1 with its interval. seeds (n,): the seed of each, as integers."""
    values = np.asarray(values, np.float64)
    if not len(values):
        return {"value": None, "low": 0.0, "high": 1.0, "seeds": 0}
    share = float(values.mean())
    _, number = np.unique(seeds, return_inverse=True)
    sums = np.bincount(number, values - share)
    low, high = clustered_wilson(len(values), share, float(sums @ sums), len(sums))
    return {"value": share, "low": low, "high": high, "seeds": len(sums)}


def independent_share(count: float, n: int) -> Share:
    """Return a share of n games, each on its own seed, with Wilson's interval; of no games 0 (0 to 1)."""
    low, high = wilson(count, n)
    return {"value": count / n if n else 0.0, "low": low, "high": high, "seeds": n}


def clustered_mean(values: np.ndarray, seeds: np.ndarray) -> dict[str, float | None]:
    """Return the mean of values (n,) with its interval: value, low, high; without values and bounds of one seed: None.

    seeds (n,): the seed of each value, as integers.
    """
    values = np.asarray(values, np.float64)
    if not len(values):
        return {"value": None, "low": None, "high": None}
    value = float(values.mean())
    _, number = np.unique(seeds, return_inverse=True)
    sums = np.bincount(number, values - value)
    if (n := len(sums)) < 2:
        return {"value": value, "low": None, "high": None}
    half = student(n - 1) * sqrt(float(sums @ sums) * n / (n - 1)) / len(values)
    return {"value": value, "low": value - half, "high": value + half}


def few_seeds(seeds: int) -> str:
    """Return a warning if intervals rest on fewer than MIN_SEEDS seeds, otherwise an empty string."""
    return f"{seeds} of at least {MIN_SEEDS} seeds: intervals are unreliable, play more games" * (seeds < MIN_SEEDS)


def shares(rows: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """Return `clustered_share` of each group of rows: columns n, seeds, share, low, high.

    rows: the columns `by`, `seed_number` and `value`, which is from 0 to 1.
    """
    groups = rows.groupby(by, sort=True)[value]
    table = groups.agg(n="size", share="mean")
    residual = rows[value] - groups.transform("mean")
    per_seed = residual.groupby([*(rows[column] for column in by), rows["seed_number"]]).sum()
    squares = (per_seed**2).groupby(level=list(range(len(by)))).agg(["sum", "size"])
    table["seeds"] = squares["size"]
    columns = (table["n"].tolist(), table["share"].tolist(), squares["sum"].tolist(), squares["size"].tolist())
    bounds = [clustered_wilson(*group) for group in zip(*columns, strict=True)]
    table["low"], table["high"] = [low for low, _ in bounds], [high for _, high in bounds]
    return table[["n", "seeds", "share", "low", "high"]]


def means(rows: pd.DataFrame, by: list[str], value: str, seats: pd.Series) -> pd.DataFrame:
    """Return the sum of a value in each group per seat that played: columns mean, low, high.

    rows: the columns `by`, `seed_number` and `value`. seats: how many seats played on each seed, so that seats with
    no row count as 0. The bounds are missing where there is one seed only.
    """
    per_seed = rows.groupby([*by, "seed_number"], sort=True)[value].sum()
    levels = list(range(len(by)))
    total, every = per_seed.groupby(level=levels).sum(), float(seats.sum())
    mean_of = total / every
    at_seed = seats.reindex(per_seed.index.get_level_values("seed_number")).to_numpy(np.float64)
    expected = mean_of.reindex(_without_seed(per_seed, by)).to_numpy() * at_seed
    # Seeds without a row in the group have the residual -expected.
    spread = (per_seed - expected) ** 2 - expected**2
    squares = spread.groupby(level=levels).sum() + mean_of**2 * float((seats.astype(np.float64) ** 2).sum())
    table = mean_of.to_frame("mean")
    if len(seats) < 2:
        return table.assign(low=np.nan, high=np.nan)
    half = student(len(seats) - 1) * np.sqrt(squares.clip(lower=0.0) * len(seats) / (len(seats) - 1)) / every
    return table.assign(low=mean_of - half, high=mean_of + half)


def _without_seed(per_seed: pd.Series, by: list[str]) -> pd.Index:
    index = per_seed.index.droplevel("seed_number")
    return index if len(by) > 1 else index.get_level_values(by[0])
