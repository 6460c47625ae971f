"""Weights that cards share: the network that learns with them and the plain one that plays say the same."""

import numpy as np
import pytest
import torch

from vitienv.registry import game_spec
from vitienv.training.selfplay.network import Architecture, PolicyValue, load_network, save_network, with_traits
from vitienv.training.selfplay.traits import shared_rows

GAME = game_spec()
NAMES = [*GAME.observation.names, *GAME.actions.names]


def network(seed: int = 0) -> PolicyValue:
    """One that shares weights, all drawn."""
    torch.manual_seed(seed)
    made = PolicyValue(Architecture(hidden=24, blocks=1, traits=True))
    with torch.no_grad():
        made.shared.normal_(std=0.3)
        made.policy.weight.normal_()
    return made


def asked(n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks in their bounds, of no game."""
    chance = np.random.default_rng(1)
    low, high = GAME.observation.bounds
    seen = np.where(chance.random((n, GAME.observation.n)) < 0.1, chance.integers(low, np.minimum(high, 9) + 1), 0)
    masks = (chance.random((n, GAME.actions.n)) < 0.3).astype(np.int8)
    masks[:, 0] = 1
    return seen.astype(np.int16), masks


def logits_of(learned: PolicyValue, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
    none = torch.empty((len(seen), 0), dtype=torch.int16)
    with torch.no_grad():
        logits, values = learned(torch.from_numpy(seen), torch.from_numpy(masks), none)
    return np.hstack([np.where(masks != 0, logits.numpy(), 0), values.numpy()[:, None]])


def test_what_is_shared_is_folded_into_plain_weights(tmp_path):
    """In compiled play, in the file, and in a network that goes on from it."""
    learned, (seen, masks) = network(), asked()
    right = logits_of(learned, seen, masks)
    logits, values = learned.compiled().evaluate(seen, masks)
    played = np.hstack([np.where(masks != 0, logits, 0), values[:, None]])
    assert np.abs(played - right).max() < 1e-4 and np.abs(right).max() > 1
    save_network(tmp_path / "plain.safetensors", learned, {}, half=False)
    plain = load_network(tmp_path / "plain.safetensors")
    assert not plain.architecture.traits and not hasattr(plain, "shared")
    assert np.abs(logits_of(plain, seen, masks) - right).max() < 1e-4
    again = with_traits(plain)
    assert again.shared.abs().max() > 0.1 and np.abs(logits_of(again, seen, masks) - right).max() < 1e-3
    with torch.no_grad():
        learned.shared.zero_()
    assert np.abs(logits_of(learned, seen, masks) - right).max() > 0.1  # so it was a part of all that


def test_layers_in_bfloat16_say_nearly_the_same():
    """To eight bits, with gradients for all that made them."""
    learned, (seen, masks) = network(), asked()
    right = logits_of(learned, seen, masks)
    learned.is_rounded = True
    apart = np.abs(logits_of(learned, seen, masks) - right).max(axis=0) / np.abs(right).max(axis=0).clip(1)
    assert 2**-12 < apart.max() < 2**-5 and apart[-1] < 2**-7
    none = torch.empty((len(seen), 0), dtype=torch.int16)
    _, values = learned(torch.from_numpy(seen), torch.from_numpy(masks), none)
    values.sum().backward()
    for name, weight in learned.named_parameters():
        if not name.startswith("policy"):
            assert weight.grad.any(), name


def test_cards_that_say_the_same_share_what_is_learned():
    """In one place: a card in the hand is not one on the discard pile."""
    rows = shared_rows(GAME).to_dense().numpy()
    of = {name: rows[number] for number, name in enumerate(NAMES)}
    two, five = of["hand:order:order_01"], of["hand:order:order_25"]
    assert ((two > 0) & (five > 0)).sum() >= 5 and (two * of["discard:order:order_01"]).sum() == 0
    assert (two * of["hand:vine:pinot"]).sum() == 0 and (two * of["card:order:order_01"]).sum() == 0
    assert not of["lira:self"].any() and of["structure:trellis"].any() and of["structures:self:trellis"].any()
    learned, (seen, masks) = network(), asked()
    learned.shared.grad = None
    none = torch.empty((len(seen), 0), dtype=torch.int16)
    learned(torch.from_numpy(seen), torch.from_numpy(masks), none)[0][:, 0].sum().backward()
    right = torch.from_numpy(rows).t() @ learned.input.weight.grad.t()
    assert torch.allclose(learned.shared.grad, right, atol=1e-5) and right.abs().max() > 0.01


def test_a_card_that_is_new_begins_as_what_it_says():
    """Cards whose weights follow from what they say teach those of one that was never there."""
    learned = network()
    at = NAMES.index("hand:order:order_16")
    with torch.no_grad():
        learned.input.weight.zero_()
        right = learned._input_weights()
        plain = PolicyValue(Architecture(hidden=24, blocks=1))
        plain.input.weight.copy_(right)
        plain.input.weight[:, at] = 0
        made = with_traits(plain)._input_weights()
    assert torch.allclose(made[:, :at], right[:, :at], atol=1e-5)
    assert (made[:, at] - right[:, at]).norm() < 0.25 * right[:, at].norm()


def test_a_game_that_tells_nothing_of_its_cards_is_refused():
    with pytest.raises(ValueError, match="traits must be false for toscana"):
        PolicyValue(Architecture(hidden=8, traits=True), "toscana")
