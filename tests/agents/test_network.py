"""Networks in files: the same in torch and compiled, whatever the batch, and refused when they do not fit."""

import re

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

import vitienv
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
    save_network(file, network, {"how": "not at all"}, half=False)
    return file


@pytest.fixture(scope="module")
def seen() -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks out of the middle of games of several tables."""
    looks = []
    for number, options in enumerate(({"num_players": 2}, {"num_players": 6}, {"ruleset": "solo"})):
        vec = vitienv.make_vec(num_envs=70, **options)
        vec.reset(seed=number)
        vec._batch.step_random()
        for _ in range(200 + number):
            vec._batch.step_random()
        looks.append((vec._batch.obs.copy(), vec._batch.masks.copy()))
    observations, masks = zip(*looks, strict=True)
    return np.concatenate(observations), np.concatenate(masks)


def test_compiled_and_torch_give_the_same(network, path, seen):
    logits, values = read_network(path).evaluate(*seen)
    with torch.no_grad():
        given = [torch.from_numpy(x) for x in (*seen, network.policy_prior(*seen))]
        right = network(*given)
        again = load_network(path)(*given)
    legal = seen[1] != 0
    for given in (right, again):
        assert np.abs(logits - given[0].numpy())[legal].max() < 1e-4
        assert np.abs(values - given[1].numpy()).max() < 1e-4
    assert (logits[~legal] == -np.inf).all()


def test_other_rows_change_no_choice(path, seen):
    bot = vitienv.make_agent(f"policy:{path}")
    together = bot.act(*seen)
    assert (seen[1][np.arange(len(together)), together] == 1).all() and len(set(together)) > 20
    for n in (1, 3, 64):
        apart = [bot.act(seen[0][i : i + n], seen[1][i : i + n]) for i in range(0, len(together), n)]
        assert (np.concatenate(apart) == together).all()


def test_an_untrained_network_plays_as_its_policy_prior(seen, tmp_path):
    """What it says is all there is at first, and what it thinks of the position is part of the value."""
    network = PolicyValue(Architecture(hidden=8, policy_prior="cellar"))
    with torch.no_grad():
        network.policy.weight.zero_()
    save_network(tmp_path / "bot.safetensors", network, {}, half=False)
    bot, cellar = vitienv.make_agent(f"policy:{tmp_path / 'bot'}"), vitienv.make_agent("cellar")
    scores = cellar.preferences(*seen)
    chosen, right = bot.act(*seen), cellar.act(*seen)
    assert (scores[np.arange(len(right)), right] == 0).all() and (scores <= 0).all()
    assert (chosen == right).mean() > 0.97  # equals are settled by the last bit of a rounded score
    assert (scores[np.arange(len(chosen)), chosen] == 0).all()
    before = network(*(torch.from_numpy(x) for x in (*seen, network.policy_prior(*seen))))[1]
    with torch.no_grad():
        network.worth += 1.0
    after = network(*(torch.from_numpy(x) for x in (*seen, network.policy_prior(*seen))))[1]
    heuristic_values = cellar.heuristic_values(seen[0])
    assert (
        np.allclose((after - before).detach().numpy(), heuristic_values / 2000.0, atol=1e-5)
        and len(set(heuristic_values)) > 100
    )


def test_a_policy_prior_must_be_a_heuristic_bot():
    with pytest.raises(ValueError, match="must be a heuristic bot, got 'random'"):
        PolicyValue(Architecture(policy_prior="random"))


def test_a_row_has_the_same_numbers_alone_and_beside_others(path, seen):
    network = read_network(path)
    logits, values = network.evaluate(*seen)
    for rows in (slice(0, 1), slice(70, 101), slice(None, None, -1)):
        alone = network.evaluate(*(x[rows] for x in seen))
        assert np.array_equal(alone[0], logits[rows]) and np.array_equal(alone[1], values[rows])


def test_the_best_action_has_the_highest_logit(path, seen):
    """SearchResult without a value, and the first of several, such as where nothing is legal."""
    network, masks = read_network(path), seen[1].copy()
    masks[7] = 0
    assert (network.best(seen[0], masks) == network.evaluate(seen[0], masks)[0].argmax(axis=1)).all()
    with pytest.raises(ValueError, match="must have shapes"):
        network.best(seen[0], seen[1][:, 1:])


def test_arrays_of_another_shape_are_refused(path, seen):
    with pytest.raises(ValueError, match=r"\(n, 1905\) and \(n, 271\), got \(210, 1904\) and \(210, 271\)"):
        read_network(path).evaluate(seen[0][:, :-1], seen[1])


def test_how_a_game_is_run_changes_no_choice(path, seen):
    changed = seen[0].copy()
    for rule, value in ((Rule.MAX_YEARS, 30), (Rule.SKIP_FORCED, 1)):
        changed[:, vitienv.OBSERVATION.start("rules") + rule] = value
    assert (changed != seen[0]).any()
    network = read_network(path)
    assert (network.evaluate(changed, seen[1])[0] == network.evaluate(*seen)[0]).all()


def test_drawing_follows_the_seed(path, seen):
    first, second, third = (
        vitienv.make_agent(f"policy:{path},deterministic=false,seed={seed}").act(*seen) for seed in (1, 1, 2)
    )
    assert (first == second).all() and (first != third).any()
    assert (seen[1][np.arange(len(first)), first] == 1).all()


def test_another_layout_and_damaged_files_are_refused_in_one_line(path, tmp_path, monkeypatch):
    (tmp_path / "short.safetensors").write_bytes(path.read_bytes()[:100])
    (tmp_path / "empty.safetensors").write_bytes(b"")
    for name, what in (("short", "cannot be read"), ("empty", "cannot be read"), ("nowhere", "does not exist")):
        with pytest.raises(ValueError, match=what) as error:
            vitienv.make_agent(f"policy:{tmp_path / name}.safetensors")
        assert "\n" not in str(error.value)
    with safe_open(path, framework="numpy") as file:
        metadata, tensors = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    for changed, what in (
        ({"judge.bias": None}, "missing tensor 'judge.bias'"),
        ({"input.bias": np.zeros(5, np.float32)}, "tensor 'input.bias' must have shape"),
        ({"policy.bias": np.full(len(vitienv.ACTIONS), np.nan, np.float32)}, "'policy.bias' must be finite"),
    ):
        left = {name: value for name, value in (tensors | changed).items() if value is not None}
        save_file(left, tmp_path / "changed.safetensors", metadata)
        with pytest.raises(ValueError, match=f"changed.safetensors' is not a valid network: .*{what}") as error:
            vitienv.make_agent(f"policy:{tmp_path / 'changed.safetensors'}")
        assert "\n" not in str(error.value)
    gone = vitienv.ACTIONS.names[-1]
    monkeypatch.setattr(vitienv.ACTIONS, "names", [*vitienv.ACTIONS.names[:-1], "another"])
    with pytest.raises(ValueError, match=f"action '{re.escape(gone)}' of the network does not exist") as error:
        vitienv.make_agent(f"policy:{path}")
    assert "\n" not in str(error.value)
