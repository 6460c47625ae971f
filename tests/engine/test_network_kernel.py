"""The compiled network: equal to plain NumPy, independent of the batch, and callable from compiled code."""

import numpy as np
import pytest

from tests.reference_network import plain_evaluate
from tests.toy.game_spec import GAME_SPEC as TOY
from vitienv.core.compiling.jit import can_compile
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import Net, evaluate, evaluate_row, pack, room_for
from vitienv.core.networks.sparse import list_inputs, multiply
from vitienv.core.networks.sums import NARROW
from vitienv.registry import game_spec

WITH_PRIOR = {"blocks": 1, "lead": 0.5, "policy_prior": "somebody"}
GAMES = {"toy": TOY, "viticulture": game_spec("viticulture")}


def tensors_of(game: GameSpec, hidden: int, blocks: int, judge: int, has_prior: bool) -> dict[str, np.ndarray]:
    """Return random weights with logits and values of about the size of trained networks."""
    rng = np.random.default_rng(hidden)
    n_in = game.observation.n + game.actions.n
    shapes = {"input": (hidden, n_in), "judge": (judge, hidden), "value": (1, judge)}
    shapes |= {f"blocks.{i}": (hidden, hidden) for i in range(blocks)} | {"policy": (game.actions.n, hidden)}
    tensors = {f"{name}.weight": rng.normal(size=shape) / shape[1] ** 0.5 for name, shape in shapes.items()}
    tensors |= {f"{name}.bias": rng.normal(size=shape[0]) for name, shape in shapes.items()}
    return tensors | ({"trust": np.array(4.0), "worth": np.array(0.5)} if has_prior else {})


def rows_of(game: GameSpec, n: int, has_prior: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return observations within their bounds, one value in eight not zero; masks; advice."""
    rng = np.random.default_rng(n)
    low, high = (bound.astype(np.int64) for bound in game.observation.bounds)
    observations = rng.integers(low, high + 1, (n, game.observation.n)) * (rng.random((n, game.observation.n)) < 0.125)
    masks = (rng.random((n, game.actions.n)) < 0.3).astype(np.int8)
    masks[0] = 0  # a seat that is not to act
    is_scored = np.append(masks, np.ones((n, 1), np.int8), axis=1)
    prior_scores = -rng.integers(0, 30_000, (n, game.actions.n + 1)) * is_scored
    return observations.astype(np.int16), masks, prior_scores.astype(np.int16)[:, : None if has_prior else 0]


def run(
    net: Net, observations: np.ndarray, masks: np.ndarray, prior_scores: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    logits, values = np.full(masks.shape, np.nan, np.float32), np.full(len(masks), np.nan, np.float32)
    evaluate(net, observations, masks, prior_scores, logits, values, room_for(net))
    return logits, values


@pytest.mark.parametrize("has_prior", [False, True])
@pytest.mark.parametrize("hidden, blocks, judge", [(1, 0, 3), (24, 1, 20), (128, 2, 128)])
@pytest.mark.parametrize("name", GAMES)
def test_outputs_equal_numpy_in_any_batch(name, hidden, blocks, judge, has_prior):
    game = GAMES[name]
    tensors, rows = tensors_of(game, hidden, blocks, judge, has_prior), rows_of(game, 60, has_prior)
    architecture = {"blocks": blocks, "lead": 0.5, "policy_prior": "somebody" if has_prior else None}
    net = pack(tensors, architecture, game)
    logits, values = run(net, *rows)
    right_logits, right_values = plain_evaluate(tensors, architecture, game, *rows)
    legal = rows[1] != 0
    assert np.abs(logits[legal] - right_logits[legal]).max() < 1e-4 and np.abs(values - right_values).max() < 1e-4
    assert (logits[~legal] == -np.inf).all() and len(set(values.tolist())) > 10
    for first, last in ((0, 1), (7, 10), (59, 60)):
        again = run(net, *(x[first:last] for x in rows))
        assert np.array_equal(again[0], logits[first:last]) and np.array_equal(again[1], values[first:last])


@pytest.mark.parametrize("width", [1, NARROW, NARROW + 16])
def test_order_of_summation(width):
    """Exact to the last bit for all widths, because the choices of the levels depend on it."""
    rng, n = np.random.default_rng(width), 11
    matrix = rng.normal(size=(50, width)).astype(np.float32)
    places, numbers = rng.integers(0, 50, n).astype(np.int32), rng.normal(size=n).astype(np.float32)
    expected, out = np.zeros(width, np.float32), np.empty((1, width), np.float32)
    for place, number in zip(places, numbers, strict=True):
        expected += number * matrix[place]
    multiply(0, 1, np.array([0, n]), places, numbers, matrix.ravel(), out)
    assert np.array_equal(out[0], expected)


@pytest.mark.parametrize("n_seen", [1, 4, 23])
def test_sparse_inputs(n_seen):
    """Sorted indices, values or their logarithms, with and without a lookup table; then the actions."""
    sizes = np.array([0, 1, 255, 256, 257, 32767, -1, -255, -256, -257, -32767], np.int16)
    observations = np.random.default_rng(n_seen).choice(sizes, (200, n_seen))
    logs, masks = (np.arange(n_seen) % 2).astype(np.int8), (np.arange(200 * 5).reshape(200, 5) % 3 == 0).astype(np.int8)
    starts = np.concatenate([[0], ((observations != 0).sum(axis=1) + masks.sum(axis=1)).cumsum()])
    places, numbers = np.full(starts[-1], -1, np.int32), np.full(starts[-1], np.nan, np.float32)
    net = pack(tensors_of(GAMES["viticulture"], 8, 0, 8, False), {"blocks": 0, "lead": 0.0}, GAMES["viticulture"])
    list_inputs(logs, observations, masks, np.zeros((200, 0), np.int16), starts, places, numbers, room_for(net))
    logarithms = np.sign(observations) * np.log1p(np.abs(observations.astype(np.float64)))
    inputs = np.where(logs == 1, logarithms, observations).astype(np.float32)
    rows = np.concatenate([inputs, masks.astype(np.float32)], axis=1)
    assert np.array_equal(places, np.nonzero(rows)[1]) and np.array_equal(numbers, rows[rows != 0])


@pytest.mark.skipif(not can_compile(), reason="nothing is compiled")
def test_network_in_compiled_code():
    from vitienv.core.compiling.dispatchers import kernel_dispatcher

    @kernel_dispatcher
    def best(net, observation, mask, prior_scores, logits, room):
        evaluate_row(net, observation, mask, prior_scores, logits, room)
        return logits.argmax()

    game = GAMES["viticulture"]
    net = pack(tensors_of(game, 24, 1, 20, True), WITH_PRIOR, game)
    observations, masks, prior_scores = rows_of(game, 20, True)
    logits, room = np.zeros(game.actions.n, np.float32), room_for(net)
    expected = run(net, observations, masks, prior_scores)[0].argmax(axis=1)
    assert [best(net, observations[i], masks[i], prior_scores[i], logits, room) for i in range(20)] == expected.tolist()


@pytest.mark.parametrize("changed, message", [
    ({"blocks.0.weight": None}, "missing tensor 'blocks.0.weight'"),
    ({"policy.bias": np.zeros(5)}, r"shape of 'policy.bias' must be \(2,\), got \(5,\)"),
    ({"trust": None}, "missing tensor 'trust'"),
    ({"value.bias": np.array([np.nan])}, "'value.bias' must be finite"),
])  # fmt: skip
def test_invalid_weights_raise(changed, message):
    tensors = tensors_of(TOY, 8, 1, 8, True) | changed
    with pytest.raises(ValueError, match=message):
        pack({name: value for name, value in tensors.items() if value is not None}, WITH_PRIOR, TOY)
