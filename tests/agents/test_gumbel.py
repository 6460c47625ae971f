"""The race of a few actions at a root, by Gumbel's numbers and sequential halving."""

import itertools

import numpy as np
import pytest
from test_search import middle

from vitienv.agents import GameViews, make_agent
from vitienv.agents.search import searcher
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.searcher import TreeBatch
from vitienv.core.search.tree import Edge, EdgeSum


class Fixed:
    """A network with fixed logits by action, and one value for everything."""

    def __init__(self, logits, value=0.0):
        self.logits, self.value = logits, value

    def evaluate(self, observations, masks):
        return np.broadcast_to(self.logits, masks.shape), np.full(len(masks), self.value)


def wide(n=1, least=9, moves=60, **options):
    """Games in which at least so much is legal."""
    batch = middle(200, moves, **options)
    rows = np.flatnonzero(batch.masks.sum(axis=1) >= least)[:n]
    assert len(rows) == n
    return batch, rows


def look(bot, batch, rows):
    return bot.search_rows(batch.obs, batch.masks, GameViews(batch, np.arange(len(batch))), rows)


@pytest.mark.parametrize(
    ("simulations", "max_considered_actions", "visits"),
    [(16, 4, [6, 6, 2, 2]), (16, 8, [4, 4, 2, 2, 1, 1, 1, 1]), (32, 8, [11, 11, 3, 3, 1, 1, 1, 1]), (3, 8, [1, 1, 1]),
     (9, 2, [5, 4]), (5, 1, [5])],
)  # fmt: skip
def test_the_worse_half_is_left_behind(simulations, max_considered_actions, visits):
    """The numbers of visits are those of sequential halving, whatever goes on side by side."""
    batch, (row,) = wide()
    for batch_size in (1, 4, 16):
        budget = f"simulations={simulations},max_considered_actions={max_considered_actions},batch_size={batch_size}"
        spec = f"ismcts:{budget},root=gumbel,playout=none,prune_margin=1000"
        found = look(make_agent(spec, seed=3), batch, np.array([row]))[0]
        assert found.visits[: len(visits)].tolist() == visits
        assert found.visits.sum() == simulations == found.simulations


def test_without_noise_the_likeliest_race_and_the_best_value_wins():
    """Where all leaves are worth the same the prior decides; where one action is worth more it wins."""
    batch, (row,) = wide()
    legal = np.flatnonzero(batch.masks[row])
    logits = np.full(batch.masks.shape[1], -3.0)
    logits[legal[-4:]] = [0.0, 0.3, 0.2, 0.1]
    bot = IsmctsAgent(16, root="gumbel", max_considered_actions=4, seed=1, playout="none").use_network(Fixed(logits))
    found = look(bot, batch, np.array([row]))[0]
    assert found.actions[0] == legal[-3] and set(found.actions[found.visits > 0]) == set(legal[-4:])
    assert found.policy == pytest.approx(found.priors)  # nothing was learned


def test_who_races_is_drawn_anew_in_every_search_and_by_the_prior():
    """One noise for all decisions would let the same actions race each time."""
    batch, (row,) = wide()
    legal = np.flatnonzero(batch.masks[row])
    logits = np.zeros(batch.masks.shape[1])
    logits[legal[0]] = 2.0
    bot = IsmctsAgent(
        1, root="gumbel", max_considered_actions=1, seed=1, playout="none", prune_margin=1000.0
    ).use_network(Fixed(logits))
    limits = bot.limits.__class__(**bot.limits.__dict__ | {"is_noisy": True})
    n, views = 600, GameViews(batch, np.arange(len(batch)))
    seeds = np.random.default_rng(1).integers(0, 2**32, (n, 2), dtype=np.uint32)
    rows = np.full(n, row)
    forest = TreeBatch(views, rows, batch.masks[rows], seeds, bot.guide, limits)
    forest.init_roots(batch.obs[rows])
    forest.run()
    first = np.array([forest.result(i).actions[0] for i in range(n)])
    shares = np.array([(first == action).mean() for action in legal])
    right = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
    assert np.abs(shares - right).max() < 0.06
    noises = [forest.edge_sums[forest._edges_of(i), EdgeSum.NOISE] for i in range(3)]
    assert not np.allclose(noises[0], noises[1]) and len(set(noises[0])) == len(legal)


def test_values_lift_an_action_by_what_they_are_above_the_mean():
    """The completed values: what was not visited counts as the mean of what was."""
    batch, rows = wide(3)
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
        was = root.visits > 0
        assert was.any()
        centre = (root.priors[was] * means[was]).sum() / root.priors[was].sum()
        own = np.where(was, root.visits / (root.visits + bot.limits.prior_visits) * (means - centre), 0.0)
        right = np.exp(logits + own / bot.limits.value_scale)
        assert root.policy == pytest.approx(right / right.sum())


@pytest.mark.parametrize("milliseconds", [6, 31, 100])
def test_a_race_against_time_has_all_its_rounds(monkeypatch, milliseconds):
    """Each round has an even share of the time; whoever leaves in a round has as many visits as the others that do."""
    clock = itertools.count()
    monkeypatch.setattr(searcher.time, "perf_counter", lambda: next(clock) / 1000)  # a look at it takes 1 ms
    batch, (row,) = wide()
    budget = f"milliseconds={milliseconds},max_considered_actions=8,batch_size=12"
    spec = f"ismcts:{budget},root=gumbel,playout=none,prune_margin=1000"
    bot = make_agent(spec, seed=3)
    found = look(bot, batch, np.array([row]))[0]
    visits = found.visits[:8].tolist()
    assert visits[0] == visits[1] > visits[2] == visits[3] > visits[4] == visits[5] == visits[6] == visits[7] > 0
    assert found.visits.sum() == found.simulations == sum(visits)
    assert 3 * visits[4] <= visits[0] <= 16 * visits[4]


def test_a_race_is_the_same_whatever_is_searched_beside_it():
    batch, rows = wide(5)
    bot = make_agent("ismcts:simulations=20,root=gumbel,policy=champion", seed=4)
    together = look(bot, batch, rows)
    for i, row in enumerate(rows):
        alone = look(bot, batch, np.array([row]))[0]
        assert alone.actions.tolist() == together[i].actions.tolist()
        assert alone.values.tolist() == together[i].values.tolist()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ismcts:root=x", "unknown root 'x'; expected one of: puct, gumbel"),
        ("ismcts:root=gumbel,simulations=4,value_scale=0", "value_scale must be above 0 with root=gumbel, got 0.0"),
        ("ismcts:max_considered_actions=0", "max_considered_actions must be at least 1, got 0"),
    ],
)
def test_wrong_settings(spec, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec)
