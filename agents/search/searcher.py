"""Searches side by side: the arrays that the compiled loop works on, and the answers to what it asks."""

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
from vitienv.core.networks.network import Net, Room, nobody, room_for
from vitienv.core.search.forest import LONGEST, Count, How, Playout, Slot, State, Tree
from vitienv.core.search.tree import NONE, Edge, EdgeSum, Node, NodeSum, Setting
from vitienv.game import Game

PLAYOUTS = {
    "heuristic": Playout.OUTSIDE, QUICK: Playout.OUTSIDE, POLICY: Playout.OUTSIDE, "random": Playout.RANDOM,
    "none": Playout.NONE,
}  # fmt: skip
NODES, EDGES = 256, 4096  # room at first
ENDLESS = 2**62
CONFIDENT_PROB = 5  # visits of a step of a likely continuation, at least


@dataclass(frozen=True)
class Limits:
    """How long and how a search goes on; see `IsmctsAgent` for what the numbers mean.

    simulations: at most so many, None: no limit. milliseconds: stop after so long, None: no limit. batch_size:
    simulations side by side. years: games are played on to the end of so many rounds, this one included; late in a
    round one more; see `TreeBatch._last_round`. c_puct, prior_visits, value_scale, prune_margin: see
    `core.search.tree.choose`. max_considered_actions: so many actions race at the root, see `core.search.gumbel`, 0: no
    race; is_noisy: they are drawn.
    """

    simulations: int | None
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
    """What a search found about the legal actions that it looked at, best first.

    actions (k,); visits (k,); values (k,): from -1 to 1, for the seat that searches, drawn towards the prior as in the
    tree; errors (k,): their standard errors, and spreads (k,): the standard deviation of the single values, which have
    a deal each, both NaN where there were not two; priors and policy (k,): how likely the actions are at first and by
    what was found, both add up to 1; simulations: all. value: the mean of all. line: how the game is likely to go on,
    actions from the first one on, in the deal under `key` (2,) uint32.
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


Tell = Callable[[int, int], None]  # called with the work done and the whole


def search(
    observations: np.ndarray, masks: np.ndarray, games: GameViews, rows: np.ndarray, seeds: np.ndarray, guide: Guide,
    limits: Limits, with_lines: bool = False, on_progress: Tell | None = None, stay: np.ndarray | None = None,
) -> list[SearchResult]:  # fmt: skip
    """Search some games side by side, each as if it were alone.

    observations (n, observed numbers), masks (n, actions): what the acting seats see and may do. rows (n,): which of
    `games` they are. seeds (n, 2) uint32: decide all chance; they must not come from what the seats cannot see.
    with_lines: find the likely continuations too. on_progress: gets the number of simulations done.
    stay (n,): for races, an action of each game that stays to the end.
    """
    forest = TreeBatch(games, rows, masks, seeds, guide, limits)
    if stay is not None:
        forest.trees[:, Tree.STAYS] = stay
    forest.plant(observations)
    forest.run(on_progress)
    results = [forest.found(i) for i in range(len(rows))]
    if not with_lines:
        return results
    return [
        replace(each, line=forest.line(i, int(each.actions[0]), games.imagined(int(rows[i]), seeds[i])), key=seeds[i])
        for i, each in enumerate(results)
    ]


class TreeBatch:
    """The trees of some searches, their games, and where each of them is."""

    def __init__(
        self, games: GameViews, rows: np.ndarray, masks: np.ndarray, seeds: np.ndarray, guide: Guide, limits: Limits
    ) -> None:
        self.guide, self.limits = guide.bind(games.game_spec), limits
        n, most = len(rows), limits.simulations
        per_tree = limits.batch_size if most is None else min(limits.batch_size, most)
        self.trees = np.zeros((n, len(Tree)), np.int64)
        self.trees[:, Tree.BUDGET] = ENDLESS if most is None else most
        self.trees[:, [Tree.KEY0, Tree.KEY1]] = seeds
        self.trees[:, Tree.STAYS] = NONE
        self.root_masks = np.ascontiguousarray(masks, np.int8)
        # The search never has the games themselves: a copy dealt anew is as good to deal from.
        one = games.deal(int(rows[0]), seeds[:1])
        roots = np.empty((n, one.bytes_view.shape[1]), np.int8)
        for i, row in enumerate(rows):
            games.deal(int(row), seeds[i : i + 1], one)
            one.games["rules"][:, one.game_spec.rule_parameter("skip_forced")] = 1
            roots[i] = one.bytes_view[0]
            self.trees[i, Tree.SEAT] = games.seat(int(row))
            self.trees[i, Tree.LAST_ROUND] = self._last_round(one)
        self.roots = roots
        # Numba takes a column of one record for another kind of array, for which it would compile the loop once more.
        self.batch = batch = Batch(max(2, n * per_tree), one.options)
        batch.bytes_view[:] = np.repeat(roots, per_tree, axis=0)
        self._make(batch, n, per_tree)

    def _last_round(self, one: Batch) -> int:
        """The round at whose end games are stopped, also where the last one is known: what a position gained in a year
        tells more of an action than a far end does, to which chance adds. Trees without playouts go on to the last, and
        so do games that only points can be said of."""
        record, game = one.games[0], one.game_spec
        clock = game.clock
        last = 0 if clock.last is None else int(record.rules[game.rule_parameter(clock.last)])
        if last and (self.guide.by_points or self.guide.playout == "none"):
            return last
        is_late = clock.phase is not None and clock.late is not None and record[clock.phase] >= clock.late
        horizon = max(1, int(record[clock.round])) + self.limits.years - (0 if is_late else 1)
        return min(horizon, last) if last else horizon

    def _make(self, batch: Batch, n: int, per_tree: int) -> None:
        game, guide, limits, slots = batch.game_spec, self.guide, self.limits, n * per_tree
        self.per_tree = per_tree
        self.slots = np.zeros((slots, len(Slot)), np.int64)
        self.paths = np.zeros((slots, LONGEST), np.int32)
        self.nodes = np.zeros((max(NODES, n), len(Node)), np.int32)
        self.node_sums = np.zeros((max(NODES, n), len(NodeSum)))
        self.edges = np.zeros((EDGES, len(Edge)), np.int32)
        self.edge_sums = np.zeros((EDGES, len(EdgeSum)))
        self.counts = np.zeros(len(Count), np.int64)
        seats = game.max_seats
        self.seen = np.zeros((slots, game.observation.n), np.int16)
        self.legal = np.zeros((slots, game.actions.n), np.int8)
        self.logits = np.zeros((slots, game.actions.n), np.float32)
        self.judged = np.zeros(slots)
        by_worths = not guide.to_own and not guide.by_points
        self.views = np.zeros((slots * seats if by_worths else 1, game.observation.n), np.int16)
        self.heuristic_values = np.zeros(len(self.views))
        self.outside = np.zeros(slots, np.int64)
        self.spare, self.points, self.values = np.zeros(game.actions.n, np.int8), np.zeros(seats), np.zeros(seats)
        self.borrowed = np.zeros(game.actions.n)
        self.sight, self.no_prior = np.zeros(game.observation.n, np.int16), np.zeros(0, np.int16)
        score, rivals = game.lead, np.zeros(slots, np.int8)
        against_rival = False
        if score is not None and score.rival is not None and score.rival_parameter is not None:
            against_rival = batch.games.rules[0, game.rule_parameter(score.rival_parameter)] == 1
            rivals = batch.games.view(np.ndarray)[score.rival]
        is_team = game.utility == IDENTICAL
        self.how = np.zeros(len(How), np.int64)
        self.how[How.TEAM] = is_team
        self.how[How.TO_OWN], self.how[How.UNIFORM] = guide.to_own, guide.uniform
        self.how[How.BY_POINTS], self.how[How.AGAINST_RIVAL] = guide.by_points, against_rival
        self.how[How.PLAYOUT] = PLAYOUTS[guide.playout]
        self.rivals, self.bases = rivals, rivals.astype(np.float64)
        # Where all leaves end with the year, or none does: a gain does not compare with points at the end.
        if by_worths and (is_team or (against_rival and guide.playout != "none")):
            self.bases[:] = np.repeat(self._worths(n), per_tree)
        # Between two decisions of a seat stand those of all others: where they are several, they cost most of a search.
        self.how[How.BORROW] = borrows = guide.to_own and batch.options.num_players > 2
        shape = (n, seats, len(game.decisions), game.actions.n) if borrows else (n, 1, 1, 1)
        self.told, self.times = np.zeros(shape, np.float32), np.zeros(shape, np.int32)
        self.how[How.RACERS], self.how[How.NOISY] = limits.max_considered_actions, limits.is_noisy
        self.settings = np.zeros(len(Setting))
        self.settings[Setting.C_PUCT], self.settings[Setting.PRIOR_VISITS] = limits.c_puct, limits.prior_visits
        self.settings[Setting.VALUE_SCALE], self.settings[Setting.PRUNE_MARGIN] = (
            limits.value_scale,
            limits.prune_margin,
        )
        self.settings[Setting.TEMPERATURE], self.settings[Setting.SCALE] = guide.temperature, guide.scale

    def _worths(self, n: int) -> np.ndarray:
        """What the positions at the n roots are worth, in points, (n,): a team's on the mean, else seat 0's."""
        seats = self.batch.options.num_players if self.how[How.TEAM] else 1
        roots = np.arange(n) * self.per_tree
        told = [self.guide.heuristic_values(self.batch.observe_rows(roots, np.full(n, seat))) for seat in range(seats)]
        return np.mean(told, axis=0)

    def plant(self, observations: np.ndarray) -> None:
        """The roots, whose priors are the first that is asked for."""
        n = len(self.trees)
        self.guide = self.guide.of_table(observations[0])
        if (player := self.guide.player) is not None:
            self.how[How.PLAYOUT] = Playout.NETWORK
        self.net: Net = nobody() if player is None else player
        self.room: Room = room_for(self.net)
        self.trees[:, Tree.ROOT] = np.arange(n)
        self.nodes[:n, Node.FIRST] = NONE
        self.nodes[:n, Node.SEAT] = self.trees[:, Tree.SEAT]
        self.counts[Count.NODES] = n
        first = slice(None, None, self.per_tree)
        self.slots[first, Slot.STATE] = State.ROOT
        self.slots[first, Slot.NODE] = np.arange(n)
        self.batch.masks[first] = self.root_masks
        self.seen[:n], self.legal[:n] = observations, self.root_masks
        self.counts[Count.ROWS] = n

    def run(self, on_progress: Tell | None = None) -> None:
        """Simulate until a limit is reached; not at all where the prior leaves one action."""
        began = time.perf_counter()
        simulate, trees = targets.used.simulate(self.batch.game_spec), self.trees
        while True:
            self._answer()
            self._make_room(int(self.counts[Count.ROWS]))
            while True:
                simulate(*self.arguments())
                if not self.counts[Count.CURSOR]:
                    break
                self._make_room(1)
            if self.limits.milliseconds is not None:
                self._keep_time(1000 * (time.perf_counter() - began) / self.limits.milliseconds)
            if on_progress is not None:
                on_progress(int(trees[:, Tree.DONE].sum()), int(trees[:, Tree.BUDGET].sum()))
            if (trees[:, Tree.DONE] >= trees[:, Tree.BUDGET]).all():
                return

    def arguments(self) -> tuple[Any, ...]:
        """What the compiled loop is called with; see `core.search.simulate`."""
        batch = self.batch
        return (
            batch.records,
            batch.bytes_view,
            batch.int16_view,
            batch.masks,
            batch.game_spec.rounds(batch),
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
            self.how,
            self.settings,
            self.seen,
            self.legal,
            self.logits,
            self.judged,
            self.views,
            self.heuristic_values,
            self.outside,
            self.told,
            self.times,
            self.spare,
            self.borrowed,
            self.points,
            self.values,
            self.net,
            self.room,
            self.sight,
            self.no_prior,
        )

    def _keep_time(self, spent: float) -> None:
        """End what is due when so much of the time is spent, 1 being all: a search, or a round of its race, in which
        all racers get as many visits first."""
        for tree in self.trees:
            if tree[Tree.ROUNDS] and spent >= min(1.0, (tree[Tree.ROUND] + 1) / tree[Tree.ROUNDS]):
                each = max(1, -(-(tree[Tree.STARTED] - tree[Tree.SINCE]) // tree[Tree.RACERS]))
                tree[Tree.UNTIL] = min(tree[Tree.UNTIL], tree[Tree.SINCE] + each * tree[Tree.RACERS])
            if spent >= 1.0:
                tree[Tree.BUDGET] = tree[Tree.UNTIL] if tree[Tree.ROUNDS] else tree[Tree.STARTED]

    def _answer(self) -> None:
        n, views, games = (int(self.counts[what]) for what in (Count.ROWS, Count.VIEWS, Count.GAMES))
        if n and not self.guide.uniform:
            logits, values = self.guide.judge(self.seen[:n], self.legal[:n])
            self.logits[:n], self.judged[:n] = logits, values
            if not ((self.logits[:n] < np.inf).all() and np.isfinite(self.judged[:n]).all()):
                raise ValueError("what guides the search gives logits or values that are no numbers")
        if views:
            self.heuristic_values[:views] = self.guide.heuristic_values(self.views[:views])
        if games:
            rows = self.outside[:games]
            trees = self.trees[rows // self.per_tree]
            self.batch.refresh()
            self.guide.play_on(self.batch, rows, trees[:, Tree.LAST_ROUND], trees[:, Tree.SEAT])

    def _make_room(self, expanded: int) -> None:
        self.nodes = _with_room(self.nodes, int(self.counts[Count.NODES]) + 1)
        self.node_sums = _with_room(self.node_sums, len(self.nodes))
        self.edges = _with_room(self.edges, int(self.counts[Count.EDGES]) + (expanded + 1) * self.root_masks.shape[1])
        self.edge_sums = _with_room(self.edge_sums, len(self.edges))

    def found(self, i: int) -> SearchResult:
        """The result of the i-th search."""
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
            expected = np.full(len(edges), self._by_priors(priors, totals, done))
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
        often = np.maximum(done, 2)
        spreads = np.sqrt(np.maximum(0.0, sums[:, EdgeSum.SQUARES] - totals**2 / often) / (often - 1))
        spreads[done < 2] = np.nan
        errors = np.sqrt(done) * spreads / (done + limits.prior_visits)
        actions = self.edges[edges, Edge.ACTION].astype(np.int64)
        return SearchResult(
            actions[order], done[order], values[order], errors[order], spreads[order], priors[order],
            policy[order] / policy.sum(), int(tree[Tree.DONE]), float(mean),
        )  # fmt: skip

    @staticmethod
    def _by_priors(priors: np.ndarray, totals: np.ndarray, done: np.ndarray) -> float:
        was = done > 0
        return float((priors[was] * totals[was] / done[was]).sum() / priors[was].sum()) if was.any() else 0.0

    def line(self, i: int, action: int, game: Game) -> tuple[int, ...]:
        """How the i-th game is likely to go on from an action of its root: what is visited most, as far as
        that is sure enough. game: in one deal, which is played on."""
        edges, line = self._edges_of(int(self.trees[i, Tree.ROOT])), []
        chosen = edges[self.edges[edges, Edge.ACTION] == action]
        while len(chosen):
            line.append(int(self.edges[chosen[0], Edge.ACTION]))
            game.step(line[-1])
            if game.is_over:
                break
            node, pending = int(self.edges[chosen[0], Edge.OUTCOME]), (game.current_seat, game._batch.decisions[0])
            while node != NONE and tuple(self.nodes[node, [Node.SEAT, Node.DECISION]]) != pending:
                node = int(self.nodes[node, Node.SIBLING])
            edges = self._edges_of(node) if node != NONE else edges[:0]
            edges = edges[
                (game.mask[self.edges[edges, Edge.ACTION]] == 1) & (self.edges[edges, Edge.DONE] >= CONFIDENT_PROB)
            ]
            chosen = edges[np.argsort(-self.edges[edges, Edge.DONE], kind="stable")]
        return tuple(line)

    def _edges_of(self, node: int) -> np.ndarray:
        edges = []
        edge = int(self.nodes[node, Node.FIRST])
        while edge != NONE:
            edges.append(edge)
            edge = int(self.edges[edge, Edge.NEXT])
        return np.array(sorted(edges, key=lambda edge: self.edges[edge, Edge.ACTION]), np.int64)


def _with_room(array: np.ndarray, n: int) -> np.ndarray:
    if n <= len(array):
        return array
    larger = np.zeros((max(n, 2 * len(array)), array.shape[1]), array.dtype)
    larger[: len(array)] = array
    return larger
