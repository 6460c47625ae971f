"""The self-play learner: resumed runs, schedules, imitation, and invalid settings."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

import vitienv
from tests.random_play import bot_game
from vitienv import cli
from vitienv.agents.champions import path_of
from vitienv.agents.network import read_network
from vitienv.commands.train import summary as describe_result
from vitienv.registry import game_spec
from vitienv.training.run_dir import CURVE, LAST, WEIGHTS, points, win_rates
from vitienv.training.selfplay.envs import Envs, parse_mix
from vitienv.training.selfplay.learner import Learner, Settings, anneal
from vitienv.training.selfplay.network import Architecture, PolicyValue, load_network, save_network
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.train import CHECKPOINT, train_selfplay
from vitienv.viticulture.state import Rule

GAME = game_spec("viticulture")
TINY = {
    "mix": "2:1,3:1,solo:1", "num_envs": 12, "num_steps": 24, "hidden": 16, "minibatch_size": 64, "num_snapshots": 2,
    "snapshot_interval": 1, "league": ("heuristic",), "max_years": 3, "value_warmup_updates": 0,
    "learning_rate_end": 1e-3,
}  # fmt: skip
QUIET = {"device": "cpu", "evaluation_games": 0, "progress": False, "checkpoint_seconds": 1e9}


def same(a, b) -> bool:
    """Return whether two parts of a checkpoint are equal bit for bit."""
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def saved(folder) -> dict:
    return torch.load(folder / CHECKPOINT, weights_only=True)


def test_average_weights_are_saved(tmp_path, monkeypatch):
    learner, expected = Learner(Settings(**TINY), Processes("cpu")), torch.zeros(())
    for decay in (0, 1 / 4, 2 / 5):  # the decay starts lower
        learner.update()
        weights = learner.network.policy.weight.detach()
        expected = weights.lerp(expected.expand_as(weights), decay)
    assert torch.allclose(learner.average.policy.weight, expected) and not torch.allclose(weights, expected)
    shares = []
    monkeypatch.setattr("vitienv.training.monitor.Monitor.update", lambda *arguments: shares.append(arguments[-1]))
    train_selfplay(tmp_path, updates=2, **QUIET, **TINY)
    average = saved(tmp_path)["shared"]["average"]["module.policy.weight"]
    assert torch.equal(torch.from_numpy(load_file(tmp_path / LAST)["policy.weight"]), average.half())
    assert shares == [0.0, 0.5]  # progress at the start of each update


def test_initial_value_predicts_the_reward():
    """Otherwise the policy learns the error of the value first, and a default run became worse than its start."""
    settings = Settings(mix="2:1", reward="win", hidden=16, num_envs=96, num_steps=400, league=(), num_snapshots=0)
    learner = Learner(settings, Processes("cpu"))
    learner.play()
    rows, errors = learner.rollout.link(1.0, 1.0)
    is_early = rows < learner.rollout.first + 250 * learner.envs.n  # games that end within the rollout
    errors, values = errors[is_early], learner.rollout.values[rows[is_early]]
    assert 1 - errors.square().mean() / (errors + values).var() > 0.05


@pytest.mark.parametrize(
    "settings, weights",
    [({"mix": "2:1", "reward": "win"}, (2.0, 0.25)), ({"mix": "2:1,solo:1", "reward": "win"}, (2.0, 0.25)),
     ({"mix": "solo:1", "reward": "win"}, (0.5, 0.5)), ({"mix": "2:1,solo:1", "reward": "margin"}, (0.5, 0.5)),
     ({"reward": "win", "shaping": 0.25}, (0.25, 0.25))],
)  # fmt: skip
def test_weights_of_the_initial_value(settings, weights):
    network = Learner(Settings(**TINY | settings), Processes("cpu")).network
    assert (network.architecture.lead, network.worth.item()) == weights


@pytest.mark.parametrize("is_trained", [False, True])
def test_warmup_updates_train_only_the_value(is_trained):
    """The body is shared with the policy: of a network that has been trained, it does not change either."""
    torch.manual_seed(0)
    settings = Settings(**TINY | {"value_warmup_updates": 2})
    learner = Learner(settings, Processes("cpu"), start_metadata={} if is_trained else None)
    before = {name: value.clone() for name, value in learner.network.state_dict().items()}
    for updates, changes in ((2, False), (1, True)):
        for _ in range(updates):
            learner.update()
        after = learner.network.state_dict()
        equal = {name for name in before if torch.equal(after[name], before[name])}
        assert equal.isdisjoint(("judge.weight", "value.weight", "worth"))
        for name in ("policy.weight", "trust"):
            assert (name in equal) != changes
        assert ("input.weight" in equal) == (is_trained and not changes)


def test_default_warmup_is_a_share_of_the_call(tmp_path):
    """Not in later or resumed calls."""
    learner = Learner(Settings(**TINY | {"value_warmup_updates": None}), Processes("cpu"))
    changes = []
    for progress in (0.0, 0.19, 0.2, 0.0):
        weights = learner.network.policy.weight.detach().clone()
        learner.update(progress)
        changes.append((not torch.equal(learner.network.policy.weight, weights), learner.policy_updates))
    assert changes == [(False, 0), (False, 0), (True, 1), (True, 2)]
    other = Learner(Settings(**TINY | {"value_warmup_updates": None}), Processes("cpu"))
    other.restore(learner.state(), None)
    assert other._trains_policy(0.0)


def test_run_without_policy_updates_warns(tmp_path, capfd):
    settings = QUIET | TINY | {"value_warmup_updates": 3, "evaluation_games": 2, "eval_opponents": ["random"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vitienv.training.run.LINE_SECONDS", 0)
        result = train_selfplay(tmp_path, updates=2, **settings | {"progress": True})
    assert "self-play: value only, update 2 of 3," in capfd.readouterr().err
    assert result["policy_updates"] == 0 and "the policy was never updated" in describe_result(result)
    rows = points(tmp_path / CURVE)
    assert [(row["updates"], row["policy_updates"]) for row in rows] == [("0", "0"), ("2", "0")]
    assert "never updated" not in describe_result(train_selfplay(tmp_path, updates=2, resume=True, **QUIET))


def test_no_warmup_after_imitation():
    """Training the value alone would damage the imitated policy."""
    learner = Learner(Settings(**TINY | {"value_warmup_updates": 2, "policy_prior": None}), Processes("cpu"))
    learner.imitate(vitienv.make_agent("heuristic"), 0.0)
    learner.end_imitation()
    weights = learner.network.policy.weight.detach().clone()
    learner.update()
    assert not torch.equal(learner.network.policy.weight, weights)


def test_confident_decisions_are_subsampled_with_weights():
    learner = Learner(Settings(**TINY), Processes("cpu"))
    log_probs = torch.log(torch.tensor([0.95] * 8000 + [0.9, 0.3] * 1000))
    rows, weights = learner._subsample(log_probs)
    is_sure = rows < 8000
    assert (~is_sure).sum() == 2000 and (weights[~is_sure] == 1).all()
    assert abs(int(is_sure.sum()) - 1600) < 150 and (weights[is_sure] == 5).all()
    assert torch.unique(rows).numel() == len(rows)


def test_mix_with_options():
    kinds = parse_mix("2:2,solo/very_hard/challenge=6:1,solo:2", GAME)
    assert kinds[1].table == {"ruleset": "solo", "difficulty": "very_hard", "challenge": 6, "num_players": 1}
    rules = [vec._batch.rules for vec in Envs(GAME, kinds, 8, 0, 20, "win").vecs]
    assert [rule[Rule.AUTOMA_VP] for rule in rules[1:]] == [23, 20] and rules[1][Rule.VP_IN_PLAY] == 0


@pytest.mark.parametrize(("mix", "message"), [
    *((mix, "must contain tables like") for mix in (
        "lots", "solo/hopeless:1", "essential/very_hard:1", "solo/ruleset=essential", "2/num_players=3",
        "2/max_years=5", "2/reward=win", "solo/challenge=1/challenge=2",
    )),
    ("7:1", "from 2 to 6"), ("2:1,2:2", "must contain each table once"),
    ("solo/challenge=9", "challenge must be .*got 9"), ("solo/chalenge=6", "chalenge"),
    ("2/challenge=6", "challenge must be None"),
])  # fmt: skip
def test_invalid_mix_raises(mix, message):
    with pytest.raises(ValueError, match=message):
        parse_mix(mix, GAME)


def test_exploit_trains_the_champion_against_one_bot(tmp_path):
    sizes = {"num_envs": 12, "num_steps": 24, "minibatch_size": 64}
    result = train_selfplay(tmp_path, exploit="random:seed=1", updates=1, **QUIET | sizes | {"evaluation_games": 2})
    content = json.loads((tmp_path / "settings.json").read_text())
    assert content["settings"]["league"] == content["call"]["eval_opponents"] == ["random:seed=1"]
    assert content["exploit"] == "random:seed=1" and len(content["start"]) == 1
    assert content["settings"]["league_share"] == 1 and result["win_rate_against_random:seed=1"] == 1
    champion = load_network(path_of("two", GAME))
    assert content["settings"]["hidden"] == champion.architecture.hidden
    # the warm-up freezes the policy
    assert torch.equal(saved(tmp_path)["shared"]["network"]["policy.weight"], champion.policy.weight)
    train_selfplay(tmp_path, exploit="random:seed=1", updates=1, resume=True, **QUIET)
    assert saved(tmp_path)["shared"]["updates"] == 2
    with pytest.raises(ValueError, match="league must be"):
        train_selfplay(tmp_path, exploit="heuristic", updates=1, resume=True, **QUIET)
    with pytest.raises(ValueError, match="league must not be given with exploit"):
        train_selfplay(tmp_path / "none", exploit="heuristic", league=("random",), updates=1)
    for settings in ({"mix": "solo"}, {"game": "world"}, {"game": "tests.toy.game_spec"}):
        with pytest.raises(ValueError, match=r"exploit requires (opponents|start)"):
            train_selfplay(tmp_path / "none", exploit="random", updates=1, **settings)


def test_imitation_runs_once_at_the_start(tmp_path):
    """A call with imitation alone does not warn of a policy without updates."""
    result = train_selfplay(tmp_path, minutes=0, imitate="heuristic", imitate_steps=600, **QUIET, **TINY)
    line, imitated = describe_result(result), result["imitated"]
    assert f"{imitated:,} decisions of imitation" in line and "never updated" not in line
    assert saved(tmp_path)["imitation"]["is_over"] and 600 <= imitated < 600 + 12 * 24
    train_selfplay(tmp_path, updates=1, resume=True, **QUIET)
    shared = saved(tmp_path)["shared"]
    assert (shared["imitated"], shared["updates"]) == (imitated, 1)


def test_imitation_approaches_the_bot(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr("vitienv.training.selfplay.learner.MINIBATCH_SIZE_IMITATE", 128)
    settings = TINY | {"num_envs": 48, "hidden": 64, "policy_prior": None}
    learner = Learner(Settings(**settings), Processes("cpu"))
    bot = vitienv.make_agent("heuristic")
    agreement = [learner.imitate(bot, i / 12)["agreement"] for i in range(12)]
    assert agreement[0] < 0.45 < 0.5 < np.mean(agreement[-3:])


def random_teacher(folder) -> tuple[PolicyValue, str]:
    """Return a network with a random policy, and its bot spec."""
    torch.manual_seed(0)
    network = PolicyValue(Architecture(hidden=8, blocks=0))
    with torch.no_grad():
        network.policy.bias.normal_(std=1.5)
    save_network(folder / "teacher.safetensors", network, {})
    return network, f"policy:{folder / 'teacher.safetensors'}"


@pytest.mark.parametrize("acts_on_device", [False, True])
def test_imitation_approaches_probabilities_of_a_network(tmp_path, acts_on_device, monkeypatch):
    """The cross entropy falls towards the entropy of the teacher."""
    teacher, name = random_teacher(tmp_path)
    bot = vitienv.make_agent(name)
    monkeypatch.setattr("vitienv.training.selfplay.learner.LEARNING_RATES_IMITATE", (1e-2, 1e-4))
    settings = Settings(**TINY | {"num_envs": 48, "policy_prior": None})
    learner = Learner(settings, Processes("cpu"))
    learner.acts_on_device = acts_on_device
    losses = [learner.imitate(bot, 0.0) for _ in range(6)]
    rows = slice(learner.rollout.first, None)
    with torch.no_grad():
        expected = torch.softmax(teacher(*learner.rollout.inputs(rows))[0], dim=1)
    assert (learner.rollout.teacher_probs()[rows].float() - expected).abs().max() < 2e-3
    entropy = -(expected * torch.log(expected.clamp(min=1e-9))).sum(dim=1).mean()
    assert losses[-1]["policy"] - entropy < 0.5 * (losses[0]["policy"] - entropy)


def test_learning_rate_schedule():
    learner = Learner(Settings(**TINY | {"learning_rate": 4e-4, "learning_rate_end": 2e-4}), Processes("cpu"))
    learner.update(0.5)
    assert learner.optimizer.param_groups[0]["lr"] == pytest.approx(3e-4)
    assert anneal(0.01, None, 0.7) == 0.01 and anneal(0.01, 0.0, 0.75) == pytest.approx(0.0025)


def test_many_games_of_a_table_are_split_into_vectors():
    envs = Envs(GAME, parse_mix("2:2,solo:1", GAME), 1650, 0, 20, "win")
    assert [vec.num_envs for vec in envs.vecs] == [367, 367, 366, 275, 275]
    assert envs.n == 1650 and (envs.players == np.repeat([2, 1], [1100, 550])).all()
    observations, masks = np.zeros((envs.n, GAME.observation.n), np.int16), np.zeros((envs.n, GAME.actions.n), np.int8)
    envs.observe(observations, masks)
    envs.step(masks.argmax(axis=1))
    assert not np.array_equal(observations[:367], observations[367:734])  # vectors have different games


@pytest.mark.parametrize("during", ["update", "imitate"])
def test_interrupted_run_resumes_bit_for_bit(tmp_path, monkeypatch, capsys, during):
    """The third update completes and is saved; the resumed run equals an uninterrupted one."""
    imitation = {"imitate": "heuristic", "imitate_steps": 1_000} if during == "imitate" else {}
    original, calls = getattr(Learner, during), []

    def interrupted(self, *arguments):
        calls.append(1)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return original(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Learner, during, interrupted)
        train_selfplay(tmp_path / "parts", updates=5, **QUIET, **TINY, **imitation)
    assert len(calls) == 3 and "stopping after this update" in capsys.readouterr().err
    assert saved(tmp_path / "parts")["imitation"]["is_over"] is False
    train_selfplay(tmp_path / "parts", updates=5 if imitation else 2, resume=True, **QUIET)
    train_selfplay(tmp_path / "whole", updates=5, **QUIET, **TINY, **imitation)
    for name in ("shared", "own"):
        assert same(saved(tmp_path / "parts")[name], saved(tmp_path / "whole")[name])
    assert saved(tmp_path / "parts")["shared"]["updates"] == 5
    if not imitation:
        assert saved(tmp_path / "parts")["shared"]["league"]["names"] == ["self@0", "self@4"]


def test_games_depend_on_the_seed():
    states = [Learner(Settings(**TINY, seed=seed), Processes("cpu")).envs.state() for seed in (0, 1, 0)]
    assert same(states[0], states[2]) and not same(states[0], states[1])


def test_command_passes_the_seed_only_if_given(tmp_path, monkeypatch):
    calls = []
    run = "vitienv.training.selfplay.train.train_selfplay"
    monkeypatch.setattr(run, lambda **call: calls.append(call) or {"run": "x"})
    (tmp_path / "settings.json").write_text('{"kind": "selfplay"}', encoding="utf-8")
    command = ["train", "--method", "selfplay", "--run", str(tmp_path), "--minutes", "1"]
    for options in ([], ["--resume"], ["--resume", "--seed", "3"], ["--seed", "3"]):
        assert cli.run(command + options) == 0
    assert [call.get("seed") for call in calls] == [None, None, 3, 3]


@pytest.fixture(scope="module")
def first_weights(tmp_path_factory):
    """Weights of a run of one update, whose directory is not changed."""
    run = tmp_path_factory.mktemp("first")
    train_selfplay(run, updates=1, **QUIET, **TINY)
    return run / WEIGHTS


def test_run_starts_with_given_weights(tmp_path, first_weights):
    """Its settings have the size of the network, its metadata the training before; a wider network plays equally."""
    first = read_network(first_weights)
    inputs = np.ones((1, vitienv.OBSERVATION.n), np.int16), np.ones((1, len(vitienv.ACTIONS)), np.int8)
    for name, options, width in (("as it is", {}, 16), ("wider", {"hidden": 40}, 40)):
        others = {key: value for key, value in TINY.items() if key != "hidden"}
        train_selfplay(tmp_path / name, updates=1, start=first_weights, learning_rate=0.0, **QUIET, **others, **options)
        second = read_network(tmp_path / name / WEIGHTS)
        assert second.metadata["trained"]["before"] == first.metadata["trained"]
        assert second.metadata["trained"]["settings"]["hidden"] == second.metadata["architecture"]["hidden"] == width
        for first_output, second_output in zip(first.evaluate(*inputs), second.evaluate(*inputs), strict=True):
            assert np.allclose(first_output, second_output, atol=1e-6)
    with pytest.raises(ValueError, match="hidden must be at least 16, that of the initial network, got 8"):
        train_selfplay(tmp_path / "narrow", updates=1, start=first_weights, **QUIET, **TINY | {"hidden": 8})
    assert not (tmp_path / "narrow").exists()


def test_new_units_of_a_wider_network_are_trained(tmp_path, first_weights):
    """They depend on the seed only."""
    ends = []
    for name in ("one", "other"):
        train_selfplay(tmp_path / name, updates=1, start=first_weights, **QUIET, **TINY | {"hidden": 40})
        ends.append(saved(tmp_path / name)["shared"]["network"])
    assert same(*ends)
    assert (ends[0]["policy.weight"][:, 16:] != 0).any() and (ends[0]["judge.weight"][:, 16:] != 0).any()


def test_run_writes_bot_and_curve(tmp_path):
    settings = QUIET | TINY | {"evaluation_games": 4, "eval_opponents": ["random"], "max_years": 20}
    finish = train_selfplay(tmp_path, updates=2, **settings)
    assert 0 <= finish["win_rate_against_random"] <= 1 and finish["updates"] == 2
    first, last = points(tmp_path / CURVE)
    assert first["decisions"] == first["updates"] == "0" and 0 <= float(first["win_rate_against_random"]) <= 1
    assert int(last["decisions"]) == finish["steps"] and last["games"] == "4"
    assert 0 <= float(last["win_rate_against_automa_normal"]) <= 1
    assert 5 < float(last["points_against_automa_normal"]) < 30
    bot = vitienv.make_agent(f"policy:{tmp_path / WEIGHTS}")
    assert bot_game(bot, vitienv.Game.new(num_players=4, seed=1), 1).moves


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"mix": "lots"}, "must contain tables like"),
        ({"policy_prior": "random"}, "policy prior must be a heuristic bot, got 'random'"),
        ({"league": ("nobody",)}, "unknown agent"),
        ({"league_share": 1.5}, "league_share must be at least 0 and at most 1, got 1.5"),
        ({"num_envs": 0}, "num_envs must be at least 1, got 0"),
        ({"steps": 287}, "steps must be at least 288, the decisions of one rollout, got 287"),
        ({"gamma": 1.5}, "gamma must be above 0 and at most 1, got 1.5"),
        ({"imitate": "heuristic"}, "imitate requires imitate_minutes or"),
        ({"device": "toaster"}, "device must be cpu, cuda, cuda:NUMBER or auto, got 'toaster'"),
        ({"speed": 3}, "unknown setting 'speed'; did you mean seed"),
        ({"fame": 0.1}, "unknown setting 'fame'; did you mean game"),
        ({"xyz": 0.1}, "unknown setting 'xyz'; expected one of: game, mix, "),
        ({"reward": "fame"}, "unknown reward"),
        ({"start": "nowhere.safetensors"}, "does not exist"),
        ({"backend": "ray:HOST:1"}, "unknown backend 'ray:HOST:1'; expected one of: local, cuda"),
    ],
)
def test_invalid_settings_raise_and_create_no_directory(tmp_path, settings, message):
    with pytest.raises(ValueError, match=message) as error:
        train_selfplay(tmp_path / "run", updates=1, **QUIET | TINY | settings)
    assert "\n" not in str(error.value) and not (tmp_path / "run").exists()


def test_other_settings_of_a_resumed_run_and_a_damaged_checkpoint_raise(tmp_path):
    train_selfplay(tmp_path, updates=1, **QUIET, **TINY)
    with pytest.raises(ValueError, match=r"learning_rate must be 0\.001 as in .*, got 0\.5"):
        train_selfplay(tmp_path, updates=1, resume=True, learning_rate=0.5, **QUIET)
    train_selfplay(tmp_path, updates=1, resume=True, learning_rate=1e-3, **QUIET)
    assert saved(tmp_path)["shared"]["updates"] == 2
    (tmp_path / CHECKPOINT).write_bytes(b"nothing")
    with pytest.raises(ValueError, match="is damaged"):
        train_selfplay(tmp_path, updates=1, resume=True, **QUIET)


@pytest.mark.slow
def test_two_processes_train_equal_weights(tmp_path):
    """Started by `torchrun`; the checkpoint has the games of both, and the run can be resumed."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "--",
               "vitienv.cli", "train", "--method", "selfplay", "--device", "cpu", "--threads", "1", "--mix", "2,3",
               "--num-envs", "8", "--hidden", "16", "--steps", "1024", "--run", str(tmp_path / "run"),
               "--league", "random"]  # fmt: skip
    for options in ([], ["--resume"]):
        done = subprocess.run(command + options, capture_output=True, text=True, env=os.environ, timeout=300)
        assert done.returncode == 0, done.stderr[-2000:]
    whole = saved(tmp_path / "run")
    assert len(whole["own"]) == 2 and sum(states["decisions"] for states in whole["own"]) >= 2000
    games = [states["envs"]["games"][0]["keys"] for states in whole["own"]]
    assert not torch.equal(*games)


@pytest.mark.slow
def test_default_run_improves(tmp_path):
    """From the strength of the heuristic bot by 5 to 15 percentage points (results/2026-11-27-training.md)."""
    call = QUIET | {"evaluation_games": 1000, "eval_opponents": ["heuristic"], "threads": 1}
    train_selfplay(tmp_path, seed=0, steps=2_500_000, **call)
    first, last = (win_rates(row)["heuristic"] for row in points(tmp_path / CURVE))
    assert abs(first - 0.5) < 0.05 and last > first
