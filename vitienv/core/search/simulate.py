"""The compiled search loop: many simulations of many trees in one call.

A simulation plays from the root of its tree to a leaf, in a determinized copy of the game, and backs up the value of
the leaf. Priors and values are requested for all simulations at once: the call returns with the requests, and the next
call reads the results and resumes. Trees are independent of each other. As in `core.kernel`, the loop is compiled for
each game.
"""

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.core.compiling.code_cache import code_text
from vitienv.core.kernel import (
    N_ACTIONS,
    NUM_PLAYERS,
    Kernels,
    Status,
    actor,
    advance,
    apply,
    compile_into,
    count_legal,
    decision_number,
    observe,
    random_action,
    rank_of,
    redeal,
    reward_of,
    score_of,
)
from vitienv.core.networks.network import FOLDER, NET_TYPES, ROOM_TYPES, Net, Room, best_of_row
from vitienv.core.rng import word
from vitienv.core.score import Reward
from vitienv.core.search.forest import MAX_PATH, Config, Count, Playout, Slot, State, Tree
from vitienv.core.search.gumbel import begin_halving, can_start, choose_candidate
from vitienv.core.search.tree import (
    NONE,
    Edge,
    Node,
    NodeSum,
    Setting,
    add_node,
    back_up,
    choose,
    expand,
    find_child,
    is_complete,
    n_candidates,
    recall_priors,
    record_priors,
)

DEAL_STREAM = 0  # RNG stream of the keys of deals
MARGIN = 5.0  # points of a decisive lead at the end
EDGE, SHARP = 0.5, 1.5  # position and width, in points, of the step between a draw and a win against a rival
RESULT_WEIGHT = 0.8  # weight of the result in the value of a finished game; the rest is its margin
LOSS_SLOPE = 5.0  # slope of tanh for the value of a lost cooperative game

# Values of leaves.


def score_lead(points, n, seat, against_rival, rival):
    """Return the lead of a seat over the best opponent, or over the rival of seat 0 (and of a second seat)."""
    if against_rival:
        return points[0] - rival if seat == 0 else rival - points[0]
    best = -math.inf if n > 1 else 0.0
    for opponent in range(n):
        if opponent != seat:
            best = max(best, points[opponent])
    return points[seat] - best


def value_of_lead(lead, width):
    """Return the value of a lead over a rival in points, from -1 to 1; also for arrays.

    Half of it is the margin, as results that are almost certain do not distinguish actions; half is a step at the win,
    `width` points wide; a draw is below it.
    """
    return (np.tanh(lead / MARGIN) + np.tanh((lead - EDGE) / width)) / 2


def write_result(g, config, rival, points, values):
    """Write the values (seats,) of a finished game, from -1 to 1, from its result and its margin.

    Against a rival see `value_of_lead`; an early loss is -1. Tied winners share the win. A team has a single value: its
    win, or how close it was. points (seats,) is scratch.
    """
    n = int(g.rules[NUM_PLAYERS])
    if config[Config.TEAM]:
        reward = reward_of(g, 0, Reward.MARGIN)
        write_team_value(g, reward if reward > 0 else math.tanh(LOSS_SLOPE * reward), values)
        return
    if config[Config.AGAINST_RIVAL]:
        lead = score_of(g, 0) - rival
        is_lost_early = reward_of(g, 0, Reward.MARGIN) <= -1.0
        value = -1.0 if is_lost_early else value_of_lead(lead, SHARP)
        for seat in range(n):
            values[seat] = value if seat == 0 else -value
        return
    num_first = 0
    for seat in range(n):
        points[seat] = score_of(g, seat)
        num_first += 1 if rank_of(g, seat) == 1 else 0
    for seat in range(n):
        margin = math.tanh(score_lead(points, n, seat, False, rival) / MARGIN)
        result = 2.0 / num_first - 1.0 if rank_of(g, seat) == 1 else -1.0
        values[seat] = RESULT_WEIGHT * result + (1.0 - RESULT_WEIGHT) * margin


def write_team_value(g, value, values):
    """Write a value for all seats."""
    for seat in range(int(g.rules[NUM_PLAYERS])):
        values[seat] = value


def write_heuristic_values(g, config, base, points, scale, values):
    """Write the values (seats,) from the heuristic values in points; `scale` points are a decisive lead.

    base: points of the rival, or of a team's goal, which is compared with the mean of the seats.
    """
    n = int(g.rules[NUM_PLAYERS])
    if config[Config.TEAM]:
        total = 0.0
        for seat in range(n):
            total += points[seat]
        write_team_value(g, math.tanh((total / n - base) / scale), values)
        return
    for seat in range(n):
        values[seat] = math.tanh(score_lead(points, n, seat, config[Config.AGAINST_RIVAL] == 1, base) / scale)


def write_own_value(g, config, searching_seat, value, values):
    """Write the values (seats,) from that of the searching seat: opposite for the others, equal in a team."""
    value = min(1.0, max(-1.0, value))
    for seat in range(int(g.rules[NUM_PLAYERS])):
        values[seat] = value if seat == searching_seat or config[Config.TEAM] else -value


# Simulations.


def load_deal(g, bytes_view, root, tree, turn):
    """Set g to the root of a tree, redealt with deal number `turn`."""
    for i in range(len(root)):
        bytes_view[i] = root[i]
    first, second = int(tree[Tree.KEY0]), int(tree[Tree.KEY1])
    redeal(
        g,
        int(tree[Tree.SEAT]),
        word(first, second, DEAL_STREAM, 2 * turn),
        word(first, second, DEAL_STREAM, 2 * turn + 1),
    )


def finish_simulation(tree, slot, path, values, nodes, node_sums, edges, edge_sums):
    """Back up the value of a leaf and free the slot."""
    back_up(path, int(slot[Slot.LENGTH]), values, nodes, node_sums, edges, edge_sums)
    nodes[int(slot[Slot.NODE]), Node.VALUED] = 1
    slot[Slot.STATE] = State.IDLE
    tree[Tree.DONE] += 1


def request_evaluation(state, g, bytes_view, int16_view, viewer, mask, slot, counts, observations, legal):
    """Request the priors of a viewer's actions, the value of the game for the viewer, or both."""
    row = int(counts[Count.ROWS])
    counts[Count.ROWS] = row + 1
    observe(g, bytes_view, int16_view, viewer, observations[row])
    is_turn = actor(g) == viewer
    for action in range(N_ACTIONS):
        legal[row, action] = mask[action] if is_turn else 0
    slot[Slot.STATE] = state


def value_leaf(
    g,
    bytes_view,
    int16_view,
    mask,
    rival,
    base,
    tree,
    slot,
    path,
    nodes,
    node_sums,
    edges,
    edge_sums,
    counts,
    config,
    settings,
    observations,
    legal,
    views,
    points,
    values,
):
    """Evaluate the leaf of a slot, or request its value."""
    if g.status == Status.OVER:
        write_result(g, config, rival, points, values)
        finish_simulation(tree, slot, path, values, nodes, node_sums, edges, edge_sums)
    elif config[Config.OWN_SEAT_ONLY]:
        state = State.BOTH if slot[Slot.FRESH] else State.VALUE
        request_evaluation(
            state, g, bytes_view, int16_view, int(tree[Tree.SEAT]), mask, slot, counts, observations, legal
        )
    elif config[Config.BY_POINTS]:
        for seat in range(int(g.rules[NUM_PLAYERS])):
            points[seat] = score_of(g, seat)
        write_heuristic_values(g, config, base, points, settings[Setting.SCALE], values)
        finish_simulation(tree, slot, path, values, nodes, node_sums, edges, edge_sums)
    else:
        for seat in range(int(g.rules[NUM_PLAYERS])):
            observe(g, bytes_view, int16_view, seat, views[int(counts[Count.VIEWS])])
            counts[Count.VIEWS] += 1
        slot[Slot.STATE] = State.WORTHS


def read_result(
    row, view, g, base, mask, tree, slot, path, nodes, node_sums, edges, edge_sums, counts, config, settings, logits,
    leaf_values, heuristic_values, prior_sums, prior_counts, spare, points, values,
):  # fmt: skip
    """Read the requested result of a slot, in a row or from a view on."""
    state = int(slot[Slot.STATE])
    if state == State.ROOT or state == State.PRIORS or state == State.BOTH:
        counts[Count.EDGES] = expand(
            int(slot[Slot.NODE]), mask, logits[row], settings[Setting.TEMPERATURE], nodes, edges, edge_sums,
            int(counts[Count.EDGES]), spare,
        )  # fmt: skip
    if state == State.PRIORS and config[Config.BORROW]:
        node = int(slot[Slot.NODE])
        seat, decision = int(nodes[node, Node.SEAT]), int(nodes[node, Node.DECISION])
        record_priors(
            mask, logits[row], settings[Setting.TEMPERATURE], prior_sums[seat, decision], prior_counts[seat, decision]
        )
    if state == State.ROOT:
        slot[Slot.STATE] = State.IDLE
        candidates = n_candidates(int(tree[Tree.ROOT]), nodes, edges, edge_sums, settings[Setting.PRUNE_MARGIN])
        if candidates == 1:
            tree[Tree.BUDGET] = 0
        elif config[Config.CANDIDATES]:
            begin_halving(
                tree, int(config[Config.CANDIDATES]), config[Config.NOISY] == 1, candidates, nodes, edges, edge_sums
            )
    elif state == State.PRIORS:
        slot[Slot.STATE] = State.ON_WAY
    elif state == State.EXTERNAL:
        slot[Slot.STATE] = State.PLAYED
    elif state == State.VALUE or state == State.BOTH:
        write_own_value(g, config, int(tree[Tree.SEAT]), leaf_values[row], values)
        finish_simulation(tree, slot, path, values, nodes, node_sums, edges, edge_sums)
    elif state == State.WORTHS:
        for seat in range(int(g.rules[NUM_PLAYERS])):
            points[seat] = heuristic_values[view + seat]
        write_heuristic_values(g, config, base, points, settings[Setting.SCALE], values)
        finish_simulation(tree, slot, path, values, nodes, node_sums, edges, edge_sums)


def may_simulate(tree, config):
    """Return whether another simulation of a tree may start."""
    if tree[Tree.STARTED] >= tree[Tree.BUDGET]:
        return False
    return config[Config.CANDIDATES] == 0 or can_start(tree)


def start_simulation(tree, slot, root_mask, mask):
    """Start a simulation at the root of a tree."""
    tree[Tree.STARTED] += 1
    slot[Slot.STATE] = State.ON_WAY
    slot[Slot.NODE] = tree[Tree.ROOT]
    slot[Slot.LENGTH] = 0
    for action in range(N_ACTIONS):
        mask[action] = root_mask[action]


def child_node(edge, seat, decision, nodes, node_sums, edges, counts):
    """Return the node that an edge has led to; adds it if it is new."""
    node = find_child(edge, seat, decision, nodes, edges)
    if node == NONE:
        node = int(counts[Count.NODES])
        counts[Count.NODES] = node + 1
        add_node(node, seat, decision, int(edges[edge, Edge.OUTCOME]), nodes, node_sums)
        edges[edge, Edge.OUTCOME] = node
    return node


def has_priors(
    node, mask, tree, nodes, node_sums, edges, edge_sums, counts, config, prior_sums, prior_counts, spare, borrowed,
):  # fmt: skip
    """Return whether all legal actions of a node have priors; else they must be requested.

    Priors of opponents can be borrowed at the first visit: the mean priors of the same actions at the same decision
    elsewhere in the tree. Most such nodes are never revisited.
    """
    is_again = nodes[node, Node.BORROWED] == 1 and node_sums[node, NodeSum.VISITS] > 0
    if not is_again and is_complete(node, mask, count_legal(mask), nodes, edges):
        return True
    seat, decision = int(nodes[node, Node.SEAT]), int(nodes[node, Node.DECISION])
    borrows = False
    if config[Config.UNIFORM] == 0:
        if is_again or config[Config.BORROW] == 0 or seat == tree[Tree.SEAT]:
            return False
        if not recall_priors(mask, prior_sums[seat, decision], prior_counts[seat, decision], borrowed):
            return False
        borrows = nodes[node, Node.FIRST] == NONE or nodes[node, Node.BORROWED] == 1
    counts[Count.EDGES] = expand(node, mask, borrowed, 1.0, nodes, edges, edge_sums, int(counts[Count.EDGES]), spare)
    nodes[node, Node.BORROWED] = 1 if borrows else 0
    return True


def take_step(
    g, bytes_view, mask, root, tree, slot, path, nodes, node_sums, edges, edge_sums, counts, config, settings,
    prior_sums, prior_counts, spare, borrowed,
):  # fmt: skip
    """Select and apply an action at the slot's node. False if priors must be requested first."""
    node, length = int(slot[Slot.NODE]), int(slot[Slot.LENGTH])
    if not has_priors(
        node, mask, tree, nodes, node_sums, edges, edge_sums, counts, config, prior_sums, prior_counts, spare, borrowed
    ):  # fmt: skip
        return False
    if length == 0 and config[Config.CANDIDATES]:
        edge = choose_candidate(tree, nodes, edges, edge_sums, settings)
    else:
        edge = choose(node, mask, nodes, node_sums, edges, edge_sums, settings)
    if length == 0:
        # The k-th visit of each root action uses the k-th deal, so that actions are compared on common deals.
        load_deal(g, bytes_view, root, tree, int(edges[edge, Edge.STARTED]))
    edges[edge, Edge.STARTED] += 1
    path[length] = edge
    slot[Slot.LENGTH] = length + 1
    apply(g, int(edges[edge, Edge.ACTION]))
    advance(g, mask)
    return True


def is_end(g, round_number, tree, slot, nodes, node_sums, edges, counts, config, path):
    """Return whether a simulation is at a leaf after a step. round_number: round of the game.

    With TO_OWN, leaves are decisions of the searching seat.
    """
    slot[Slot.FRESH] = 0
    if g.status != Status.PLAYING or slot[Slot.LENGTH] == MAX_PATH:
        return True
    seat = actor(g)
    if round_number > tree[Tree.LAST_ROUND] and (config[Config.OWN_SEAT_ONLY] == 0 or seat == tree[Tree.SEAT]):
        return True
    edge = int(path[int(slot[Slot.LENGTH]) - 1])
    node = child_node(edge, seat, decision_number(g), nodes, node_sums, edges, counts)
    slot[Slot.NODE] = node
    if config[Config.OWN_SEAT_ONLY] and config[Config.PLAYOUT] == Playout.NONE:
        slot[Slot.FRESH] = 1 if seat == tree[Tree.SEAT] and nodes[node, Node.FIRST] == NONE else 0
        return slot[Slot.FRESH] == 1
    return nodes[node, Node.VALUED] == 0


def play_out(g, bytes_view, int16_view, rounds, s, tree, mask, config, net, room, observation, no_prior):
    """Play out a leaf, at random or by a network, to the horizon and, with TO_OWN, the searching seat's turn."""
    while g.status == Status.PLAYING and (
        rounds[s] <= tree[Tree.LAST_ROUND] or (config[Config.OWN_SEAT_ONLY] and actor(g) != tree[Tree.SEAT])
    ):
        if config[Config.PLAYOUT] == Playout.NETWORK:
            observe(g, bytes_view, int16_view, actor(g), observation)
            apply(g, int(best_of_row(net, observation, mask, no_prior, room)))
        else:
            apply(g, random_action(g, mask))
        advance(g, mask)


def simulate(
    games,
    bytes_view,
    int16_view,
    masks,
    rounds,
    rivals,
    bases,
    roots,
    root_masks,
    trees,
    slots,
    paths,
    nodes,
    node_sums,
    edges,
    edge_sums,
    counts,
    config,
    settings,
    observations,
    legal,
    logits,
    leaf_values,
    views,
    heuristic_values,
    external_slots,
    prior_sums,
    prior_counts,
    spare,
    borrowed,
    points,
    values,
    net,
    room,
    observation,
    no_prior,
):
    """Read the requested results, and run every slot until its next request or the end of its simulation.

    games (slots,) records, bytes_view and int16_view (slots, bytes) views of them, masks (slots, actions) int8; rounds,
    rivals (slots,): rounds of the games, and points of the rival; bases (slots,) float64: see `write_heuristic_values`.
    roots (trees, bytes) int8: records to deal from; root_masks (trees, actions) int8. trees, slots, nodes, edges int64
    or int32, node_sums, edge_sums float64: columns of `forest` and `tree`; each tree has the same number of slots, in
    the order of the trees. paths (slots, LONGEST) int32. counts, config, settings: see Count, Config, Setting.

    Requests: the first counts[ROWS] rows of observations (slots, features) and legal (slots, actions), with results in
    logits (slots, actions) float32 and leaf_values (slots,) float64, values from -1 to 1; the first counts[VIEWS] rows
    of views, with results in heuristic_values, float64; playouts of the games in the first counts[GAMES] slots of
    external_slots.

    prior_sums, prior_counts (trees, seats, decisions, actions): see `tree.record_priors`; unused without BORROW. spare
    (actions,) int8, borrowed (actions,) float64, zeros, points and values (seats,) float64 are scratch. net, room:
    network of playouts; observation (features,) int16 is scratch, no_prior (0,) int16.

    If nodes or edges may overflow, the call returns with counts[CURSOR] above 0: enlarge them and call again.
    """
    per_tree = len(slots) // len(trees)
    s = int(counts[Count.CURSOR]) - 1
    if s < 0:
        row, view = 0, 0
        for i in range(len(slots)):
            state = int(slots[i, Slot.STATE])
            read_result(
                row,
                view,
                games[i],
                bases[i],
                masks[i],
                trees[i // per_tree],
                slots[i],
                paths[i],
                nodes,
                node_sums,
                edges,
                edge_sums,
                counts,
                config,
                settings,
                logits,
                leaf_values,
                heuristic_values,
                prior_sums[i // per_tree],
                prior_counts[i // per_tree],
                spare,
                points,
                values,
            )
            if state == State.WORTHS:
                view += int(games[i].rules[NUM_PLAYERS])
            elif State.ROOT <= state <= State.BOTH:
                row += 1
        counts[Count.ROWS] = 0
        counts[Count.VIEWS] = 0
        counts[Count.GAMES] = 0
        s = 0
    counts[Count.CURSOR] = 0
    while s < len(slots):
        g, mask, slot, tree, root = games[s], masks[s], slots[s], trees[s // per_tree], roots[s // per_tree]
        at_leaf = slot[Slot.STATE] == State.PLAYED
        if slot[Slot.STATE] == State.IDLE and may_simulate(tree, config):
            start_simulation(tree, slot, root_masks[s // per_tree], mask)
        while slot[Slot.STATE] == State.ON_WAY and not at_leaf:
            if counts[Count.NODES] == len(nodes) or counts[Count.EDGES] + N_ACTIONS > len(edges):
                counts[Count.CURSOR] = s + 1
                return
            if not take_step(
                g, bytes_view[s], mask, root, tree, slot, paths[s], nodes, node_sums, edges, edge_sums, counts, config,
                settings, prior_sums[s // per_tree], prior_counts[s // per_tree], spare, borrowed,
            ):  # fmt: skip
                request_evaluation(
                    State.PRIORS, g, bytes_view[s], int16_view[s], actor(g), mask, slot, counts, observations, legal
                )
            else:
                at_leaf = is_end(g, rounds[s], tree, slot, nodes, node_sums, edges, counts, config, paths[s])
        if at_leaf and slot[Slot.STATE] == State.ON_WAY and g.status == Status.PLAYING:
            if config[Config.PLAYOUT] == Playout.EXTERNAL:
                external_slots[int(counts[Count.GAMES])] = s
                counts[Count.GAMES] += 1
                slot[Slot.STATE] = State.EXTERNAL
                at_leaf = False
            elif config[Config.PLAYOUT] != Playout.NONE:
                play_out(
                    g, bytes_view[s], int16_view[s], rounds, s, tree, mask, config, net, room, observation, no_prior
                )
        if at_leaf:
            value_leaf(
                g,
                bytes_view[s],
                int16_view[s],
                mask,
                float(rivals[s]),
                bases[s],
                tree,
                slot,
                paths[s],
                nodes,
                node_sums,
                edges,
                edge_sums,
                counts,
                config,
                settings,
                observations,
                legal,
                views,
                points,
                values,
            )
        s += 1


RULES = (
    "score_lead", "write_team_value", "value_of_lead", "write_result", "write_heuristic_values", "write_own_value",
    "load_deal", "finish_simulation", "request_evaluation", "value_leaf", "read_result", "may_simulate",
    "start_simulation", "child_node", "has_priors", "take_step", "is_end", "play_out",
)  # fmt: skip
LOOPS = ("simulate",)
TYPES = {
    "record[::1]": "games",
    "int8[:, ::1]": "bytes_view masks roots root_masks legal",
    "int16[:, ::1]": "int16_view observations views",
    "round[:]": "rounds",
    "rival[:]": "rivals",
    "float64[::1]": "bases settings leaf_values heuristic_values borrowed points values",
    "int64[:, ::1]": "trees slots",
    "int32[:, ::1]": "paths nodes edges",
    "float64[:, ::1]": "node_sums edge_sums",
    "int64[::1]": "counts config external_slots",
    "float32[:, ::1]": "logits",
    "float32[:, :, :, ::1]": "prior_sums",
    "int32[:, :, :, ::1]": "prior_counts",
    "int8[::1]": "spare",
    (Net, NET_TYPES): "net",
    (Room, ROOM_TYPES): "room",
    "int16[::1]": "observation no_prior",
}


@dataclass(frozen=True)
class SearchKernels:
    """The compiled search loop of a game, the directory of its machine code, and its globals."""

    simulate: Callable
    folder: Path
    names: Mapping[str, Any] = field(compare=False, repr=False)


def build(kernels: Kernels, round_kind: np.dtype, rival_kind: np.dtype) -> SearchKernels:
    """Compile the search loop of a game. round_kind, rival_kind: dtypes of its rounds and of the rival's points."""
    sha = hashlib.sha256(FOLDER.name.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        sha.update(code_text(path))
    folder = kernels.folder.with_name(f"{kernels.folder.name}-search-{sha.hexdigest()[:12]}")
    names = globals() | dict(kernels.names)
    records = {"record": kernels.record, "round": round_kind, "rival": rival_kind}
    compile_into(names, globals(), RULES, LOOPS, folder, "the search", records)
    return SearchKernels(names["simulate"], folder, names)
