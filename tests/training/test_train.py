"""MaskablePPO: checkpoints, resumed runs, callbacks, and the resulting bot."""

import pytest
import torch

import vitienv
from vitienv import cli, trust
from vitienv.agents.policy import load_networks
from vitienv.registry import game_spec
from vitienv.training.eval_opponents import SEED, EvalOpponents
from vitienv.training.ppo import train as module
from vitienv.training.ppo.train import CHECKPOINT, train
from vitienv.training.run_dir import CURVE, SETTINGS, points

SMALL = {"opponents": ["random"], "num_envs": 8, "evaluation_games": 4, "progress": False}


def test_run_writes_a_bot_and_resumes(tmp_path, monkeypatch):
    run = tmp_path / "run"
    first = train(steps=1500, run=run, **SMALL)
    assert first["steps"] == 2048 and (run / CHECKPOINT).exists() and (run / SETTINGS).exists()
    curve = [int(point["decisions"]) for point in points(run / CURVE)]  # slow machines add points in between
    assert (curve[0], curve[-1]) == (0, first["steps"])
    assert train(steps=1500, run=run, resume=True, **SMALL)["steps"] == first["steps"]  # already reached
    second = train(steps=first["steps"] + 500, run=run, resume=True, **SMALL)
    assert second["steps"] == first["steps"] + 1024
    longer = [int(point["decisions"]) for point in points(run / CURVE)]
    assert longer[: len(curve)] == curve and longer[-1] == second["steps"]
    monkeypatch.setenv(trust.VARIABLE, "1")
    bot = vitienv.make_agent(f"policy:{run / CHECKPOINT}")
    assert vitienv.make_agent(f"policy:{run}").name  # the directory is a spec too
    game = vitienv.Game.new(num_players=2, seed=1)
    for _ in range(30):
        action = int(bot.act(game.observation()[None], game.mask[None])[0])
        assert game.mask[action] == 1
        game.step(action)


def test_resumed_run_keeps_its_best_network(tmp_path, monkeypatch):
    """By win rate, ties by points."""
    run, results = tmp_path / "run", iter([(0.2, 1.0), (0.9, 5.0), (0.4, 9.0), (0.9, 4.0), (0.9, 5.5)])

    def evaluate(self, agent, seed=SEED):
        wins, points = next(results) if seed == SEED else (0.5, 5.0)
        return {"random": {"wins": wins, "points": points, "low": 0.0, "high": 1.0}}

    monkeypatch.setattr(EvalOpponents, "evaluate", evaluate)
    often = SMALL | {"checkpoint_seconds": 0}
    best = {
        steps: train(steps=steps, run=run, resume=steps > 2048, **often)["best_after"] for steps in (2048, 3072, 4096)
    }
    assert best == {2048: 1024, 3072: 1024, 4096: 4096}
    assert load_networks(str(run / "agent.safetensors")).metadata["trained"]["decisions"] == 4096


def test_all_rollouts_are_trained_on(tmp_path, monkeypatch):
    """Including the last one, in which the steps end; a run must have at least one."""
    saved, save = [], module._Training.save

    def recorded_save(self):
        saved.append([parameter.detach().clone() for parameter in self.model.policy.parameters()])
        save(self)

    monkeypatch.setattr(module._Training, "save", recorded_save)
    rollout = 128 * SMALL["num_envs"]
    with pytest.raises(ValueError, match=f"steps must be at least {rollout:,}, the decisions of one rollout, got 64"):
        train(steps=64, run=tmp_path / "none", **SMALL)
    assert not (tmp_path / "none").exists()
    for steps, num_decisions in ((rollout, rollout), (rollout + 1, 2 * rollout)):
        saved.clear()
        result = train(run=tmp_path / str(steps), steps=steps, **SMALL | {"evaluation_games": 0})
        assert result["steps"] == num_decisions and result["policy_updates"] == num_decisions // rollout
        assert not any(
            torch.equal(before, other) for before, other in zip(saved[0], saved[-1], strict=True) if before.any()
        )


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
    assert (
        {name: settings[name] for name in hyperparameters} == hyperparameters
        and settings["batch_size"] == 64
        and reward == "rank"
    )
    assert settings["policy_kwargs"]["net_arch"] == [8]
    with pytest.raises(ValueError, match="gamma must be above 0 and at most 1, got 2"):
        train(run=tmp_path / "other", gamma=2, **SMALL)
    with pytest.raises(ValueError, match="unknown reward 'fame'"):
        train(run=tmp_path / "other", reward="fame", **SMALL)


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


def test_damaged_run_raises(tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        train(steps=1, run=tmp_path, resume=True, **SMALL)
    (tmp_path / SETTINGS).write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="is damaged"):
        train(steps=1, run=tmp_path, resume=True, **SMALL)


def test_unknown_opponents_create_no_directory(tmp_path):
    with pytest.raises(ValueError, match="nobody"):
        train(steps=1, run=tmp_path / "run", **SMALL | {"opponents": ["nobody"]})
    assert not (tmp_path / "run").exists()


def test_opponents_have_equal_shares_of_the_games():
    env = module.make_training_env(["random", "heuristic"], game_spec().options.of(num_players=2), 8)
    assert env.num_envs == 8 and env.opponents == {"random": 1, "heuristic": 1} and env.learner_seat == "random"
