"""Compiled inference of a network, without allocation.

`evaluate_row` is called from compiled code:

    value = evaluate_row(net, observation, mask, prior_scores, logits, room)

net: `Net` of `pack`. room: scratch memory of `room_for(net)`, one per thread. observation (features,) int16; mask
(actions,) int8; prior_scores (actions + 1,) int16, or (0,) without one: the value of each legal action
relative to the best, at most 0, and the value of the position. Writes logits (actions,) float32, minus infinity for
illegal actions, and returns the value of the viewing seat, float32. `evaluate` does it for many rows, `best` computes
only the actions with the highest logits.

Results do not depend on the batch: each sum has a fixed order. Zeros are skipped, in the first layer (seven of eight
inputs) and in the others (half after the ReLU), so weights are stored by input: the weights of an input are a vector.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vitienv.core.compiling.jit import cache_folder, cache_on_disk, jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.networks.sums import BITS, LANES, ZERO, add_rows, copy, dot, list_filled

PRIOR_UNIT = 25.0  # hundredths of a point; the input of an action is 1 for the best and 1/2 at this distance
PRIOR_WEIGHT = 4.0  # initial weight; sampling from the prior's logits plays almost as well as the prior
VALUE_UNIT = 2000.0  # hundredths of a point
NONE = -1
CACHE_LINE = 64  # bytes
TABLE_RANGE = 256  # INPUTS contains the inputs of smaller values, linear and logarithmic
AMOUNTS = np.arange(-TABLE_RANGE, TABLE_RANGE)
INPUTS = np.array([AMOUNTS, np.sign(AMOUNTS) * np.log1p(np.abs(AMOUNTS))], np.float32)
MAX_OBSERVED = 2.0**15  # observations and prior_scores are int16


class Size(IntConstants):
    """Indices of `Net.sizes`, with those of the lead; SEATS is 0 without one."""

    SEEN = 0
    ACTIONS = 1
    WIDTH = 2
    BLOCKS = 3
    JUDGE = 4  # width of the layer before the value
    SEATS = 5
    POINTS = 6
    PRESENT = 7
    RIVAL = 8


class Scalar(IntConstants):
    """Indices of `Net.scalars`."""

    PRIOR_WEIGHT = 0  # weight of the preferences of the policy prior
    WORTH = 1  # weight of the value of the policy prior
    LEAD = 2  # weight of the current lead in the value
    UNIT = 3  # points of a large lead
    VALUE_BIAS = 4


class Net(NamedTuple):
    """Network as arrays.

    sizes (len(Size),) int64; scalars (len(Scalar),) float32; logs (features,) int8, 1 for features with a logarithm;
    weights, float32: of the input layer, the blocks, the judge (hidden layer of the value; each by input, then the
    bias), the value, the policy, its bias.
    """

    sizes: np.ndarray
    scalars: np.ndarray
    logs: np.ndarray
    weights: np.ndarray


class Room(NamedTuple):
    """Scratch memory of an evaluation."""

    places: np.ndarray  # indices of the nonzero inputs
    numbers: np.ndarray  # their values
    legal: np.ndarray  # legal actions
    parts: np.ndarray  # nonzero groups of four
    hidden: np.ndarray  # a layer
    added: np.ndarray  # the next layer
    lanes: np.ndarray


@jit
def layer(weights, start, x, room, out):
    """Write the product of x and a layer's weights plus its bias into `out`; returns the offset of the next layer."""
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
def gather_inputs(logs, observation, mask, prior_scores, room):
    """List the nonzero inputs of the first layer, and the legal actions, in `room`.

    Returns the number of nonzero inputs, and how many of them, the last ones, are legal actions. logs: see `Net`.
    """
    places, numbers, legal = room.places, room.numbers, room.legal
    n = list_filled(observation, room.parts, places)
    for i in range(n):
        place = places[i] & BITS
        number = int(observation[place])
        if -TABLE_RANGE <= number < TABLE_RANGE:
            numbers[i] = INPUTS[logs[place] & 1, (number + TABLE_RANGE) & (2 * TABLE_RANGE - 1)]
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
    """Return the lead of the viewer over the best opponent, or over the rival of a single seat, in [-1, 1]."""
    sizes = net.sizes
    points, present, rival = sizes[Size.POINTS], sizes[Size.PRESENT], sizes[Size.RIVAL]
    is_alone, best = True, 0
    for seat in range(1, sizes[Size.SEATS]):
        if observation[present + seat] != 0:
            points_of_seat = int(observation[points + seat])
            best = points_of_seat if is_alone else max(best, points_of_seat)
            is_alone = False
    if is_alone:
        if rival == NONE:
            return np.float32(1)
        best = int(observation[rival])
    ahead = np.float32(int(observation[points]) - best) / net.scalars[Scalar.UNIT]
    return max(np.float32(-1), min(np.float32(1), ahead))


@jit
def encode(net, observation, mask, prior_scores, room):
    """Write the last hidden layer of an observation, and its legal actions, into `room`.

    Returns the offset of the weights of the judge, and the number of legal actions.
    """
    sizes, weights = net.sizes, net.weights
    width = sizes[Size.WIDTH]
    hidden, added = room.hidden[:width], room.added[:width]
    n, n_legal = gather_inputs(net.logs, observation, mask, prior_scores, room)
    offset = (len(observation) + len(mask)) * width
    copy(weights[offset : offset + width], hidden)
    add_rows(weights, 0, room.places[:n], room.numbers[:n], hidden)
    for j in range(width):
        hidden[j] = max(hidden[j], ZERO)
    offset += width
    for _ in range(sizes[Size.BLOCKS]):
        offset = layer(weights, offset, hidden, room, added)
        for j in range(width):
            hidden[j] += max(added[j], ZERO)
    return offset, n_legal


@jit
def value_of(net, start, observation, mask, prior_scores, room):
    """Return the value from the hidden layer in `room`. start: offset of the weights of the judge."""
    sizes, scalars, weights = net.sizes, net.scalars, net.weights
    judge = sizes[Size.JUDGE]
    value_hidden = room.added[:judge]
    offset = layer(weights, start, room.hidden[: sizes[Size.WIDTH]], room, value_hidden)
    for j in range(judge):
        value_hidden[j] = max(value_hidden[j], ZERO)
    value = dot(value_hidden, weights[offset : offset + judge], room.lanes) + scalars[Scalar.VALUE_BIAS]
    if len(prior_scores) > 0:
        value += scalars[Scalar.WORTH] * np.float32(prior_scores[len(mask)] / VALUE_UNIT)
    if sizes[Size.SEATS] > 0:
        value += scalars[Scalar.LEAD] * lead(net, observation)
    return value


@jit
def logit_of(net, start, action, prior_scores, room):
    """Return the logit of an action from the hidden layer in `room`. start: offset of the weights of the judge."""
    sizes, weights = net.sizes, net.weights
    width, judge = sizes[Size.WIDTH], sizes[Size.JUDGE]
    offset = start + width * judge + judge + judge
    row = offset + action * width
    logit = dot(room.hidden[:width], weights[row : row + width], room.lanes)
    logit += weights[offset + sizes[Size.ACTIONS] * width + action]
    if len(prior_scores) > 0:
        logit -= net.scalars[Scalar.PRIOR_WEIGHT] * np.float32(math.log1p(prior_scores[action] / -PRIOR_UNIT))
    return logit


@jit
def evaluate_row(net, observation, mask, prior_scores, logits, room):
    """Write the logits of an observation and return its value; see the module."""
    start, n_legal = encode(net, observation, mask, prior_scores, room)
    for action in range(len(mask)):
        logits[action] = -np.inf
    for k in range(n_legal):
        logits[room.legal[k]] = logit_of(net, start, room.legal[k], prior_scores, room)
    return value_of(net, start, observation, mask, prior_scores, room)


@jit
def best_of_row(net, observation, mask, prior_scores, room):
    """Return the legal action with the highest logit, the lowest of equals; 0 if none is legal."""
    start, n_legal = encode(net, observation, mask, prior_scores, room)
    best, highest = 0, np.float32(-np.inf)
    for k in range(n_legal):
        logit = logit_of(net, start, room.legal[k], prior_scores, room)
        if logit > highest:
            best, highest = int(room.legal[k]), logit
    return best


def _evaluate(net, observations, masks, prior_scores, logits, values, room):
    """Apply `evaluate_row` to n rows; writes logits (n, actions) and values (n,)."""
    for i in range(len(observations)):
        values[i] = evaluate_row(net, observations[i], masks[i], prior_scores[i], logits[i], room)


def _best(net, observations, masks, prior_scores, actions, room):
    """Apply `best_of_row` to n rows; writes actions (n,) int64. A tenth faster than `evaluate`."""
    for i in range(len(observations)):
        actions[i] = best_of_row(net, observations[i], masks[i], prior_scores[i], room)


def _draw(logits, random_numbers, actions, log_probs):
    """Sample an action from each row of logits (n, actions), minus infinity for illegal actions.

    random_numbers (n,) float64: in [0, 1). Writes actions (n,) int64, 0 for a row without a legal action, and
    their log-probabilities (n,) float32.
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
        remaining, selected = random_numbers[i] * total, 0
        for action in range(len(row)):
            if row[action] > -np.inf:
                selected = action
                remaining -= math.exp(row[action] - best)
                if remaining < 0:
                    break
        actions[i] = selected
        log_probs[i] = row[selected] - best - math.log(total)


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
    "float64[::1]": "random_numbers",
}
FOLDER = cache_folder(Path(__file__).resolve().parent)
evaluate, best, draw = (cache_on_disk(kernel, FOLDER, "the networks", TYPES) for kernel in (_evaluate, _best, _draw))


def pack(tensors: Mapping[str, np.ndarray], architecture: Mapping[str, Any], game: Any) -> Net:
    """Create a Net from the tensors of a file, by name, for a GameSpec.

    architecture: blocks, lead (weight of the current lead in the value), policy_prior (name of its bot, or None).
    ValueError for a missing tensor, a wrong shape, or values that are not finite.
    """
    observation, n_actions = game.observation, game.actions.n
    singles = {name: np.asarray(value, np.float32) for name, value in tensors.items()}
    hidden, judge_bias = (_array(singles, f"{name}.bias", (None,)) for name in ("input", "judge"))
    width, judge = _whole_lanes(len(hidden)), _whole_lanes(len(judge_bias))
    parts: list[np.ndarray] = []

    def add(name: str, n_out: int, wide_out: int, n_in: int, wide_in: int, by_input: bool = True) -> None:
        weights, biases = np.zeros((wide_out, wide_in), np.float32), np.zeros(wide_out, np.float32)
        weights[:n_out, :n_in] = _array(singles, f"{name}.weight", (n_out, n_in))
        biases[:n_out] = _array(singles, f"{name}.bias", (n_out,))
        parts.extend([(weights.T if by_input else weights).ravel(), biases])

    n_in = observation.n + n_actions
    add("input", len(hidden), width, n_in, n_in)
    blocks, has_prior = int(architecture["blocks"]), architecture.get("policy_prior") is not None
    for i in range(blocks):
        add(f"blocks.{i}", len(hidden), width, len(hidden), width)
    add("judge", len(judge_bias), judge, len(hidden), width)
    value = np.zeros(judge, np.float32)
    value[: len(judge_bias)] = _array(singles, "value.weight", (1, len(judge_bias)))[0]
    parts.append(value)
    add("policy", n_actions, n_actions, len(hidden), width, by_input=False)

    lead = game.lead
    trust, worth = (_array(singles, name, ()) if has_prior else 0.0 for name in ("trust", "worth"))
    unit, bias = lead.unit if lead else 1.0, _array(singles, "value.bias", (1,))[0]
    scalars = [trust, worth, float(architecture["lead"]), unit, bias]
    _check_bounds(singles, blocks, observation, trust, worth)
    sizes = [observation.n, n_actions, width, blocks, judge, 0, 0, 0, NONE]
    if lead:
        points, present = observation.slice(lead.points), observation.slice(lead.present)
        rival = NONE if lead.rival is None else observation.start(lead.rival)
        sizes[Size.SEATS :] = [points.stop - points.start, points.start, present.start, rival]
    logs = np.zeros(observation.n, np.int8)
    logs[observation.logs] = 1
    return Net(np.array(sizes, np.int64), np.array(scalars, np.float32), logs, _join(parts))


def _join(parts: list[np.ndarray]) -> np.ndarray:
    """Concatenate float32 arrays, aligned to a cache line so that no vector crosses one."""
    n = sum(len(part) for part in parts)
    room = np.empty(n + CACHE_LINE // 4, np.float32)
    first = -room.ctypes.data % CACHE_LINE // 4
    return np.concatenate(parts, out=room[first : first + n])


def _check_bounds(tensors: Mapping[str, np.ndarray], blocks: int, observation: Any, trust: Any, worth: Any) -> None:
    """Raise ValueError if a sum can overflow float32: NaN logits would select illegal actions."""

    def bound_outputs(name: str, inputs: np.ndarray) -> np.ndarray:
        weights, biases = (np.abs(tensors[f"{name}.{kind}"].astype(np.float64)) for kind in ("weight", "bias"))
        return weights @ inputs + biases

    inputs_bound = np.ones(tensors["input.weight"].shape[1])
    inputs_bound[: observation.n] = MAX_OBSERVED
    inputs_bound[: observation.n][observation.logs] = np.log1p(MAX_OBSERVED)
    bounds = [hidden := bound_outputs("input", inputs_bound)]
    for i in range(blocks):
        bounds.append(hidden := hidden + bound_outputs(f"blocks.{i}", hidden))
    bounds.append(judge := bound_outputs("judge", hidden))
    bounds.append(bound_outputs("value", judge) + abs(float(worth)) * MAX_OBSERVED / VALUE_UNIT)
    bounds.append(bound_outputs("policy", hidden) + abs(float(trust)) * np.log1p(MAX_OBSERVED / PRIOR_UNIT))
    if max(float(part.max()) for part in bounds) > float(np.finfo(np.float32).max) / 2:
        raise ValueError("the weights overflow: the output is NaN or infinite for some observations")


def empty_net() -> Net:
    """Return an empty Net, for kernels that take a network and do not use it."""
    return Net(np.zeros(len(Size), np.int64), *(np.zeros(0, kind) for kind in (np.float32, np.int8, np.float32)))


def room_for(net: Net) -> Room:
    """Allocate scratch memory for a network; not shared between threads."""
    width, judge = int(net.sizes[Size.WIDTH]), int(net.sizes[Size.JUDGE])
    n_seen, n_actions = int(net.sizes[Size.SEEN]), int(net.sizes[Size.ACTIONS])
    max_inputs = max(n_seen + n_actions, width)
    numbers, hidden, added, lanes = (np.empty(n, np.float32) for n in (max_inputs, width, max(width, judge), LANES))
    places, legal, parts = (np.empty(n, np.int32) for n in (max_inputs, n_actions, max(n_seen, n_actions)))
    return Room(places, numbers, legal, parts, hidden, added, lanes)


def _whole_lanes(n: int) -> int:
    return -(-n // LANES) * LANES


def _array(tensors: Mapping[str, np.ndarray], name: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """Return a tensor of a shape, None for any length. ValueError if it is missing or invalid."""
    if name not in tensors:
        raise ValueError(f"missing tensor {name!r}")
    tensor = tensors[name]
    if len(tensor.shape) != len(shape) or any(
        n not in (None, size) for n, size in zip(shape, tensor.shape, strict=True)
    ):
        raise ValueError(f"shape of {name!r} must be {shape}, got {tensor.shape}")
    if not np.isfinite(tensor).all():
        raise ValueError(f"{name!r} must be finite")
    return tensor
