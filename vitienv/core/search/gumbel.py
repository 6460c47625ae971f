"""The root of Gumbel AlphaZero (Danihelka and others, 2022): a race of few actions, drawn without replacement.

The actions with the highest sums of a logit and a number of Gumbel's distribution race: that draws them by their prior
probabilities, none twice. All are visited equally often, then the worse half is left behind, until the simulations are
used up (sequential halving). The winner's expected value is no less than the prior's, however few the simulations are.

An action's merit is its logit and, on top, how much better than the mean its value is, in logits. With few visits a
value is mostly chance, so it is drawn towards the mean by as many imagined visits as elsewhere in the tree; one that
was never visited counts as the mean, which completes the values. An action that is to be compared with the best, such
as one that was played, may stay in the race to its end.

Where time is the limit, `agents.search.searcher.TreeBatch` ends the rounds: each has an even share of it.
"""

import math

from vitienv.core.compiling.jit import jit
from vitienv.core.rng import word
from vitienv.core.search.forest import Tree
from vitienv.core.search.tree import NONE, Edge, EdgeSum, Node, Setting

NOISES = 1  # the purpose of the words that draw who races
WORDS = 4294967296.0


@jit
def begin_race(tree, most, is_noisy, candidates, nodes, edges, edge_sums):
    """Let at most so many of a root's candidates race. is_noisy: they are drawn, by other numbers in every search."""
    edge = int(nodes[int(tree[Tree.ROOT]), Node.FIRST])
    while edge != NONE:
        action = int(edges[edge, Edge.ACTION])
        if action == tree[Tree.STAYS]:
            edge_sums[edge, EdgeSum.NOISE] = math.inf
        elif is_noisy:
            drawn = word(int(tree[Tree.KEY0]), int(tree[Tree.KEY1]), NOISES, action)
            edge_sums[edge, EdgeSum.NOISE] = -math.log(-math.log((drawn + 0.5) / WORDS))
        edge = int(edges[edge, Edge.NEXT])
    max_considered_actions = max(1, min(most, candidates, int(tree[Tree.BUDGET])))
    rounds = 1
    while 2**rounds < max_considered_actions:
        rounds += 1
    tree[Tree.ROUNDS] = rounds
    tree[Tree.RACERS] = max_considered_actions
    tree[Tree.EACH] = 0
    tree[Tree.SINCE] = 0
    tree[Tree.UNTIL] = 0
    lengthen(tree)


@jit
def lengthen(tree):
    """Give each racer of a round its visits: an even share of those of the round."""
    max_considered_actions = int(tree[Tree.RACERS])
    tree[Tree.UNTIL] = tree[Tree.SINCE] + max_considered_actions * max(
        1, int(tree[Tree.BUDGET]) // (int(tree[Tree.ROUNDS]) * max_considered_actions)
    )


@jit
def may_start(tree):
    """Whether the race goes on now: a new round begins when all simulations of the one before have ended."""
    if tree[Tree.STARTED] < tree[Tree.UNTIL]:
        return True
    if tree[Tree.DONE] < tree[Tree.STARTED]:
        return False
    max_considered_actions = int(tree[Tree.RACERS])
    tree[Tree.EACH] += (tree[Tree.UNTIL] - tree[Tree.SINCE]) // max_considered_actions
    tree[Tree.SINCE] = tree[Tree.UNTIL]
    tree[Tree.ROUND] += 1
    tree[Tree.RACERS] = max(min(2, max_considered_actions), max_considered_actions // 2)
    lengthen(tree)
    return True


@jit
def mean_value(node, nodes, edges, edge_sums):
    """What a node is worth by those of its actions that were visited, each by its prior; 0 if none was."""
    total, chances = 0.0, 0.0
    edge = int(nodes[node, Node.FIRST])
    while edge != NONE:
        if edges[edge, Edge.DONE] > 0:
            chance = edge_sums[edge, EdgeSum.CHANCE]
            total += chance * edge_sums[edge, EdgeSum.TOTAL] / edges[edge, Edge.DONE]
            chances += chance
        edge = int(edges[edge, Edge.NEXT])
    return total / chances if chances > 0 else 0.0


@jit
def merit(edge, mean, edges, edge_sums, settings):
    """How good an action is, in logits; see above and `agents.search.searcher.TreeBatch.found`."""
    done = float(edges[edge, Edge.DONE])
    better = (edge_sums[edge, EdgeSum.TOTAL] - done * mean) / (done + settings[Setting.PRIOR_VISITS])
    return edge_sums[edge, EdgeSum.LOGIT] + better / settings[Setting.VALUE_SCALE]


@jit
def choose_racer(tree, nodes, edges, edge_sums, settings):
    """The edge of the root to follow: of those that have been visited as often as is due the one of most merit.

    Edges more than CUT logits below the best do not race. Among equals the lowest action is taken.
    """
    root = int(tree[Tree.ROOT])
    due = tree[Tree.EACH] + (tree[Tree.STARTED] - 1 - tree[Tree.SINCE]) // tree[Tree.RACERS]
    mean = mean_value(root, nodes, edges, edge_sums)
    least = -settings[Setting.PRUNE_MARGIN]  # the best logit is 0
    chosen, highest = NONE, -math.inf
    edge = int(nodes[root, Node.FIRST])
    while edge != NONE:
        if edges[edge, Edge.STARTED] == due and edge_sums[edge, EdgeSum.LOGIT] >= least:
            value = merit(edge, mean, edges, edge_sums, settings) + edge_sums[edge, EdgeSum.NOISE]
            if value > highest or (value == highest and edges[edge, Edge.ACTION] < edges[chosen, Edge.ACTION]):
                chosen, highest = edge, value
        edge = int(edges[edge, Edge.NEXT])
    return chosen
