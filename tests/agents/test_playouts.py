"""Playouts by networks: in the compiled loop, or outside of it with a policy prior."""

import numpy as np
import pytest

from tests.agents.stub_network import StubNetwork, lead_in_lira
from tests.agents.test_search import middle
from vitienv.agents import GameViews, make_agent
from vitienv.agents.champions import rollout_network
from vitienv.agents.search import guides
from vitienv.agents.search.guides import NetworkGuide
from vitienv.agents.search.networks import load_evaluator
from vitienv.agents.search.searcher import search

ALONE = {"ruleset": "solo", "num_players": 1}


@pytest.mark.parametrize("options", [ALONE, {"num_players": 3}])
def test_playouts_follow_the_network(options):
    """Each decision is the most likely action, until the same seat acts in a later round."""
    batch = middle(8, 60, **options)
    network, seats = StubNetwork(lead_in_lira), batch.seats.copy()
    plain = [batch.bytes_view.copy(), batch.masks.copy()]
    last = batch.game_spec.round_numbers(batch).copy()
    NetworkGuide(network, "policy", make_agent("heuristic")).play_on(batch, np.arange(8), last, seats)
    over, bytes_view = batch.seats < 0, batch.bytes_view.copy()
    assert network.rows > 8 and (over | ((batch.game_spec.round_numbers(batch) > last) & (batch.seats == seats))).all()
    batch.bytes_view[:], batch.masks[:] = plain
    batch.refresh()
    for i in range(8):
        while batch.seats[i] >= 0 and (
            batch.game_spec.round_numbers(batch)[i] <= last[i] or batch.seats[i] != seats[i]
        ):
            logits, _ = network.evaluate(batch.obs[i : i + 1], batch.masks[i : i + 1])
            batch.step_rows(np.array([i]), np.where(batch.masks[i], logits[0], -np.inf).argmax(keepdims=True))
    assert (batch.bytes_view == bytes_view).all()


@pytest.mark.parametrize("options", [{"num_players": 2}, {"num_players": 4}, ALONE])
def test_playouts_use_the_network_of_the_table(options):
    batch, networks = middle(8, 60, **options), load_evaluator("champion")
    expected = networks.evaluate(batch.obs, batch.masks)[0].argmax(axis=1)
    assert (networks.of_table(batch.obs[0]).best(batch.obs, batch.masks) == expected).all()


class OpaqueNetwork:
    """Network with hidden weights, so that its playouts are not compiled."""

    def __init__(self, network):
        self.evaluate, self.best = network.evaluate, network.best


def test_compiled_and_external_playouts_are_equal():
    """The champion for two players has no policy prior."""
    batch = middle(6, 70)
    bot = make_agent("ismcts:simulations=24,policy=champion,playout=policy,prune_margin=100", seed=3)
    rows = np.flatnonzero(batch.masks.sum(axis=1) > 2)
    guide, seeds = bot.guide.bind(batch.game_spec).of_table(batch.obs[0]), np.array([[7, i] for i in rows], np.uint32)
    assert guide.player is not None and len(rows) > 1
    results = []
    for playout_guide in (guide, NetworkGuide(OpaqueNetwork(guide.network), "policy", make_agent("heuristic"))):
        views = GameViews(batch, np.arange(6))
        results.append(search(batch.obs[rows], batch.masks[rows], views, rows, seeds, playout_guide, bot.limits))
    assert playout_guide.player is None and min(result.simulations for result in results[0]) > 8
    for result, other in zip(*results, strict=True):
        assert (result.actions == other.actions).all() and (result.visits == other.visits).all()
        assert np.array_equal(result.values, other.values) and result.value == other.value


@pytest.mark.parametrize(("options", "default", "has_policy_prior"), [
    ({"num_players": 2}, "quick", False), ({"num_players": 4}, "quick", True), (ALONE, "quick", True),
    (ALONE | {"difficulty": "hard"}, "policy", True), (ALONE | {"difficulty": "very_hard"}, "policy", True),
])  # fmt: skip
def test_network_of_playouts_by_table(options, default, has_policy_prior):
    """Networks with a policy prior have no compiled playouts."""
    batch = middle(2, 60, **options)
    for setting, playout in (("", default), (",playout=quick", "quick"), (",playout=policy", "policy")):
        guide = make_agent(f"ismcts:policy=champion{setting}").guide.bind(batch.game_spec).of_table(batch.obs[0])
        champion = guide.network.network
        assert (champion.policy_prior.width > 0) == has_policy_prior and guide.playout == playout
        compiled = None if has_policy_prior else champion.net
        assert guide.player is (rollout_network(batch.game_spec).net if playout == "quick" else compiled)


def test_playouts_without_a_small_network_use_the_guide(monkeypatch):
    monkeypatch.setattr(guides, "rollout_network", lambda game: None)
    batch = middle(2, 60)
    guide = make_agent("ismcts:policy=champion").guide.bind(batch.game_spec).of_table(batch.obs[0])
    assert guide.playout == "quick" and guide.player is guide.network.network.net
