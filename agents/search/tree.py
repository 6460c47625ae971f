"""The tree of a search: what seats may do one after the other, whatever the hidden cards are.

A node is a decision of a seat, an edge an action there. After the same actions another deal may ask another seat or
another question, so that an edge may lead to several nodes. Everything lies in flat arrays of numbers; edges of a node
and nodes of an edge are linked lists.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from vitienv.core.jit import cache_folder, interpreted, kept
from vitienv.core.numbers import Numbers

NONE = -1
LONGEST = 128  # actions from the root that one simulation can remember

HERE = Path(__file__).resolve().parent


class Node(Numbers):
    """Columns of nodes."""

    FIRST = 0  # edge
    SEAT = 1
    DECISION = 2
    SIBLING = 3
    BORN = 4


class Edge(Numbers):
    """Columns of edges."""

    NODE = 0
    ACTION = 1
    NEXT = 2
    OUTCOME = 3
    STARTED = 4
    DONE = 5


class EdgeNumber(Numbers):
    """Columns of what edges gather."""

    TOTAL = 0
    LOGIT = 1


class NodeNumber(Numbers):
    """Columns of what nodes gather."""

    VISITS = 0
    VALUE = 1


def cached_for_search(function):
    """Compile a kernel of the search and keep its machine code on disk between processes."""
    return function if interpreted() else kept(function, cache_folder(HERE), "the search")


@cached_for_search
def lacking(at, masks, nodes, edges, lacks):
    """Say in lacks (n,) int8 which rows stand at nodes that have no edge yet for a legal action.

    at (n,) int64: each row's node, NONE for rows that are not in the tree (any more); masks (n, actions) int8.
    """
    for i in range(len(at)):
        lacks[i] = 0
        if at[i] == NONE:
            continue
        missing = 0
        for action in range(masks.shape[1]):
            missing += masks[i, action]
        edge = nodes[at[i], Node.FIRST]
        while edge != NONE:
            missing -= masks[i, edges[edge, Edge.ACTION]]
            edge = edges[edge, Edge.NEXT]
        if missing > 0:
            lacks[i] = 1


@cached_for_search
def grow(at, masks, logits, nodes, edges, numbers, n_edges):
    """Give the nodes of all rows their missing edges, with prior logits (n, actions) float64; the new n_edges."""
    for i in range(len(at)):
        if at[i] == NONE:
            continue
        node = at[i]
        for action in range(masks.shape[1]):
            if masks[i, action] == 0:
                continue
            edge = nodes[node, Node.FIRST]
            while edge != NONE and edges[edge, Edge.ACTION] != action:
                edge = edges[edge, Edge.NEXT]
            if edge == NONE:
                edges[n_edges, Edge.NODE] = node
                edges[n_edges, Edge.ACTION] = action
                edges[n_edges, Edge.NEXT] = nodes[node, Node.FIRST]
                edges[n_edges, Edge.OUTCOME] = NONE
                edges[n_edges, Edge.STARTED] = 0
                edges[n_edges, Edge.DONE] = 0
                numbers[n_edges, EdgeNumber.TOTAL] = 0.0
                numbers[n_edges, EdgeNumber.LOGIT] = logits[i, action]
                nodes[node, Node.FIRST] = n_edges
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
        edge = nodes[node, Node.FIRST]
        while edge != NONE:
            if masks[i, edges[edge, Edge.ACTION]]:
                best_logit = max(best_logit, numbers[edge, EdgeNumber.LOGIT])
                visits += edges[edge, Edge.STARTED]
            edge = edges[edge, Edge.NEXT]
        weights = 0.0
        edge = nodes[node, Node.FIRST]
        while edge != NONE:
            if masks[i, edges[edge, Edge.ACTION]] and numbers[edge, EdgeNumber.LOGIT] >= best_logit - cut:
                weights += math.exp(numbers[edge, EdgeNumber.LOGIT] - best_logit)
            edge = edges[edge, Edge.NEXT]
        mean = 0.0
        if node_numbers[node, NodeNumber.VISITS] > 0:
            mean = node_numbers[node, NodeNumber.VALUE] / node_numbers[node, NodeNumber.VISITS]
        chosen, highest = NONE, -1e30
        width = explore * math.sqrt(visits + 1.0) / weights
        edge = nodes[node, Node.FIRST]
        while edge != NONE:
            if masks[i, edges[edge, Edge.ACTION]] and numbers[edge, EdgeNumber.LOGIT] >= best_logit - cut:
                below = numbers[edge, EdgeNumber.LOGIT] - best_logit
                imagined = trust * max(-1.0, mean + slope * below)
                value = (numbers[edge, EdgeNumber.TOTAL] + imagined) / (edges[edge, Edge.DONE] + trust)
                value += width * math.exp(below) / (1 + edges[edge, Edge.STARTED])
                if value > highest or (value == highest and edges[edge, Edge.ACTION] < edges[chosen, Edge.ACTION]):
                    chosen, highest = edge, value
            edge = edges[edge, Edge.NEXT]
        turns[i] = edges[chosen, Edge.STARTED]
        edges[chosen, Edge.STARTED] += 1
        paths[i, lengths[i]] = chosen
        lengths[i] += 1
        actions[i] = edges[chosen, Edge.ACTION]


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
        node = edges[edge, Edge.OUTCOME]
        while node != NONE and (nodes[node, Node.SEAT] != seats[i] or nodes[node, Node.DECISION] != decisions[i]):
            node = nodes[node, Node.SIBLING]
        if node == NONE:
            node = n_nodes
            n_nodes += 1
            nodes[node, Node.FIRST] = NONE
            nodes[node, Node.SEAT] = seats[i]
            nodes[node, Node.DECISION] = decisions[i]
            nodes[node, Node.SIBLING] = edges[edge, Edge.OUTCOME]
            nodes[node, Node.BORN] = born
            node_numbers[node, NodeNumber.VISITS] = 0.0
            node_numbers[node, NodeNumber.VALUE] = 0.0
            edges[edge, Edge.OUTCOME] = node
        at[i] = NONE if nodes[node, Node.BORN] == born else node
    return n_nodes


@cached_for_search
def back_up(paths, lengths, values, nodes, node_numbers, edges, numbers):
    """Add the values (n, seats) of the rows' leaves to all edges and nodes on their ways, each for the seat there."""
    for i in range(len(lengths)):
        for j in range(lengths[i]):
            edge = paths[i, j]
            node = edges[edge, Edge.NODE]
            value = values[i, nodes[node, Node.SEAT]]
            edges[edge, Edge.DONE] += 1
            numbers[edge, EdgeNumber.TOTAL] += value
            node_numbers[node, NodeNumber.VISITS] += 1.0
            node_numbers[node, NodeNumber.VALUE] += value


class Tree:
    """The arrays of one tree, which grow as needed, with the functions above on them."""

    def __init__(self, seat: int, decision: int) -> None:
        """A tree of one node, number 0: the decision to be made."""
        self.nodes = np.zeros((256, len(Node)), np.int32)
        self.node_numbers = np.zeros((256, len(NodeNumber)))
        self.edges = np.zeros((4096, len(Edge)), np.int32)
        self.numbers = np.zeros((4096, len(EdgeNumber)))
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
        edge = int(self.nodes[node, Node.FIRST])
        while edge != NONE:
            found.append(edge)
            edge = int(self.edges[edge, Edge.NEXT])
        return np.array(sorted(found, key=lambda edge: self.edges[edge, Edge.ACTION]), np.int64)


def _with_room(array: np.ndarray, n: int) -> np.ndarray:
    """The array itself, or a larger copy, with place for n rows."""
    if n <= len(array):
        return array
    larger = np.zeros((max(n, 2 * len(array)), array.shape[1]), array.dtype)
    larger[: len(array)] = array
    return larger
