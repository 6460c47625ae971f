"""The search tree: edges by action, selection of legal actions, backup of values to the seats."""

import math

import numpy as np
import pytest

import vitienv
from vitienv.core.batch import Batch, make_keys
from vitienv.core.compiling.jit import cache_on_disk
from vitienv.core.search import tree
from vitienv.core.search.forest import Config
from vitienv.core.search.simulate import EDGE, MARGIN, RESULT_WEIGHT, SHARP
from vitienv.core.search.tree import NONE, Edge, EdgeSum, Node, NodeSum, Setting

SEARCHING = vitienv.game_spec().searching
FOLDER = SEARCHING.folder.with_name(f"{SEARCHING.folder.name}-tests")
ACTIONS, CUT = 6, 1.0


def kernel(function):
    return cache_on_disk(function, FOLDER, "the tests")


@kernel
def expand(node, mask, logits, nodes, edges, edge_sums, n_edges, spare):
    return tree.expand(node, mask, logits, 1.0, nodes, edges, edge_sums, n_edges, spare)


@kernel
def is_complete(node, mask, nodes, edges):
    return tree.is_complete(node, mask, mask.sum(), nodes, edges)


@kernel
def record_priors(mask, logits, temperature, means, times):
    tree.record_priors(mask, logits, temperature, means, times)


@kernel
def recall_priors(mask, means, times, logits):
    return tree.recall_priors(mask, means, times, logits)


@kernel
def choose(node, mask, nodes, node_sums, edges, edge_sums, settings):
    return tree.choose(node, mask, nodes, node_sums, edges, edge_sums, settings)


@kernel
def back_up(path, values, nodes, node_sums, edges, edge_sums):
    tree.back_up(path, len(path), values, nodes, node_sums, edges, edge_sums)


@kernel
def arrive(edge, seat, decision, nodes, node_sums, edges, n_nodes):
    child = tree.find_child(edge, seat, decision, nodes, edges)
    if child == NONE:
        tree.add_node(n_nodes, seat, decision, int(edges[edge, Edge.OUTCOME]), nodes, node_sums)
        edges[edge, Edge.OUTCOME] = n_nodes
    return child


class Small:
    """A tree with one node, of seat 0."""

    def __init__(self, **settings):
        self.nodes, self.node_sums = np.zeros((9, len(Node)), np.int32), np.zeros((9, len(NodeSum)))
        self.edges, self.edge_sums = np.zeros((40, len(Edge)), np.int32), np.zeros((40, len(EdgeSum)))
        self.nodes[:, Node.FIRST] = NONE
        self.settings, self.n_edges = np.zeros(len(Setting)), 0
        for name, value in (
            {"c_puct": 1.0, "prior_visits": 1.0, "value_scale": 0.1, "prune_margin": 30.0} | settings
        ).items():
            self.settings[Setting[name.upper()]] = value

    def expand(self, logits, node=0):
        mask, mask_logits = self.mask(logits), np.zeros(ACTIONS, np.float32)
        mask_logits[list(logits)] = list(logits.values())
        self.n_edges = expand(
            node, mask, mask_logits, self.nodes, self.edges, self.edge_sums, self.n_edges, np.zeros(ACTIONS, np.int8)
        )

    def mask(self, actions):
        mask = np.zeros(ACTIONS, np.int8)
        mask[list(actions)] = 1
        return mask

    def choose(self, *actions):
        return choose(0, self.mask(actions), self.nodes, self.node_sums, self.edges, self.edge_sums, self.settings)

    def chosen(self, *actions):
        return int(self.edges[self.choose(*actions), Edge.ACTION])

    def edge(self, action):
        return int(np.flatnonzero(self.edges[: self.n_edges, Edge.ACTION] == action)[0])


def test_edges_are_identified_by_action():
    """Another deal has other legal actions."""
    small = Small()
    small.expand({1: 0.0, 3: 2.0})
    assert small.chosen(1, 3) == 3
    assert is_complete(0, small.mask([3]), small.nodes, small.edges)
    assert not is_complete(0, small.mask([2, 3]), small.nodes, small.edges)
    small.expand({2: 5.0, 3: 1.0, 5: 1.0})
    assert sorted(small.edges[: small.n_edges, Edge.ACTION]) == [1, 2, 3, 5]
    assert is_complete(0, small.mask([1, 2, 3, 5]), small.nodes, small.edges)
    logits = {action: small.edge_sums[small.edge(action), EdgeSum.LOGIT] for action in (1, 2, 3, 5)}
    assert logits == {1: -2.0, 3: 0.0, 2: 0.0, 5: -4.0}  # relative to the best of its deal; known logits stay
    assert np.allclose(small.edge_sums[:4, EdgeSum.CHANCE], np.exp(small.edge_sums[:4, EdgeSum.LOGIT]))


def test_illegal_actions_are_not_selected():
    small = Small()
    small.expand({action: float(action) for action in range(ACTIONS)})
    for action in range(ACTIONS):
        assert small.chosen(action) == action
    assert small.chosen(0, 2, 4) == 4
    small.edge_sums[small.edge(5), EdgeSum.TOTAL] = 1000.0
    assert small.chosen(0, 2, 4) == 4 and small.chosen(0, 2, 5) == 5


def test_selection_formula():
    """PUCT with values shrunk towards the prior."""
    rng, small = np.random.default_rng(3), Small(c_puct=0.7, prior_visits=4.0, value_scale=0.2, prune_margin=CUT)
    logits = dict(enumerate(rng.normal(size=ACTIONS).tolist()))
    small.expand(logits)
    for _ in range(50):
        started = rng.integers(0, 9, ACTIONS)
        completed = np.minimum(started, rng.integers(0, 9, ACTIONS))
        total = rng.uniform(-1, 1, ACTIONS) * completed
        small.node_sums[0] = completed.sum(), total.sum()
        for action in range(ACTIONS):
            edge = small.edge(action)
            small.edges[edge, Edge.STARTED], small.edges[edge, Edge.DONE] = started[action], completed[action]
            small.edge_sums[edge, EdgeSum.TOTAL] = total[action]
        legal = np.flatnonzero(rng.random(ACTIONS) < 0.7)
        if len(legal) == 0:
            continue
        below = np.array([logits[action] for action in legal])
        below = below - below.max()
        prior = np.exp(below) / np.exp(below[below >= -CUT]).sum()
        mean = total.sum() / max(1, completed.sum())
        value = (total[legal] + 4 * np.maximum(-1, mean + 0.2 * below)) / (completed[legal] + 4)
        score = value + 0.7 * math.sqrt(started[legal].sum() + 1) * prior / (1 + started[legal])
        assert small.chosen(*legal) == legal[np.where(below >= -CUT, score, -9).argmax()]


def test_ties_select_the_lowest_action():
    small = Small()
    small.expand({4: 0.0, 2: 0.0, 3: 0.0})
    assert small.chosen(2, 3, 4) == 2 and small.chosen(3, 4) == 3
    for first in (1, 5):  # independent of the order of expansion
        small = Small()
        small.expand({first: 0.0})
        small.expand({1: 0.0, 3: 0.0, 5: 0.0})
        assert small.chosen(1, 3, 5) == 1


def test_values_are_backed_up_by_seat():
    small = Small()
    small.expand({1: 0.0, 2: 0.0})
    first = small.edge(2)
    assert arrive(first, 1, 7, small.nodes, small.node_sums, small.edges, 1) == NONE
    assert arrive(first, 1, 7, small.nodes, small.node_sums, small.edges, 2) == 1
    # After the same action another deal can have another seat or decision.
    assert arrive(first, 2, 7, small.nodes, small.node_sums, small.edges, 2) == NONE
    assert arrive(first, 1, 8, small.nodes, small.node_sums, small.edges, 3) == NONE
    for node, (seat, decision) in enumerate([(1, 7), (2, 7), (1, 8)], 1):
        assert arrive(first, seat, decision, small.nodes, small.node_sums, small.edges, 9) == node
    small.expand({5: 0.0}, node=2)
    second = small.edge(5)
    path = np.array([first, second], np.int32)
    back_up(path, np.array([0.25, -1.0, 0.5]), small.nodes, small.node_sums, small.edges, small.edge_sums)
    assert small.edge_sums[first, EdgeSum.TOTAL] == 0.25 and small.edge_sums[second, EdgeSum.TOTAL] == 0.5
    assert small.node_sums[[0, 2], NodeSum.VALUE].tolist() == [0.25, 0.5] and not small.node_sums[1].any()
    assert small.edges[[first, second], Edge.DONE].tolist() == [1, 1]


def test_stored_priors():
    small, means, times = Small(), np.zeros(ACTIONS, np.float32), np.zeros(ACTIONS, np.int32)
    for logits in ([9, 3, 1, 9, 9, 9], [9, 2, 4, 9, 9, 9]):
        record_priors(small.mask([1, 2]), np.array(logits, np.float32), 2.0, means, times)
    assert times.tolist() == [0, 2, 2, 0, 0, 0] and means.tolist() == [0, -1, -1, 0, 0, 0]
    record_priors(small.mask([2, 3]), np.array([9, 9, 0, 4, 9, 9], np.float32), 2.0, means, times)
    lent = np.zeros(ACTIONS)
    assert recall_priors(small.mask([1, 2, 3]), means, times, lent)
    assert lent.tolist() == [0, -0.5, -1, 0, 0, 0]
    assert (
        recall_priors(small.mask([1, 2, 5]), means, times, lent) and lent[5] == -0.75
    )  # new actions have the mean of the others
    assert not recall_priors(small.mask([1, 5]), means, times, lent) and not recall_priors(
        small.mask([4]), means, times, lent
    )
    small.expand({1: 0.0, 2: -5.0, 4: 0.0})
    small.nodes[0, Node.BORROWED] = 1
    small.expand({1: -3.0, 2: 0.0, 5: -1.0})
    logits = {action: small.edge_sums[small.edge(action), EdgeSum.LOGIT] for action in (1, 2, 4, 5)}
    assert logits == {1: -3, 2: 0, 4: 0, 5: -1} and small.nodes[0, Node.BORROWED] == 0
    assert np.allclose(small.edge_sums[:4, EdgeSum.CHANCE], np.exp(small.edge_sums[:4, EdgeSum.LOGIT]))


write_result, write_heuristic_values, write_own_value = (
    SEARCHING.names[f"write_{name}"] for name in ("result", "heuristic_values", "own_value")
)


@kernel
def judge(games, settings, rivals, points, values):
    for i in range(len(games)):
        write_result(games[i], settings, float(rivals[i]), points[i], values[i])


@kernel
def weigh(games, settings, rivals, points, values):
    for i in range(len(games)):
        write_heuristic_values(games[i], settings, float(rivals[i]), points[i], 6.0, values[i])


@kernel
def take_own(games, settings, seat, value, values):
    for i in range(len(games)):
        write_own_value(games[i], settings, seat, value, values[i])


def finished_batch(players, n=12, **options):
    batch = Batch(n, vitienv.game_spec().options.of(num_players=players, **options))
    batch.start(make_keys(3, n), observe=False)
    batch.playout()
    return batch


def valued(kernel, batch, points=None, against_rival=False):
    settings, values = np.zeros(len(Config), np.int64), np.zeros((len(batch), 6))
    settings[Config.AGAINST_RIVAL] = against_rival
    rivals = batch.games.view(np.ndarray)["automa_vp"]
    kernel(batch.records, settings, rivals, np.zeros((len(batch), 6)) if points is None else points, values)
    return values


@pytest.mark.parametrize("players", [2, 4])
def test_values_of_finished_games(players):
    batch = finished_batch(players)
    for field, number in {"vp": 30, "lira": 20, "crush": 0, "cellar": 0}.items():
        batch.games[field][:3, :2] = number  # the first two seats tie
    points, ranks = (array[:, :players].astype(float) for array in batch.standings())
    values = valued(judge, batch)
    assert (ranks[:3, :2] == 1).all()
    for i in range(len(batch)):
        winners = (ranks[i] == 1).sum()
        for seat in range(players):
            result = 2 / winners - 1 if ranks[i, seat] == 1 else -1
            margin = math.tanh((points[i, seat] - np.delete(points[i], seat).max()) / MARGIN)
            assert values[i, seat] == pytest.approx(RESULT_WEIGHT * result + (1 - RESULT_WEIGHT) * margin)
    assert not values[:, players:].any()


@pytest.mark.parametrize("players", [1, 2])
def test_values_against_a_rival(players):
    """A second seat is the blocker, whose values are the opposite of the player's."""
    options = {"automa_replacement": "blocker"} if players == 2 else {}
    batch = finished_batch(players, ruleset="solo", **options)
    batch.games["lost"][:9] = 1  # lost in an earlier year: the minimum value
    batch.games["vp"][:9, 0] = batch.games.automa_vp[:9]
    values = valued(judge, batch, against_rival=True)
    leads = batch.scores[:, 0] - batch.games.automa_vp.astype(float)
    expected = (np.tanh(leads / MARGIN) + np.tanh((leads - EDGE) / SHARP)) / 2
    expected[:9] = -1
    assert np.allclose(values[:, 0], expected, atol=1e-3) and np.allclose(values[:, 1:players], -values[:, :1])


def test_value_of_a_draw_against_a_rival():
    batch = finished_batch(1, ruleset="solo")
    for lead in (-1, 0, 1, 2):
        batch.games["vp"][lead + 1, 0] = batch.games.automa_vp[lead + 1] + lead
    loss, draw, win, large_win = valued(judge, batch, against_rival=True)[:4, 0]
    assert draw < 0 < win and win - draw > max(draw - loss, large_win - win)


def test_values_of_estimates():
    batch = finished_batch(3, 1)
    points = np.array([[5.0, 9.0, 7.0, 99.0, 0.0, 0.0]])
    assert valued(weigh, batch, points)[0] == pytest.approx([*np.tanh(np.array([-4.0, 2.0, -2.0]) / 6), 0, 0, 0])
    alone = finished_batch(1, 1, ruleset="solo")
    gained = math.tanh((5.0 - int(alone.games.automa_vp[0])) / 6)  # lead over the base, which is the marker
    assert valued(weigh, alone, points, against_rival=True)[0, 0] == pytest.approx(gained)


def test_values_of_opponents_and_teams():
    batch, settings, values = finished_batch(3, 1), np.zeros(len(Config), np.int64), np.zeros((1, 6))
    take_own(batch.records, settings, 1, 0.25, values)
    assert values[0].tolist() == [-0.25, 0.25, -0.25, 0, 0, 0]
    settings[Config.TEAM] = 1
    take_own(batch.records, settings, 1, -3.0, values)
    assert values[0].tolist() == [-1, -1, -1, 0, 0, 0]
