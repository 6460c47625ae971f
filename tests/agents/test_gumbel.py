"""Sequential halving with Gumbel noise at the root."""

import itertools
from functools import cache

import numpy as np
import pytest

from tests.agents.stub_network import StubNetwork
from tests.agents.test_search import middle
from vitienv.agents import GameViews, make_agent
from vitienv.agents.search import searcher
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.searcher import TreeBatch
from vitienv.core.search.tree import Edge, EdgeSum


@cache
def wide_games(n=1, min_actions=9):
    batch = middle(200, 60)
    rows = np.flatnonzero(batch.masks.sum(axis=1) >= min_actions)[:n]
    assert len(rows) == n
    return batch, rows


def search_rows_of(bot, batch, rows):
    return bot.search_rows(batch.obs, batch.masks, GameViews(batch, np.arange(len(batch))), rows)


@pytest.mark.parametrize(
    ("simulations", "max_considered_actions", "visits"),
    [(16, 4, [6, 6, 2, 2]), (16, 8, [4, 4, 2, 2, 1, 1, 1, 1]), (32, 8, [11, 11, 3, 3, 1, 1, 1, 1]), (3, 8, [1, 1, 1]),
     (9, 2, [5, 4]), (5, 1, [5])],
)  # fmt: skip
def test_visits_are_those_of_sequential_halving(simulations, max_considered_actions, visits):
    """In any number of parallel simulations."""
    batch, (row,) = wide_games()
    for batch_size in (1, 4, 16):
        budget = f"simulations={simulations},max_considered_actions={max_considered_actions},batch_size={batch_size}"
        spec = f"ismcts:{budget},root=gumbel,playout=none,prune_margin=1000"
        result = search_rows_of(make_agent(spec, seed=3), batch, np.array([row]))[0]
        assert result.visits[: len(visits)].tolist() == visits
        assert result.visits.sum() == simulations == result.simulations


def test_root_without_noise_considers_the_most_likely_actions():
    """With equal values of all leaves the policy stays the prior."""
    batch, (row,) = wide_games()
    legal = np.flatnonzero(batch.masks[row])
    logits = np.full(batch.masks.shape[1], -3.0)
    logits[legal[-4:]] = [0.0, 0.3, 0.2, 0.1]
    bot = IsmctsAgent(16, root="gumbel", max_considered_actions=4, seed=1, playout="none")
    bot = bot.use_network(StubNetwork(logits=logits))
    result = search_rows_of(bot, batch, np.array([row]))[0]
    assert result.actions[0] == legal[-3] and set(result.actions[result.visits > 0]) == set(legal[-4:])
    assert result.policy == pytest.approx(result.priors)


def test_gumbel_noise_samples_actions_by_the_prior():
    """Each search has its own noise."""
    batch, (row,) = wide_games()
    legal = np.flatnonzero(batch.masks[row])
    logits = np.zeros(batch.masks.shape[1])
    logits[legal[0]] = 2.0
    bot = IsmctsAgent(1, root="gumbel", max_considered_actions=1, seed=1, playout="none", prune_margin=1000.0)
    bot = bot.use_network(StubNetwork(logits=logits))
    limits = bot.limits.__class__(**bot.limits.__dict__ | {"is_noisy": True})
    n, views = 600, GameViews(batch, np.arange(len(batch)))
    seeds = np.random.default_rng(1).integers(0, 2**32, (n, 2), dtype=np.uint32)
    rows = np.full(n, row)
    forest = TreeBatch(views, rows, batch.masks[rows], seeds, bot.guide, limits)
    forest.init_roots(batch.obs[rows])
    forest.run()
    first = np.array([forest.result(i).actions[0] for i in range(n)])
    shares = np.array([(first == action).mean() for action in legal])
    expected = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
    assert np.abs(shares - expected).max() < 0.06
    noises = [forest.edge_sums[forest._edges_of(i), EdgeSum.NOISE] for i in range(3)]
    assert not np.allclose(noises[0], noises[1]) and len(set(noises[0])) == len(legal)


def test_policy_is_improved_by_completed_values():
    """Actions without visits have the mean value of the visited ones (Danihelka et al. 2022)."""
    batch, rows = wide_games(3)
    bot = IsmctsAgent(24, prune_margin=1000.0, root="gumbel", max_considered_actions=4, seed=2, policy="champion")
    views = GameViews(batch, np.arange(len(batch)))
    for row in rows:
        seeds = np.array([[5, row]], np.uint32)
        forest = TreeBatch(views, np.array([row]), batch.masks[[row]], seeds, bot.guide, bot.limits)
        forest.init_roots(batch.obs[[row]])
        forest.run()
        root = forest.result(0)
        edges = {int(forest.edges[edge, Edge.ACTION]): edge for edge in forest._edges_of(0)}
        means, logits = [], []
        for action in root.actions:
            sums, done = forest.edge_sums[edges[int(action)]], forest.edges[edges[int(action)], Edge.DONE]
            means.append(sums[EdgeSum.TOTAL] / done if done else np.nan)
            logits.append(sums[EdgeSum.LOGIT])
        means, logits = np.array(means), np.array(logits)
        is_visited = root.visits > 0
        assert is_visited.any()
        centre = (root.priors[is_visited] * means[is_visited]).sum() / root.priors[is_visited].sum()
        advantages = np.where(is_visited, root.visits / (root.visits + bot.limits.prior_visits) * (means - centre), 0.0)
        expected = np.exp(logits + advantages / bot.limits.value_scale)
        assert root.policy == pytest.approx(expected / expected.sum())


@pytest.mark.parametrize("milliseconds", [6, 31, 100])
def test_time_limit_allows_all_rounds(monkeypatch, milliseconds):
    """Each round has an equal share of the time; actions dropped in one round have equal visits."""
    clock = itertools.count()
    monkeypatch.setattr(searcher.time, "perf_counter", lambda: next(clock) / 1000)  # each call takes 1 ms
    batch, (row,) = wide_games()
    budget = f"milliseconds={milliseconds},max_considered_actions=8,batch_size=12"
    spec = f"ismcts:{budget},root=gumbel,playout=none,prune_margin=1000"
    bot = make_agent(spec, seed=3)
    result = search_rows_of(bot, batch, np.array([row]))[0]
    visits = result.visits[:8].tolist()
    assert visits[0] == visits[1] > visits[2] == visits[3] > visits[4] == visits[5] == visits[6] == visits[7] > 0
    assert result.visits.sum() == result.simulations == sum(visits)
    assert 3 * visits[4] <= visits[0] <= 16 * visits[4]
