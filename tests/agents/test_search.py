"""Information set MCTS: legality, determinism, hidden information, budgets and guides."""

import numba
import numpy as np
import pytest

import vitienv
from tests.agents.stub_network import StubNetwork, lead_in_lira
from vitienv.agents import GameViews, make_agent
from vitienv.agents.search.agent import BY_NETWORK, BY_RULE, IsmctsAgent
from vitienv.agents.search.guides import NetworkGuide
from vitienv.agents.search.networks import SHARP, NetworkEvaluator
from vitienv.agents.search.searcher import TreeBatch
from vitienv.core.batch import Batch, make_keys
from vitienv.core.search.forest import Count
from vitienv.core.search.simulate import EDGE
from vitienv.core.search.tree import Node, NodeSum
from vitienv.training.evaluation.match import play
from vitienv.training.viticulture.solo import play_solo
from vitienv.viticulture.options import Options
from vitienv.viticulture.vocabulary import N_ACTIONS

PLAYOUTS = ("playout=heuristic", "playout=random", "playout=none", "playout=policy,policy=champion", "policy=champion")


def middle(n, decisions, seed=4, **options):
    """Return n games of the heuristic bot after some decisions."""
    batch = Batch(n, Options(**{"num_players": 2, **options}))
    batch.start(make_keys(seed, n))
    bot = make_agent("heuristic")
    for _ in range(decisions):
        batch.actions[:] = bot.act(batch.obs, batch.masks)
        batch.step()
    return batch


def choices_of(agent, batch, rows):
    return agent.act(batch.obs[rows], batch.masks[rows], GameViews(batch, rows))


VARIANTS = (
    {"num_players": 2, "friendly": True}, {"num_players": 3, "draft_parents": True},
    {"num_players": 6, "skip_forced": True}, {"num_players": 2, "ruleset": "original"},
)  # fmt: skip


@pytest.mark.parametrize("options, playout", [
    *((options, PLAYOUTS[-1]) for options in VARIANTS), *((VARIANTS[1], playout) for playout in PLAYOUTS[:-1]),
], ids=str)  # fmt: skip
def test_actions_are_legal_in_every_variant(options, playout):
    agent = make_agent(f"ismcts:simulations=4,{playout}", seed=3)
    bots = [agent, make_agent("random", seed=1)]
    seating = [[0] + [1] * (options["num_players"] - 1)]
    assert play(Options(max_years=2, **options), [5], seating, bots).years.tolist() == [2]


def test_solo_games_finish():
    agent = make_agent("ismcts:simulations=2", seed=3)
    assert play_solo(Options(ruleset="solo"), agent, seeds=[1]).outcome[0] in (-1, 0, 1)
    blocked = play_solo(Options(ruleset="solo", num_players=2, automa_replacement="blocker"), agent, [1], agent)
    assert blocked.years[0] == 7


@pytest.mark.parametrize("playout", PLAYOUTS)
def test_choice_is_independent_of_batch(playout):
    batch = middle(8, 60)
    rows = np.arange(8)
    spec = f"ismcts:simulations=12,batch_size=5,{playout}"
    together = choices_of(make_agent(spec, seed=6), batch, rows)
    agent = make_agent(spec, seed=6)
    assert [int(choices_of(agent, batch, [i])[0]) for i in rows[::-1]] == together[::-1].tolist()


def test_parallel_searches_equal_single_searches(monkeypatch):
    """Visits and values are equal to the last bit."""
    batch = middle(7, 60)
    views, rows = GameViews(batch, np.arange(7)), np.flatnonzero(batch.masks.sum(axis=1) > 1)
    settings = {"simulations": 70, "batch_size": 6, "seed": 4}
    alone = [
        IsmctsAgent(**settings).use_network(StubNetwork(lead_in_lira)).search_row(batch.obs, batch.masks, views, int(i))
        for i in rows
    ]
    monkeypatch.setattr("vitienv.agents.search.searcher.INITIAL_EDGES", 1)  # arrays grow during the search
    agent = IsmctsAgent(**settings).use_network(StubNetwork(lead_in_lira))
    together = agent.search_rows(batch.obs, batch.masks, views, rows)
    for single, other in zip(alone, together, strict=True):
        assert single.actions.tolist() == other.actions.tolist() and single.visits.tolist() == other.visits.tolist()
        assert single.values.tolist() == other.values.tolist()


@pytest.mark.parametrize("playout", PLAYOUTS)
def test_choice_is_independent_of_hidden_information(playout):
    agent = make_agent(f"ismcts:simulations=10,{playout}", seed=2)
    batch = middle(6, 70, num_players=3)
    for i in range(6):
        game = GameViews(batch, [i]).determinize(0, seed=i)
        assert np.array_equal(game.observation(), batch.obs[i])
        assert not np.array_equal(game.state.hand, batch.games.hand[i])
        choice = agent.act(game.observation()[None], game.mask[None], GameViews(game._batch, [0]))
        assert choice[0] == choices_of(agent, batch, [i])[0]


def test_seed_of_a_search_depends_on_the_observation():
    batch, agent = middle(8, 60), IsmctsAgent(seed=5)
    seeds = {tuple(agent._seed_of(batch.obs[i], batch.masks[i])) for i in range(8)}
    assert len(seeds) == 8
    assert seeds == {tuple(IsmctsAgent(seed=5)._seed_of(batch.obs[i], batch.masks[i])) for i in range(8)}
    assert seeds.isdisjoint(tuple(IsmctsAgent(seed=6)._seed_of(batch.obs[i], batch.masks[i])) for i in range(8))


def test_search_does_not_change_the_games():
    batch = middle(3, 60)
    before = {name: getattr(batch, name).copy() for name in ("bytes_view", "masks", "obs", "actions")}
    choices_of(make_agent("ismcts:simulations=8,playout=random", seed=1), batch, [0, 1, 2])
    assert all(np.array_equal(getattr(batch, name), old) for name, old in before.items())


def test_single_legal_action_needs_no_search():
    mask = np.zeros((1, N_ACTIONS), np.int8)
    mask[0, 17] = 1
    agent = make_agent("ismcts:simulations=1000000")
    assert agent.act(np.zeros((1, vitienv.OBSERVATION.n), np.int16), mask).tolist() == [17]
    assert agent.act(np.zeros((0, vitienv.OBSERVATION.n), np.int16), mask[:0]).shape == (0,)
    mask[0, 18] = 1
    with pytest.raises(ValueError, match="requires `games`"):
        agent.act(np.zeros((1, vitienv.OBSERVATION.n), np.int16), mask)


def test_search_budgets():
    batch = middle(4, 60)
    i = int(batch.masks.sum(axis=1).argmax())
    views = GameViews(batch, np.arange(4))
    result = make_agent("ismcts:simulations=37,batch_size=8,prune_margin=1000", seed=1).search_row(
        batch.obs, batch.masks, views, i
    )
    assert result.simulations == result.visits.sum() == 37
    assert sorted(result.actions) == np.flatnonzero(batch.masks[i]).tolist()
    assert (np.diff(result.values) <= 0).all() and abs(result.values).max() <= 1
    timed = make_agent("ismcts:milliseconds=30", seed=1).search_row(batch.obs, batch.masks, views, i)
    assert timed.simulations >= 32 and timed.visits.sum() == timed.simulations
    limited = make_agent("ismcts:milliseconds=60000,simulations=5", seed=1).search_row(batch.obs, batch.masks, views, i)
    assert limited.simulations == 5


def test_prune_margin_drops_actions_below_the_best_prior():
    batch = middle(6, 60)
    views = GameViews(batch, np.arange(6))
    bot, dropped = make_agent("heuristic"), 0
    for i in np.flatnonzero(batch.masks.sum(axis=1) > 1):
        clear = np.sort(bot.preferences(batch.obs[i : i + 1], batch.masks[i : i + 1])[0, batch.masks[i] == 1])[-2] < 0
        result = make_agent("ismcts:simulations=9,prune_margin=0", seed=1).search_row(
            batch.obs, batch.masks, views, int(i)
        )
        assert result.simulations == (0 if clear else 9) and (len(result.actions) == 1) == clear
        dropped += int(batch.masks[i].sum()) - len(result.actions)
        assert bot.act(batch.obs[i : i + 1], batch.masks[i : i + 1])[0] in result.actions
    assert dropped > 0


def test_default_settings_depend_on_the_prior():
    assert make_agent("ismcts:playout=none").guide.playout == "none"
    for agent, defaults in ((IsmctsAgent(), BY_RULE), (IsmctsAgent(policy="champion"), BY_NETWORK)):
        assert agent.guide.playout == defaults["playout"]
        names = ("years", "c_puct", "prior_visits", "value_scale", "prune_margin")
        assert all(getattr(agent.limits, name) == defaults[name] for name in names)
        assert (agent.limits.max_considered_actions > 0) == (defaults["root"] == "gumbel")
    assert IsmctsAgent(policy="champion", prune_margin=7.0, playout="random").limits.prune_margin == 7


@pytest.mark.parametrize("players", [2, 3])
def test_search_follows_the_values_of_its_network(players):
    """A network that values lira only leads to actions that gain lira at once."""
    batch = middle(1, 0, num_players=players, skip_forced=True)
    bot = make_agent("heuristic")
    tour = vitienv.ACTIONS.number("place:give_tour:plain:regular")
    while not batch.masks[0, tour]:
        batch.actions[:] = bot.act(batch.obs, batch.masks)
        batch.step()
    network = StubNetwork(lead_in_lira)
    agent = IsmctsAgent(simulations=64, seed=1, c_puct=0.3).use_network(network)
    choice = vitienv.ACTIONS.name(int(choices_of(agent, batch, [0])[0]))
    assert choice.startswith(("place:give_tour", "place:sell_grapes_or_field"))
    assert network.rows > 64


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize(
    "key", ["c_puct", "prior_visits", "value_scale", "prune_margin", "milliseconds", "temperature", "scale"]
)
def test_infinite_settings_raise(key, value):
    with pytest.raises(ValueError, match=f"{key} must be finite, got {value}"):
        IsmctsAgent(**{key: value})


def test_deals_and_determinizations_share_the_view_of_the_seat():
    batch = middle(5, 60, num_players=3)
    before = batch.bytes_view.copy()
    views, keys = GameViews(batch, [3, 1]), make_keys(1, 6)
    dealt = views.deal(0, keys)
    dealt.refresh()
    assert (dealt.obs == batch.obs[3]).all() and (dealt.masks == batch.masks[3]).all()
    others = [seat for seat in range(3) if seat != batch.seats[3]]
    assert len({dealt.games.hand[k][others].tobytes() for k in range(6)}) > 1
    assert np.array_equal(dealt.games.key, keys)
    again = GameViews(batch, [3]).deal(0, keys[2:3])
    assert np.array_equal(again.bytes_view[0], views.deal(0, keys).bytes_view[2])
    game = views.determinize(0, seed=8)
    assert game == views.determinize(0, seed=8) and game.current_seat == batch.seats[3] and len(views) == 2
    assert np.array_equal(game.observation(), batch.obs[3]) and np.array_equal(game.mask, batch.masks[3])
    assert not np.array_equal(game.state.key, batch.games.key[3])
    game.step(game.legal_actions()[0])
    assert np.array_equal(before, batch.bytes_view)
    with pytest.raises(ValueError, match="out must have one game for each of 2 keys, got 6"):
        views.deal(0, keys[:2], dealt)


def searched_tree(batch, i, guide, **settings):
    """Return the tree of a completed search of game i."""
    defaults = BY_NETWORK | {"playout": "none", "root": "puct"}
    limits = IsmctsAgent(simulations=60, **defaults | settings).limits
    seeds = np.array([[7, i]], np.uint32)
    forest = TreeBatch(GameViews(batch, [i]), np.zeros(1, np.int64), batch.masks[[i]], seeds, guide, limits)
    forest.init_roots(batch.obs[[i]])
    forest.run()
    return forest


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("playout", ["none", "random", "heuristic"])
def test_values_of_opponents_are_negated(players, playout):
    """A constant positive value must not favour being the seat to act."""
    batch = middle(6, 80, num_players=players)
    guide, others = NetworkGuide(StubNetwork(0.6), playout, make_agent("heuristic")), 0
    for i in np.flatnonzero(batch.masks.sum(axis=1) > 2):
        forest = searched_tree(batch, i, guide)
        nodes = slice(0, forest.counts[Count.NODES])
        visits, values = forest.node_sums[nodes, NodeSum.VISITS], forest.node_sums[nodes, NodeSum.VALUE]
        is_own = forest.nodes[nodes, Node.SEAT] == batch.seats[i]
        assert visits[0] == 60 and np.allclose(values, np.where(is_own, 0.6, -0.6) * visits)
        others += visits[~is_own].sum()
    assert others > 10


def test_one_simulation_has_the_compiled_types_of_many():
    """Numba distinguishes arrays of one element from strided ones."""
    batch, kinds = middle(4, 60, ruleset="solo", num_players=1), set()
    for simulations in (1, 40):
        bot, views = make_agent(f"ismcts:simulations={simulations}", seed=1), GameViews(batch, np.arange(4))
        forest = TreeBatch(views, np.array([0]), batch.masks[:1], np.zeros((1, 2), np.uint32), bot.guide, bot.limits)
        forest.init_roots(batch.obs[:1])
        forest.run()
        assert forest.result(0).simulations in (0, simulations)
        kinds.add((numba.typeof(batch.game_spec.round_numbers(forest.batch)), numba.typeof(forest.rivals)))
    assert len(kinds) == 1


def test_priors_of_opponents_are_reused():
    """The network evaluates each decision of the searching seat, but only some of those of opponents."""
    batch, network = middle(6, 80, num_players=4), StubNetwork(0.6)
    guide = NetworkGuide(network, "none", make_agent("heuristic"))
    for i in np.flatnonzero(batch.masks.sum(axis=1) > 2):
        network.rows = 0
        forest = searched_tree(batch, i, guide)
        nodes = forest.nodes[: forest.counts[Count.NODES]]
        is_other = nodes[:, Node.SEAT] != batch.seats[i]
        assert 60 <= network.rows < len(nodes) - 0.2 * is_other.sum()
        assert not nodes[~is_other, Node.BORROWED].any() and nodes[is_other, Node.BORROWED].any()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_network_with_nan_outputs_raises(value):
    agent = IsmctsAgent(simulations=8, seed=1).use_network(StubNetwork(logits=value))
    batch = middle(1, 20)
    with pytest.raises(ValueError, match="not finite"):
        agent.search_row(batch.obs, batch.masks, GameViews(batch, [0]), 0)


def test_expected_margins_become_values_in_solo_games():
    class Margin:
        knows_margin = True
        game_spec = vitienv.game_spec()

        def evaluate(self, observations, masks):
            return np.zeros(masks.shape), np.full(len(masks), 0.25)  # five points

    alone, table = middle(3, 30, ruleset="solo", num_players=None), middle(3, 30)
    observations = np.concatenate([alone.obs, table.obs])
    masks = np.concatenate([alone.masks, table.masks])
    values = NetworkEvaluator(Margin()).evaluate(observations, masks)[1]
    assert np.allclose(values[:3], (np.tanh(1.0) + np.tanh((5 - EDGE) / SHARP)) / 2) and (values[3:] == 0.25).all()
