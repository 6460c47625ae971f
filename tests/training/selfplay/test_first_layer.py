"""The first layer in training equals the dense product, and so does its gradient."""

import numpy as np
import pytest
import torch
from torch.nn.functional import linear

import vitienv
from vitienv.training.selfplay.network import Architecture, PolicyValue, prior_logits

N = 70


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def random_inputs() -> tuple[torch.Tensor, torch.Tensor]:
    """Return observations within their bounds, one value in ten not zero, and masks."""
    rng = np.random.default_rng(0)
    low, high = vitienv.OBSERVATION.bounds
    shape = (N, vitienv.OBSERVATION.n)
    observations = (rng.integers(low, high, shape) * (rng.random(shape) < 0.1)).astype(np.int16)
    masks = (rng.random((N, len(vitienv.ACTIONS))) < 0.1).astype(np.int8)
    return torch.from_numpy(observations), torch.from_numpy(masks)


def dense_inputs(
    network: PolicyValue, observations: torch.Tensor, masks: torch.Tensor, prior_scores: torch.Tensor
) -> torch.Tensor:
    """Return the inputs (n, inputs) of the first layer, zeros included."""
    features, logs = observations.float(), torch.from_numpy(vitienv.OBSERVATION.logs)
    features[:, logs] = features[:, logs].sign() * features[:, logs].abs().log1p()
    actions = masks * prior_logits(prior_scores).exp() if prior_scores.shape[1] else masks
    return torch.cat([features, actions.float()], dim=1)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("policy_prior", [None, "heuristic"])
def test_products_and_gradients_equal_the_dense_layer(threads, policy_prior, count):
    torch.set_num_threads(count)
    observations, masks = random_inputs()
    rng = np.random.default_rng(1)
    network = PolicyValue(Architecture(hidden=20, policy_prior=policy_prior))
    prior_scores = torch.from_numpy(-rng.integers(0, 3000, (N, network.policy_prior.width)).astype(np.int16))
    output_gradient = torch.from_numpy(rng.normal(size=(N, 20)).astype(np.float32))

    network._first_layer(observations, masks, prior_scores).backward(output_gradient)
    gradient = network.input.weight.grad
    network.input.weight.grad = None
    dense = dense_inputs(network, observations, masks, prior_scores)
    assert torch.equal(network._dense_inputs(observations, masks, prior_scores), dense)  # used on a GPU
    expected = linear(dense, network.input.weight * network.scale)
    difference = network._first_layer(observations, masks, prior_scores) - expected
    assert difference.abs().max() < 1e-4 < expected.abs().max()
    expected.backward(output_gradient)
    assert (gradient - network.input.weight.grad).abs().max() < 1e-3 < gradient.abs().max()
