"""The first layer in learning equals the dense product that other devices have, and so does its gradient."""

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


def taken_in(network: PolicyValue, seen: torch.Tensor, masks: torch.Tensor, prior_scores: torch.Tensor) -> torch.Tensor:
    """What the first layer takes in, (n, inputs), zeros included."""
    numbers, logs = seen.float(), torch.from_numpy(vitienv.OBSERVATION.logs)
    numbers[:, logs] = numbers[:, logs].sign() * numbers[:, logs].abs().log1p()
    allowed = masks * prior_logits(prior_scores).exp() if prior_scores.shape[1] else masks
    return torch.cat([numbers, allowed.float()], dim=1)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("policy_prior", [None, "heuristic"])
def test_products_and_gradients_are_those_of_the_dense_layer(threads, policy_prior, count):
    torch.set_num_threads(count)
    rng = np.random.default_rng(0)
    low, high = vitienv.OBSERVATION.bounds
    shape = (N, vitienv.OBSERVATION.n)
    seen = torch.from_numpy((rng.integers(low, high, shape) * (rng.random(shape) < 0.1)).astype(np.int16))
    masks = torch.from_numpy((rng.random((N, len(vitienv.ACTIONS))) < 0.1).astype(np.int8))
    network = PolicyValue(Architecture(hidden=20, policy_prior=policy_prior))
    prior_scores = torch.from_numpy(-rng.integers(0, 3000, (N, network.policy_prior.width)).astype(np.int16))
    above = torch.from_numpy(rng.normal(size=(N, 20)).astype(np.float32))

    network._first_layer(seen, masks, prior_scores).backward(above)
    gradient = network.input.weight.grad
    network.input.weight.grad = None
    right = linear(taken_in(network, seen, masks, prior_scores), network.input.weight * network.scale)
    assert (network._first_layer(seen, masks, prior_scores) - right).abs().max() < 1e-4 < right.abs().max()
    right.backward(above)
    assert (gradient - network.input.weight.grad).abs().max() < 1e-3 < gradient.abs().max()
