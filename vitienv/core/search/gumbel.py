"""Sequential halving at the root, as in Gumbel AlphaZero (Danihelka et al., 2022).

The considered actions have the highest sums of logit and Gumbel noise, a sample without replacement from the prior. All
are visited equally often, then the worse half is eliminated, until the budget is used. The expected value of the result
is at least that of the prior for any number of simulations.

The merit of an action is its logit plus its advantage over the mean value, in logits. Values are shrunk towards the
mean by PRIOR_VISITS, as elsewhere in the tree; the value of an unvisited action is the mean (completed Q-values). An
action to compare with the best, such as the one that was played, can be exempt from elimination.

With a time limit, `agents.search.searcher.TreeBatch` ends the rounds, after equal shares of the time.
"""

import math

from vitienv.core.compiling.jit import jit
from vitienv.core.rng import word
from vitienv.core.search.forest import Tree
from vitienv.core.search.tree import NONE, Edge, EdgeSum, Node, Setting

NOISE_STREAM = 1  # RNG stream of the Gumbel noise
WORDS = 4294967296.0


@jit
def begin_halving(tree, max_actions, is_noisy, candidates, nodes, edges, edge_sums):
    """Start sequential halving among at most max_actions candidates of a root. is_noisy: add Gumbel noise."""
    edge = int(nodes[int(tree[Tree.ROOT]), Node.FIRST])
    while edge != NONE:
        action = int(edges[edge, Edge.ACTION])
        if action == tree[Tree.STAYS]:
            edge_sums[edge, EdgeSum.NOISE] = math.inf
        elif is_noisy:
            random_word = word(int(tree[Tree.KEY0]), int(tree[Tree.KEY1]), NOISE_STREAM, action)
            edge_sums[edge, EdgeSum.NOISE] = -math.log(-math.log((random_word + 0.5) / WORDS))
        edge = int(edges[edge, Edge.NEXT])
    max_considered_actions = max(1, min(max_actions, candidates, int(tree[Tree.BUDGET])))
    rounds = 1
    while 2**rounds < max_considered_actions:
        rounds += 1
    tree[Tree.ROUNDS] = rounds
    tree[Tree.CANDIDATES] = max_considered_actions
    tree[Tree.EACH] = 0
    tree[Tree.SINCE] = 0
    tree[Tree.UNTIL] = 0
    extend_round(tree)


@jit
def extend_round(tree):
    """Set the end of the round: an equal number of visits for each considered action."""
    max_considered_actions = int(tree[Tree.CANDIDATES])
    tree[Tree.UNTIL] = tree[Tree.SINCE] + max_considered_actions * max(
        1, int(tree[Tree.BUDGET]) // (int(tree[Tree.ROUNDS]) * max_considered_actions)
    )


@jit
def can_start(tree):
    """Return whether a simulation may start; starts the next round once all simulations of the last have ended."""
    if tree[Tree.STARTED] < tree[Tree.UNTIL]:
        return True
    if tree[Tree.DONE] < tree[Tree.STARTED]:
        return False
    max_considered_actions = int(tree[Tree.CANDIDATES])
    tree[Tree.EACH] += (tree[Tree.UNTIL] - tree[Tree.SINCE]) // max_considered_actions
    tree[Tree.SINCE] = tree[Tree.UNTIL]
    tree[Tree.ROUND] += 1
    tree[Tree.CANDIDATES] = max(min(2, max_considered_actions), max_considered_actions // 2)
    extend_round(tree)
    return True


@jit
def mean_value(node, nodes, edges, edge_sums):
    """Return the mean value of the visited actions of a node, weighted by their priors; 0 if none was visited."""
    total, total_prior = 0.0, 0.0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        if edges[edge, Edge.DONE] > 0:
            prior = edge_sums[edge, EdgeSum.CHANCE]
            total += prior * edge_sums[edge, EdgeSum.TOTAL] / edges[edge, Edge.DONE]
            total_prior += prior
        edge = int(edges[edge, Edge.NEXT])
    return total / total_prior if total_prior > 0 else 0.0


@jit
def candidate_score(edge, mean, edges, edge_sums, settings):
    """Return the merit of an action in logits; see the module."""
    visits = float(edges[edge, Edge.DONE])
    advantage = (edge_sums[edge, EdgeSum.TOTAL] - visits * mean) / (visits + settings[Setting.PRIOR_VISITS])
    return edge_sums[edge, EdgeSum.LOGIT] + advantage / settings[Setting.VALUE_SCALE]


@jit
def choose_candidate(tree, nodes, edges, edge_sums, settings):
    """Return the edge of the root with the highest merit among those with the fewest visits in this round.

    Edges more than PRUNE_MARGIN logits below the best are excluded. Ties go to the lowest action.
    """
    root = int(tree[Tree.ROOT])
    num_visits = tree[Tree.EACH] + (tree[Tree.STARTED] - 1 - tree[Tree.SINCE]) // tree[Tree.CANDIDATES]
    mean = mean_value(root, nodes, edges, edge_sums)
    min_logit = -settings[Setting.PRUNE_MARGIN]  # the best logit is 0
    best, highest = NONE, -math.inf
    edge = int(nodes[root, Node.FIRST])
    while edge != NONE:
        if edges[edge, Edge.STARTED] == num_visits and edge_sums[edge, EdgeSum.LOGIT] >= min_logit:
            value = candidate_score(edge, mean, edges, edge_sums, settings) + edge_sums[edge, EdgeSum.NOISE]
            if value > highest or (value == highest and edges[edge, Edge.ACTION] < edges[best, Edge.ACTION]):
                best, highest = edge, value
        edge = int(edges[edge, Edge.NEXT])
    return best
