"""Networks in files: equal in torch and compiled, in any batch."""

import re

import numpy as np
import pytest

import vitienv
from tests.random_play import random_batch
from vitienv.agents.network import read_network
from vitienv.viticulture.state import Rule

torch = pytest.importorskip("torch")
from vitienv.training.selfplay.network import Architecture, PolicyValue, load_network, save_network  # noqa: E402


@pytest.fixture(scope="module", params=[None, "heuristic"])
def network(request) -> PolicyValue:
    torch.manual_seed(0)
    network = PolicyValue(Architecture(hidden=32, policy_prior=request.param))
    with torch.no_grad():
        for layer in (network.policy, network.value):
            layer.weight.normal_()
    return network


@pytest.fixture(scope="module")
def path(network, tmp_path_factory):
    file = tmp_path_factory.mktemp("network") / "bot.safetensors"
    save_network(file, network, {"method": "none"}, half=False)
    return file


@pytest.fixture(scope="module")
def inputs() -> tuple[np.ndarray, np.ndarray]:
    batches = [
        random_batch(vitienv.game_spec().options.of(**options), 70, 200 + number, seed=number)
        for number, options in enumerate(({"num_players": 2}, {"num_players": 6}, {"ruleset": "solo"}))
    ]
    return np.concatenate([batch.obs for batch in batches]), np.concatenate([batch.masks for batch in batches])


def test_compiled_network_equals_torch(network, path, inputs):
    logits, values = read_network(path).evaluate(*inputs)
    with torch.no_grad():
        tensors = [torch.from_numpy(x) for x in (*inputs, network.policy_prior(*inputs))]
        expected = network(*tensors)
        again = load_network(path)(*tensors)
    legal = inputs[1] != 0
    for tensors in (expected, again):
        assert np.abs(logits - tensors[0].numpy())[legal].max() < 1e-4
        assert np.abs(values - tensors[1].numpy()).max() < 1e-4
    assert (logits[~legal] == -np.inf).all()


def test_choice_is_independent_of_the_batch(path, inputs):
    bot = vitienv.make_agent(f"policy:{path}")
    together = bot.act(*inputs)
    assert (inputs[1][np.arange(len(together)), together] == 1).all() and len(set(together)) > 20
    for n in (1, 3, 64):
        parts = [bot.act(inputs[0][i : i + n], inputs[1][i : i + n]) for i in range(0, len(together), n)]
        assert (np.concatenate(parts) == together).all()


def test_untrained_network_plays_as_its_policy_prior(inputs, tmp_path):
    """Its scores determine the initial choices, and its value of the position is part of the value."""
    network = PolicyValue(Architecture(hidden=8, policy_prior="cellar"))
    with torch.no_grad():
        network.policy.weight.zero_()
    save_network(tmp_path / "bot.safetensors", network, {}, half=False)
    bot, cellar = vitienv.make_agent(f"policy:{tmp_path / 'bot'}"), vitienv.make_agent("cellar")
    scores = cellar.preferences(*inputs)
    actions, prior_actions = bot.act(*inputs), cellar.act(*inputs)
    assert (scores[np.arange(len(prior_actions)), prior_actions] == 0).all() and (scores <= 0).all()
    assert (actions == prior_actions).mean() > 0.97  # rounding decides between equal scores
    assert (scores[np.arange(len(actions)), actions] == 0).all()
    before = network(*(torch.from_numpy(x) for x in (*inputs, network.policy_prior(*inputs))))[1]
    with torch.no_grad():
        network.worth += 1.0
    after = network(*(torch.from_numpy(x) for x in (*inputs, network.policy_prior(*inputs))))[1]
    heuristic_values = cellar.heuristic_values(inputs[0])
    assert (
        np.allclose((after - before).detach().numpy(), heuristic_values / 2000.0, atol=1e-5)
        and len(set(heuristic_values)) > 100
    )


def test_best_action_has_the_highest_logit(path, inputs):
    """The first one among equals, also without a legal action."""
    network, masks = read_network(path), inputs[1].copy()
    masks[7] = 0
    assert (network.best(inputs[0], masks) == network.evaluate(inputs[0], masks)[0].argmax(axis=1)).all()
    for arrays, shapes in (
        ((inputs[0], masks[:, 1:]), r"\(210, 1905\) and \(210, 270\)"),
        ((inputs[0][:, 1:], masks), r"\(210, 1904\) and \(210, 271\)"),
    ):
        for call in (network.best, network.evaluate):
            with pytest.raises(ValueError, match=rf"must have shapes \(n, 1905\) and \(n, 271\), got {shapes}"):
                call(*arrays)


def test_limits_of_a_game_do_not_change_the_choice(path, inputs):
    changed = inputs[0].copy()
    for rule, value in ((Rule.MAX_YEARS, 30), (Rule.SKIP_FORCED, 1)):
        changed[:, vitienv.OBSERVATION.start("rules") + rule] = value
    assert (changed != inputs[0]).any()
    network = read_network(path)
    assert (network.evaluate(changed, inputs[1])[0] == network.evaluate(*inputs)[0]).all()


def test_sampled_actions_depend_on_the_seed(path, inputs):
    first, second, third = (
        vitienv.make_agent(f"policy:{path},deterministic=false,seed={seed}").act(*inputs) for seed in (1, 1, 2)
    )
    assert (first == second).all() and (first != third).any()
    assert (inputs[1][np.arange(len(first)), first] == 1).all()


def test_unknown_action_raises(path, monkeypatch):
    *names, removed = vitienv.ACTIONS.names
    monkeypatch.setattr(vitienv.ACTIONS, "names", [*names, "another"])
    with pytest.raises(ValueError, match=f"action '{re.escape(removed)}' of the network does not exist") as error:
        vitienv.make_agent(f"policy:{path}")
    assert "\n" not in str(error.value)
