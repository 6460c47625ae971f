"""PPO in one file: its bot, its advantages, and truncated games."""

import sys

import numpy as np
import pytest
import torch

import vitienv
from tests.random_play import bot_game
from vitienv.training.ppo import one_file as ppo

SMALL = ["--minutes", "0.0001", "--num-envs", "8", "--num-steps", "4", "--minibatch-size", "16", "--hidden", "8",
         "--eval-games", "4"]  # fmt: skip


@pytest.mark.parametrize(("game", "players"), [("viticulture", 3), ("toscana", 2)])
def test_run_writes_a_bot(game, players, tmp_path, monkeypatch, capsys):
    file = tmp_path / "ppo.safetensors"
    arguments = [*SMALL, "--out", str(file), "--game", game, "--num-players", str(players), "--max-years", "2"]
    monkeypatch.setattr(sys, "argv", ["ppo", *arguments])
    ppo.main()
    output = capsys.readouterr().out
    assert output.startswith("32 decisions, ") and "of 4 games against random" in output
    bot = vitienv.make_agent(f"policy:{file}", game=game)
    assert len(bot_game(bot, vitienv.Game.new(game=game, num_players=players, seed=1), 20).moves) == 20


def test_bot_equals_the_network(tmp_path):
    vec = vitienv.make_vec(num_envs=16, num_players=2)
    observations, info = vec.reset(seed=1)
    torch.manual_seed(1)
    agent = ppo.Agent(observations.shape[1], info["action_mask"].shape[1], 8)
    file = tmp_path / "ppo.safetensors"
    agent.save(str(file), {"reward": "win"}, "viticulture")
    bot = vitienv.make_agent(f"policy:{file}")
    with torch.no_grad():
        policy, _ = agent(ppo.compressed(observations), torch.from_numpy(info["action_mask"] != 0))
    assert (bot.act(observations, info["action_mask"]) == policy.logits.argmax(dim=1).numpy()).all()


def test_advantages_are_those_of_the_decisions_of_each_seat():
    """Compared with a loop over the decisions of each seat, with games that end in between."""
    rng = np.random.default_rng(3)
    steps, games, seats, gamma, lam = 40, 5, 3, 0.9, 0.8
    seat_of, values = rng.integers(0, seats, (steps, games)), rng.normal(size=(steps, games))
    ended, last = rng.random((steps, games)) < 0.1, rng.normal(size=(games, seats))
    rewards = rng.normal(size=(steps, games, seats)) * ended[:, :, None]
    estimates = ppo.advantages(*map(torch.from_numpy, (rewards, ended, seat_of, values, last)), gamma, lam)
    for game in range(games):
        for seat in range(seats):
            ahead, coming, gained = last[game, seat], 0.0, 0.0
            for t in reversed(range(steps)):
                if ended[t, game]:
                    ahead, coming, gained = 0.0, 0.0, rewards[t, game, seat]
                if seat_of[t, game] == seat:
                    coming = gained + gamma * ahead - values[t, game] + gamma * lam * coming
                    ahead, gained = values[t, game], 0.0
                    assert estimates[t, game].item() == pytest.approx(coming)


def test_invalid_settings_raise_in_one_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ppo", "--minibatch-size", "1000"])
    with pytest.raises(SystemExit):
        ppo.main()
    assert "minibatch_size must divide num_envs * num_steps = 64 * 128, got 1000" in capsys.readouterr().err


def test_truncated_games_are_bootstrapped(tmp_path, monkeypatch):
    """All games are truncated after a year, so that there are no other rewards."""
    calls, advantages = [], ppo.advantages

    def recorded(rewards, ended, *others):
        calls.append((rewards.clone(), ended.clone()))
        return advantages(rewards, ended, *others)

    monkeypatch.setattr(ppo, "advantages", recorded)
    ppo.learn(ppo.Args(minutes=0.00001, num_envs=8, num_steps=100, minibatch_size=80, hidden=8, eval_games=2,
                       max_years=1, num_players=2, out=str(tmp_path / "ppo.safetensors")))  # fmt: skip
    [(rewards, ended)] = calls[:1]
    assert ended.any() and (rewards[ended] != 0).all() and not rewards[~ended].any()
