"""How leaves are played on by networks: in the compiled loop, or outside it where a heuristic bot is at their side."""

import numpy as np
import pytest

from tests.agents.test_search import Greedy, middle
from vitienv.agents import GameViews, make_agent
from vitienv.agents.champions import quick_of
from vitienv.agents.search import guides
from vitienv.agents.search.guides import NetworkGuide
from vitienv.agents.search.networks import load_evaluator
from vitienv.agents.search.searcher import search


@pytest.mark.parametrize("players", [1, 3])
def test_a_network_plays_on(players):
    """Every decision of a playout is the likeliest action of the network, whoever decides, until it is due again."""
    alone = {"ruleset": "solo", "num_players": 1} if players == 1 else {"num_players": players}
    batch = middle(8, 60, **alone)
    network, seats = Greedy(), batch.seats.copy()
    plain = [batch.bytes_view.copy(), batch.masks.copy()]
    last = batch.game_spec.rounds(batch).copy()
    NetworkGuide(network, 1.0, "policy", make_agent("heuristic")).play_on(batch, np.arange(8), last, seats)
    over, bytes_view = batch.seats < 0, batch.bytes_view.copy()
    assert network.rows > 8 and (over | ((batch.game_spec.rounds(batch) > last) & (batch.seats == seats))).all()
    batch.bytes_view[:], batch.masks[:] = plain
    batch.refresh()
    for i in range(8):
        while batch.seats[i] >= 0 and (batch.game_spec.rounds(batch)[i] <= last[i] or batch.seats[i] != seats[i]):
            logits, _ = network.evaluate(batch.obs[i : i + 1], batch.masks[i : i + 1])
            batch.step_rows(np.array([i]), np.where(batch.masks[i], logits[0], -np.inf).argmax(keepdims=True))
    assert (batch.bytes_view == bytes_view).all()


@pytest.mark.parametrize("options", [{"num_players": 2}, {"num_players": 4}, {"ruleset": "solo", "num_players": 1}])
def test_playouts_ask_the_network_of_their_table(options):
    """Among those that ship, of which each knows its own."""
    batch, networks = middle(8, 60, **options), load_evaluator("champion")
    right = networks.evaluate(batch.obs, batch.masks)[0].argmax(axis=1)
    assert (networks.of_table(batch.obs[0]).best(batch.obs, batch.masks) == right).all()


class Outside:
    """A network that does not tell what it is made of, so that its playouts are not in the compiled loop."""

    def __init__(self, network):
        self.evaluate, self.best = network.evaluate, network.best


def test_playouts_in_the_compiled_loop_choose_as_those_outside():
    """The champion for two, which has no policy prior; the same simulations, one by one."""
    batch, bot = (
        middle(6, 70),
        make_agent("ismcts:simulations=24,policy=champion,playout=policy,prune_margin=100", seed=3),
    )
    rows = np.flatnonzero(batch.masks.sum(axis=1) > 2)
    guide, seeds = bot.guide.bind(batch.game_spec).of_table(batch.obs[0]), np.array([[7, i] for i in rows], np.uint32)
    assert guide.player is not None and len(rows) > 1
    results = []
    for own in (guide, NetworkGuide(Outside(guide.network), 1.0, "policy", make_agent("heuristic"))):
        asked = batch.obs[rows], batch.masks[rows], GameViews(batch, np.arange(6)), rows, seeds, own, bot.limits
        results.append(search(*asked))
    assert own.player is None and min(one.simulations for one in results[0]) > 8
    for one, other in zip(*results, strict=True):
        assert (one.actions == other.actions).all() and (one.visits == other.visits).all()
        assert np.array_equal(one.values, other.values) and one.value == other.value


@pytest.mark.parametrize("players", [2, 4])
def test_the_small_network_plays_on_whoever_guides(players):
    """A champion with a policy prior cannot play on in the loop by itself."""
    batch = middle(2, 60, num_players=players)
    for playout, quick in (("quick", quick_of(batch.game_spec).net), ("policy", None)):
        guide = make_agent(f"ismcts:policy=champion,playout={playout}").guide.bind(batch.game_spec)
        guide = guide.of_table(batch.obs[0])
        own = guide.network.network
        is_alone = own.policy_prior.width == 0
        assert is_alone == (players == 2) and guide.player is (quick or (own.net if is_alone else None))
    assert make_agent("ismcts:policy=champion").guide.playout == "quick"


ALONE = {"ruleset": "solo", "num_players": 1}


@pytest.mark.parametrize("options, usual", [
    ({"num_players": 2}, "quick"), ({"num_players": 4}, "quick"), (ALONE, "quick"),
    (ALONE | {"difficulty": "hard"}, "policy"), (ALONE | {"difficulty": "very_hard"}, "policy"),
])  # fmt: skip
def test_at_the_hard_levels_the_small_network_plays_on_only_if_it_is_asked_for(options, usual):
    batch = middle(2, 60, **options)
    for spec, playout in (("ismcts:policy=champion", usual), ("ismcts:policy=champion,playout=quick", "quick")):
        guide = make_agent(spec).guide.bind(batch.game_spec).of_table(batch.obs[0])
        small = quick_of(batch.game_spec).net if playout == "quick" else None
        assert guide.playout == playout and guide.player is small


def test_where_no_small_network_ships_the_guide_plays_on(monkeypatch):
    monkeypatch.setattr(guides, "quick_of", lambda game: None)
    batch = middle(2, 60)
    guide = make_agent("ismcts:policy=champion").guide.bind(batch.game_spec).of_table(batch.obs[0])
    assert guide.playout == "quick" and guide.player is guide.network.network.net
