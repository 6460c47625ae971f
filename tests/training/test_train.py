"""Training: checkpoints, going on after a kill, and the bot that comes out of it."""

import pytest
import torch

import vitienv
from vitienv import cli, signing
from vitienv.agents.policy import load_networks
from vitienv.registry import game_spec
from vitienv.training.eval_opponents import SEED, EvalOpponents
from vitienv.training.ppo import train as module
from vitienv.training.ppo.train import CHECKPOINT, train
from vitienv.training.run_dir import CURVE, SETTINGS, points

QUICK = {"opponents": ["random"], "num_envs": 8, "evaluation_games": 4, "progress": False}


def test_a_run_leaves_a_bot_and_goes_on(tmp_path, monkeypatch):
    run = tmp_path / "run"
    first = train(steps=1500, run=run, output=tmp_path / "bot.zip", **QUICK)
    assert first["steps"] == 2048 and (run / CHECKPOINT).exists() and (run / SETTINGS).exists()
    curve = [int(point["decisions"]) for point in points(run / CURVE)]  # a slow machine has points in between
    assert (curve[0], curve[-1]) == (0, first["steps"])
    assert train(steps=1500, run=run, resume=True, **QUICK)["steps"] == first["steps"]  # which is what was asked for
    second = train(steps=first["steps"] + 500, run=run, resume=True, **QUICK)
    assert second["steps"] == first["steps"] + 1024
    longer = [int(point["decisions"]) for point in points(run / CURVE)]
    assert longer[: len(curve)] == curve and longer[-1] == second["steps"]
    monkeypatch.setenv(signing.VARIABLE, "1")
    bot = vitienv.make_agent(f"policy:{tmp_path / 'bot.zip'}")
    assert vitienv.make_agent(f"policy:{run}").name  # the folder names its bot too
    game = vitienv.Game.new(num_players=2, seed=1)
    for _ in range(30):
        action = int(bot.act(game.observation()[None], game.mask[None])[0])
        assert game.mask[action] == 1
        game.step(action)


def test_a_resumed_run_knows_its_best_network(tmp_path, monkeypatch):
    """By the games it won, where these are level by its points."""
    run, results = tmp_path / "run", iter([(0.2, 1.0), (0.9, 5.0), (0.4, 9.0), (0.9, 4.0), (0.9, 5.5)])

    def evaluate(self, agent, seed=SEED):
        wins, points = next(results) if seed == SEED else (0.5, 5.0)
        return {"random": {"wins": wins, "points": points, "low": 0.0, "high": 1.0}}

    monkeypatch.setattr(EvalOpponents, "evaluate", evaluate)
    often = QUICK | {"checkpoint_seconds": 0}
    best = {
        steps: train(steps=steps, run=run, resume=steps > 2048, **often)["best_after"] for steps in (2048, 3072, 4096)
    }
    assert best == {2048: 1024, 3072: 1024, 4096: 4096}
    assert load_networks(str(run / "agent.safetensors")).metadata["trained"]["decisions"] == 4096


def test_every_decision_is_learned_from(tmp_path, monkeypatch):
    """The last rollout too, when steps or minutes end within it; a run without a whole one is refused."""
    saved, save = [], module._Training.save

    def noted(self):
        saved.append([one.detach().clone() for one in self.model.policy.parameters()])
        save(self)

    monkeypatch.setattr(module._Training, "save", noted)
    rollout = 128 * QUICK["num_envs"]
    with pytest.raises(ValueError, match=f"steps must be at least {rollout:,}, the decisions of one rollout, got 64"):
        train(steps=64, run=tmp_path / "none", **QUICK)
    assert not (tmp_path / "none").exists()
    for name, limit, taken in (("one", {"steps": rollout}, rollout), ("more", {"steps": rollout + 1}, 2 * rollout)):
        saved.clear()
        found = train(run=tmp_path / name, **QUICK | {"evaluation_games": 0} | limit)
        assert found["steps"] == taken and found["policy_updates"] == taken // rollout
        assert not any(torch.equal(one, other) for one, other in zip(saved[0], saved[-1], strict=True) if one.any())


def test_the_settings_that_everybody_changes_reach_the_library(tmp_path, monkeypatch):
    made = []

    def seen(*given, **settings):
        made.append((settings, given[1].games.options.reward))
        raise KeyboardInterrupt

    monkeypatch.setattr("sb3_contrib.MaskablePPO", seen)
    asked = {"learning_rate": 1e-3, "gamma": 0.9, "ent_coef": 0.5}
    words = [f"--{name.replace('_', '-')}={value}" for name, value in asked.items()]
    words += ["--minibatch-size=64", "--hidden=8", "--reward=rank", "--num-envs=8", "--steps=1024"]
    assert cli.run(["train", "--method", "ppo", "--run", str(tmp_path / "run"), *words]) == cli.INTERRUPTED
    [(settings, reward)] = made
    assert {name: settings[name] for name in asked} == asked and settings["batch_size"] == 64 and reward == "rank"
    assert settings["policy_kwargs"]["net_arch"] == [8]
    with pytest.raises(ValueError, match="gamma must be above 0 and at most 1, got 2"):
        train(run=tmp_path / "other", gamma=2, **QUICK)
    with pytest.raises(ValueError, match="unknown reward 'fame'"):
        train(run=tmp_path / "other", reward="fame", **QUICK)


def test_a_callback_is_told_of_each_rollout_and_ends_the_run(tmp_path):
    """Once it starts, once it ends; the rollout in which it has had enough is learned from."""
    from stable_baselines3.common.callbacks import BaseCallback

    class Counted(BaseCallback):
        said = ""

        def _on_training_start(self):
            self.said += "<"

        def _on_rollout_start(self):
            self.said += "("

        def _on_step(self):
            assert "new_obs" in self.locals
            return self.n_calls < 150

        def _on_rollout_end(self):
            self.said += ")"

        def _on_training_end(self):
            self.said += ">"

    callback = Counted()
    found = train(callback=[callback], run=tmp_path / "list", steps=9999, **QUICK)
    assert (found["steps"], callback.said, callback.n_calls) == (2048, "<()()>", 256)
    assert not found["is_interrupted"] and callback.model.num_timesteps == 2048
    found = train(callback=lambda *_: False, run=tmp_path / "function", steps=9999, **QUICK)
    assert found["steps"] == found["policy_updates"] * 1024 == 1024


def test_a_damaged_run_is_refused(tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        train(steps=1, run=tmp_path, resume=True, **QUICK)
    (tmp_path / SETTINGS).write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="is damaged"):
        train(steps=1, run=tmp_path, resume=True, **QUICK)


def test_unknown_opponents_leave_no_folder(tmp_path):
    with pytest.raises(ValueError, match="nobody"):
        train(steps=1, run=tmp_path / "run", **QUICK | {"opponents": ["nobody"]})
    assert not (tmp_path / "run").exists()


def test_each_bot_is_met_in_an_equal_share_of_the_games():
    env = module.make_training_env(["random", "heuristic"], game_spec().options.of(num_players=2), 8)
    assert env.num_envs == 8 and env.opponents == {"random": 1, "heuristic": 1} and env.learner_seat == "random"
