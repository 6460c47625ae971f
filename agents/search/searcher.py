"""One search: simulations side by side, each with its own deal of what the seat cannot see."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from vitienv.agents.protocol import Views
from vitienv.agents.search.guides import Guide
from vitienv.agents.search.tree import LONGEST, NONE, Edge, EdgeNumber, NodeNumber, Tree, back_up, descend
from vitienv.core.batch import PLAYING
from vitienv.core.frames import Frame
from vitienv.core.kernel import LEAVE

KEYS_AT_ONCE = 1024


@dataclass(frozen=True)
class Limits:
    """How long and how a search goes on; see `IsmctsAgent` for what the numbers mean.

    simulations: at most so many, None: no limit. milliseconds: stop after so long, None: no limit. at_once:
    simulations side by side. years: games are played on to the end of so many rounds, this one included; late in a
    round one more, and to the end of the game where its last round is known. explore, trust, slope, cut: see
    `tree.descend`.
    """

    simulations: int | None
    milliseconds: float | None
    at_once: int
    years: int
    explore: float
    trust: float
    slope: float
    cut: float


@dataclass(frozen=True)
class Found:
    """What a search found about the legal actions that it looked at, best first.

    actions (k,); visits (k,); values (k,): from -1 to 1, drawn towards the prior as in the tree; simulations: all.
    """

    actions: np.ndarray
    visits: np.ndarray
    values: np.ndarray
    simulations: int


def search(
    observation: np.ndarray, mask: np.ndarray, games: Views, i: int, seed: int, guide: Guide, limits: Limits
) -> Found:
    """Search the i-th of some games.

    observation (N_OBSERVATION,), mask (N_ACTIONS,): what its acting seat sees and may do. seed: decides all chance;
    it must not come from what the seat cannot see.
    """
    return _Search(observation, mask, games, i, seed, guide, limits).run()


class _Search:
    """A search under way: its tree, its games, and where each of them is."""

    def __init__(
        self, observation: np.ndarray, mask: np.ndarray, games: Views, i: int, seed: int, guide: Guide, limits: Limits
    ) -> None:
        self.games, self.i, self.guide, self.limits = games, i, guide, limits
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.keys = np.empty((0, 2), np.uint32)
        n = limits.at_once if limits.simulations is None else min(limits.at_once, limits.simulations)
        self.batch = games.deal(i, self._keys_to(n)[:n])
        record = self.batch.games[0]
        self.seat = int(self.batch.records["frames"][0, int(record.depth) - 1, Frame.SEAT])
        self.last_round = self._last_round()
        self.root_masks = np.repeat(mask[None], n, axis=0).astype(np.int8)
        self.tree = Tree(self.seat, 0)
        self.tree.grow(np.zeros(1, np.int64), self.root_masks[:1], guide.logits(observation[None], mask[None]))
        self.paths = np.zeros((n, LONGEST), np.int64)
        self.turns = np.zeros(n, np.int64)

    def _last_round(self) -> int:
        """The round at whose end games are stopped; a game whose last round is known is played to its end."""
        record, game = self.batch.games[0], self.batch.definition
        clock = game.clock
        if clock.last is not None and record.rules[game.lever(clock.last)] > 0:
            return int(record.rules[game.lever(clock.last)])
        is_late = clock.phase is not None and clock.late is not None and record[clock.phase] >= clock.late
        return max(1, int(record[clock.round])) + self.limits.years - (0 if is_late else 1)

    def _keys_to(self, n: int) -> np.ndarray:
        """At least n keys of deals, the same whatever was asked before."""
        while len(self.keys) < n:
            more = self.rng.integers(0, 2**32, (KEYS_AT_ONCE, 2), np.uint32)
            self.keys = np.concatenate([self.keys, more])
        return self.keys

    def run(self) -> Found:
        """Simulate until a limit is reached; not at all if the prior leaves one action."""
        end = None if self.limits.milliseconds is None else time.perf_counter() + self.limits.milliseconds / 1000
        done, round_number = 0, 0
        if len(self._candidates()) == 1:
            return self._found(0)
        while self.limits.simulations is None or done < self.limits.simulations:
            n = len(self.turns)
            if self.limits.simulations is not None:
                n = min(n, self.limits.simulations - done)
            self._simulate(n, round_number)
            done += n
            round_number += 1
            if end is not None and time.perf_counter() >= end:
                break
        return self._found(done)

    def _simulate(self, n: int, born: int) -> None:
        """n simulations side by side: down the tree, to the leaves' values, back up."""
        batch, tree = self.batch, self.tree
        at = np.full(len(self.turns), NONE, np.int64)
        at[:n] = 0
        lengths = np.zeros(len(at), np.int64)
        self._descend(at, self.root_masks, lengths)
        # The k-th visit of every action of the root sees the k-th deal: all are compared on the same ones.
        self.games.deal(self.i, self._keys_to(int(self.turns.max()) + 1)[self.turns], batch)
        games = batch.games.view(np.ndarray)
        games["rules"][:, batch.definition.lever("skip_forced")] = 1
        status, rounds = games["status"], batch.definition.rounds(batch)
        while True:
            batch.step()
            is_leaf = ((status != PLAYING) | (rounds > self.last_round)).astype(np.int8)
            tree.arrive(at, batch.seats, batch.decisions, is_leaf, born, self.paths, lengths)
            if not (at != NONE).any():
                break
            rows = tree.lacking(at, batch.masks)
            if len(rows):
                tree.grow(at[rows], batch.masks[rows], self._logits(rows))
            self._descend(at, batch.masks, lengths)
        rows = np.arange(n)
        values = self.guide.values(batch, rows, self.last_round, self.seat)
        back_up(self.paths, lengths[:n], values, tree.nodes, tree.node_numbers, tree.edges, tree.numbers)

    def _logits(self, rows: np.ndarray) -> np.ndarray:
        return self.guide.logits(self.batch.obs[rows], self.batch.masks[rows])

    def _descend(self, at: np.ndarray, masks: np.ndarray, lengths: np.ndarray) -> None:
        tree, limits = self.tree, self.limits
        self.batch.actions[:] = LEAVE
        descend(
            at, masks, tree.nodes, tree.node_numbers, tree.edges, tree.numbers, limits.explore, limits.trust,
            limits.slope, limits.cut, self.paths, lengths, self.turns, self.batch.actions,
        )  # fmt: skip

    def _candidates(self) -> np.ndarray:
        """The root's edges that the prior does not leave out, by their actions."""
        edges = self.tree.edges_of(0)
        logits = self.tree.numbers[edges, EdgeNumber.LOGIT]
        return edges[logits >= logits.max() - self.limits.cut]

    def _found(self, simulations: int) -> Found:
        tree, limits = self.tree, self.limits
        edges = self._candidates()
        logits, done = tree.numbers[edges, EdgeNumber.LOGIT], tree.edges[edges, Edge.DONE]
        mean = tree.node_numbers[0, NodeNumber.VALUE] / max(1.0, tree.node_numbers[0, NodeNumber.VISITS])
        prior = np.maximum(-1.0, mean + limits.slope * (logits - logits.max()))
        values = (tree.numbers[edges, EdgeNumber.TOTAL] + limits.trust * prior) / (done + limits.trust)
        order = np.argsort(-values, kind="stable")
        return Found(tree.edges[edges, Edge.ACTION][order].astype(np.int64), done[order], values[order], simulations)
