"""The self-play learner: runs that go on, the league, imitation, and what it refuses."""

import csv
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

import vitienv
from vitienv import cli
from vitienv.agents.network import read_network
from vitienv.commands.train import summary as told
from vitienv.registry import game_spec
from vitienv.training.eval_opponents import EvalOpponents
from vitienv.training.monitor import Monitor
from vitienv.training.run_dir import CURVE, LAST, WEIGHTS, points, win_rates
from vitienv.training.selfplay.envs import Envs, parse_mix
from vitienv.training.selfplay.learner import Learner, Settings, falling
from vitienv.training.selfplay.network import Architecture, PolicyValue, save_network
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.run import CHECKPOINT
from vitienv.training.selfplay.train import train_selfplay
from vitienv.training.settings import OwnCall
from vitienv.viticulture.state import Rule

GAME = game_spec("viticulture")
TINY = {
    "mix": "2:1,3:1,solo:1",
    "num_envs": 12,
    "num_steps": 24,
    "hidden": 16,
    "minibatch_size": 64,
    "num_snapshots": 2,
    "snapshot_interval": 1,
    "league": ("heuristic",),
    "max_years": 3,
    "value_warmup_updates": 0,
    "learning_rate_end": 1e-3,
}
QUIET = {"device": "cpu", "evaluation_games": 0, "progress": False, "checkpoint_seconds": 1e9}


def same(a, b) -> bool:
    """Whether two parts of a checkpoint are equal bit for bit."""
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def saved(folder) -> dict:
    return torch.load(folder / CHECKPOINT, weights_only=True)


def test_an_interrupted_run_equals_an_uninterrupted_one_bit_for_bit(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train_selfplay(whole, updates=6, **QUIET, **TINY)
    train_selfplay(parts, updates=4, **QUIET, **TINY)
    assert not same(saved(parts)["shared"], saved(whole)["shared"])
    train_selfplay(parts, updates=2, resume=True, **QUIET)
    for name in ("shared", "own"):
        assert same(saved(parts)[name], saved(whole)[name])
    assert saved(parts)["shared"]["league"]["names"] == ["self@0", "self@5"]
    assert saved(parts)["shared"]["updates"] == 6
    train_selfplay(tmp_path / "other", updates=1, seed=1, **QUIET, **TINY)
    train_selfplay(tmp_path / "first", updates=1, **QUIET, **TINY)
    assert not same(saved(tmp_path / "other")["own"], saved(tmp_path / "first")["own"])


def test_the_moving_average_of_the_weights_is_saved_and_evaluated(tmp_path, monkeypatch):
    learner, expected = Learner(Settings(**TINY), Processes("cpu")), torch.zeros(())
    for decay in (0, 1 / 4, 2 / 5):  # it forgets faster at first
        learner.update()
        weights = learner.network.policy.weight.detach()
        expected = weights.lerp(expected.expand_as(weights), decay)
    assert torch.allclose(learner.average.policy.weight, expected) and not torch.allclose(weights, expected)
    evaluated = []
    monkeypatch.setattr("vitienv.training.selfplay.train.Greedy", lambda network: evaluated.append(network))
    monkeypatch.setattr("vitienv.training.monitor.Monitor.evaluate", lambda *arguments: None)
    train_selfplay(tmp_path, updates=2, **QUIET, **TINY)
    average = saved(tmp_path)["shared"]["average"]["module.policy.weight"]
    assert torch.equal(torch.from_numpy(load_file(tmp_path / LAST)["policy.weight"]), average.half())
    assert torch.equal(evaluated[-1].policy.weight, average)


def test_progress_is_told_of_what_is_done(tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr("vitienv.training.monitor.Monitor.tell", lambda *arguments: told.append(arguments[-1]))
    train_selfplay(tmp_path, updates=4, **QUIET, **TINY)
    assert told == [0.0, 0.25, 0.5, 0.75]  # at the beginning of each update


def test_the_untrained_value_is_in_the_unit_of_a_win():
    """Otherwise the policy learns the value's error first, which made a default run play worse than its start."""
    settings = Settings(mix="2:1", reward="win", hidden=16, num_envs=96, num_steps=400, league=(), num_snapshots=0)
    learner = Learner(settings, Processes("cpu"))
    learner.play()
    rows, errors = learner.rollout.link(1.0, 1.0)
    is_early = rows < learner.rollout.first + 250 * learner.envs.n  # their games are over within the rollout
    errors, values = errors[is_early], learner.rollout.values[rows[is_early]]
    assert 1 - errors.square().mean() / (errors + values).var() > 0.05


@pytest.mark.parametrize(
    "asked, weights",
    [({"mix": "2:1", "reward": "win"}, (2.0, 0.25)), ({"mix": "2:1,solo:1", "reward": "win"}, (2.0, 0.25)),
     ({"mix": "solo:1", "reward": "win"}, (0.5, 0.5)), ({"mix": "2:1,solo:1", "reward": "margin"}, (0.5, 0.5)),
     ({"reward": "win", "shaping": 0.25}, (0.25, 0.25))],
)  # fmt: skip
def test_the_initial_value_is_in_the_unit_of_the_tables_rewards(asked, weights):
    network = Learner(Settings(**TINY | asked), Processes("cpu")).network
    assert (network.architecture.lead, network.worth.item()) == weights


def test_the_first_updates_learn_the_value_and_leave_the_play(tmp_path):
    torch.manual_seed(0)
    learner = Learner(Settings(**TINY | {"value_warmup_updates": 2}), Processes("cpu"))
    before = {name: value.clone() for name, value in learner.network.state_dict().items()}
    for updates, changes in ((2, False), (1, True)):
        for _ in range(updates):
            learner.update()
        now = learner.network.state_dict()
        assert not torch.equal(now["value.weight"], before["value.weight"])
        for name in ("policy.weight", "trust"):
            assert torch.equal(now[name], before[name]) != changes


def test_the_value_alone_is_trained_in_a_share_of_the_call_only(tmp_path):
    """By default: and never again, whatever a resumed call has left."""
    learner = Learner(Settings(**TINY | {"value_warmup_updates": None}), Processes("cpu"))
    seen = []
    for progress in (0.0, 0.19, 0.2, 0.0):
        before = learner.network.policy.weight.detach().clone()
        learner.update(progress)
        seen.append((not torch.equal(learner.network.policy.weight, before), learner.policy_updates))
    assert seen == [(False, 0), (False, 0), (True, 1), (True, 2)]
    other = Learner(Settings(**TINY | {"value_warmup_updates": None}), Processes("cpu"))
    other.restore(learner.state(), None)
    assert other._trains_policy(0.0)


def test_a_run_that_never_trained_its_policy_says_so(tmp_path, capfd):
    settings = QUIET | TINY | {"value_warmup_updates": 9, "evaluation_games": 2, "eval_opponents": ["random"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vitienv.training.run.LINE_SECONDS", 0)
        found = train_selfplay(tmp_path, updates=2, **settings | {"progress": True})
    assert "self-play: value only, update 2 of 9," in capfd.readouterr().err
    assert found["policy_updates"] == 0 and "the policy was never updated" in told(found)
    assert [(row["updates"], row["policy_updates"]) for row in points(tmp_path / "curve.csv")] == [
        ("0", "0"),
        ("2", "0"),
    ]
    assert "never updated" not in told(train_selfplay(tmp_path, updates=8, resume=True, **QUIET))


def test_after_imitation_the_first_update_learns_the_play_too():
    """Learning the value alone would pull the body away from what was imitated."""
    learner = Learner(Settings(**TINY | {"value_warmup_updates": 2, "policy_prior": None}), Processes("cpu"))
    learner.imitate(vitienv.make_agent("heuristic"), 0.0)
    learner.end_imitation()
    before = learner.network.policy.weight.detach().clone()
    learner.update()
    assert not torch.equal(learner.network.policy.weight, before)


def test_of_sure_decisions_a_share_is_learned_from_and_means_stay():
    learner = Learner(Settings(**TINY), Processes("cpu"))
    log_probs = torch.log(torch.tensor([0.95] * 8000 + [0.9, 0.3] * 1000))
    kept, weights = learner._kept(log_probs)
    is_sure = kept < 8000
    assert (~is_sure).sum() == 2000 and (weights[~is_sure] == 1).all()
    assert abs(int(is_sure.sum()) - 1600) < 150 and (weights[is_sure] == 5).all()
    assert torch.unique(kept).numel() == len(kept)


def test_a_mix_names_levels_of_the_automa():
    kinds = parse_mix("2:2,solo:1,solo/very_hard:1", GAME)
    assert [kind.table.get("difficulty") for kind in kinds] == [None, None, "very_hard"]
    envs = Envs(GAME, kinds, 8, 0, 20, "win")
    goals = [int(vec._batch.games.automa_vp[0]) for vec in envs.vecs]
    assert goals[1:] == [20, 23]


def test_a_mix_says_options_by_name():
    named, plain = parse_mix("solo/very_hard/challenge=6:1,solo:2", GAME)
    assert named.table == {"ruleset": "solo", "difficulty": "very_hard", "challenge": 6, "num_players": 1}
    rules = Envs(GAME, [named, plain], 2, 0, 20, "win").vecs[0]._batch.rules
    assert rules[Rule.VP_IN_PLAY] == 0 and rules[Rule.AUTOMA_VP] == 23
    for strange, why in (
        ("solo/ruleset=essential", "must contain tables like"), ("2/num_players=3", "must contain tables like"),
        ("2/max_years=5", "must contain tables like"), ("2/reward=win", "must contain tables like"),
        ("solo/challenge=1/challenge=2", "must contain tables like"),
        ("solo/challenge=9", "challenge must be .*got 9"), ("solo/chalenge=6", "chalenge"),
        ("2/challenge=6", "challenge is 6"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=why):
            parse_mix(strange, GAME)


def test_imitation_comes_first_and_is_not_repeated(tmp_path):
    run = tmp_path / "run"
    imitation = {"imitate": "heuristic", "imitate_steps": 600}
    train_selfplay(run, updates=1, **QUIET, **imitation, **TINY)
    one = saved(run)
    assert one["imitation"]["is_over"] and 600 <= one["shared"]["imitated"] < 600 + 12 * 24
    train_selfplay(run, updates=1, resume=True, **QUIET)
    assert saved(run)["shared"]["imitated"] == one["shared"]["imitated"]
    assert saved(run)["shared"]["updates"] == 2


def test_a_checkpoint_without_policy_updates_is_resumed(tmp_path):
    """An earlier version wrote it."""
    train_selfplay(tmp_path, updates=2, **QUIET, **TINY | {"value_warmup_updates": 1})
    whole = saved(tmp_path)
    assert whole["shared"].pop("policy_updates") == 1
    torch.save(whole, tmp_path / CHECKPOINT)
    assert train_selfplay(tmp_path, updates=1, resume=True, **QUIET)["policy_updates"] == 2


def test_imitation_learns_what_the_bot_does(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr("vitienv.training.selfplay.learner.MINIBATCH_SIZE_IMITATE", 128)
    settings = TINY | {"num_envs": 48, "hidden": 64, "policy_prior": None}
    learner = Learner(Settings(**settings), Processes("cpu"))
    bot = vitienv.make_agent("heuristic")
    agreement = [learner.imitate(bot, i / 12)["agreement"] for i in range(12)]
    assert agreement[0] < 0.45 < 0.5 < np.mean(agreement[-3:])


def a_teacher(folder) -> tuple[PolicyValue, str]:
    """A network that likes some actions better than others, and its name as a bot."""
    torch.manual_seed(0)
    network = PolicyValue(Architecture(hidden=8, blocks=0))
    with torch.no_grad():
        network.policy.bias.normal_(std=1.5)
    save_network(folder / "teacher.safetensors", network, {})
    return network, f"policy:{folder / 'teacher.safetensors'}"


def test_a_teacher_holds_the_policy_near(tmp_path):
    """As near as its weight says: none is left at the end of a call here."""
    _, name = a_teacher(tmp_path)
    settings = TINY | {"num_envs": 48, "policy_prior": None, "learning_rate": 1e-2, "teacher": name}

    def apart(kl_coef: float, progress: float) -> list[float]:
        torch.manual_seed(1)
        learner = Learner(Settings(**settings | {"kl_coef": kl_coef, "kl_coef_end": 0.0}), Processes("cpu"))
        return [learner.update(progress)["from_teacher"] for _ in range(4)]

    near = apart(10.0, 0.0)
    assert near[0] > 0 and near[-1] < 0.5 * near[0]
    assert apart(10.0, 1.0) == apart(1.0, 1.0) and apart(10.0, 1.0)[-1] > 2 * near[-1]


@pytest.mark.parametrize("acts_on_device", [False, True])
def test_imitation_of_a_network_learns_its_probabilities(tmp_path, acts_on_device, monkeypatch):
    """Not its best actions alone: the cross entropy falls towards what is left of it, the teacher's own entropy."""
    teacher, name = a_teacher(tmp_path)
    bot = vitienv.make_agent(name)
    monkeypatch.setattr("vitienv.training.selfplay.learner.LEARNING_RATES_IMITATE", (1e-2, 1e-4))
    settings = Settings(**TINY | {"num_envs": 48, "policy_prior": None})
    learner = Learner(settings, Processes("cpu"))
    learner.acts_on_device = acts_on_device
    losses = [learner.imitate(bot, 0.0) for _ in range(6)]
    rows = slice(learner.rollout.first, None)
    with torch.no_grad():
        right = torch.softmax(teacher(*learner.rollout.given(rows))[0], dim=1)
    assert (learner.rollout.taught()[rows].float() - right).abs().max() < 2e-3
    entropy = -(right * torch.log(right.clamp(min=1e-9))).sum(dim=1).mean()
    assert losses[-1]["policy"] - entropy < 0.5 * (losses[0]["policy"] - entropy)


def test_rates_fall_evenly_to_where_they_end():
    learner = Learner(Settings(**TINY | {"learning_rate": 4e-4, "learning_rate_end": 2e-4}), Processes("cpu"))
    learner.update(0.5)
    assert learner.optimizer.param_groups[0]["lr"] == pytest.approx(3e-4)
    assert falling(0.01, None, 0.7) == 0.01 and falling(0.01, 0.0, 0.75) == pytest.approx(0.0025)


def test_the_clip_falls_to_where_it_ends(monkeypatch):
    """The same update with a clip on its way to nothing clips far more decisions."""
    monkeypatch.setattr("vitienv.training.selfplay.learner.CONFIDENT_PROB", 1.0)  # all decisions are learned from
    given = TINY | {"learning_rate": 3e-2, "mix": "2:1", "update_epochs": 3, "clip_coef": 10.0}
    made = [Learner(Settings(**given, clip_coef_end=1e-6), Processes("cpu")) for _ in range(2)]
    early, late = (learner.update(progress)["clipped"] for learner, progress in zip(made, (0.0, 1.0), strict=True))
    assert early < 0.3 and late > early + 0.3


def test_many_games_of_a_kind_lie_in_several_vectors():
    envs = Envs(GAME, parse_mix("2:2,solo:1", GAME), 1650, 0, 20, "win")
    assert [vec.num_envs for vec in envs.vecs] == [367, 367, 366, 275, 275]
    assert envs.n == 1650 and (envs.players == np.repeat([2, 1], [1100, 550])).all()
    seen, masks = np.zeros((envs.n, GAME.observation.n), np.int16), np.zeros((envs.n, GAME.actions.n), np.int8)
    envs.look(seen, masks)
    envs.step(masks.argmax(axis=1))
    assert not np.array_equal(seen[:367], seen[367:734])  # each vector has games of its own


@pytest.mark.parametrize("during", ["update", "imitate"])
def test_an_interrupt_ends_the_update_and_loses_nothing(tmp_path, monkeypatch, capsys, during):
    """The third update is interrupted: it ends, is saved, and the run goes on from there as if it had not stopped."""
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


def test_steps_are_counted_from_the_beginning_of_the_run(tmp_path):
    """So the same call, after a kill, goes on to the same end."""
    first = train_selfplay(tmp_path, updates=1, **QUIET, **TINY)["steps"]
    again = train_selfplay(tmp_path, steps=first + 1, resume=True, **QUIET)
    assert (again["updates"], again["steps"] > first) == (2, True)
    enough = train_selfplay(tmp_path, steps=first + 1, resume=True, **QUIET)
    assert (enough["updates"], enough["steps"]) == (2, again["steps"])


def test_a_resumed_run_keeps_its_settings_and_says_so(tmp_path):
    train_selfplay(tmp_path, updates=1, **QUIET, **TINY)
    with pytest.raises(ValueError, match=r"learning_rate must be 0\.001 as in .*, got 0\.5"):
        train_selfplay(tmp_path, updates=1, resume=True, learning_rate=0.5, **QUIET)
    train_selfplay(tmp_path, updates=1, resume=True, learning_rate=1e-3, **QUIET)
    assert saved(tmp_path)["shared"]["updates"] == 2


def test_the_command_resumes_a_run_of_any_seed(tmp_path, monkeypatch):
    """A seed that is not given is no other setting than the run's."""
    asked = []
    run = "vitienv.training.selfplay.train.train_selfplay"
    monkeypatch.setattr(run, lambda **given: asked.append(given) or {"run": "x"})
    (tmp_path / "settings.json").write_text('{"kind": "selfplay"}', encoding="utf-8")
    told = ["train", "--method", "selfplay", "--run", str(tmp_path), "--minutes", "1"]
    for more in ([], ["--resume"], ["--resume", "--seed", "3"], ["--seed", "3"]):
        assert cli.run(told + more) == 0
    assert [given.get("seed") for given in asked] == [None, None, 3, 3]


@pytest.mark.parametrize("on", ["ray", "ray:HOST:1", "crad"])
def test_games_are_played_here_or_on_a_card(on, tmp_path):
    with pytest.raises(ValueError, match=f"unknown backend '{on}'; expected one of: local, card"):
        train_selfplay(tmp_path, backend=on, **QUIET, **TINY)
    assert not list(tmp_path.iterdir())


def test_a_run_begins_with_the_weights_of_another(tmp_path):
    """Its settings name the network as it is, and its bot says how it was trained before; a wider one plays alike."""
    train_selfplay(tmp_path / "first", updates=1, **QUIET, **TINY)
    start = tmp_path / "first" / WEIGHTS
    first = read_network(start)
    seen = np.ones((1, vitienv.OBSERVATION.n), np.int16), np.ones((1, len(vitienv.ACTIONS)), np.int8)
    for name, asked, width in (("as it is", {}, 16), ("wider", {"hidden": 40}, 40)):
        others = {key: value for key, value in TINY.items() if key != "hidden"}
        train_selfplay(tmp_path / name, updates=1, start=start, learning_rate=0.0, **QUIET, **others, **asked)
        second = read_network(tmp_path / name / WEIGHTS)
        assert second.metadata["trained"]["before"] == first.metadata["trained"]
        assert second.metadata["trained"]["settings"]["hidden"] == second.metadata["architecture"]["hidden"] == width
        for one, other in zip(first.evaluate(*seen), second.evaluate(*seen), strict=True):
            assert np.allclose(one, other, atol=1e-6)


def test_a_network_cannot_become_narrower(tmp_path):
    train_selfplay(tmp_path / "first", updates=1, **QUIET, **TINY)
    with pytest.raises(ValueError, match="hidden must be at least 16, that of the initial network, got 8"):
        train_selfplay(
            tmp_path / "second", updates=1, start=tmp_path / "first" / WEIGHTS, **QUIET, **TINY | {"hidden": 8}
        )
    assert not (tmp_path / "second").exists()


def test_what_is_new_in_a_wider_network_is_learned(tmp_path):
    """Its new units are heard after an update, and they are the same for the same seed."""
    train_selfplay(tmp_path / "first", updates=1, **QUIET, **TINY)
    ends = []
    for name in ("one", "other"):
        train_selfplay(tmp_path / name, updates=1, start=tmp_path / "first" / WEIGHTS, **QUIET, **TINY | {"hidden": 40})
        ends.append(saved(tmp_path / name)["shared"]["network"])
    assert same(*ends)
    assert (ends[0]["policy.weight"][:, 16:] != 0).any() and (ends[0]["judge.weight"][:, 16:] != 0).any()


def test_a_run_leaves_a_bot_a_curve_and_a_log(tmp_path):
    run = tmp_path / "run"
    settings = QUIET | TINY | {"evaluation_games": 4, "eval_opponents": ["random"], "max_years": 20}
    reached = train_selfplay(run, updates=2, output=tmp_path / "bot.safetensors", **settings)
    assert 0 <= reached["win_rate_against_random"] <= 1 and reached["updates"] == 2
    with (run / "curve.csv").open(encoding="utf-8") as file:
        before, point = csv.DictReader(file)
    assert before["decisions"] == before["updates"] == "0" and 0 <= float(before["win_rate_against_random"]) <= 1
    assert int(point["decisions"]) == reached["steps"] and point["games"] == "4"
    assert 0 <= float(point["win_rate_against_automa_normal"]) <= 1
    assert 5 < float(point["points_against_automa_normal"]) < 30
    assert list((run / "tb").iterdir())
    game = vitienv.Game.new(num_players=4, seed=1)
    for path in (run / WEIGHTS, tmp_path / "bot.safetensors"):
        bot = vitienv.make_agent(f"policy:{path}")
        game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"mix": "7:1"}, "from 2 to 6"),
        ({"mix": "lots"}, "must contain tables like"),
        ({"mix": "2:1,2:2"}, "must contain each table once"),
        ({"mix": "solo/hopeless:1"}, "must contain tables like"),
        ({"mix": "essential/very_hard:1"}, "must contain tables like"),
        ({"start_states": "even"}, "must be like"),
        ({"policy_prior": "random"}, "policy prior must be a heuristic bot, got 'random'"),
        ({"league": ("nobody",)}, "unknown agent"),
        ({"league_share": 1.5}, "league_share must be at least 0 and at most 1, got 1.5"),
        ({"num_envs": 0}, "num_envs must be at least 1, got 0"),
        ({"steps": 287}, "steps must be at least 288, the decisions of one rollout, got 287"),
        ({"gamma": 1.5}, "gamma must be above 0 and at most 1, got 1.5"),
        ({"imitate": "heuristic"}, "imitate requires imitate_minutes or"),
        ({"teacher": "heuristic", "kl_coef": 1.0}, "must be a network"),
        ({"teacher": "policy:champion"}, "kl_coef must be above 0 with a teacher"),
        ({"kl_coef": 1.0}, "got teacher=None and kl_coef=1.0"),
        ({"device": "toaster"}, "device must be cpu, cuda, cuda:NUMBER or auto, got 'toaster'"),
        ({"speed": 3}, "unknown setting 'speed'; did you mean seed"),
        ({"fame": 0.1}, "unknown setting 'fame'; did you mean game"),
        ({"xyz": 0.1}, "unknown setting 'xyz'; expected one of: game, mix, "),
        ({"reward": "fame"}, "unknown reward"),
        ({"start": "nowhere.safetensors"}, "cannot be read"),
        ({"resume": True}, "does not exist"),
    ],
)
def test_wrong_settings_are_one_line_and_leave_no_folder(tmp_path, wrong, said):
    with pytest.raises(ValueError, match=said) as error:
        train_selfplay(tmp_path / "run", updates=1, **QUIET | TINY | wrong)
    assert "\n" not in str(error.value) and not (tmp_path / "run").exists()


def test_a_folder_in_use_and_a_damaged_checkpoint_are_refused(tmp_path):
    train_selfplay(tmp_path, updates=1, **QUIET, **TINY)
    with pytest.raises(ValueError, match="already contains a training"):
        train_selfplay(tmp_path, updates=1, **QUIET, **TINY)
    (tmp_path / CHECKPOINT).write_bytes(b"nothing")
    with pytest.raises(ValueError, match="is damaged"):
        train_selfplay(tmp_path, updates=1, resume=True, **QUIET)


@pytest.mark.slow
def test_two_processes_learn_the_same_weights(tmp_path):
    """As `torchrun` starts them; the checkpoint has the games of both, and the run goes on."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "--",
               "vitienv.cli", "train", "--method", "selfplay", "--device", "cpu", "--threads", "1", "--mix", "2,3",
               "--num-envs", "8", "--hidden", "16", "--steps", "1024", "--run", str(tmp_path / "run"),
               "--league", "random"]  # fmt: skip
    for more in ([], ["--resume"]):
        done = subprocess.run(command + more, capture_output=True, text=True, env=os.environ, timeout=300)
        assert done.returncode == 0, done.stderr[-2000:]
    whole = saved(tmp_path / "run")
    assert len(whole["own"]) == 2 and sum(own["decisions"] for own in whole["own"]) >= 2000
    games = [own["envs"]["games"][0]["keys"] for own in whole["own"]]
    assert not torch.equal(*games)


def test_progress_says_when_the_network_was_measured(tmp_path):
    (tmp_path / LAST).touch()
    eval_opponents = EvalOpponents(OwnCall(), ["heuristic"], GAME.options.of(num_players=2), {})
    watch = Monitor(tmp_path, eval_opponents, False)
    eval_opponents.level = 5.25
    results = {name: {"wins": 0.55, "points": 18.0} for name in ("heuristic", "level:5")}
    watch.note({"decisions": 12_000, "imitated": 548}, results)
    assert watch.line({}) == (
        "0 decisions; after 12,548 decisions level 5.2, won of 400 games each 55% against heuristic"
    )
    watch.stop()


@pytest.mark.slow
def test_a_default_run_ends_above_its_start(tmp_path):
    """It begins as the heuristic bot and gains 5 to 15 points (results/2026-11-27-training.md)."""
    call = QUIET | {"evaluation_games": 1000, "eval_opponents": ["heuristic"], "threads": 1}
    train_selfplay(tmp_path, seed=0, steps=2_500_000, **call)
    first, last = (win_rates(row)["heuristic"] for row in points(tmp_path / CURVE))
    assert abs(first - 0.5) < 0.05 and last > first
