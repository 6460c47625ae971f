"""Ratings of bots fitted to all games, and win shares."""

from __future__ import annotations

from itertools import permutations
from math import log

import numpy as np

from vitienv.training.intervals import Z, student

ELO = 400 / log(10)  # Elo per unit of log strength
RESAMPLES = 1000
MAX_BLOCKS = 1000  # seeds in a block share a weight in each resample
STEPS, MAX_STEP = 100, 2.0  # limits of Newton's method


def rate(n_bots: int, bot_ids: np.ndarray, ranks: np.ndarray, seeds: np.ndarray) -> list[dict[str, float | None]]:
    """Return the Elo rating of each bot above their mean, with its 95 % interval: value, low, high.

    bot_ids, ranks (games, seats): the number of the bot in each seat and its rank; seeds (games,). The model is that of
    Plackett and Luce, fitted to all pairs of seats with different bots (full rank breaking, which is consistent;
    Azari Soufiani et al. 2013); ties count half. The prior is a win and a loss of each bot against the average bot.
    The order of the games does not matter.

    Intervals are those of the Bayesian bootstrap over seeds (Rubin 1981), widened by Student's t for few seeds; the
    bounds of one seed are None.
    """
    unique, number = np.unique(seeds, return_inverse=True)
    n_seeds = len(unique)
    block = number % MAX_BLOCKS
    ahead = np.zeros((min(n_seeds, MAX_BLOCKS), n_bots, n_bots))
    for i, j in permutations(range(bot_ids.shape[1]), 2):
        better = (ranks[:, i] < ranks[:, j]) + 0.5 * (ranks[:, i] == ranks[:, j])
        np.add.at(ahead, (block, bot_ids[:, i], bot_ids[:, j]), better)
    ahead[:, np.arange(n_bots), np.arange(n_bots)] = 0.0
    ratings = _fit(ahead.sum(axis=0)[None], np.ones((1, n_bots, 2)))[0]
    if n_seeds < 2:
        return [{"value": float(rating), "low": None, "high": None} for rating in ratings]
    random = np.random.default_rng(0)
    weights = random.exponential(size=(RESAMPLES, len(ahead)))
    resampled = (weights @ ahead.reshape(len(ahead), -1)).reshape(RESAMPLES, n_bots, n_bots)
    spread = _fit(resampled, random.exponential(size=(RESAMPLES, n_bots, 2))) - ratings
    low, high = ratings + np.quantile(spread, (0.025, 0.975), axis=0) * student(n_seeds - 1) / Z
    return [
        {"value": float(rating), "low": float(lowest), "high": float(highest)}
        for rating, lowest, highest in zip(ratings, low, high, strict=True)
    ]


def _fit(ahead: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Return the maximum-likelihood ratings (fits, bots) by Newton's method.

    ahead (fits, bots, bots): how often one bot was ahead of another. prior (fits, bots, 2): wins and losses against
    the average bot.
    """
    pairs = ahead + ahead.transpose(0, 2, 1)
    strength = np.zeros(ahead.shape[:2])
    diagonal = np.arange(ahead.shape[1])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(strength[:, None, :] - strength[:, :, None]))
        win_probability = 1 / (1 + np.exp(-strength))
        slope = (ahead - pairs * share).sum(axis=2) + prior[..., 0] - prior.sum(axis=2) * win_probability
        curvature = -pairs * share * (1 - share)
        curvature[:, diagonal, diagonal] = -curvature.sum(axis=2) + prior.sum(axis=2) * win_probability * (
            1 - win_probability
        )
        step = np.linalg.solve(curvature, slope[..., None])[..., 0].clip(-MAX_STEP, MAX_STEP)
        strength += step
        if np.abs(step).max() < 1e-9:
            break
    return ELO * (strength - strength.mean(axis=1, keepdims=True))


def win_shares(ranks: np.ndarray, truncated: np.ndarray, is_of_team: bool = False) -> np.ndarray:
    """Return the share of the win of each seat (games, seats), as every command counts wins.

    ranks (games, seats): seats that share the first rank share the win; a team wins whole. truncated (games,): whether
    a game was cut off, which nobody has won.
    """
    first = (np.asarray(ranks) == 1) & ~np.asarray(truncated, bool)[:, None]
    return first / (1 if is_of_team else np.maximum(1, first.sum(axis=1, keepdims=True)))
