"""The tree of a search: what seats may do one after the other, whatever the hidden cards are.

A node is a decision of a seat, an edge an action there. After the same actions another deal may ask another seat or
another question, so that an edge may lead to several nodes. Everything lies in flat arrays of numbers, which several
trees share; edges of a node and nodes of an edge are linked lists.
"""

import math

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import Numbers

NONE = -1
LOWEST = -30.0  # logits are not below this, the best having 0


class Node(Numbers):
    """Columns of nodes. FIRST: edge. VALUED: 1 when the value of a simulation that went no further is known. BORROWED:
    1 while the priors of its edges are those of the same actions elsewhere."""

    FIRST = 0
    SEAT = 1
    DECISION = 2
    SIBLING = 3
    VALUED = 4
    BORROWED = 5


class NodeSum(Numbers):
    """Columns of what nodes gather."""

    VISITS = 0
    VALUE = 1


class Edge(Numbers):
    """Columns of edges."""

    NODE = 0
    ACTION = 1
    NEXT = 2
    OUTCOME = 3
    STARTED = 4
    DONE = 5


class EdgeSum(Numbers):
    """Columns of what edges gather. CHANCE: the exponential of LOGIT. SQUARES: of the values that TOTAL adds up. NOISE:
    see `core.search.gumbel`, of edges of roots alone."""

    TOTAL = 0
    LOGIT = 1
    CHANCE = 2
    SQUARES = 3
    NOISE = 4


class Setting(Numbers):
    """The numbers by which a search chooses: see `choose` and `expand`; SCALE: points ahead that are clearly won."""

    C_PUCT = 0
    PRIOR_VISITS = 1
    VALUE_SCALE = 2
    PRUNE_MARGIN = 3
    TEMPERATURE = 4
    SCALE = 5


@jit
def add_node(at, seat, decision, sibling, nodes, node_sums):
    """Make node `at`, which has no edges yet."""
    nodes[at, Node.FIRST] = NONE
    nodes[at, Node.SEAT] = seat
    nodes[at, Node.DECISION] = decision
    nodes[at, Node.SIBLING] = sibling
    nodes[at, Node.VALUED] = 0
    nodes[at, Node.BORROWED] = 0
    node_sums[at, NodeSum.VISITS] = 0.0
    node_sums[at, NodeSum.VALUE] = 0.0


@jit
def outcome(edge, seat, decision, nodes, edges):
    """The node that an edge leads to if it is this seat's turn to decide this; NONE if nothing led there yet."""
    node = int(edges[edge, Edge.OUTCOME])
    while node != NONE and (nodes[node, Node.SEAT] != seat or nodes[node, Node.DECISION] != decision):
        node = int(nodes[node, Node.SIBLING])
    return node


@jit
def is_complete(node, mask, n_legal, nodes, edges):
    """Whether a node has an edge for each of the n_legal actions of a mask."""
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE and n_legal > 0:
        n_legal -= int(mask[int(edges[edge, Edge.ACTION])])
        edge = int(edges[edge, Edge.NEXT])
    return n_legal == 0


@jit
def best_of(mask, logits):
    """The highest logit of a legal action."""
    best = -math.inf
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, float(logits[action]))
    return best


@jit
def expand(node, mask, logits, temperature, nodes, edges, edge_sums, n_edges, spare):
    """Give a node the edges that it lacks of a mask; returns the new number of edges.

    logits (actions,): how likely the legal actions are, as logarithms and but for a constant; they are divided by
    `temperature`, and the best then counts as 0. Borrowed priors are replaced. spare (actions,) int8 is scratch.
    """
    best = best_of(mask, logits)
    for action in range(len(mask)):
        spare[action] = mask[action]
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        action = int(edges[edge, Edge.ACTION])
        if nodes[node, Node.BORROWED] and mask[action]:
            set_prior(edge, (float(logits[action]) - best) / temperature, edge_sums)
        spare[action] = 0
        edge = int(edges[edge, Edge.NEXT])
    nodes[node, Node.BORROWED] = 0
    for action in range(len(mask)):
        if spare[action]:
            edges[n_edges, Edge.NODE] = node
            edges[n_edges, Edge.ACTION] = action
            edges[n_edges, Edge.NEXT] = nodes[node, Node.FIRST]
            edges[n_edges, Edge.OUTCOME] = NONE
            edges[n_edges, Edge.STARTED] = 0
            edges[n_edges, Edge.DONE] = 0
            edge_sums[n_edges, EdgeSum.TOTAL] = 0.0
            edge_sums[n_edges, EdgeSum.SQUARES] = 0.0
            edge_sums[n_edges, EdgeSum.NOISE] = 0.0
            set_prior(n_edges, (float(logits[action]) - best) / temperature, edge_sums)
            nodes[node, Node.FIRST] = n_edges
            n_edges += 1
    return n_edges


@jit
def set_prior(edge, logit, edge_sums):
    """Give an edge its prior."""
    edge_sums[edge, EdgeSum.LOGIT] = max(LOWEST, logit)
    edge_sums[edge, EdgeSum.CHANCE] = math.exp(max(LOWEST, logit))


@jit
def remember(mask, logits, temperature, told, times):
    """Add the priors of a seat's actions at a decision to the means told (actions,); times: how often each had one."""
    best = best_of(mask, logits)
    for action in range(len(mask)):
        if mask[action]:
            told[action] += max(LOWEST, (float(logits[action]) - best) / temperature)
            times[action] += 1


@jit
def recall(mask, told, times, logits):
    """Write the mean of what was remembered into logits (actions,), for actions that are new the mean of the others'.

    False if half of the legal actions or more are new.
    """
    known, new, total = 0, 0, 0.0
    for action in range(len(mask)):
        if mask[action] and times[action] > 0:
            logits[action] = told[action] / times[action]
            total += logits[action]
            known += 1
        elif mask[action]:
            new += 1
    if new >= known:
        return False
    for action in range(len(mask)):
        if mask[action] and times[action] == 0:
            logits[action] = total / known
    return True


@jit
def choose(node, mask, nodes, node_sums, edges, edge_sums, settings):
    """The edge to follow from a node, of those that are legal in this deal.

    An edge is as good as the mean of its values, drawn by TRUST imagined visits towards what its prior says: the
    node's mean, less by SLOPE for each logit below the best. To this comes EXPLORE times its prior probability times
    the root of the visits of all legal edges, over its own visits. Visits that have been started count for the latter,
    so that simulations side by side spread. Edges more than CUT logits below the best are left out. Among equals the
    lowest action is taken.
    """
    best_logit, visits = LOWEST - 1.0, 0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        if mask[int(edges[edge, Edge.ACTION])]:
            best_logit = max(best_logit, edge_sums[edge, EdgeSum.LOGIT])
            visits += int(edges[edge, Edge.STARTED])
        edge = int(edges[edge, Edge.NEXT])
    least = best_logit - settings[Setting.PRUNE_MARGIN]
    chances = 0.0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        if mask[int(edges[edge, Edge.ACTION])] and edge_sums[edge, EdgeSum.LOGIT] >= least:
            chances += edge_sums[edge, EdgeSum.CHANCE]
        edge = int(edges[edge, Edge.NEXT])
    mean = 0.0
    if node_sums[node, NodeSum.VISITS] > 0:
        mean = node_sums[node, NodeSum.VALUE] / node_sums[node, NodeSum.VISITS]
    prior_visits, value_scale = settings[Setting.PRIOR_VISITS], settings[Setting.VALUE_SCALE]
    width = settings[Setting.C_PUCT] * math.sqrt(visits + 1.0) / chances
    chosen, highest = NONE, -math.inf
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        logit = edge_sums[edge, EdgeSum.LOGIT]
        if mask[int(edges[edge, Edge.ACTION])] and logit >= least:
            imagined = prior_visits * max(-1.0, mean + value_scale * (logit - best_logit))
            value = (edge_sums[edge, EdgeSum.TOTAL] + imagined) / (edges[edge, Edge.DONE] + prior_visits)
            value += width * edge_sums[edge, EdgeSum.CHANCE] / (1 + edges[edge, Edge.STARTED])
            if value > highest or (value == highest and edges[edge, Edge.ACTION] < edges[chosen, Edge.ACTION]):
                chosen, highest = edge, value
        edge = int(edges[edge, Edge.NEXT])
    return chosen


@jit
def n_candidates(node, nodes, edges, edge_sums, prune_margin):
    """How many edges of a node are not left out: all its edges are legal."""
    best, found = LOWEST - 1.0, 0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        best = max(best, edge_sums[edge, EdgeSum.LOGIT])
        edge = int(edges[edge, Edge.NEXT])
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        found += 1 if edge_sums[edge, EdgeSum.LOGIT] >= best - prune_margin else 0
        edge = int(edges[edge, Edge.NEXT])
    return found


@jit
def back_up(path, length, values, nodes, node_sums, edges, edge_sums):
    """Add the values (seats,) of a leaf to all edges and nodes on the way to it, each for the seat there."""
    for i in range(length):
        edge = int(path[i])
        node = int(edges[edge, Edge.NODE])
        value = values[int(nodes[node, Node.SEAT])]
        edges[edge, Edge.DONE] += 1
        edge_sums[edge, EdgeSum.TOTAL] += value
        edge_sums[edge, EdgeSum.SQUARES] += value * value
        node_sums[node, NodeSum.VISITS] += 1.0
        node_sums[node, NodeSum.VALUE] += value
