"""Batches of tree searches: arrays of the kernel, and evaluation of the leaves that it requests."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vitienv.agents.protocol import GameViews
from vitienv.agents.search.guides import POLICY, QUICK, Guide
from vitienv.core import targets
from vitienv.core.batch import Batch
from vitienv.core.game_spec import IDENTICAL
from vitienv.core.networks.network import Net, Room, empty_net, room_for
from vitienv.core.search.forest import MAX_PATH, Config, Count, Playout, Slot, State, Tree
from vitienv.core.search.tree import NONE, Edge, EdgeSum, Node, NodeSum, Setting
from vitienv.game import Game

PLAYOUTS = {
    "heuristic": Playout.EXTERNAL, QUICK: Playout.EXTERNAL, POLICY: Playout.EXTERNAL, "random": Playout.RANDOM,
    "none": Playout.NONE,
}  # fmt: skip
INITIAL_NODES, INITIAL_EDGES = 256, 4096
MIN_LINE_VISITS = 5  # per step of a likely continuation


@dataclass(frozen=True)
class Limits:
    """Limits and settings of a search; see `IsmctsAgent`.

    simulations: maximum. milliseconds: time limit, or None. batch_size: parallel simulations. years: playout
    depth in rounds, one more late in a round; see `TreeBatch._last_round`. c_puct, prior_visits, value_scale,
    prune_margin: see `core.search.tree.choose`. max_considered_actions: actions in sequential halving at the root, see
    `core.search.gumbel`; 0 for PUCT; is_noisy: they are sampled.
    """

    simulations: int
    milliseconds: float | None
    batch_size: int
    years: int
    c_puct: float
    prior_visits: float
    value_scale: float
    prune_margin: float
    max_considered_actions: int = 0
    is_noisy: bool = False


@dataclass(frozen=True)
class SearchResult:
    """Statistics of the searched legal actions, best first.

    actions (k,); visits (k,); values (k,): from -1 to 1 for the searching seat, shrunk towards the prior; errors (k,):
    their standard errors; spreads (k,): standard deviation of single simulations; both NaN below two visits; priors and
    policy (k,): probabilities before and after the search; simulations: their number. value: mean of all simulations.
    line: likely continuation in the deal of `key` (2,) uint32, actions.
    """

    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray
    errors: np.ndarray
    spreads: np.ndarray
    priors: np.ndarray
    policy: np.ndarray
    simulations: int
    value: float
    line: tuple[int, ...] = ()
    key: np.ndarray | None = None


ProgressCallback = Callable[[int, int], None]  # called with the work done and the total


def search(
    observations: np.ndarray, masks: np.ndarray, games: GameViews, rows: np.ndarray, seeds: np.ndarray, guide: Guide,
    limits: Limits, with_lines: bool = False, on_progress: ProgressCallback | None = None,
    stay: np.ndarray | None = None,
) -> list[SearchResult]:  # fmt: skip
    """Search several games independently in one batch.

    observations (n, features), masks (n, actions): of the acting seats. rows (n,): indices of `games`. seeds
    (n, 2) uint32: chance keys; they must not depend on hidden information. with_lines: compute likely continuations.
    on_progress: called with simulations done and total. stay (n,): an action of each game that stays to the end of
    sequential halving.
    """
    trees = TreeBatch(games, rows, masks, seeds, guide, limits)
    if stay is not None:
        trees.trees[:, Tree.STAYS] = stay
    trees.init_roots(observations)
    trees.run(on_progress)
    results = [trees.result(i) for i in range(len(rows))]
    if not with_lines:
        return results
    return [
        replace(
            result, line=trees.line(i, int(result.actions[0]), games.search_root(int(rows[i]), seeds[i])), key=seeds[i]
        )
        for i, result in enumerate(results)
    ]


class TreeBatch:
    """Trees of several searches, their games, and the states of all simulations."""

    def __init__(
        self, games: GameViews, rows: np.ndarray, masks: np.ndarray, seeds: np.ndarray, guide: Guide, limits: Limits
    ) -> None:
        self.guide, self.limits = guide.bind(games.game_spec), limits
        n, per_tree = len(rows), min(limits.batch_size, limits.simulations)
        self.trees = np.zeros((n, len(Tree)), np.int64)
        self.trees[:, Tree.BUDGET] = limits.simulations
        self.trees[:, [Tree.KEY0, Tree.KEY1]] = seeds
        self.trees[:, Tree.STAYS] = NONE
        self.root_masks = np.ascontiguousarray(masks, np.int8)
        # The search receives determinized copies only.
        root = games.deal(int(rows[0]), seeds[:1])
        roots = np.empty((n, root.bytes_view.shape[1]), np.int8)
        for i, row in enumerate(rows):
            games.deal(int(row), seeds[i : i + 1], root)
            root.games["rules"][:, root.game_spec.rule_parameter("skip_forced")] = 1
            roots[i] = root.bytes_view[0]
            self.trees[i, Tree.SEAT] = games.seat(int(row))
            self.trees[i, Tree.LAST_ROUND] = self._last_round(root)
        self.roots = roots
        # Numba types a column of one record differently and would compile the kernel again.
        self.batch = batch = Batch(max(2, n * per_tree), root.options)
        batch.bytes_view[:] = np.repeat(roots, per_tree, axis=0)
        self._allocate(batch, n, per_tree)

    def _last_round(self, root: Batch) -> int:
        """Return the round after which playouts stop.

        Later chance adds noise to the value of an action. Trees without playouts, and games whose only value is the
        final points, continue to the last round if there is one.
        """
        record, game = root.games[0], root.game_spec
        clock = game.rounds
        last = 0 if clock.last is None else int(record.rules[game.rule_parameter(clock.last)])
        if last and (self.guide.by_points or self.guide.playout == "none"):
            return last
        is_late = clock.phase is not None and clock.late is not None and record[clock.phase] >= clock.late
        horizon = max(1, int(record[clock.round])) + self.limits.years - (0 if is_late else 1)
        return min(horizon, last) if last else horizon

    def _allocate(self, batch: Batch, n: int, per_tree: int) -> None:
        game, guide, limits, slots = batch.game_spec, self.guide, self.limits, n * per_tree
        self.per_tree = per_tree
        self.slots = np.zeros((slots, len(Slot)), np.int64)
        self.paths = np.zeros((slots, MAX_PATH), np.int32)
        self.nodes = np.zeros((max(INITIAL_NODES, n), len(Node)), np.int32)
        self.node_sums = np.zeros((max(INITIAL_NODES, n), len(NodeSum)))
        self.edges = np.zeros((INITIAL_EDGES, len(Edge)), np.int32)
        self.edge_sums = np.zeros((INITIAL_EDGES, len(EdgeSum)))
        self.counts = np.zeros(len(Count), np.int64)
        seats = game.max_seats
        self.observations = np.zeros((slots, game.observation.n), np.int16)
        self.legal = np.zeros((slots, game.actions.n), np.int8)
        self.logits = np.zeros((slots, game.actions.n), np.float32)
        self.network_values = np.zeros(slots)
        by_values = not guide.own_seat_only and not guide.by_points
        self.views = np.zeros((slots * seats if by_values else 1, game.observation.n), np.int16)
        self.heuristic_values = np.zeros(len(self.views))
        self.external_slots = np.zeros(slots, np.int64)
        self.spare, self.points, self.values = np.zeros(game.actions.n, np.int8), np.zeros(seats), np.zeros(seats)
        self.borrowed = np.zeros(game.actions.n)
        self.observation, self.no_prior = np.zeros(game.observation.n, np.int16), np.zeros(0, np.int16)
        score, rivals = game.lead, np.zeros(slots, np.int8)
        against_rival = False
        if score is not None and score.rival is not None and score.rival_parameter is not None:
            against_rival = batch.games.rules[0, game.rule_parameter(score.rival_parameter)] == 1
            rivals = batch.games.view(np.ndarray)[score.rival]
        is_team = game.utility == IDENTICAL
        self.config = np.zeros(len(Config), np.int64)
        self.config[Config.TEAM] = is_team
        self.config[Config.OWN_SEAT_ONLY], self.config[Config.UNIFORM] = guide.own_seat_only, guide.uniform
        self.config[Config.BY_POINTS], self.config[Config.AGAINST_RIVAL] = guide.by_points, against_rival
        self.config[Config.PLAYOUT] = PLAYOUTS[guide.playout]
        self.rivals, self.bases = rivals, rivals.astype(np.float64)
        # Only if all leaves are at the same time in the year: a gain is not comparable with final points.
        if by_values and (is_team or (against_rival and guide.playout != "none")):
            self.bases[:] = np.repeat(self._root_values(n), per_tree)
        # Evaluating the decisions of several opponents would take most of the time.
        self.config[Config.BORROW] = borrows = guide.own_seat_only and batch.options.num_players > 2
        shape = (n, seats, len(game.decisions), game.actions.n) if borrows else (n, 1, 1, 1)
        self.prior_sums, self.prior_counts = np.zeros(shape, np.float32), np.zeros(shape, np.int32)
        self.config[Config.CANDIDATES], self.config[Config.NOISY] = limits.max_considered_actions, limits.is_noisy
        self.settings = np.zeros(len(Setting))
        self.settings[Setting.C_PUCT], self.settings[Setting.PRIOR_VISITS] = limits.c_puct, limits.prior_visits
        self.settings[Setting.VALUE_SCALE], self.settings[Setting.PRUNE_MARGIN] = (
            limits.value_scale,
            limits.prune_margin,
        )
        self.settings[Setting.TEMPERATURE], self.settings[Setting.SCALE] = guide.temperature, guide.scale

    def _root_values(self, n: int) -> np.ndarray:
        """Return the heuristic values of the n roots in points, (n,): the mean of a team, else seat 0."""
        seats = self.batch.options.num_players if self.config[Config.TEAM] else 1
        roots = np.arange(n) * self.per_tree
        values = [
            self.guide.heuristic_values(self.batch.observe_rows(roots, np.full(n, seat))) for seat in range(seats)
        ]
        return np.mean(values, axis=0)

    def init_roots(self, observations: np.ndarray) -> None:
        """Initialize the roots of the trees, whose priors the first evaluation computes."""
        n = len(self.trees)
        self.guide = self.guide.of_table(observations[0])
        if (player := self.guide.player) is not None:
            self.config[Config.PLAYOUT] = Playout.NETWORK
        self.net: Net = empty_net() if player is None else player
        self.room: Room = room_for(self.net)
        self.trees[:, Tree.ROOT] = np.arange(n)
        self.nodes[:n, Node.FIRST] = NONE
        self.nodes[:n, Node.SEAT] = self.trees[:, Tree.SEAT]
        self.counts[Count.NODES] = n
        first = slice(None, None, self.per_tree)
        self.slots[first, Slot.STATE] = State.ROOT
        self.slots[first, Slot.NODE] = np.arange(n)
        self.batch.masks[first] = self.root_masks
        self.observations[:n], self.legal[:n] = observations, self.root_masks
        self.counts[Count.ROWS] = n

    def run(self, on_progress: ProgressCallback | None = None) -> None:
        """Simulate until a limit is reached; no simulation if the prior leaves one action."""
        start = time.perf_counter()
        simulate, trees = targets.used.simulate(self.batch.game_spec), self.trees
        while True:
            self._evaluate_requests()
            self._grow_trees(int(self.counts[Count.ROWS]))
            while True:
                simulate(*self.arguments())
                if not self.counts[Count.CURSOR]:
                    break
                self._grow_trees(1)
            if self.limits.milliseconds is not None:
                self._keep_time(1000 * (time.perf_counter() - start) / self.limits.milliseconds)
            if on_progress is not None:
                on_progress(int(trees[:, Tree.DONE].sum()), int(trees[:, Tree.BUDGET].sum()))
            if (trees[:, Tree.DONE] >= trees[:, Tree.BUDGET]).all():
                return

    def arguments(self) -> tuple[Any, ...]:
        """Return the arguments of the kernel `core.search.simulate`."""
        batch = self.batch
        return (
            batch.records,
            batch.bytes_view,
            batch.int16_view,
            batch.masks,
            batch.game_spec.round_numbers(batch),
            self.rivals,
            self.bases,
            self.roots,
            self.root_masks,
            self.trees,
            self.slots,
            self.paths,
            self.nodes,
            self.node_sums,
            self.edges,
            self.edge_sums,
            self.counts,
            self.config,
            self.settings,
            self.observations,
            self.legal,
            self.logits,
            self.network_values,
            self.views,
            self.heuristic_values,
            self.external_slots,
            self.prior_sums,
            self.prior_counts,
            self.spare,
            self.borrowed,
            self.points,
            self.values,
            self.net,
            self.room,
            self.observation,
            self.no_prior,
        )

    def _keep_time(self, time_fraction: float) -> None:
        """End searches, or rounds of sequential halving after equal visits, by the fraction of the time."""
        for tree in self.trees:
            if tree[Tree.ROUNDS] and time_fraction >= min(1.0, (tree[Tree.ROUND] + 1) / tree[Tree.ROUNDS]):
                visits = max(1, -(-(tree[Tree.STARTED] - tree[Tree.SINCE]) // tree[Tree.CANDIDATES]))
                tree[Tree.UNTIL] = min(tree[Tree.UNTIL], tree[Tree.SINCE] + visits * tree[Tree.CANDIDATES])
            if time_fraction >= 1.0:
                tree[Tree.BUDGET] = tree[Tree.UNTIL] if tree[Tree.ROUNDS] else tree[Tree.STARTED]

    def _evaluate_requests(self) -> None:
        n, views, games = (int(self.counts[count]) for count in (Count.ROWS, Count.VIEWS, Count.GAMES))
        if n and not self.guide.uniform:
            logits, values = self.guide.evaluate(self.observations[:n], self.legal[:n])
            self.logits[:n], self.network_values[:n] = logits, values
            if not ((self.logits[:n] < np.inf).all() and np.isfinite(self.network_values[:n]).all()):
                raise ValueError("the network or bot of the search returned logits or values that are not finite")
        if views:
            self.heuristic_values[:views] = self.guide.heuristic_values(self.views[:views])
        if games:
            rows = self.external_slots[:games]
            trees = self.trees[rows // self.per_tree]
            self.batch.refresh()
            self.guide.play_on(self.batch, rows, trees[:, Tree.LAST_ROUND], trees[:, Tree.SEAT])

    def _grow_trees(self, expanded: int) -> None:
        self.nodes = _enlarge(self.nodes, int(self.counts[Count.NODES]) + 1)
        self.node_sums = _enlarge(self.node_sums, len(self.nodes))
        self.edges = _enlarge(self.edges, int(self.counts[Count.EDGES]) + (expanded + 1) * self.root_masks.shape[1])
        self.edge_sums = _enlarge(self.edge_sums, len(self.edges))

    def result(self, i: int) -> SearchResult:
        """Return the result of the i-th search."""
        limits, tree = self.limits, self.trees[i]
        root = int(tree[Tree.ROOT])
        edges = self._edges_of(root)
        edges = edges[
            self.edge_sums[edges, EdgeSum.LOGIT] >= self.edge_sums[edges, EdgeSum.LOGIT].max() - limits.prune_margin
        ]
        sums, done = self.edge_sums[edges], self.edges[edges, Edge.DONE]
        logits, totals = sums[:, EdgeSum.LOGIT], sums[:, EdgeSum.TOTAL]
        visits, value = self.node_sums[root]
        mean = value / max(1.0, visits)
        priors = np.exp(logits) / np.exp(logits).sum()
        if limits.max_considered_actions:
            expected = np.full(len(edges), self._prior_weighted_mean(priors, totals, done))
            merits = logits + (totals - done * expected) / (done + limits.prior_visits) / limits.value_scale
            policy = np.exp(merits - merits.max())
            noises = np.where(np.isfinite(sums[:, EdgeSum.NOISE]), sums[:, EdgeSum.NOISE], 0.0)
            order = np.lexsort((-merits - noises, -done))
        else:
            expected = np.maximum(-1.0, mean + limits.value_scale * (logits - logits.max()))
            policy = done + (0.0 if done.any() else priors)
        values = (totals + limits.prior_visits * expected) / (done + limits.prior_visits)
        if not limits.max_considered_actions:
            order = np.argsort(-values, kind="stable")
        num_values = np.maximum(done, 2)
        spreads = np.sqrt(np.maximum(0.0, sums[:, EdgeSum.SQUARES] - totals**2 / num_values) / (num_values - 1))
        spreads[done < 2] = np.nan
        errors = np.sqrt(done) * spreads / (done + limits.prior_visits)
        actions = self.edges[edges, Edge.ACTION].astype(np.int64)
        return SearchResult(
            actions[order], done[order], values[order], errors[order], spreads[order], priors[order],
            policy[order] / policy.sum(), int(tree[Tree.DONE]), float(mean),
        )  # fmt: skip

    @staticmethod
    def _prior_weighted_mean(priors: np.ndarray, totals: np.ndarray, done: np.ndarray) -> float:
        mask = done > 0
        return float((priors[mask] * totals[mask] / done[mask]).sum() / priors[mask].sum()) if mask.any() else 0.0

    def line(self, i: int, action: int, game: Game) -> tuple[int, ...]:
        """Play `game`, one determinization, along the most visited line after an action, down to MIN_LINE_VISITS."""
        edges, line = self._edges_of(int(self.trees[i, Tree.ROOT])), []
        candidates = edges[self.edges[edges, Edge.ACTION] == action]
        while len(candidates):
            line.append(int(self.edges[candidates[0], Edge.ACTION]))
            game.step(line[-1])
            if game.is_over:
                break
            node, pending = int(self.edges[candidates[0], Edge.OUTCOME]), (game.current_seat, game._batch.decisions[0])
            while node != NONE and tuple(self.nodes[node, [Node.SEAT, Node.DECISION]]) != pending:
                node = int(self.nodes[node, Node.SIBLING])
            edges = self._edges_of(node) if node != NONE else edges[:0]
            edges = edges[
                (game.mask[self.edges[edges, Edge.ACTION]] == 1) & (self.edges[edges, Edge.DONE] >= MIN_LINE_VISITS)
            ]
            candidates = edges[np.argsort(-self.edges[edges, Edge.DONE], kind="stable")]
        return tuple(line)

    def _edges_of(self, node: int) -> np.ndarray:
        edges = []
        edge = int(self.nodes[node, Node.FIRST])
        while edge != NONE:
            edges.append(edge)
            edge = int(self.edges[edge, Edge.NEXT])
        return np.array(sorted(edges, key=lambda edge: self.edges[edge, Edge.ACTION]), np.int64)


def _enlarge(array: np.ndarray, n: int) -> np.ndarray:
    if n <= len(array):
        return array
    larger = np.zeros((max(n, 2 * len(array)), array.shape[1]), array.dtype)
    larger[: len(array)] = array
    return larger
