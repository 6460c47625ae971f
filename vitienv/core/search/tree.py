"""The tree of an information-set search.

A node is a decision of a seat, an edge an action. The same actions can lead to different decisions in different deals,
so an edge can have several nodes. Trees share flat arrays; the edges of a node and the nodes of an edge are linked
lists.
"""

import math

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants

NONE = -1
LOWEST = -30.0  # minimum logit, relative to the best


class Node(IntConstants):
    """Columns of nodes.

    FIRST: first edge. VALUED: 1 after a simulation has ended here. BORROWED: 1 while the priors of its edges are
    borrowed from the same actions elsewhere.
    """

    FIRST = 0
    SEAT = 1
    DECISION = 2
    SIBLING = 3
    VALUED = 4
    BORROWED = 5


class NodeSum(IntConstants):
    """Columns of sums by node."""

    VISITS = 0
    VALUE = 1


class Edge(IntConstants):
    """Columns of edges."""

    NODE = 0
    ACTION = 1
    NEXT = 2
    OUTCOME = 3
    STARTED = 4
    DONE = 5


class EdgeSum(IntConstants):
    """Columns of sums and priors by edge.

    TOTAL, SQUARES: sums of values and of their squares. CHANCE: exponential of LOGIT. NOISE: Gumbel noise of root
    edges.
    """

    TOTAL = 0
    LOGIT = 1
    CHANCE = 2
    SQUARES = 3
    NOISE = 4


class Setting(IntConstants):
    """Settings of a search, see `choose` and `expand`. SCALE: points of a decisive lead."""

    C_PUCT = 0
    PRIOR_VISITS = 1
    VALUE_SCALE = 2
    PRUNE_MARGIN = 3
    TEMPERATURE = 4
    SCALE = 5


@jit
def add_node(index, seat, decision, sibling, nodes, node_sums):
    """Initialize a node without edges."""
    nodes[index, Node.FIRST] = NONE
    nodes[index, Node.SEAT] = seat
    nodes[index, Node.DECISION] = decision
    nodes[index, Node.SIBLING] = sibling
    nodes[index, Node.VALUED] = 0
    nodes[index, Node.BORROWED] = 0
    node_sums[index, NodeSum.VISITS] = 0.0
    node_sums[index, NodeSum.VALUE] = 0.0


@jit
def find_child(edge, seat, decision, nodes, edges):
    """Return the node of an edge with this seat and decision; NONE if it does not exist."""
    node = int(edges[edge, Edge.OUTCOME])
    while node != NONE and (nodes[node, Node.SEAT] != seat or nodes[node, Node.DECISION] != decision):
        node = int(nodes[node, Node.SIBLING])
    return node


@jit
def is_complete(node, mask, n_legal, nodes, edges):
    """Return whether a node has an edge for each of the n_legal actions of a mask."""
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE and n_legal > 0:
        n_legal -= int(mask[int(edges[edge, Edge.ACTION])])
        edge = int(edges[edge, Edge.NEXT])
    return n_legal == 0


@jit
def max_logit(mask, logits):
    """Return the highest logit of a legal action."""
    best = -math.inf
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, float(logits[action]))
    return best


@jit
def expand(node, mask, logits, temperature, nodes, edges, edge_sums, n_edges, is_missing):
    """Add the missing edges of a mask to a node; returns the new number of edges.

    logits (actions,): logits of the legal actions up to a constant; they are divided by `temperature` and shifted so
    that the best is 0. Borrowed priors are replaced. is_missing (actions,) int8: scratch.
    """
    best = max_logit(mask, logits)
    for action in range(len(mask)):
        is_missing[action] = mask[action]
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        action = int(edges[edge, Edge.ACTION])
        if nodes[node, Node.BORROWED] and mask[action]:
            set_prior(edge, (float(logits[action]) - best) / temperature, edge_sums)
        is_missing[action] = 0
        edge = int(edges[edge, Edge.NEXT])
    nodes[node, Node.BORROWED] = 0
    for action in range(len(mask)):
        if is_missing[action]:
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
    """Set the prior of an edge."""
    edge_sums[edge, EdgeSum.LOGIT] = max(LOWEST, logit)
    edge_sums[edge, EdgeSum.CHANCE] = math.exp(max(LOWEST, logit))


@jit
def record_priors(mask, logits, temperature, sums, counts):
    """Add the priors of a seat's actions at a decision to sums (actions,), and count them in counts (actions,)."""
    best = max_logit(mask, logits)
    for action in range(len(mask)):
        if mask[action]:
            sums[action] += max(LOWEST, (float(logits[action]) - best) / temperature)
            counts[action] += 1


@jit
def recall_priors(mask, sums, counts, logits):
    """Write the mean remembered priors into logits (actions,); new actions get the mean of the others.

    False if at least half of the legal actions are new.
    """
    num_known, num_new, total = 0, 0, 0.0
    for action in range(len(mask)):
        if mask[action] and counts[action] > 0:
            logits[action] = sums[action] / counts[action]
            total += logits[action]
            num_known += 1
        elif mask[action]:
            num_new += 1
    if num_new >= num_known:
        return False
    for action in range(len(mask)):
        if mask[action] and counts[action] == 0:
            logits[action] = total / num_known
    return True


@jit
def choose(node, mask, nodes, node_sums, edges, edge_sums, settings):
    """Select an edge of a node that is legal in this deal, by PUCT.

    The value of an edge is the mean of its results and of PRIOR_VISITS virtual visits with the value of its prior: the
    node's mean, minus VALUE_SCALE per logit below the best. The exploration term is C_PUCT times its prior times the
    square root of the visits of all legal edges, divided by its visits; started visits count, so that parallel
    simulations spread. Edges more than PRUNE_MARGIN logits below the best are excluded. Ties go to the lowest action.
    """
    best_logit, visits = LOWEST - 1.0, 0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        if mask[int(edges[edge, Edge.ACTION])]:
            best_logit = max(best_logit, edge_sums[edge, EdgeSum.LOGIT])
            visits += int(edges[edge, Edge.STARTED])
        edge = int(edges[edge, Edge.NEXT])
    min_logit = best_logit - settings[Setting.PRUNE_MARGIN]
    total_prior = 0.0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        if mask[int(edges[edge, Edge.ACTION])] and edge_sums[edge, EdgeSum.LOGIT] >= min_logit:
            total_prior += edge_sums[edge, EdgeSum.CHANCE]
        edge = int(edges[edge, Edge.NEXT])
    mean = 0.0
    if node_sums[node, NodeSum.VISITS] > 0:
        mean = node_sums[node, NodeSum.VALUE] / node_sums[node, NodeSum.VISITS]
    prior_visits, value_scale = settings[Setting.PRIOR_VISITS], settings[Setting.VALUE_SCALE]
    exploration = settings[Setting.C_PUCT] * math.sqrt(visits + 1.0) / total_prior
    best, highest = NONE, -math.inf
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        logit = edge_sums[edge, EdgeSum.LOGIT]
        if mask[int(edges[edge, Edge.ACTION])] and logit >= min_logit:
            prior_value = prior_visits * max(-1.0, mean + value_scale * (logit - best_logit))
            value = (edge_sums[edge, EdgeSum.TOTAL] + prior_value) / (edges[edge, Edge.DONE] + prior_visits)
            value += exploration * edge_sums[edge, EdgeSum.CHANCE] / (1 + edges[edge, Edge.STARTED])
            if value > highest or (value == highest and edges[edge, Edge.ACTION] < edges[best, Edge.ACTION]):
                best, highest = edge, value
        edge = int(edges[edge, Edge.NEXT])
    return best


@jit
def n_candidates(node, nodes, edges, edge_sums, prune_margin):
    """Return the number of edges of a node within PRUNE_MARGIN of the best, all of them legal."""
    best_logit, num_candidates = LOWEST - 1.0, 0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        best_logit = max(best_logit, edge_sums[edge, EdgeSum.LOGIT])
        edge = int(edges[edge, Edge.NEXT])
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        num_candidates += 1 if edge_sums[edge, EdgeSum.LOGIT] >= best_logit - prune_margin else 0
        edge = int(edges[edge, Edge.NEXT])
    return num_candidates


@jit
def back_up(path, length, values, nodes, node_sums, edges, edge_sums):
    """Add the values (seats,) of a leaf to all edges and nodes on its path, each for the acting seat."""
    for i in range(length):
        edge = int(path[i])
        node = int(edges[edge, Edge.NODE])
        value = values[int(nodes[node, Node.SEAT])]
        edges[edge, Edge.DONE] += 1
        edge_sums[edge, EdgeSum.TOTAL] += value
        edge_sums[edge, EdgeSum.SQUARES] += value * value
        node_sums[node, NodeSum.VISITS] += 1.0
        node_sums[node, NodeSum.VALUE] += value
