"""The tree of a search: what seats may do one after the other, whatever the hidden cards are.

A node is a decision of a seat, an edge an action there. After the same actions another deal may ask another seat or
another question, so that an edge may lead to several nodes. Everything lies in flat arrays of numbers; edges of a node
and nodes of an edge are linked lists.
"""

from __future__ import annotations

import math

import numpy as np

from vitienv.agents.compiled import cached_for_search
from vitienv.viticulture.vocabulary import N_ACTIONS

NONE = -1
LONGEST = 128  # actions from the root that one simulation can remember

# Columns of nodes and of edges.
FIRST, SEAT, DECISION, SIBLING, BORN, NODE_COLUMNS = range(6)
NODE, ACTION, NEXT, OUTCOME, STARTED, DONE, EDGE_COLUMNS = range(7)
TOTAL, LOGIT, EDGE_NUMBERS = range(3)
VISITS, VALUE, NODE_NUMBERS = range(3)


@cached_for_search
def lacking(at, masks, nodes, edges, lacks):
    """Say in lacks (n,) int8 which rows stand at nodes that have no edge yet for a legal action.

    at (n,) int64: each row's node, NONE for rows that are not in the tree (any more); masks (n, N_ACTIONS) int8.
    """
    for i in range(len(at)):
        lacks[i] = 0
        if at[i] == NONE:
            continue
        missing = 0
        for action in range(N_ACTIONS):
            missing += masks[i, action]
        edge = nodes[at[i], FIRST]
        while edge != NONE:
            missing -= masks[i, edges[edge, ACTION]]
            edge = edges[edge, NEXT]
        if missing > 0:
            lacks[i] = 1


@cached_for_search
def grow(at, masks, logits, nodes, edges, numbers, n_edges):
    """Give the nodes of all rows their missing edges, with prior logits (n, N_ACTIONS) float64; the new n_edges."""
    for i in range(len(at)):
        if at[i] == NONE:
            continue
        node = at[i]
        for action in range(N_ACTIONS):
            if masks[i, action] == 0:
                continue
            edge = nodes[node, FIRST]
            while edge != NONE and edges[edge, ACTION] != action:
                edge = edges[edge, NEXT]
            if edge == NONE:
                edges[n_edges, NODE] = node
                edges[n_edges, ACTION] = action
                edges[n_edges, NEXT] = nodes[node, FIRST]
                edges[n_edges, OUTCOME] = NONE
                edges[n_edges, STARTED] = 0
                edges[n_edges, DONE] = 0
                numbers[n_edges, TOTAL] = 0.0
                numbers[n_edges, LOGIT] = logits[i, action]
                nodes[node, FIRST] = n_edges
                n_edges += 1
    return n_edges


@cached_for_search
def descend(at, masks, nodes, node_numbers, edges, numbers, explore, trust, slope, cut, paths, lengths, turns, actions):
    """Choose the next action of every row that stands at a node, one row after the other.

    An edge is as good as the mean of its values, drawn by `trust` imagined visits towards what its prior says: the
    node's mean, less by `slope` for each logit below the best. To this comes `explore` times its prior probability
    times the root of the visits of all edges that are legal in this deal, over its own visits. Visits that have been
    started count for the latter, so that rows side by side spread. Edges more than `cut` logits below the best are
    left out. Writes actions (n,) int64, the edge into paths (n, LONGEST) at lengths (n,), and into turns (n,) how often
    the edge had been started before.
    """
    for i in range(len(at)):
        if at[i] == NONE:
            continue
        node = at[i]
        best_logit, visits = -1e30, 0
        edge = nodes[node, FIRST]
        while edge != NONE:
            if masks[i, edges[edge, ACTION]]:
                best_logit = max(best_logit, numbers[edge, LOGIT])
                visits += edges[edge, STARTED]
            edge = edges[edge, NEXT]
        weights = 0.0
        edge = nodes[node, FIRST]
        while edge != NONE:
            if masks[i, edges[edge, ACTION]] and numbers[edge, LOGIT] >= best_logit - cut:
                weights += math.exp(numbers[edge, LOGIT] - best_logit)
            edge = edges[edge, NEXT]
        mean = 0.0
        if node_numbers[node, VISITS] > 0:
            mean = node_numbers[node, VALUE] / node_numbers[node, VISITS]
        chosen, highest = NONE, -1e30
        width = explore * math.sqrt(visits + 1.0) / weights
        edge = nodes[node, FIRST]
        while edge != NONE:
            if masks[i, edges[edge, ACTION]] and numbers[edge, LOGIT] >= best_logit - cut:
                below = numbers[edge, LOGIT] - best_logit
                value = (numbers[edge, TOTAL] + trust * max(-1.0, mean + slope * below)) / (edges[edge, DONE] + trust)
                value += width * math.exp(below) / (1 + edges[edge, STARTED])
                if value > highest or (value == highest and edges[edge, ACTION] < edges[chosen, ACTION]):
                    chosen, highest = edge, value
            edge = edges[edge, NEXT]
        turns[i] = edges[chosen, STARTED]
        edges[chosen, STARTED] += 1
        paths[i, lengths[i]] = chosen
        lengths[i] += 1
        actions[i] = edges[chosen, ACTION]


@cached_for_search
def arrive(at, seats, decisions, is_leaf, born, nodes, node_numbers, edges, paths, lengths, n_nodes):
    """Move rows on to the nodes that their last edges led to; returns the new number of nodes.

    seats, decisions (n,) int8 of the games after the step; is_leaf (n,) int8, 1 where the game needs no node (it is
    over, or the search looks no further). A row that comes to a node of this round, `born`, goes no further either:
    its place in `at` becomes NONE.
    """
    for i in range(len(at)):
        if at[i] == NONE:
            continue
        if is_leaf[i] or lengths[i] == LONGEST:
            at[i] = NONE
            continue
        edge = paths[i, lengths[i] - 1]
        node = edges[edge, OUTCOME]
        while node != NONE and (nodes[node, SEAT] != seats[i] or nodes[node, DECISION] != decisions[i]):
            node = nodes[node, SIBLING]
        if node == NONE:
            node = n_nodes
            n_nodes += 1
            nodes[node, FIRST] = NONE
            nodes[node, SEAT] = seats[i]
            nodes[node, DECISION] = decisions[i]
            nodes[node, SIBLING] = edges[edge, OUTCOME]
            nodes[node, BORN] = born
            node_numbers[node, VISITS] = 0.0
            node_numbers[node, VALUE] = 0.0
            edges[edge, OUTCOME] = node
        at[i] = NONE if nodes[node, BORN] == born else node
    return n_nodes


@cached_for_search
def back_up(paths, lengths, values, nodes, node_numbers, edges, numbers):
    """Add the values (n, seats) of the rows' leaves to all edges and nodes on their ways, each for the seat there."""
    for i in range(len(lengths)):
        for j in range(lengths[i]):
            edge = paths[i, j]
            node = edges[edge, NODE]
            value = values[i, nodes[node, SEAT]]
            edges[edge, DONE] += 1
            numbers[edge, TOTAL] += value
            node_numbers[node, VISITS] += 1.0
            node_numbers[node, VALUE] += value


class Tree:
    """The arrays of one tree, which grow as needed, with the functions above on them."""

    def __init__(self, seat: int, decision: int) -> None:
        """A tree of one node, number 0: the decision to be made."""
        self.nodes = np.zeros((256, NODE_COLUMNS), np.int32)
        self.node_numbers = np.zeros((256, NODE_NUMBERS))
        self.edges = np.zeros((4096, EDGE_COLUMNS), np.int32)
        self.numbers = np.zeros((4096, EDGE_NUMBERS))
        self.nodes[0] = (NONE, seat, decision, NONE, NONE)
        self.n_nodes = 1
        self.n_edges = 0

    def lacking(self, at: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The rows whose nodes have no edge yet for a legal action."""
        lacks = np.zeros(len(at), np.int8)
        lacking(at, masks, self.nodes, self.edges, lacks)
        return np.flatnonzero(lacks)

    def grow(self, at: np.ndarray, masks: np.ndarray, logits: np.ndarray) -> None:
        """See `grow`."""
        self.edges = _with_room(self.edges, self.n_edges + int(masks.sum()))
        self.numbers = _with_room(self.numbers, self.n_edges + int(masks.sum()))
        self.n_edges = grow(at, masks, logits, self.nodes, self.edges, self.numbers, self.n_edges)

    def arrive(
        self, at: np.ndarray, seats: np.ndarray, decisions: np.ndarray, is_leaf: np.ndarray, born: int,
        paths: np.ndarray, lengths: np.ndarray,
    ) -> None:  # fmt: skip
        """See `arrive`."""
        self.nodes = _with_room(self.nodes, self.n_nodes + len(at))
        self.node_numbers = _with_room(self.node_numbers, self.n_nodes + len(at))
        self.n_nodes = arrive(
            at, seats, decisions, is_leaf, born, self.nodes, self.node_numbers, self.edges, paths, lengths, self.n_nodes
        )

    def edges_of(self, node: int) -> np.ndarray:
        """The numbers of a node's edges, by their actions."""
        found = []
        edge = int(self.nodes[node, FIRST])
        while edge != NONE:
            found.append(edge)
            edge = int(self.edges[edge, NEXT])
        return np.array(sorted(found, key=lambda edge: self.edges[edge, ACTION]), np.int64)


def _with_room(array: np.ndarray, n: int) -> np.ndarray:
    """The array itself, or a larger copy, with place for n rows."""
    if n <= len(array):
        return array
    larger = np.zeros((max(n, 2 * len(array)), array.shape[1]), array.dtype)
    larger[: len(array)] = array
    return larger
