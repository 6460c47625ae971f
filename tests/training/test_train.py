"""MaskablePPO: checkpoints, resumed runs, callbacks, and the resulting bot."""

import pytest
import torch

import vitienv
from tests.random_play import bot_game
from vitienv import cli, trust
from vitienv.registry import game_spec
from vitienv.training.ppo import train as module
from vitienv.training.ppo.train import CHECKPOINT, train

SMALL = {"opponents": ["random"], "num_envs": 8, "evaluation_games": 0, "progress": False}


def test_run_writes_a_bot_and_resumes(tmp_path, monkeypatch):
    run = tmp_path / "run"
    assert train(steps=1500, run=run, **SMALL)["steps"] == 2048
    assert train(steps=1500, run=run, resume=True, **SMALL)["steps"] == 2048  # already reached
    assert train(steps=2500, run=run, resume=True, **SMALL)["steps"] == 3072
    monkeypatch.setenv(trust.VARIABLE, "1")
    bot = vitienv.make_agent(f"policy:{run / CHECKPOINT}")
    assert vitienv.make_agent(f"policy:{run}").name  # the directory is a spec too
    assert len(bot_game(bot, vitienv.Game.new(num_players=2, seed=1), 30).moves) == 30


def test_all_rollouts_are_trained_on(tmp_path, monkeypatch):
    """Including the last one, in which the steps end."""
    saved, save = [], module._Training.save

    def recorded_save(self):
        saved.append([parameter.detach().clone() for parameter in self.model.policy.parameters()])
        save(self)

    monkeypatch.setattr(module._Training, "save", recorded_save)
    rollout = 128 * SMALL["num_envs"]
    for steps, num_decisions in ((rollout, rollout), (rollout + 1, 2 * rollout)):
        saved.clear()
        result = train(run=tmp_path / str(steps), steps=steps, **SMALL)
        assert result["steps"] == num_decisions and result["policy_updates"] == num_decisions // rollout
        for first, last in zip(saved[0], saved[-1], strict=True):
            assert not first.any() or not torch.equal(first, last)


def test_settings_are_passed_to_the_library(tmp_path, monkeypatch):
    models = []

    def make_model(*arguments, **settings):
        models.append((settings, arguments[1].games.options.reward))
        raise KeyboardInterrupt

    monkeypatch.setattr("sb3_contrib.MaskablePPO", make_model)
    hyperparameters = {"learning_rate": 1e-3, "gamma": 0.9, "ent_coef": 0.5}
    words = [f"--{name.replace('_', '-')}={value}" for name, value in hyperparameters.items()]
    words += ["--minibatch-size=64", "--hidden=8", "--reward=rank", "--num-envs=8", "--steps=1024"]
    assert cli.run(["train", "--method", "ppo", "--run", str(tmp_path / "run"), *words]) == cli.INTERRUPTED
    [(settings, reward)] = models
    assert {name: settings[name] for name in hyperparameters} == hyperparameters and reward == "rank"
    assert settings["batch_size"] == 64 and settings["policy_kwargs"]["net_arch"] == [8]


def test_callback_is_called_for_each_rollout_and_ends_the_run(tmp_path):
    """The rollout in which it returns False is trained on."""
    from stable_baselines3.common.callbacks import BaseCallback

    class Recorder(BaseCallback):
        calls = ""

        def _on_training_start(self):
            self.calls += "<"

        def _on_rollout_start(self):
            self.calls += "("

        def _on_step(self):
            assert "new_obs" in self.locals
            return self.n_calls < 150

        def _on_rollout_end(self):
            self.calls += ")"

        def _on_training_end(self):
            self.calls += ">"

    callback = Recorder()
    result = train(callback=[callback], run=tmp_path / "list", steps=9999, **SMALL)
    assert (result["steps"], callback.calls, callback.n_calls) == (2048, "<()()>", 256)
    assert not result["is_interrupted"] and callback.model.num_timesteps == 2048
    result = train(callback=lambda *_: False, run=tmp_path / "function", steps=9999, **SMALL)
    assert result["steps"] == result["policy_updates"] * 1024 == 1024


@pytest.mark.parametrize(("settings", "message"), [
    ({"steps": 64}, "steps must be at least 1,024, the decisions of one rollout, got 64"),
    ({"gamma": 2}, "gamma must be above 0 and at most 1, got 2"), ({"reward": "fame"}, "unknown reward 'fame'"),
    ({"opponents": ["nobody"]}, "unknown agent 'nobody'"),
])  # fmt: skip
def test_invalid_settings_create_no_directory(tmp_path, settings, message):
    with pytest.raises(ValueError, match=message):
        train(run=tmp_path / "run", **SMALL | {"steps": 1024} | settings)
    assert not (tmp_path / "run").exists()


def test_opponents_have_equal_shares_of_the_games():
    env = module.make_training_env(["random", "heuristic"], game_spec().options.of(num_players=2), 8)
    assert env.num_envs == 8 and env.opponents == {"random": 1, "heuristic": 1} and env.learner_seat == "random"
