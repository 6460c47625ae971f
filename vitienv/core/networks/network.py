"""A network, compiled: what it makes of one observation, with no Python and no room taken for a row.

`evaluate_row` is for other compiled code, a row at a time and in place:

    value = evaluate_row(net, observation, mask, prior_scores, logits, room)

net: a `Net`, of `packed`; room: a `Room`, of `room_for(net)`, one for each thread, used again for every row.
observation (observed numbers,) int16; mask (actions,) int8; prior_scores (actions + 1,) int16 where the network has an
policy prior, else (0,): each legal action's score minus the best score, never above 0, and the value of the position.
logits (actions,) float32 are written, minus infinity where illegal; the value, float32, is the viewing seat's.
`evaluate` does it for many rows, `best` finds the actions with the highest logits alone.

A row's numbers are the same whatever else is evaluated: each is a sum in one fixed order, without leave to reorder it.
Only numbers that are not zero are multiplied, in the first layer (one in eight) as in the others (the rectifier leaves
one in two), so weights lie by the number that they are multiplied with: what one number adds to is one vector.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vitienv.core.compiling.jit import cache_folder, cache_on_disk, jit
from vitienv.core.compiling.namespaces import Numbers
from vitienv.core.networks.sums import BITS, LANES, ZERO, add_rows, copy, dot, list_filled

PRIOR_UNIT = 25.0  # hundredths of a point below the best: an action's input is 1 for the best, a half for this
TRUST = 4.0  # in the policy prior, at first: drawn from its logits alone, a game is not much worse than the prior's own
WORTH_UNIT = 2000.0  # hundredths of a point
NONE = -1
LINE = 64  # bytes of a line of a processor's cache
REACH = 256  # what smaller numbers are taken in as stands in TAKEN: themselves, and by their logarithm
AMOUNTS = np.arange(-REACH, REACH)
TAKEN = np.array([AMOUNTS, np.sign(AMOUNTS) * np.log1p(np.abs(AMOUNTS))], np.float32)
MOST_OBSERVED = 2.0**15  # observed numbers, and prior_scores, are int16


class Size(Numbers):
    """Whole numbers about a network: how many numbers are seen and actions there are, widths (of the layer before the
    value: JUDGE), and where the observation tells the lead: see `Lead`; SEATS is 0 if nothing does."""

    SEEN = 0
    ACTIONS = 1
    WIDTH = 2
    BLOCKS = 3
    JUDGE = 4
    SEATS = 5
    POINTS = 6
    PRESENT = 7
    RIVAL = 8


class Scalar(Numbers):
    """Single numbers of a network."""

    TRUST = 0  # in the policy prior's preferences
    WORTH = 1  # of a position in the policy prior's eyes
    LEAD = 2  # share of the value that is the present lead
    UNIT = 3  # points that count as a large lead
    VALUE_BIAS = 4


class Net(NamedTuple):
    """A network as compiled code takes it.

    sizes (len(Size),) int64; scalars (len(Scalar),) float32; logs (observed numbers,) int8, 1 where a number is taken
    in by its logarithm; weights, one float32 after the other: of the inputs, of the blocks, of the judge (each by what
    they are multiplied with, then what is added), of the value, of the actions, what is added to these.
    """

    sizes: np.ndarray
    scalars: np.ndarray
    logs: np.ndarray
    weights: np.ndarray


class Room(NamedTuple):
    """What an evaluation writes on: numbers that are not zero and their places, the legal actions, fours that are not
    all zero, a layer, the next one, lanes."""

    places: np.ndarray
    numbers: np.ndarray
    legal: np.ndarray
    parts: np.ndarray
    hidden: np.ndarray
    added: np.ndarray
    lanes: np.ndarray


@jit
def layer(weights, start, x, room, out):
    """Write x times a layer's weights, and what is added, into `out`; where the next layer starts."""
    places, numbers = room.places, room.numbers
    end = start + len(x) * len(out)
    copy(weights[end : end + len(out)], out)
    n = 0
    for i in range(len(x)):
        places[n] = i
        numbers[n] = x[i]
        n += x[i] != ZERO
    add_rows(weights, start, places[:n], numbers[:n], out)
    return end + len(out)


@jit
def take_in(logs, observation, mask, prior_scores, room):
    """List what the first layer takes in that is not zero, in `room`; how many there are, and how many of them, the
    last, are the legal actions, which are listed in `room` too. logs: see `Net`."""
    places, numbers, legal = room.places, room.numbers, room.legal
    n = list_filled(observation, room.parts, places)
    for i in range(n):
        place = places[i] & BITS
        number = int(observation[place])
        if -REACH <= number < REACH:
            numbers[i] = TAKEN[logs[place] & 1, (number + REACH) & (2 * REACH - 1)]
        elif logs[place]:
            log = np.float32(math.log1p(abs(number)))
            numbers[i] = log if number > 0 else -log
        else:
            numbers[i] = np.float32(number)
    n_legal = list_filled(mask, room.parts, legal)
    for k in range(n_legal):
        places[n + k] = len(observation) + legal[k]
        numbers[n + k] = 1.0 if len(prior_scores) == 0 else 1.0 / (1.0 - prior_scores[legal[k]] / PRIOR_UNIT)
    return n + n_legal, n_legal


@jit
def lead(net, observation):
    """How far the viewer is ahead of the best other seat, or of what a single seat plays against, in [-1, 1]."""
    sizes = net.sizes
    points, present, rival = sizes[Size.POINTS], sizes[Size.PRESENT], sizes[Size.RIVAL]
    is_alone, best = True, 0
    for seat in range(1, sizes[Size.SEATS]):
        if observation[present + seat] != 0:
            other = int(observation[points + seat])
            best = other if is_alone else max(best, other)
            is_alone = False
    if is_alone:
        if rival == NONE:
            return np.float32(1)
        best = int(observation[rival])
    ahead = np.float32(int(observation[points]) - best) / net.scalars[Scalar.UNIT]
    return max(np.float32(-1), min(np.float32(1), ahead))


@jit
def look(net, observation, mask, prior_scores, room):
    """Write the last hidden layer of one observation into `room`, and its legal actions; where the weights of the judge
    start, and how many actions are legal."""
    sizes, weights = net.sizes, net.weights
    width = sizes[Size.WIDTH]
    hidden, added = room.hidden[:width], room.added[:width]
    n, n_legal = take_in(net.logs, observation, mask, prior_scores, room)
    at = (len(observation) + len(mask)) * width
    copy(weights[at : at + width], hidden)
    add_rows(weights, 0, room.places[:n], room.numbers[:n], hidden)
    for j in range(width):
        hidden[j] = max(hidden[j], ZERO)
    at += width
    for _ in range(sizes[Size.BLOCKS]):
        at = layer(weights, at, hidden, room, added)
        for j in range(width):
            hidden[j] += max(added[j], ZERO)
    return at, n_legal


@jit
def value_of(net, start, observation, mask, prior_scores, room):
    """The value by the hidden layer in `room`. start: where the weights of the judge do."""
    sizes, scalars, weights = net.sizes, net.scalars, net.weights
    judge = sizes[Size.JUDGE]
    judged = room.added[:judge]
    at = layer(weights, start, room.hidden[: sizes[Size.WIDTH]], room, judged)
    for j in range(judge):
        judged[j] = max(judged[j], ZERO)
    value = dot(judged, weights[at : at + judge], room.lanes) + scalars[Scalar.VALUE_BIAS]
    if len(prior_scores) > 0:
        value += scalars[Scalar.WORTH] * np.float32(prior_scores[len(mask)] / WORTH_UNIT)
    if sizes[Size.SEATS] > 0:
        value += scalars[Scalar.LEAD] * lead(net, observation)
    return value


@jit
def logit_of(net, start, action, prior_scores, room):
    """The logit of an action by the hidden layer in `room`. start: where the weights of the judge do."""
    sizes, weights = net.sizes, net.weights
    width, judge = sizes[Size.WIDTH], sizes[Size.JUDGE]
    at = start + width * judge + judge + judge
    row = at + action * width
    logit = dot(room.hidden[:width], weights[row : row + width], room.lanes)
    logit += weights[at + sizes[Size.ACTIONS] * width + action]
    if len(prior_scores) > 0:
        logit -= net.scalars[Scalar.TRUST] * np.float32(math.log1p(prior_scores[action] / -PRIOR_UNIT))
    return logit


@jit
def evaluate_row(net, observation, mask, prior_scores, logits, room):
    """Write the logits of one observation, minus infinity where illegal; returns the value. See above."""
    start, n_legal = look(net, observation, mask, prior_scores, room)
    for action in range(len(mask)):
        logits[action] = -np.inf
    for k in range(n_legal):
        logits[room.legal[k]] = logit_of(net, start, room.legal[k], prior_scores, room)
    return value_of(net, start, observation, mask, prior_scores, room)


@jit
def best_of_row(net, observation, mask, prior_scores, room):
    """The legal action of one observation with the highest logit, the first of several; 0 if none is legal."""
    start, n_legal = look(net, observation, mask, prior_scores, room)
    best, highest = 0, np.float32(-np.inf)
    for k in range(n_legal):
        logit = logit_of(net, start, room.legal[k], prior_scores, room)
        if logit > highest:
            best, highest = int(room.legal[k]), logit
    return best


def _evaluate(net, observations, masks, prior_scores, logits, values, room):
    """`evaluate_row` for n rows of observations (n, …), masks, prior_scores and logits, into values (n,) too."""
    for i in range(len(observations)):
        values[i] = evaluate_row(net, observations[i], masks[i], prior_scores[i], logits[i], room)


def _best(net, observations, masks, prior_scores, actions, room):
    """`best_of_row` for each of n rows, into actions (n,) int64: a tenth faster, as no value is asked for."""
    for i in range(len(observations)):
        actions[i] = best_of_row(net, observations[i], masks[i], prior_scores[i], room)


def _draw(logits, chance, actions, log_probs):
    """Draw an action by the probabilities of each row of logits (n, actions), minus infinity where illegal.

    chance (n,) float64, from 0 to below 1, decides; written are actions (n,) int64 and the logarithms (n,) float32 of
    their probabilities. A row without a legal action gets action 0.
    """
    for i in range(len(logits)):
        row = logits[i]
        best = row[0]
        for action in range(1, len(row)):
            best = max(best, row[action])
        total = 0.0
        for action in range(len(row)):
            if row[action] > -np.inf:
                total += math.exp(row[action] - best)
        left, chosen = chance[i] * total, 0
        for action in range(len(row)):
            if row[action] > -np.inf:
                chosen = action
                left -= math.exp(row[action] - best)
                if left < 0:
                    break
        actions[i] = chosen
        log_probs[i] = row[chosen] - best - math.log(total)


NET_TYPES = ("int64[::1]", "float32[::1]", "int8[::1]", "float32[::1]")
ROOM_TYPES = ("int32[::1]", "float32[::1]", "int32[::1]", "int32[::1]", "float32[::1]", "float32[::1]", "float32[::1]")
TYPES = {
    (Net, NET_TYPES): "net",
    "int16[:, ::1]": "observations prior_scores",
    "int8[:, ::1]": "masks",
    "float32[:, ::1]": "logits",
    "float32[::1]": "values log_probs",
    "int64[::1]": "actions",
    (Room, ROOM_TYPES): "room",
    "float64[::1]": "chance",
}
FOLDER = cache_folder(Path(__file__).resolve().parent)
evaluate, best, draw = (cache_on_disk(kernel, FOLDER, "the networks", TYPES) for kernel in (_evaluate, _best, _draw))


def packed(tensors: Mapping[str, np.ndarray], architecture: Mapping[str, Any], game: Any) -> Net:
    """A network from its tensors by the names in its file, for a game's definition.

    architecture: blocks, lead (the share of the present lead in the value), policy_prior (its name, or None).
    ValueError names a tensor that is missing, has another shape than the others ask for, or has numbers that are none.
    """
    seen, n_actions = game.observation, game.actions.n
    singles = {name: np.asarray(value, np.float32) for name, value in tensors.items()}
    hidden, judged = (_array(singles, f"{name}.bias", (None,)) for name in ("input", "judge"))
    width, judge = _whole_lanes(len(hidden)), _whole_lanes(len(judged))
    parts: list[np.ndarray] = []

    def add(name: str, n_out: int, wide_out: int, n_in: int, wide_in: int, by_input: bool = True) -> None:
        weights, biases = np.zeros((wide_out, wide_in), np.float32), np.zeros(wide_out, np.float32)
        weights[:n_out, :n_in] = _array(singles, f"{name}.weight", (n_out, n_in))
        biases[:n_out] = _array(singles, f"{name}.bias", (n_out,))
        parts.extend([(weights.T if by_input else weights).ravel(), biases])

    n_in = seen.n + n_actions
    add("input", len(hidden), width, n_in, n_in)
    blocks, has_prior = int(architecture["blocks"]), architecture.get("policy_prior") is not None
    for i in range(blocks):
        add(f"blocks.{i}", len(hidden), width, len(hidden), width)
    add("judge", len(judged), judge, len(hidden), width)
    value = np.zeros(judge, np.float32)
    value[: len(judged)] = _array(singles, "value.weight", (1, len(judged)))[0]
    parts.append(value)
    add("policy", n_actions, n_actions, len(hidden), width, by_input=False)

    lead = game.lead
    trust, worth = (_array(singles, name, ()) if has_prior else 0.0 for name in ("trust", "worth"))
    unit, bias = lead.unit if lead else 1.0, _array(singles, "value.bias", (1,))[0]
    scalars = [trust, worth, float(architecture["lead"]), unit, bias]
    _check_bounds(singles, blocks, seen, trust, worth)
    sizes = [seen.n, n_actions, width, blocks, judge, 0, 0, 0, NONE]
    if lead:
        points, present = seen.slice(lead.points), seen.slice(lead.present)
        rival = NONE if lead.rival is None else seen.start(lead.rival)
        sizes[Size.SEATS :] = [points.stop - points.start, points.start, present.start, rival]
    logs = np.zeros(seen.n, np.int8)
    logs[seen.logs] = 1
    return Net(np.array(sizes, np.int64), np.array(scalars, np.float32), logs, _joined(parts))


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    """Arrays of float32 end to end, from the start of a line of the cache on, so that no vector lies in two of them."""
    n = sum(len(part) for part in parts)
    room = np.empty(n + LINE // 4, np.float32)
    first = -room.ctypes.data % LINE // 4
    return np.concatenate(parts, out=room[first : first + n])


def _check_bounds(tensors: Mapping[str, np.ndarray], blocks: int, seen: Any, trust: Any, worth: Any) -> None:
    """ValueError if a sum on the way of some observation and mask could leave the range of single precision: compiled
    code would compare numbers that are none, and choose an action that is not legal."""

    def most(name: str, inputs: np.ndarray) -> np.ndarray:
        weights, biases = (np.abs(tensors[f"{name}.{what}"].astype(np.float64)) for what in ("weight", "bias"))
        return weights @ inputs + biases

    taken = np.ones(tensors["input.weight"].shape[1])
    taken[: seen.n] = MOST_OBSERVED
    taken[: seen.n][seen.logs] = np.log1p(MOST_OBSERVED)
    reached = [hidden := most("input", taken)]
    for i in range(blocks):
        reached.append(hidden := hidden + most(f"blocks.{i}", hidden))
    reached.append(judged := most("judge", hidden))
    reached.append(most("value", judged) + abs(float(worth)) * MOST_OBSERVED / WORTH_UNIT)
    reached.append(most("policy", hidden) + abs(float(trust)) * np.log1p(MOST_OBSERVED / PRIOR_UNIT))
    if max(float(part.max()) for part in reached) > float(np.finfo(np.float32).max) / 2:
        raise ValueError("its weights are so large that what it reckons is no number for some observations")


def nobody() -> Net:
    """What stands where compiled code takes a network and asks none."""
    return Net(np.zeros(len(Size), np.int64), *(np.zeros(0, kind) for kind in (np.float32, np.int8, np.float32)))


def room_for(net: Net) -> Room:
    """Room for evaluations of a network, one after the other."""
    width, judge = int(net.sizes[Size.WIDTH]), int(net.sizes[Size.JUDGE])
    n_seen, n_actions = int(net.sizes[Size.SEEN]), int(net.sizes[Size.ACTIONS])
    most = max(n_seen + n_actions, width)
    numbers, hidden, added, lanes = (np.empty(n, np.float32) for n in (most, width, max(width, judge), LANES))
    places, legal, parts = (np.empty(n, np.int32) for n in (most, n_actions, max(n_seen, n_actions)))
    return Room(places, numbers, legal, parts, hidden, added, lanes)


def _whole_lanes(n: int) -> int:
    return -(-n // LANES) * LANES


def _array(tensors: Mapping[str, np.ndarray], name: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """A tensor of some shape, None for any length. ValueError if there is none."""
    if name not in tensors:
        raise ValueError(f"it has no {name!r}")
    tensor = tensors[name]
    if len(tensor.shape) != len(shape) or any(n not in (None, own) for n, own in zip(shape, tensor.shape, strict=True)):
        raise ValueError(f"{name!r} has shape {tensor.shape}; it must be {shape}")
    if not np.isfinite(tensor).all():
        raise ValueError(f"{name!r} has numbers that are not finite")
    return tensor
