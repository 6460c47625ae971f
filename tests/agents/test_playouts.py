"""Playouts by networks: in the compiled loop, or outside of it with a policy prior."""

import numpy as np
import pytest

from tests.agents.test_search import LiraNetwork, middle
from vitienv.agents import GameViews, make_agent
from vitienv.agents.champions import rollout_network
from vitienv.agents.search import guides
from vitienv.agents.search.guides import NetworkGuide
from vitienv.agents.search.networks import load_evaluator
from vitienv.agents.search.searcher import search


@pytest.mark.parametrize("players", [1, 3])
def test_playouts_follow_the_network(players):
    """Each decision is the most likely action, until the same seat acts in a later round."""
    alone = {"ruleset": "solo", "num_players": 1} if players == 1 else {"num_players": players}
    batch = middle(8, 60, **alone)
    network, seats = LiraNetwork(), batch.seats.copy()
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


@pytest.mark.parametrize("options", [{"num_players": 2}, {"num_players": 4}, {"ruleset": "solo", "num_players": 1}])
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
    batch, bot = (
        middle(6, 70),
        make_agent("ismcts:simulations=24,policy=champion,playout=policy,prune_margin=100", seed=3),
    )
    rows = np.flatnonzero(batch.masks.sum(axis=1) > 2)
    guide, seeds = bot.guide.bind(batch.game_spec).of_table(batch.obs[0]), np.array([[7, i] for i in rows], np.uint32)
    assert guide.player is not None and len(rows) > 1
    results = []
    for playout_guide in (guide, NetworkGuide(OpaqueNetwork(guide.network), "policy", make_agent("heuristic"))):
        arguments = (
            batch.obs[rows],
            batch.masks[rows],
            GameViews(batch, np.arange(6)),
            rows,
            seeds,
            playout_guide,
            bot.limits,
        )
        results.append(search(*arguments))
    assert playout_guide.player is None and min(result.simulations for result in results[0]) > 8
    for result, other in zip(*results, strict=True):
        assert (result.actions == other.actions).all() and (result.visits == other.visits).all()
        assert np.array_equal(result.values, other.values) and result.value == other.value


@pytest.mark.parametrize("players", [2, 4])
def test_quick_playouts_use_the_small_network(players):
    """Networks with a policy prior have no compiled playouts."""
    batch = middle(2, 60, num_players=players)
    for playout, quick in (("quick", rollout_network(batch.game_spec).net), ("policy", None)):
        guide = make_agent(f"ismcts:policy=champion,playout={playout}").guide.bind(batch.game_spec)
        guide = guide.of_table(batch.obs[0])
        champion = guide.network.network
        is_alone = champion.policy_prior.width == 0
        assert is_alone == (players == 2) and guide.player is (quick or (champion.net if is_alone else None))
    assert make_agent("ismcts:policy=champion").guide.playout == "quick"


ALONE = {"ruleset": "solo", "num_players": 1}


@pytest.mark.parametrize("options, default", [
    ({"num_players": 2}, "quick"), ({"num_players": 4}, "quick"), (ALONE, "quick"),
    (ALONE | {"difficulty": "hard"}, "policy"), (ALONE | {"difficulty": "very_hard"}, "policy"),
])  # fmt: skip
def test_default_playout_by_table(options, default):
    batch = middle(2, 60, **options)
    for spec, playout in (("ismcts:policy=champion", default), ("ismcts:policy=champion,playout=quick", "quick")):
        guide = make_agent(spec).guide.bind(batch.game_spec).of_table(batch.obs[0])
        small = rollout_network(batch.game_spec).net if playout == "quick" else None
        assert guide.playout == playout and guide.player is small


def test_playouts_without_a_small_network_use_the_guide(monkeypatch):
    monkeypatch.setattr(guides, "rollout_network", lambda game: None)
    batch = middle(2, 60)
    guide = make_agent("ismcts:policy=champion").guide.bind(batch.game_spec).of_table(batch.obs[0])
    assert guide.playout == "quick" and guide.player is guide.network.network.net
